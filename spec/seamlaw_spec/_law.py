"""A law: one typed function whose name is the theorem and whose docstring is the statement.

`law` records the function as it is; tests, symbolic checks, proofs and the published table are made from it.
"""

import inspect
from collections.abc import Callable
from typing import TypeVar

from attrs import frozen

__all__ = ["MECHANISMS", "RECORDED", "Law", "law"]

F = TypeVar("F", bound=Callable[..., bool])

MECHANISMS: dict[str, str] = {
    "H": "tested",  # Hypothesis: so many examples
    "C": "confirmed",  # CrossHair: over all paths, within a bound
    "P": "proved",  # SMT: unbounded, over a model extracted from the shipped code
    "E": "exhausted",  # every case up to a stated size
}


@frozen
class Law:
    """A law of the kernel; `by` has a letter of `MECHANISMS` for each way in which it must be checked."""

    name: str
    group: str
    statement: str
    by: str
    holds: Callable[..., bool]


RECORDED: dict[str, Law] = {}  # in the order of their making; `seamlaw_spec.LAWS` is this in the order of the book


def law(*, by: str) -> Callable[[F], F]:
    """Record a function as a law of the group that is its module; gives the function back unchanged.

    Raises `ValueError` for a law that is not stated, is recorded already, or names no mechanism.
    """

    def record(function: F) -> F:
        name, group = function.__name__, function.__module__.rpartition(".")[2]
        statement = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
        if not statement:
            raise ValueError(f"{name} states nothing: the first paragraph of its docstring is the law")
        if not by or list(by) != [letter for letter in MECHANISMS if letter in by]:
            raise ValueError(f"{name} must say how it is checked: letters of {''.join(MECHANISMS)}, in this order")
        if name in RECORDED:
            raise ValueError(f"{name} is a law already, of the group {RECORDED[name].group}")
        RECORDED[name] = Law(name, group, statement, by, function)
        return function

    return record
