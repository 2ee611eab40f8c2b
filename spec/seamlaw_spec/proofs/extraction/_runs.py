"""Token runs: every word up to a length over an alphabet, and what a run is compared by."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, Generic, TypeVar

from ._opaque import NotExtracted

__all__ = ["LONGEST", "OneShot", "leaves", "raiser", "require", "same", "words"]

T = TypeVar("T")
LONGEST = 4


def words(alphabet: Iterable[T], longest: int = LONGEST) -> Iterator[tuple[T, ...]]:
    """Every word over an alphabet, the shortest first."""
    letters = tuple(alphabet)
    for length in range(longest + 1):
        yield from product(letters, repeat=length)


class OneShot(Generic[T]):
    """An iterable that can be iterated once, and has no length, no order of its own, no end to be seen."""

    __slots__ = ("_left",)

    def __init__(self, items: Iterable[T]) -> None:
        self._left: Iterator[T] | None = iter(tuple(items))

    def __iter__(self) -> Iterator[T]:
        left, self._left = self._left, None
        if left is None:
            raise AssertionError("is iterated twice")
        yield from left


def require(condition: object, function: str, problem: str) -> None:
    """Raise `NotExtracted` for a run that came out otherwise than in the model."""
    if not condition:
        raise NotExtracted("token runs", function, problem)


def same(a: Iterable[object], b: Iterable[object]) -> bool:
    """Whether two sequences hold the very same objects."""
    one, other = list(a), list(b)
    return len(one) == len(other) and all(x is y for x, y in zip(one, other, strict=True))


def raiser(error: BaseException) -> Callable[..., Any]:
    """A function that raises this."""

    def raises(*_: object) -> Any:
        raise error

    return raises


def leaves(function: str, thrown: BaseException, call: Callable[[], object]) -> None:
    """Require that an exception leaves a function as it is."""
    try:
        call()
    except BaseException as left:
        if left is thrown:
            return
    raise NotExtracted("token runs", function, f"lets no {type(thrown).__name__} leave")
