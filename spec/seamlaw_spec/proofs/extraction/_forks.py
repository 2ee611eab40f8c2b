"""Truth values that take every path: a function is run again until each of its branches was taken both ways."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from attrs import define, field

__all__ = ["Fork", "Forks", "paths"]

R = TypeVar("R")
MOST = 4_096


@define
class Forks:
    """The branches taken in one run: those that are prescribed, then `True` each time."""

    prescribed: tuple[bool, ...] = ()
    taken: list[bool] = field(factory=list[bool])

    def decide(self) -> bool:
        """Take the next branch."""
        at = len(self.taken)
        self.taken.append(self.prescribed[at] if at < len(self.prescribed) else True)
        return self.taken[-1]


class Fork:
    """A truth value that is both; asked which, it takes the next branch of the run."""

    __slots__ = ("forks",)

    def __init__(self, forks: Forks) -> None:
        self.forks = forks

    def __bool__(self) -> bool:
        return self.forks.decide()


def paths(run: Callable[[Forks], R]) -> Iterator[tuple[tuple[bool, ...], R]]:
    """Run once for every path through a function's forks; gives the branches taken, and what came of them.

    The paths cover: each run that took a branch as `True` is followed by one that takes it as `False`.
    """
    prescribed: tuple[bool, ...] = ()
    for _ in range(MOST):
        forks = Forks(prescribed)
        came = run(forks)
        yield tuple(forks.taken), came
        while forks.taken and not forks.taken[-1]:
            forks.taken.pop()
        if not forks.taken:
            return
        prescribed = (*forks.taken[:-1], False)
    raise AssertionError("more paths than a function of the kernel has")
