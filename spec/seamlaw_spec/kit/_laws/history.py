"""What an interceptor's answers depend on."""

from seamlaw_spec.kit._law import law
from seamlaw_spec.kit._parts import Part, Trace

__all__ = ["is_deterministic"]


@law()
def is_deterministic(part: Part, trace: Trace) -> bool:
    """Two fresh instances that are shown the same answer the same: no chance, no clock, nothing shared."""
    first, second = part.play(trace), part.play(trace)
    for at, (one, other) in enumerate(zip(first, second, strict=True)):
        if one.gist() != other.gist() or [e.reason for e in one.entries] != [e.reason for e in other.entries]:
            hint = "" if part.subject.is_factory else "; if it keeps state, give a function that makes a fresh one"
            return part.remark(
                f"shown value {at} of the trace, one answered {one.answer!r}, the next {other.answer!r}{hint}"
            )
    return True
