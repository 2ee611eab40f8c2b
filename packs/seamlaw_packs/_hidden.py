"""What changes while calls are counted, and is no part of any policy."""

from types import CellType
from typing import Generic, TypeVar, cast

__all__ = ["Hidden"]

T = TypeVar("T")


class Hidden(Generic[T]):
    """Holds what changes out of sight of `policy_hash`, which follows all that a gate holds.

    What was counted changes no policy. The state of a cell cannot be read by pickling, so a hash sees its type alone.
    """

    def __init__(self, value: T) -> None:
        self._cell = CellType(value)

    @property
    def value(self) -> T:
        """What it holds."""
        return cast(T, self._cell.cell_contents)

    @value.setter
    def value(self, value: T) -> None:
        self._cell.cell_contents = value
