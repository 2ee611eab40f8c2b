"""What goes wrong with an extension."""

from seamlaw_host.errors import HostError

__all__ = ["ExtensionFailed", "Failed", "Garbage"]


class ExtensionFailed(HostError, RuntimeError):
    """An extension that cannot be started, or has a manifest that cannot be taken; the text names it and says why."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(name, problem)
        self.name = name
        self.problem = problem

    def __str__(self) -> str:
        return f"extension {self.name} {self.problem}"


class Failed(Exception):
    """Why a request got no answer, as what the extension did: "gave no answer within 5 s"; never leaves the package."""


class Garbage(Exception):
    """What came and is no answer; its text quotes nothing of it. It ends the process: all else is in doubt, too."""
