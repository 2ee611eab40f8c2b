"""Globs over the names of tools and agents: `*`, `?`, `[set]`, `[!set]`; case counts."""

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import cache
from typing import cast

from attrs import Factory, field, frozen

__all__ = ["ALL", "Globs", "globs"]

_WILD = re.compile(r"[*?\[]")
_NO_NAMES: frozenset[str] = frozenset()  # of its own each would take 200 bytes


@cache
def _well_formed() -> re.Pattern[str]:  # made with the first glob: it takes a millisecond
    return re.compile(r"(?:[^\[\]\x00\ud800-\udfff]|\[!?[^\[\]!^\x00\ud800-\udfff][^\[\]\x00\ud800-\udfff]*\])+")


def _patterns(given: "str | Iterable[str] | Globs") -> tuple[str, ...]:
    if isinstance(given, Globs):
        return given.patterns
    listed = (given,) if isinstance(given, str) else given
    if not isinstance(listed, list | tuple | set | frozenset):
        raise ValueError("globs are a string, or a list of strings")
    if not listed and not isinstance(listed, tuple):
        raise ValueError("a list of globs must not be empty; leave it out for all")
    for index, pattern in enumerate(cast("tuple[object, ...]", listed)):
        if not isinstance(pattern, str) or not _well_formed().fullmatch(pattern):
            raise ValueError(f"glob {index} is no glob: text with *, ? and [set] or [!set], every [ closed")
        if "-" in pattern and any(
            low > high for chars in re.findall(r"\[([^\]]+)\]", pattern) for low, high in re.findall("(.)-(.)", chars)
        ):
            raise ValueError(f"glob {index} has a range that runs backwards")
    return tuple(map(str, listed))


def _exact(it: "Globs") -> frozenset[str]:
    return frozenset([pattern for pattern in it.patterns if not _WILD.search(pattern)]) or _NO_NAMES


def _prefixes(it: "Globs") -> tuple[str, ...]:
    return tuple(p[:-1] for p in it.patterns if p[-1] == "*" and not _WILD.search(p[:-1]))


def _suffixes(it: "Globs") -> tuple[str, ...]:
    return tuple(p[1:] for p in it.patterns if p[0] == "*" and len(p) > 1 and not _WILD.search(p[1:]))


def _other(it: "Globs") -> re.Pattern[str] | None:
    known = it.exact.union((f"{text}*" for text in it.prefixes), (f"*{text}" for text in it.suffixes))
    rest = [pattern for pattern in it.patterns if pattern not in known]
    return re.compile("|".join(map(translate, rest))) if rest else None


def globs(given: "str | Iterable[str] | Globs") -> "Globs":
    """Make a filter of globs; what is one stays the same object, as do all that admit everything."""
    return given if isinstance(given, Globs) else Globs(given) if given != () else ALL


@frozen
class Globs:
    """A filter on names: one glob or several; with none it admits everything. Raises `ValueError` for no glob."""

    patterns: tuple[str, ...] = field(default=(), converter=_patterns)
    exact: frozenset[str] = field(init=False, eq=False, repr=False, default=Factory(_exact, takes_self=True))
    prefixes: tuple[str, ...] = field(init=False, eq=False, repr=False, default=Factory(_prefixes, takes_self=True))
    suffixes: tuple[str, ...] = field(init=False, eq=False, repr=False, default=Factory(_suffixes, takes_self=True))
    other: re.Pattern[str] | None = field(init=False, eq=False, repr=False, default=Factory(_other, takes_self=True))

    def admit(self, name: str | None) -> bool:
        """Whether the filter lets `name` through; an unknown name is let, so that nobody slips past a gate."""
        if not self.patterns or name is None:
            return True
        if name in self.exact or name.startswith(self.prefixes) or name.endswith(self.suffixes):
            return True
        return self.other is not None and self.other.match(name) is not None


ALL = Globs()  # admits everything
