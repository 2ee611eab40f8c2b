"""What packs are told of secrets, and the redactor made of it."""

from collections.abc import Iterable, Mapping

from ._settings import texts_at
from .errors import InvalidPack
from .redaction import PII, SECRETS, InvalidRedactor, Redactor

__all__ = ["Patterns", "names_at", "patterns_at", "redactor_of"]

Patterns = tuple[tuple[str, str], ...]


def names_at(given: Iterable[str]) -> tuple[str, ...]:
    """Take the names whose values are secrets; there may be none."""
    return texts_at("names", given, empty=True)


def patterns_at(given: Mapping[str, str] | Patterns) -> Patterns:
    """Take patterns by label."""
    return tuple(given.items()) if isinstance(given, Mapping) else given


def redactor_of(names: tuple[str, ...], patterns: Patterns, *, pii: bool) -> Redactor:
    """Make the redactor; raises `InvalidPack` where it cannot be."""
    try:
        return Redactor(SECRETS + PII if pii else SECRETS, names=names, patterns=dict(patterns))
    except InvalidRedactor as error:
        raise InvalidPack(error.place, error.problem) from None
    except (TypeError, ValueError):
        raise InvalidPack("patterns", "must be a mapping of labels to patterns") from None
