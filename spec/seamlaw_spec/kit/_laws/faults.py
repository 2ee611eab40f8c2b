"""What becomes of a fault inside a policy."""

from seamlaw_spec.kit._faults import MOST_PLACES, heard_with_fault
from seamlaw_spec.kit._law import law
from seamlaw_spec.kit._parts import Part, Trace

__all__ = ["stays_closed_under_injected_faults"]


@law(compares=True)
def stays_closed_under_injected_faults(part: Part, trace: Trace) -> bool:
    """No fault loosens: whatever it reads or calls fails, the outcome is as strict as without."""
    without = part.play(trace)[-1]
    if without.strictness == 0:
        return True
    _, counted = heard_with_fault(part, trace, -1)
    for at in range(min(counted.count, MOST_PLACES)):
        heard, injected = heard_with_fault(part, trace, at)
        if injected.place and heard.strictness < without.strictness:
            ends = f"when {injected.place} fails, to {heard.level.value}"
            return part.remark(f"without a fault it comes to {without.level.value}; {ends}")
    return True
