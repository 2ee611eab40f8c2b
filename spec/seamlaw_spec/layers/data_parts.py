"""The parts of laws that are about data alone, where the whole law cannot be followed symbolically.

Reading a rule and freezing a call look at every bit of an integer, and CrossHair does not follow `match` on the type of
a symbolic value. What is confirmed in their place is the heart of the law, on the shipped functions that are called
after that, with values left free.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from attrs import frozen

from seamlaw import Mismatch
from seamlaw.policy._conditions import MISSING, OPERATORS, locate
from seamlaw.policy._rules import _fill  # pyright: ignore[reportPrivateUsage]
from seamlaw_spec.rule_domains import ABSENT, Doubt, Filling, filled, followed, keys_of, tells

from ._sizes import Domain, built, flat
from .shapes import Free

__all__ = ["DATA_PARTS", "DataPart", "an_operator_tells_what_is_documented", "filling_keeps_what_is_there"]


@frozen
class DataPart:
    """What is confirmed in the name of a law: a function over data, and the shapes it ranges over."""

    holds: Callable[..., bool]
    shapes: Domain

    @property
    def says(self) -> str:
        """What the part states."""
        return " ".join((self.holds.__doc__ or "").split())


def an_operator_tells_what_is_documented(operator: str, operand: Any, met: Any) -> bool:
    """What the shipped operator tells of a value of the type it is for is what its naive account tells."""
    return bool(OPERATORS[operator].holds(met, operand) == tells(operator, operand, met))


def filling_keeps_what_is_there(filling: Filling) -> bool:
    """Filling puts the value where nothing is and keeps all else, the very same objects; then nothing is absent."""
    keys = tuple(keys_of(filling.at))
    try:
        absent = followed(filling.at, filling.arguments) is ABSENT
        due = filled(filling.at, filling.value, filling.arguments) if absent else None
    except Doubt:
        return _raises(filling.arguments, keys, filling.value)
    if not absent:
        return locate(filling.arguments, keys) is not MISSING
    done = _fill(filling.arguments, keys, filling.value)
    return done == due and locate(done, keys) is filling.value and _keeps(filling.arguments, done)


def _raises(arguments: Any, keys: tuple[str, ...], value: Any) -> bool:
    try:
        if locate(arguments, keys) is MISSING:
            _fill(arguments, keys, value)
    except Mismatch:
        return True
    return False


def _keeps(before: Any, after: Any) -> bool:
    if isinstance(before, dict):
        plain = cast("dict[str, Any]", before)
        return all(key in after and _keeps(plain[key], after[key]) for key in plain)
    return after is before


INTEGER, TRUTH, TEXT, LONGER = Free(int), Free(bool), Free(str, 2), Free(str, 4)
PAIRS: tuple[tuple[str, Any, Any], ...] = (
    *((name, operand, INTEGER) for name in ("less", "greater") for operand in (INTEGER, 0.5, 2**53 + 1)),
    *((name, TEXT, LONGER) for name in ("starts_with", "ends_with", "contains")),
)
ARGUMENTS: tuple[Any, ...] = (
    {},
    {"a": INTEGER},
    {"a": None},
    {"a": {}},
    {"a": {"b": TEXT, "c": TRUTH}},
    {"a": [INTEGER]},
)


def _named(*names: str) -> Callable[..., dict[str, Any]]:
    return lambda *given: dict(zip(names, given, strict=True))


DATA_PARTS: Mapping[str, DataPart] = {
    "conditions_are_classical": DataPart(
        an_operator_tells_what_is_documented,
        flat(dict(zip(("operator", "operand", "met"), pair, strict=True)) for pair in PAIRS),
    ),
    "default_fills_only_what_is_absent": DataPart(
        filling_keeps_what_is_there,
        built(
            _named("filling"),
            built(
                Filling,
                flat(["/a", "/b", "/a/b", "/a/d", "/b/c", "/a/0"]),
                flat([INTEGER, TEXT, None]),
                flat(ARGUMENTS),
            ),
        ),
    ),
}
