"""Two rewriters of one seam."""

from attrs import evolve

from seamlaw_spec.kit._parts import Part, Shown

__all__ = ["commutes_or_is_reported"]


def commutes_or_is_reported(one: Part, other: Part, shown: Shown) -> bool:
    """Two rewriters give the same in either order; where they do not, their order is part of the policy."""
    forth, back = _through(other, _through(one, shown)), _through(one, _through(other, shown))
    if forth == back:
        return True
    told = ["stopped" if end is None else repr(end.value)[:200] for end in (forth, back)]
    return one.remark(f"{one.name} first gives {told[0]}; {other.name} first gives {told[1]}")


def _through(part: Part, shown: Shown | None) -> Shown | None:
    """What is left of a value after a rewriter, or `None` where it stopped there."""
    if shown is None:
        return None
    heard = part.after(())(shown)
    if heard.level.value == "block":
        return None
    return shown if heard.replacement is None else evolve(shown, value=heard.replacement.value)
