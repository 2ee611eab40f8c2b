"""Values by size: for each type how many values of a size there are, and which.

Enumerations and small scalars have size 0. A list has the size of its items, each counting one more. So everything
"up to size n" is finite, and the smallest come first.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from attrs import field, frozen

__all__ = ["Domain", "built", "flat", "heavier", "lists", "tuples", "union"]

REMEMBERED = 30_000  # values of a domain and a size; more are made anew each time


@frozen(eq=False)
class Domain:
    """The values of a type, by size."""

    count: Callable[[int], int]
    made: Callable[[int], Iterator[Any]]
    known: dict[int, Sequence[Any]] = field(factory=dict[int, Sequence[Any]], init=False)

    def values(self, size: int) -> Iterable[Any]:
        """All values of just this size."""
        if size in self.known:
            return self.known[size]
        if self.count(size) > REMEMBERED:
            return self.made(size)
        self.known[size] = tuple(self.made(size))
        return self.known[size]

    def up_to(self, size: int) -> Iterator[Any]:
        """All values up to a size, the smallest first."""
        return (value for at in range(size + 1) for value in self.values(at))

    def how_many(self, size: int) -> int:
        """How many values there are up to a size."""
        return sum(map(self.count, range(size + 1)))


def flat(values: Iterable[Any]) -> Domain:
    """So many values, each of size 0."""
    listed = tuple(values)
    return Domain(lambda size: 0 if size else len(listed), lambda size: iter(() if size else listed))


def heavier(domain: Domain, by: int = 1) -> Domain:
    """The same values, each so much larger."""
    return Domain(
        lambda size: domain.count(size - by) if size >= by else 0,
        lambda size: iter(domain.values(size - by) if size >= by else ()),
    )


def union(*domains: Domain) -> Domain:
    """The values of all of these."""
    return Domain(
        lambda size: sum(domain.count(size) for domain in domains),
        lambda size: (value for domain in domains for value in domain.values(size)),
    )


def tuples(*domains: Domain) -> Domain:
    """One value of each, their sizes added up."""
    if not domains:
        return flat([()])
    head, tail = domains[0], tuples(*domains[1:])

    @cache
    def count(size: int) -> int:
        return sum(head.count(at) * tail.count(size - at) for at in range(size + 1))

    return Domain(
        count,
        lambda size: (
            (first, *rest)
            for at in range(size + 1)
            if tail.count(size - at)
            for first in head.values(at)
            for rest in tail.values(size - at)
        ),
    )


def built(make: Callable[..., Any], *domains: Domain) -> Domain:
    """What is made of one value of each."""
    given = tuples(*domains)
    return Domain(given.count, lambda size: (make(*parts) for parts in given.values(size)))


def lists(item: Domain) -> Domain:
    """Lists of these, each item counting one more than its size."""

    @cache
    def count(size: int) -> int:
        return sum(item.count(at) * count(size - 1 - at) for at in range(size)) if size else 1

    def made(size: int) -> Iterator[list[Any]]:
        if not size:
            yield []
        for at in range(size):
            for rest in longer.values(size - 1 - at) if item.count(at) else ():
                for first in item.values(at):
                    yield [first, *rest]

    longer = Domain(count, made)
    return longer
