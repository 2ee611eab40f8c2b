"""What is decided otherwise now than a ledger says it was."""

from typing import TYPE_CHECKING

from attrs import frozen

from seamlaw import ToolCall, Verdict

from ._changes import json_text

if TYPE_CHECKING:
    from ._judge import Judged

__all__ = ["Difference", "differences"]

NOTHING = "nothing"


@frozen
class Difference:
    """One thing that differs: the verdict, by whom, why, what goes on, or the verdict on the result."""

    what: str
    before: str
    after: str


def differences(judged: "Judged") -> tuple[Difference, ...]:
    """Compare a decision with the one that is recorded; none where none is, or where both are the same.

    Where the verdict differs nothing else of the call is compared. A reason that was redacted is not compared.
    """
    was, outcome = judged.recorded.was, judged.call
    if was is None:
        return ()
    found: list[Difference] = []
    if was.verdict is not outcome.verdict:
        found.append(Difference("verdict", was.verdict.value, outcome.verdict.value))
    elif outcome.verdict is not Verdict.PROCEED and was.decided_by not in (outcome.interceptor, None):
        found.append(Difference("decided by", was.decided_by or NOTHING, outcome.interceptor or NOTHING))
    elif outcome.verdict is not Verdict.BLOCK and _effective_differs(judged):
        found.append(Difference("what goes on", _shown(was.effective or judged.recorded.call), _shown(outcome.value)))
    before, now = was.result_verdict, _on_the_result(judged)
    if before is not None and now is not None and before is not now:
        found.append(Difference("verdict on the result", before.value, now.value))
    return tuple(found)


def _on_the_result(judged: "Judged") -> Verdict | None:
    """Give the verdict on the result; where nobody had anything to say it proceeds, and after a block there is none."""
    if judged.result is not None:
        return judged.result.verdict
    there = judged.recorded.result is not None and judged.call.verdict is not Verdict.BLOCK
    return Verdict.PROCEED if there else None


def _effective_differs(judged: "Judged") -> bool:
    was, now = judged.recorded.was, judged.call.value
    if was is None or (was.changed and was.effective is None):  # what went on was not kept whole
        return False
    before = was.effective or judged.recorded.call
    return _shown(before) != _shown(now)


def _shown(call: ToolCall) -> str:
    return f"{call.name} {json_text(call.arguments)}"
