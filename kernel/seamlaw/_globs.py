"""Globs over the names of tools and agents: `*`, `?`, `[set]`, `[!set]`; case counts."""

import re
from collections.abc import Callable, Iterable
from fnmatch import translate
from typing import cast

from attrs import field, frozen

__all__ = ["Globs"]

_WELL_FORMED = re.compile(r"(?:[^\[\]\x00]|\[!?[^\[\]!\x00][^\[\]\x00]*\])+")
_WILD = re.compile(r"[*?\[]")


@frozen
class Globs:
    """A filter on names, sorted by what is cheap to ask; with no pattern it admits everything."""

    patterns: tuple[str, ...] = ()
    exact: frozenset[str] = field(init=False, eq=False, repr=False)
    prefixes: tuple[str, ...] = field(init=False, eq=False, repr=False)
    _other: Callable[[str], object] | None = field(init=False, eq=False, repr=False)

    @exact.default
    def _(self) -> frozenset[str]:
        return frozenset(pattern for pattern in self.patterns if not _WILD.search(pattern))

    @prefixes.default
    def _(self) -> tuple[str, ...]:
        return tuple(p[:-1] for p in self.patterns if p.endswith("*") and not _WILD.search(p[:-1]))

    @_other.default
    def _(self) -> Callable[[str], object] | None:
        rest = [p for p in self.patterns if p not in self.exact and p[:-1] not in self.prefixes]
        return re.compile("|".join(map(translate, rest))).match if rest else None

    def admit(self, name: str | None) -> bool:
        """Whether the filter lets `name` through; an unknown name is let, so that nobody slips past a gate."""
        if not self.patterns or name is None:
            return True
        return name in self.exact or name.startswith(self.prefixes) or bool(self._other and self._other(name))


def globs(patterns: str | Iterable[str]) -> Globs:
    """Read one glob or several; raises `ValueError`, saying which is no glob."""
    listed = (patterns,) if isinstance(patterns, str) else patterns
    if not isinstance(listed, list | tuple | set | frozenset):
        raise ValueError("globs are a string, or a list of strings")
    for index, pattern in enumerate(cast("tuple[object, ...]", listed)):
        if not isinstance(pattern, str) or not _WELL_FORMED.fullmatch(pattern):
            raise ValueError(f"glob {index} is no glob: text with *, ? and [set], every [ closed")
    return Globs(tuple(map(str, listed)))
