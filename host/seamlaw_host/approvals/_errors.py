"""What approvals raise: for mistakes in how they are set up or answered; a denial is a value."""

from seamlaw_host.errors import HostError

__all__ = ["InvalidApprovals", "NotAnApprover", "NotOpen", "StoreUnavailable", "UnknownApproval"]


class InvalidApprovals(HostError, ValueError):
    """A handler or a store that is set up in a way that cannot work, or would not be safe."""


class StoreUnavailable(HostError, OSError):
    """The database of the approvals cannot be used; no statement and no value of it is quoted."""


class UnknownApproval(HostError, LookupError):
    """An id that no approval has."""


class NotOpen(HostError, ValueError):
    """An approval that can no longer be granted or denied; `state` says why."""

    def __init__(self, text: str, state: str) -> None:
        super().__init__(text, state)
        self.text = text
        self.state = state

    def __str__(self) -> str:
        return self.text


class NotAnApprover(HostError, PermissionError):
    """Somebody whose word does not count for this approval."""
