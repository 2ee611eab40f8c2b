"""What an approver is shown, and what a handler is."""

from collections.abc import Sequence
from typing import Protocol

from attrs import field, frozen

from seamlaw import StandingAsk

from ._visible import written

__all__ = ["BatchHandler", "Handler", "Request"]

OPAQUE = "opaque:"  # how the digest of a value begins that holds a Python object


@frozen(kw_only=True)
class Request:
    """One ask, as it may leave the process: every text and every argument has been redacted.

    `arguments` is frozen JSON, whole but for what the redactor took out: the arguments of a tool call, or what
    another seam carries. `message` is the reason of the ask, cut if it is long. `ask` is the ask itself, whose texts
    are *not* redacted: it is for `grant` and `refuse`, and no handler may show it. Times are of the clock of
    `Approvals`; `timeout_s` counts from when the handler is called.
    """

    id: str
    ask: StandingAsk = field(repr=False)
    tool: str
    message: str
    arguments: object
    interceptor: str = ""
    target: str = ""
    session: str = ""
    agent: str = ""
    attempt: str = ""
    created: float = 0.0
    timeout_s: float | None = None

    @property
    def digest(self) -> str:
        """The digest of what would run, before anything was redacted."""
        return self.ask.digest

    @property
    def shown(self) -> str:
        """The arguments as JSON in which every character can be seen."""
        return written(self.arguments)

    @property
    def seam(self) -> str:
        """The seam at which it is asked."""
        return self.ask.seam

    @property
    def expires(self) -> float | None:
        """When an answer comes too late."""
        return None if self.timeout_s is None else self.created + self.timeout_s

    @property
    def is_opaque(self) -> bool:
        """Whether the value holds a Python object, which is shown by its type alone."""
        return self.ask.digest.startswith(OPAQUE)


class Handler(Protocol):
    """Somebody who can be asked.

    Gives `True` to grant, or what `seamlaw.grant` or `seamlaw.refuse` make of `request.ask`, to say who answered;
    or an awaitable of it. Anything else refuses, and so does an exception.
    """

    def ask(self, request: Request, /) -> object:
        """Put one ask."""
        ...


class BatchHandler(Handler, Protocol):
    """Somebody who can be asked several things at once."""

    def ask_all(self, requests: Sequence[Request], /) -> object:
        """Put several asks, of one call; gives a list with an answer to each, in order, or an awaitable of it."""
        ...
