"""An index of many filters: which of them admit a name, without trying each.

Every glob begins or ends with some text, or it is tried: whole names, then beginnings, then endings, then the rest.
What is found is only who may match; `Globs.admit` has the last word.
"""

import re
from collections.abc import Iterable

from ._globs import Globs

__all__ = ["Index"]

_WILD = re.compile(r"[*?\[\]]")


class Index:
    """Filters by their places, in order."""

    __slots__ = ("beginnings", "endings", "filters", "tried", "whole")

    def __init__(self, filters: Iterable[Globs]) -> None:
        self.filters = tuple(filters)
        self.whole: dict[str, list[int]] = {}
        self.beginnings: dict[int, dict[str, list[int]]] = {}  # by their length
        self.endings: dict[int, dict[str, list[int]]] = {}
        self.tried: list[int] = []
        for place, globs in enumerate(self.filters):
            for pattern in dict.fromkeys(globs.patterns) or ("*",):
                self._listed(pattern, globs).append(place)

    def _listed(self, pattern: str, globs: Globs) -> list[int]:
        if pattern in globs.exact:
            return self.whole.setdefault(pattern, [])
        beginning, *_, ending = _WILD.split(pattern)
        if beginning:
            return self.beginnings.setdefault(len(beginning), {}).setdefault(beginning, [])
        if ending:
            return self.endings.setdefault(len(ending), {}).setdefault(ending, [])
        return self.tried

    def admitting(self, name: str | None) -> list[int]:
        """The places of the filters that admit a name, in order; all of them where it is not known."""
        if name is None:
            return [*range(len(self.filters))]
        found = {*self.tried, *self.whole.get(name, ())}
        for length, listed in self.beginnings.items():
            found.update(listed.get(name[:length], ()))
        for length, listed in self.endings.items():
            found.update(listed.get(name[-length:], ()))
        return [place for place in sorted(found) if self.filters[place].admit(name)]
