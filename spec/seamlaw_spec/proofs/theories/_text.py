"""Writing SMT-LIB."""

from collections.abc import Iterable
from enum import Enum

__all__ = ["all_of", "any_of", "cases", "names", "symbol", "where"]


def symbol(member: Enum) -> str:
    """The constructor that stands for a member of an enumeration."""
    return f"{type(member).__name__}.{member.name}"


def names(kind: type[Enum]) -> dict[str, str]:
    """The constructors of an enumeration, as a datatype has them: without fields."""
    return {symbol(member): "" for member in kind}


def all_of(terms: Iterable[str]) -> str:
    """The conjunction."""
    listed = list(terms)
    return listed[0] if len(listed) == 1 else f"(and {' '.join(listed)})" if listed else "true"


def any_of(terms: Iterable[str]) -> str:
    """The disjunction."""
    listed = list(terms)
    return listed[0] if len(listed) == 1 else f"(or {' '.join(listed)})" if listed else "false"


def where(term: str, *, holds: bool) -> str:
    """A term, or its negation."""
    return term if holds else f"(not {term})"


def cases(rows: Iterable[tuple[str, str]], otherwise: str) -> str:
    """The result of the first guard that holds."""
    listed = list(rows)
    return "".join(f"\n  (ite {guard} {result}" for guard, result in listed) + f"\n  {otherwise}" + ")" * len(listed)
