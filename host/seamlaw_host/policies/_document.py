"""What every format of policy file is read into: plain data, and the line of each part of it.

Places are written as the kernel writes them, `rules[2].when[0].matches`, so that what it refuses can be found.
"""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

__all__ = ["Document", "Places", "Unreadable", "inside", "item"]

Places = dict[str, int]


class Unreadable(ValueError):
    """Text that cannot be read, or means two things; becomes a `PolicyError` and never leaves the package."""

    def __init__(self, problem: str, line: int | None = None, place: str = "") -> None:
        super().__init__(problem, line, place)
        self.problem = problem
        self.line = line
        self.place = place


def inside(place: str, key: str) -> str:
    """Write the place of a key."""
    return f"{place}.{key}" if place else key


def item(place: str, index: int) -> str:
    """Write the place of an element."""
    return f"{place}[{index}]"


@frozen
class Document:
    """The data of a file, and the line, from 1, of each place in it."""

    data: Any
    lines: Mapping[str, int]

    def line(self, place: str) -> int | None:
        """Find the line of a place, or of the nearest part around it."""
        while place and place not in self.lines:
            place = place[: max(0, *map(place.rfind, ".[/"))]
        return self.lines.get(place)
