"""The characters that a policy can tell apart.

All that rules say of a text is said by literal characters and by sets of characters. So Unicode falls into classes,
all characters of one class being alike to every rule, and it is enough to look at texts of one character of each.
That is exact for all of Unicode, of which z3 knows only a part.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

from attrs import frozen

from seamlaw.policy._pattern import CharSet

__all__ = ["Alphabet", "alphabet"]

_re: Any = re
EXTRA_CASES: dict[int, tuple[int, ...]] = _re._casefix._EXTRA_CASES
SURROGATES = range(0xD800, 0xE000)
Z3_LAST = 0x2FFFF  # of the characters that z3 knows
SPARE = 0xE000  # a private area, for the representatives that z3 does not know


@frozen
class Alphabet:
    """One character for each class, as z3 writes it, and which classes each set holds."""

    codes: dict[str, int]  # of the representatives
    sets: tuple[CharSet, ...]
    literals: frozenset[str]

    def code(self, character: str) -> int:
        """The code of the representative of any character."""
        found = self.codes.get(character)
        return self.codes[_like(self, character)] if found is None else found

    def codes_of(self, held: CharSet) -> list[int]:
        """The codes of the representatives that a set holds."""
        return [code for character, code in self.codes.items() if held.holds(character)]

    def character(self, code: int) -> str:
        """The representative of a code."""
        return next((character for character, known in self.codes.items() if known == code), chr(code))


def _like(it: Alphabet, character: str) -> str:
    sign = _sign(it.sets, character)
    return next(c for c in it.codes if c not in it.literals and _sign(it.sets, c) == sign)


def _sign(sets: Iterable[CharSet], character: str) -> tuple[bool, ...]:
    return tuple(held.holds(character) for held in sets)


def alphabet(literals: Iterable[str], sets: Iterable[CharSet]) -> Alphabet:
    """The alphabet of these literal characters and these sets."""
    named, listed = frozenset(literals), tuple(dict.fromkeys(sets))
    found: dict[object, str] = {}
    for character in _candidates(listed):
        if character not in named:
            found.setdefault(_sign(listed, character), character)
    codes: dict[str, int] = {}
    for character in (*sorted(named), *found.values()):
        code = ord(character)
        while code > Z3_LAST or code in codes.values():
            code = SPARE + len(codes)
        codes[character] = code
    return Alphabet(codes, listed, named)


def _candidates(sets: tuple[CharSet, ...]) -> list[str]:
    """At least one character for each class, those that are plain to read first.

    A set without regard to case is told apart by every character that has a case; else what counts is between which
    ends of ranges a character stands, and of which classes it is.
    """
    ends = {ord(end) for held in sets for low, high in held.ranges for end in (low, high)}
    cuts = sorted({0, 0x110000, *ends, *(end + 1 for end in ends)})
    found = [*map(chr, range(32, 127)), *(cased() if any(held.ignore_case for held in sets) else ())]
    for low, high in pairwise(cuts):
        found += _one_of_each(low, high)
    return found


@cache
def _runs() -> tuple[tuple[int, int, tuple[bool, bool, bool]], ...]:
    """All of Unicode, in runs of characters of the same classes; no surrogates, which no value holds."""
    everything = "".join(chr(code) for code in range(0x110000) if code not in SURROGATES)
    marks = bytearray(0x110000)
    for bit, pattern in enumerate((r"\d+", r"\w+", r"\s+")):
        for run in re.finditer(pattern, everything):
            for at in range(ord(run[0][0]), ord(run[0][-1]) + 1):
                marks[at] |= 1 << bit
    marks[0xD800:0xE000] = bytes([8]) * 0x800
    runs: list[tuple[int, int, tuple[bool, bool, bool]]] = []
    for same in re.finditer(rb"(.)\1*", bytes(marks), re.DOTALL):
        mark = same[1][0]
        if mark != 8:
            runs.append((same.start(), same.end(), (bool(mark & 1), bool(mark & 2), bool(mark & 4))))
    return tuple(runs)


def _one_of_each(low: int, high: int) -> list[str]:
    """One character from `low` up to `high` for each combination of classes that is found there."""
    found: dict[tuple[bool, bool, bool], str] = {}
    for start, end, classes in _runs():
        at = max(start, low)
        if at < min(end, high):
            found.setdefault(classes, chr(at))
    return list(found.values())


@cache
def cased() -> tuple[str, ...]:
    """All characters that have a case, or are the other case of one."""
    everything = (chr(code) for code in range(0x110000) if code not in SURROGATES)
    extra = {code for one, others in EXTRA_CASES.items() for code in (one, *others)}
    return tuple(c for c in everything if c.lower() != c or c.upper() != c or c.casefold() != c or ord(c) in extra)
