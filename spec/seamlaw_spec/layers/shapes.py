"""The shapes of cases, for symbolic checks: everything that has a size is there, and the scalars in it are left free.

A shape is a case in which `Free` stands for every value of a type: for an integer, all integers. Which answers are
given and how many, who is a gate and what a policy is made of is enumerated, as for the layer **exhausted**.
"""

from collections.abc import Callable
from typing import Any

import attrs
from attrs import frozen

from seamlaw_spec.domains import Heard, Said
from seamlaw_spec.rule_domains import Rulebook

from ._catalogue import Catalogue
from ._sizes import built, flat, lists
from .enumerations import loaded
from .enumerations.rules import ARGUMENTS, CONDITIONS, ruled

__all__ = ["SHAPES", "Free", "filled"]


@frozen
class Free:
    """Any value of a type; of text, up to so many characters."""

    kind: type[Any]
    longest: int = 0


def filled(shape: Any, make: Callable[[Free], Any]) -> Any:
    """Put something in the place of everything free, each time anew."""
    kind: type[Any] = shape.__class__
    if kind is Free:
        return make(shape)
    if kind is list or kind is tuple:
        items: list[Any] = [filled(item, make) for item in shape]
        return items if kind is list else tuple(items)
    if kind is dict:
        return {key: filled(item, make) for key, item in shape.items()}
    if attrs.has(kind):
        parts = {field.name: filled(getattr(shape, field.name), make) for field in attrs.fields(kind)}
        return kind(**parts)
    return shape


INTEGER = Free(int)
SHAPES = Catalogue(beside=loaded())
SHAPES.register(int, flat([INTEGER]))
SHAPES.register(Heard, flat(Heard(said, INTEGER if said is Said.REPLACE else 0) for said in Said))  # type: ignore[arg-type]

NAME: Any = Free(str, 1)
VERBS: tuple[dict[str, Any], ...] = (
    {"refuse": "no"},
    {"refuse": "no", "severity": "low"},
    {"note": "seen"},
)  # no ask: it has the name digested


def _rulebook(rules: list[dict[str, Any]], arguments: dict[str, Any]) -> Rulebook:
    return Rulebook(tuple({"name": f"rule {at}", **rule} for at, rule in enumerate(rules)), NAME, arguments)


_conditions = lists(flat(CONDITIONS[:4]))
SHAPES.register(Rulebook, built(_rulebook, lists(built(ruled, flat(VERBS), _conditions, _conditions)), flat(ARGUMENTS)))
