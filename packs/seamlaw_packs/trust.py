"""Blocks calls of tools that need more trust than the caller has.

It believes the scope, whose `trust` the host says. A caller without one, or with one that is no level, has none, and is
blocked from every tool that needs any. A tool that no glob names needs none, unless `otherwise` says so; of several
globs that name it the highest level counts.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from attrs import Attribute, field, frozen

from seamlaw import Block, Globs, Interceptors, Scope, ToolCall, block, gate

from ._settings import are_pairs, globs_at, mapping_at, text_at, texts_at
from .errors import InvalidPack

__all__ = ["Trust"]

Needs = tuple[tuple[Globs, str], ...]


def _needs(given: Mapping[str, str] | Needs) -> Needs:
    if are_pairs(given, Globs, str):
        return cast("Needs", given)
    read = mapping_at("needs", cast("Mapping[str, object]", given))
    return tuple(
        (globs_at(f"needs[{glob!r}]", glob), text_at(f"needs[{glob!r}]", level)) for glob, level in read.items()
    )


def _levels(given: Iterable[str]) -> tuple[str, ...]:
    levels = texts_at("levels", given)
    if len(set(levels)) < len(levels):
        raise InvalidPack("levels", "has a level twice")
    return levels


def _known(it: "Trust", attribute: "Attribute[str | None]", value: str | None) -> None:
    if value is not None and value not in it.levels:
        raise InvalidPack(attribute.name, f"must be one of {', '.join(it.levels)}")


@frozen
class Trust:
    """Blocks a call where the trust of the scope is lower than the level that `needs` has for the tool, by glob.

    `levels`: from the lowest to the highest. `otherwise`: what every other tool needs. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "trust"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks calls that need more trust than the caller has."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    needs: Needs = field(converter=_needs)
    levels: tuple[str, ...] = field(default=("low", "medium", "high"), converter=_levels, kw_only=True)
    otherwise: str | None = field(default=None, validator=_known, kw_only=True)

    def __attrs_post_init__(self) -> None:
        for globs, level in self.needs:
            if level not in self.levels:
                raise InvalidPack(f"needs[{globs.patterns[0]!r}]", f"must be one of {', '.join(self.levels)}")

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name)])

    def judge(self, call: ToolCall, scope: Scope) -> Block | None:
        """Block a call that needs more trust."""
        needed = [self.levels.index(level) for globs, level in self.needs if globs.admit(call.name)]
        if not needed and self.otherwise is not None:
            needed = [self.levels.index(self.otherwise)]
        if not needed:
            return None
        has = self.levels.index(scope.trust) if scope.trust in self.levels else -1
        return block(f"needs the trust {self.levels[max(needed)]}") if has < max(needed) else None
