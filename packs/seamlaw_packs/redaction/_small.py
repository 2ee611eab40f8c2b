"""Small plain values without secrets, which nearly all values are: told in a few microseconds, and never wrongly.

Keys come again and again, so those that are no name of a secret, and have none in them, are remembered. The texts
under them are joined by walls and asked for marks, without one of which nothing can be found. What is not told so is
left to the whole search: this one only ever says that there is nothing.
"""

from typing import Any

from attrs import Factory, field, frozen

from seamlaw import FrozenDict, FrozenList

from ._names import Names
from ._placeholders import WALL, walled
from ._search import Search
from ._values import CONTENT, NO_TEXT

__all__ = ["Small"]

CONTAINERS = 64
LONGEST_KEY, REMEMBERED = 64, 2_048
OPTION = WALL + "--"  # what stands behind one in a list may be a secret


@frozen
class Small:
    """Tells of a value whether nothing is to be looked for in it."""

    names: Names
    searching: Search
    _harmless: set[str] = field(init=False, eq=False, repr=False, default=Factory(set[str]))

    def is_clean(self, value: object) -> bool:
        """Whether a value is small, plain, and has nothing in it for certain."""
        texts, left = [""], [value]
        for one in left:  # which grows meanwhile
            kind: type[Any] = type(one)
            if kind is FrozenDict or kind is dict:
                items: Any = one
                if not (self._harmless.issuperset(items) or self._learnt(items)):
                    return False
                items = items.values()
            elif kind is FrozenList or kind is list:
                items = one
            else:
                return False
            for item in items:
                if type(item) is str:
                    texts.append(item)
                elif type(item) not in NO_TEXT:
                    left.append(item)
            if len(left) > CONTAINERS:
                return False
        joined = WALL.join(texts)
        return OPTION not in joined and self.searching.is_unmarked(joined)

    def _learnt(self, keys: dict[Any, Any]) -> bool:
        """Look at the keys that are new; say whether none of them matters."""
        for key in list(keys):
            if key in self._harmless:
                continue
            if type(key) is not str or len(key) > LONGEST_KEY or key in CONTENT:
                return False
            if self.names.kind(key) is not None or self.searching.found(walled(key)):
                return False
            if len(self._harmless) >= REMEMBERED:  # keys come from models
                self._harmless.clear()
            self._harmless.add(key)
        return True
