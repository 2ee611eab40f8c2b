"""What a recorded session is made of: calls with their results, and what could not be read."""

from collections.abc import Iterator

from attrs import frozen

from seamlaw import Scope, ToolCall, ToolResult

__all__ = ["Event", "Malformed", "Recorded", "Session"]


@frozen
class Recorded:
    """A call as the model proposed it, who made it, and its result where one is recorded.

    `place` and `result_place` say where each stands: "line 12", or "message 3" in a JSON document.
    """

    place: str
    call: ToolCall
    scope: Scope = Scope()
    result: ToolResult | None = None
    result_place: str | None = None


@frozen
class Malformed:
    """Something that cannot be read; `problem` never quotes a value, which may be a secret.

    `tool` is set where it is a call to a tool whose name can be read: a call that no policy can decide.
    """

    place: str
    problem: str
    tool: str | None = None


Event = Recorded | Malformed


@frozen
class Session:
    """The recognised `shape` of a recording, and its events, to be read once, in the order of the calls."""

    shape: str
    events: Iterator[Event]
