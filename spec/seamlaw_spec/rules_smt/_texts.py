"""Patterns, globs and paths as regular languages over an alphabet."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from seamlaw import Globs, Pattern
from seamlaw.policy._conditions import OPERATORS, Mismatch
from seamlaw.policy._pattern import END, START, CharSet, Node, tree

from ._alphabet import Alphabet
from ._z3 import all_of, any_of, implies, negation, text, z3

__all__ = ["Texts", "characters_of_globs", "characters_of_pattern", "path_characters"]

LETTER = CharSet((("A", "Z"), ("a", "z")))
IN_SCHEME = CharSet((("A", "Z"), ("a", "z"), ("0", "9"), ("+", "+"), (".", "."), ("-", "-")))
SPACE = CharSet((), ("space",))
PATH_LITERALS = "/.~\0\\:"


def path_characters() -> tuple[str, tuple[CharSet, ...]]:
    """The literals and sets that `under` tells apart."""
    return PATH_LITERALS, (LETTER, IN_SCHEME, SPACE)


def characters_of_pattern(pattern: Pattern) -> Iterator[CharSet]:
    """The sets that a pattern tells apart."""
    yield from _sets(tree(pattern.text))


def _sets(node: Node) -> Iterator[CharSet]:
    if isinstance(node, CharSet):
        yield node
    elif isinstance(node, tuple):
        kind, inside = node
        children: list[Node] = [*inside] if kind in ("cat", "alt") else [inside]
        for child in children:
            yield from _sets(child)


def _glob_parts(glob: str) -> list[str | CharSet]:
    """A glob as literal characters, `*`, and sets, `?` among these."""
    parts: list[str | CharSet] = []
    for found in re.finditer(r"\[(!?)([^\]]+)\]|(.)", glob, re.DOTALL):
        if found[3] is None:
            parts.append(CharSet(tuple(_ranges(found[2])), (), found[1] == "!"))
        else:
            parts.append(CharSet(negated=True) if found[3] == "?" else found[3])
    return parts


def _ranges(inside: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(inside):
        if inside[at + 1 : at + 2] == "-" and at + 2 < len(inside):
            yield inside[at], inside[at + 2]
            at += 3
        else:
            yield inside[at], inside[at]
            at += 1


def characters_of_globs(globs: Globs) -> tuple[set[str], set[CharSet]]:
    """The literals and sets that globs tell apart."""
    parts = [part for glob in globs.patterns for part in _glob_parts(glob)]
    return {p for p in parts if isinstance(p, str) and p != "*"}, {p for p in parts if isinstance(p, CharSet)}


MARKS = {START: 0x2FFF0, END: 0x2FFF1}  # no representative has one of these codes


def _mark(which: str) -> Any:
    return z3.Re(text([MARKS[which]]))


def _one_of(codes: Iterable[int]) -> Any:
    listed = [z3.Re(text([code])) for code in codes]
    return _choice(listed)


def _choice(languages: list[Any]) -> Any:
    if not languages:
        return z3.Empty(z3.ReSort(z3.StringSort()))
    return z3.Union(languages) if len(languages) > 1 else languages[0]


def _sequence(languages: list[Any]) -> Any:
    if not languages:
        return z3.Re(text([]))
    return z3.Concat(languages) if len(languages) > 1 else languages[0]


class Texts:
    """What is said of texts, as formulas over an alphabet.

    `under` is no regular language where a path climbs with `..`, for that takes counting. It is exact on paths without
    `..`; of the others only that is said which holds of all paths (`axioms`), so that what is proved is true.
    """

    def __init__(self, alphabet: Alphabet, constants: Iterable[str]) -> None:
        self.alphabet = alphabet
        self.constants = sorted(set(constants))
        self.paths: list[Any] = []
        self.roots: list[str] = []

    def literal(self, value: str) -> Any:
        """A text, each character by the one that stands for its class."""
        return text(map(self.alphabet.code, value))

    def read(self, codes: Iterable[int]) -> str:
        """A text of a model, back as the characters that stand for their classes."""
        return "".join(map(self.alphabet.character, codes))

    @cached_property
    def any_character(self) -> Any:
        """Any character of the alphabet."""
        return _one_of(self.alphabet.codes.values())

    @cached_property
    def anything(self) -> Any:
        """Any text over the alphabet."""
        return z3.Star(self.any_character)

    def matches(self, value: Any, pattern: Pattern) -> Any:
        """Whether a pattern occurs in a text, around which stand the two characters that `^` and `$` match."""
        every = z3.Star(z3.Union(self.any_character, _mark(START), _mark(END)))
        wrapped = z3.Concat(text([MARKS[START]]), value, text([MARKS[END]]))
        return z3.InRe(wrapped, z3.Concat(every, self._pattern(tree(pattern.text)), every))

    def _pattern(self, node: Node) -> Any:
        if isinstance(node, CharSet):
            return _one_of(self.alphabet.codes_of(node))
        if isinstance(node, str):
            return _mark(node)
        kind, inner = node
        if kind == "opt":
            return z3.Option(self._pattern(inner))
        if kind == "plus":
            return z3.Plus(self._pattern(inner))
        return (_sequence if kind == "cat" else _choice)([self._pattern(child) for child in inner])

    def admits(self, globs: Globs, name: Any) -> Any:
        """Whether globs let a name through."""
        return any_of(z3.InRe(name, self._glob(glob)) for glob in globs.patterns) if globs.patterns else True

    def _glob(self, glob: str) -> Any:
        return _sequence([self._glob_part(part) for part in _glob_parts(glob)])

    def _glob_part(self, part: str | CharSet) -> Any:
        if isinstance(part, CharSet):
            return _one_of(self.alphabet.codes_of(part))
        return self.anything if part == "*" else z3.Re(self.literal(part))

    def plain_path(self, value: Any) -> Any:
        """Whether a text is a path that `under` is for."""
        letter, in_scheme, space = (_one_of(self.alphabet.codes_of(held)) for held in (LETTER, IN_SCHEME, SPACE))
        colon, rest = z3.Re(self.literal(":")), self.anything
        strange = [
            z3.Re(text([])),
            z3.Concat(z3.Re(self.literal("~")), rest),
            z3.Concat(letter, z3.Star(in_scheme), colon, rest),
            z3.Concat(space, rest),
            z3.Concat(rest, space),
            *(z3.Concat(rest, z3.Re(self.literal(c)), rest) for c in "\0\\"),
        ]
        return negation(z3.InRe(value, z3.Union(strange)))

    def under(self, value: Any, root: str) -> tuple[Any, Any]:
        """Whether a path leads into a root, and whether that cannot be told."""
        absolute = z3.PrefixOf(self.literal("/"), value)
        suits = all_of((self.plain_path(value), absolute if root.startswith("/") else negation(absolute)))
        self.paths += [] if any(value.eq(known) for known in self.paths) else [value]
        self.roots += [] if root in self.roots else [root]
        return all_of((suits, self._leads_into(root)(value))), negation(suits)

    def _leads_into(self, root: str) -> Any:
        return z3.Function(f"leads into {root}", z3.StringSort(), z3.BoolSort())

    def climbs(self, value: Any) -> Any:
        """Whether one of the names of a path is `..`."""
        slash, rest = z3.Re(self.literal("/")), self.anything
        dots = z3.Re(self.literal(".."))
        return z3.InRe(value, z3.Concat(z3.Option(z3.Concat(rest, slash)), dots, z3.Option(z3.Concat(slash, rest))))

    def _inside(self, root: str) -> Any:
        """The paths without `..` that lead into a root."""
        slashes, dot = z3.Plus(z3.Re(self.literal("/"))), z3.Re(self.literal("."))
        skipped = z3.Star(z3.Concat(dot, slashes))
        gap, tail = z3.Concat(slashes, skipped), z3.Option(z3.Concat(z3.Re(self.literal("/")), self.anything))
        names = [name for name in root.split("/") if name not in ("", ".")]
        if not names:
            return self.anything
        parts = [gap if root.startswith("/") else skipped, z3.Re(self.literal(names[0]))]
        for name in names[1:]:
            parts += [gap, z3.Re(self.literal(name))]
        return z3.Concat(*parts, tail)

    def axioms(self) -> list[Any]:
        """What holds of all paths that were asked about."""
        return [claim for value in self.paths for claim in self._of_path(value)]

    def _of_path(self, value: Any) -> Iterator[Any]:
        for root in self.roots:
            leads = self._leads_into(root)(value)
            straight = negation(self.climbs(value))
            yield implies(straight, leads == z3.InRe(value, self._inside(root)))
            for other in self.roots:
                if other != root and other.startswith("/") == root.startswith("/"):
                    yield from self._of_roots(leads, value, root, other)
            for constant in self.constants:
                if (known := _told(constant, root)) is not None:
                    yield implies(value == self.literal(constant), leads == known)

    def _of_roots(self, leads: Any, value: Any, root: str, other: str) -> Iterator[Any]:
        also = self._leads_into(other)(value)
        if _told(root, other):
            yield implies(leads, also)
        elif not _told(other, root):
            yield negation(all_of((leads, also)))


def _told(path: str, root: str) -> bool | None:
    try:
        return OPERATORS["under"].holds(path, root)
    except Mismatch:
        return None
