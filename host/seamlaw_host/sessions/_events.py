"""What a recorded session is made of: calls with their results, and what could not be read."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import Factory, frozen

from seamlaw import Scope, ToolCall, ToolResult, Verdict

__all__ = ["Event", "Malformed", "Recorded", "Session", "Was"]


@frozen
class Was:
    """What a ledger says was decided of a call, and of its result; `None` for a result that is not recorded.

    `verdict` is what the policy said, before anybody answered an ask. `effective` is the call that went on instead,
    where one did and is kept. `state` is what predicates could see. `unreliable` says what makes a decision that is
    taken again less than sure: a part of the call that is not kept as it was.
    """

    verdict: Verdict
    reason: str = ""
    decided_by: str | None = None
    effective: ToolCall | None = None
    changed: bool = False
    result_verdict: Verdict | None = None
    state: Mapping[str, Any] = Factory(dict[str, Any])
    unreliable: tuple[str, ...] = ()


@frozen
class Recorded:
    """A call as the model proposed it, who made it, and its result where one is recorded.

    `place` and `result_place` say where each stands: "line 12", or "message 3" in a JSON document. `was` is what a
    ledger says was decided.
    """

    place: str
    call: ToolCall
    scope: Scope = Scope()
    result: ToolResult | None = None
    result_place: str | None = None
    was: Was | None = None


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
