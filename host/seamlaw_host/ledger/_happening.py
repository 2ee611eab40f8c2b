"""What the engine saw, as it saw it: the ledger makes a redacted record of it, at the last moment before it is kept."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from seamlaw import Answered, Outcome, Scope, Seam, ToolCall

__all__ = ["Happening", "Mode"]

Mode: TypeAlias = Literal["enforce", "dry_run", "observe"]


class Happening(NamedTuple):
    """One decision at one seam, unredacted; a call leaves two: decided (before the tool starts) and finished.

    A named tuple, because one is made on every call of every agent: appending it costs less than a microsecond,
    and everything dear (digests, redaction, encoding) waits until the ledger is drained.
    """

    at: float  # seconds since 1970, of the engine's clock
    seam: Seam[Any]
    scope: Scope
    mode: Mode
    attempt: str  # what the two happenings of one call share
    proposed: Any  # the value before anything replaced it
    call: ToolCall | None = None  # the call that this is about; at `tool_result` the one that ran
    outcome: Outcome[Any] | None = None  # nothing had anything to say
    governed: bool = True  # whether anybody was asked
    answers: tuple[Answered, ...] = ()  # what approvers said to the asks of the outcome
    executed: bool = False  # whether the tool was started
    duration_s: float | None = None
    error: str = ""  # the kind and the place of an exception, or a reason of the engine's own
    undo: str = ""  # "", "undone", "undo failed: …"
    policy_hash: str = ""
    state: Mapping[str, Any] | None = None  # what predicates could see besides: see `Record.state`
