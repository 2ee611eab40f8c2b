"""What an interceptor answers."""

from seamlaw import Allow, Ask, Block, Mismatch, Note, Replace, Several
from seamlaw_spec.kit._law import law
from seamlaw_spec.kit._parts import Heard, Part, Trace

__all__ = ["answers_a_decision", "keeps_the_id", "never_raises", "says_why"]

DECISIONS = (Allow, Note, Replace, Ask, Block)


@law(of_rules=True)
def never_raises(part: Part, trace: Trace) -> bool:
    """It answers whatever it is shown: no exception leaves it, but the mismatch of a rule, which refuses."""
    for heard in part.play(trace):
        if heard.error is not None and not isinstance(heard.error, Mismatch):
            return part.remark(f"it raised {type(heard.error).__name__}: {heard.error}")
    return True


@law()
def answers_a_decision(part: Part, trace: Trace) -> bool:
    """What it answers is a decision that fits its mode, or `None`; all else is a fault, which an open seam skips."""
    for heard in part.play(trace):
        if heard.error is None and not _is_decision(heard, part.is_gate):
            kind = type(heard.answer).__name__
            ends = "blocks" if heard.level.value == "block" else "is skipped, so that the value proceeds"
            return part.remark(f"it answered {kind}, a fault that {ends}: {heard.entries[0].reason}")
    return True


def _is_decision(heard: Heard, is_gate: bool) -> bool:
    answer = heard.answer
    known = answer is None or type(answer) in DECISIONS or (is_gate and type(answer) is Several)
    return known and not heard.is_fault and not (is_gate and type(answer) is Replace)


def _keeps(part: Part) -> bool:
    return bool(part.seam.kept) and not part.is_gate


@law(concerns=_keeps)
def keeps_the_id(part: Part, trace: Trace) -> bool:
    """What it puts in place of a call has the id of that call."""
    for shown, heard in zip(trace, part.play(trace), strict=True):
        if type(heard.answer) is not Replace:
            continue
        for name in part.seam.kept:
            before, after = getattr(shown.value, name), getattr(heard.answer.value, name, None)
            if before != after:
                return part.remark(f"it changed {name} from {before!r} to {after!r}")
    return True


@law(level="hint")
def says_why(part: Part, trace: Trace) -> bool:
    """Each block and each ask has a reason."""
    for heard in part.play(trace):
        for entry in heard.entries:
            if entry.level.value in ("ask", "block") and not entry.reason.strip():
                return part.remark(f"its {entry.kind.value} has no reason")
    return True
