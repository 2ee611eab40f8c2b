"""A law for policies: one typed function whose name is the theorem and whose docstring is the statement."""

import inspect
from collections.abc import Callable
from typing import Literal, TypeAlias

from attrs import frozen

from ._parts import Part, Trace

__all__ = ["RECORDED", "Holds", "KitLaw", "Level", "law"]

Level: TypeAlias = Literal["law", "hint"]  # what a policy must keep; what is likely a mistake, and is told
Holds: TypeAlias = Callable[[Part, Trace], bool]


@frozen
class KitLaw:
    """A law that every policy should keep; `concerns` says to which parts it applies."""

    name: str
    statement: str
    level: Level
    holds: Holds
    concerns: Callable[[Part], bool]
    tried_once: bool = False  # it makes its own values, and is asked once
    compares: bool = False  # it compares answers, which says nothing of what answers by chance
    of_rules: bool = False  # rules as data can break it; the kernel's own laws keep them from breaking the others


RECORDED: dict[str, KitLaw] = {}


def _everyone(_: Part) -> bool:
    return True


def law(
    *,
    level: Level = "law",
    concerns: Callable[[Part], bool] = _everyone,
    tried_once: bool = False,
    compares: bool = False,
    of_rules: bool = False,
) -> Callable[[Holds], Holds]:
    """Record a function as a law of the kit; gives it back unchanged."""

    def record(holds: Holds) -> Holds:
        name = holds.__name__
        statement = " ".join((inspect.getdoc(holds) or "").partition("\n\n")[0].split())
        RECORDED[name] = KitLaw(name, statement, level, holds, concerns, tried_once, compares, of_rules)
        return holds

    return record
