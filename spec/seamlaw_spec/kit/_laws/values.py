"""What an interceptor does with values: those it is shown, and those it makes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import evolve

from seamlaw_spec.kit._fields import items_of
from seamlaw_spec.kit._law import law
from seamlaw_spec.kit._parts import Part, Shown, Trace
from seamlaw_spec.kit._plain import plain
from seamlaw_spec.kit._twins import reordered, shown_as, watched, with_floats

__all__ = ["changes_nothing_it_is_shown", "decides_alike_on_equal_values", "rewrites_idempotently"]


@law()
def changes_nothing_it_is_shown(part: Part, trace: Trace) -> bool:
    """It changes nothing that it is shown; what should be different is said by a replacement."""
    *before, last = trace
    given = shown_as(plain, last)  # with containers that can be changed
    kept = shown_as(plain, last)
    part.after(before)(given)
    if given == kept:
        return True
    return part.remark(f"it changed what it was shown to {_told(given.value)}; frozen values raise there instead")


@law(concerns=lambda part: not part.is_gate, compares=True)
def rewrites_idempotently(part: Part, trace: Trace) -> bool:
    """Rewriting what it has rewritten changes nothing more."""
    *before, last = trace
    once = part.after(before)(last).replacement
    if once is None:
        return True
    twice = part.after(before)(evolve(last, value=once.value)).replacement
    if twice is None or _same(once.value, twice.value):
        return True
    return part.remark(f"once it gives {_told(once.value)}, and of that it makes {_told(twice.value)}")


def _same(a: Any, b: Any) -> bool:
    try:
        return bool(plain.of(a) == plain.of(b))
    except Exception:
        return False


TWINS: tuple[tuple[str, Callable[[Shown], Shown]], ...] = (
    ("the keys in another order", partial(shown_as, reordered)),
    ("whole numbers written 1.0", partial(shown_as, with_floats)),
    ("plain dict and list in place of frozen ones", partial(shown_as, plain)),
)


@law(compares=True)
def decides_alike_on_equal_values(part: Part, trace: Trace) -> bool:
    """Equal values are decided alike: in any order of keys, 1 as 1.0; and no list is compared with a tuple."""
    *before, last = trace
    heard = part.after(before)(last)
    for told, twin in TWINS:
        other = part.after(before)(twin(last))
        if other.error is None and heard.error is None and other.gist() != heard.gist():
            return part.remark(f"with {told} it answers {other.answer!r}, and here {heard.answer!r}")
    compared = _compared_with_tuples(part, trace)
    if compared:
        return part.remark(f"it compares the list {compared[0]!r} with a tuple of the same items, which is never equal")
    return True


def _compared_with_tuples(part: Part, trace: Trace) -> list[list[Any]]:
    *before, last = trace
    found: list[list[Any]] = []

    def tick(name: str, container: Any, given: tuple[Any, ...]) -> None:
        if name in ("__eq__", "__ne__") and isinstance(container, list) and isinstance(given[0], tuple):
            items = items_of(container)
            found.extend([items] if items == items_of(given[0]) else [])

    part.after(before)(watched(last, tick))
    return found


def _told(value: Any) -> str:
    return repr(value)[:300]
