"""What was looked up lately, within bounds: the names come from a model, which may flood, or write a megabyte.

Two generations: where the recent one is full it becomes the older, and what was older is forgotten. So a name that is
asked for again and again is never looked up again, whatever comes between; and a flood forgets only itself.
"""

from collections.abc import Callable, Sized
from typing import Generic, TypeVar

__all__ = ["Recent"]

F = TypeVar("F", bound=tuple[Sized, ...])
REMEMBERED = 512  # names, twice over
HEAVIEST = 2**16  # items in all that was found for them, twice over
LONGEST = 256  # characters of a name and an agent's name; what is found for longer ones is not remembered


class Recent(Generic[F]):
    """Remembers what `find` gives; for one name there must be one answer, so that threads may race here."""

    __slots__ = ("by_agent", "find", "generations", "weight")

    def __init__(self, find: Callable[[str | None, str | None], F], *, by_agent: bool) -> None:
        self.find = find
        self.by_agent = by_agent
        self.generations: tuple[dict[object, F], dict[object, F]] = {}, {}
        self.weight = 0

    def get(self, name: str | None, agent: str | None) -> F:
        """What is found for a name and, where that matters, an agent's name."""
        key = (name, agent) if self.by_agent else name
        recent, older = self.generations
        found = recent.get(key)
        if found is None:
            found = older.get(key) or self.find(name, agent)
            if len(name or "") + len(agent or "") <= LONGEST:
                self._remember(key, found)
        return found

    def _remember(self, key: object, found: F) -> None:
        if len(self.generations[0]) >= REMEMBERED or self.weight > HEAVIEST:
            self.generations, self.weight = ({}, self.generations[0]), 0
        self.weight += len(found[0])
        self.generations[0][key] = found
