"""Finds and replaces in a text. What is between placeholders is searched again, until nothing is found there.

That makes redacting twice the same as redacting once. It is nearly free: what one replacement can lay bare begins or
ends at it, on the same line, and so only those lines are searched again.
"""

from collections.abc import Iterable

from attrs import Factory, field, frozen

from ._placeholders import WALL, blanked, merged, placeholder, replaced, walled
from ._tokens import Token, Tokens
from ._view import CLASSES, LONG, Family, Span, View

__all__ = ["SHORT", "Search"]

ROUNDS = 8
SHORT = 2_000  # characters, of which it is quicker to ask first whether any mark is in them
# The same as a wall to every family: nothing that is found begins or ends with one of them, or looks beyond it.
BEFORE, BEHIND = frozenset(["", " ", "\t", "\n", '"', "'", "="]), frozenset(["", " ", "\t", "\n", "\r", '"', "'"])
TANGLED = placeholder("tangled")


def _tokens(it: "Search") -> Tokens:
    return Tokens([(rank, family) for rank, family in enumerate(it.families) if isinstance(family, Token)])


def _others(it: "Search") -> tuple[tuple[int, Family], ...]:
    return tuple((rank, family) for rank, family in enumerate(it.families) if not isinstance(family, Token))


def _marks(it: "Search") -> tuple[str, ...] | None:
    marks = [family.marks for _, family in _others(it)]
    return tuple(dict.fromkeys(mark for some in marks for mark in some)) if all(marks) else None


@frozen
class Search:
    """The families that are looked for, in the order in which they name what several of them find."""

    families: tuple[Family, ...]
    _tokens: Tokens = field(init=False, eq=False, repr=False, default=Factory(_tokens, takes_self=True))
    _others: tuple[tuple[int, Family], ...] = field(
        init=False, eq=False, repr=False, default=Factory(_others, takes_self=True)
    )
    _marks: tuple[str, ...] | None = field(init=False, eq=False, repr=False, default=Factory(_marks, takes_self=True))

    def found(self, text: str) -> list[Span]:
        """Find everything in a text that has no placeholders, once."""
        if self.is_unmarked(text):
            return []
        view = View(text)
        families = self._tokens.possible(view)
        found = [
            (start, end, rank, label)
            for rank, family in (*families, *self._others)
            for start, end, label in family.spans(view)
        ]
        return merged(found) if found else found

    def is_unmarked(self, text: str) -> bool:
        """Whether nothing can be found in a text, for it is short and has no mark of anything; quick, and never wrong.

        A mark is ASCII, and no character of two becomes one in lower case: so `str.lower` will do.
        """
        marks = self._marks
        if marks is None or len(text) >= SHORT:
            return False
        lower = text.lower()
        if len(lower) != len(text) or any(map(lower.__contains__, marks)):
            return False
        return LONG not in text.encode("ascii", "replace").translate(CLASSES)

    def clean(self, text: str) -> str:
        """Give the text without what is found; the very same object where that is nothing."""
        walls = walled(text)
        spans = self.found(walls)
        if not spans:
            return text
        for _ in range(ROUNDS):
            walls = blanked(walls, spans)
            touched = _touched(walls, spans)
            more = touched and self.found(touched) and self.found(walls)
            if not more:
                return replaced(text, spans)
            spans = merged([*spans, *more])
        return TANGLED


def _touched(text: str, spans: Iterable[Span]) -> str:
    """Give the lines in which a replacement can have laid something bare: one with a letter or a sign beside it."""
    lines, read = list[str](), -1
    for start, end, _, _ in spans:
        apart = text[start - 1 : start] in BEFORE and text[end : end + 1] in BEHIND
        if end > read and not apart:
            line = max(text.rfind("\n", 0, start), read) + 1
            ending = text.find("\n", end)
            read = len(text) if ending < 0 else ending
            lines.append(text[line:read])
    return f"\n{WALL}\n".join(lines)
