"""Patterns of commands: words as globs. Those of an allow list are held to every word; those of a deny list are not."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from attrs import Factory, field, frozen

from ._options import special
from ._words import SOME, clustered, is_known, may_be, path_of
from ._wrappers import program_of

__all__ = ["Allowed", "Denied", "words_of_pattern"]

FOLDERS = frozenset(("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"))


def words_of_pattern(text: str) -> tuple[str, ...]:
    """The words of a pattern."""
    return tuple(text.split())


VERB = re.compile("[a-z][a-z-]*")


@frozen
class Allowed:
    """Commands that may run: each word is matched in its place; a `*` at the end stands for all that follow."""

    patterns: tuple[tuple[str, ...], ...]

    def covers(self, words: tuple[str, ...]) -> bool:
        """Whether one of the patterns is about all of a command, and names each option by which it runs or writes."""
        name = words[0]
        folder, _, base = name.rpartition("/")
        if folder in FOLDERS:
            words = (base, *words[1:])
        places = special(words, writes=True)
        return any(_covers(pattern, words, places) for pattern in self.patterns)


def _covers(pattern: tuple[str, ...], words: tuple[str, ...], places: tuple[int, ...]) -> bool:
    rest = pattern[-1] == "*" and len(pattern) > 1
    fixed = pattern[:-1] if rest else pattern
    if len(words) < len(fixed) or (len(words) > len(fixed) and not rest):
        return False
    if not is_known(words[0]) or any(at >= len(fixed) for at in places):
        return False
    return all(_is(word, by) for word, by in zip(words[: len(fixed)], fixed, strict=True))


def _is(word: str, pattern: str) -> bool:
    if not is_known(word):
        return pattern == "*" and SOME not in word
    return may_be(word, pattern) or (pattern == "*")


@frozen
class Denied:
    """Commands that may not run: a command that has the name, the options and the operands of one, in any order."""

    patterns: tuple[tuple[str, ...], ...]
    _named: "Mapping[str, tuple[Pattern, ...]]" = field(
        init=False, eq=False, repr=False, default=Factory(lambda it: _by_name(it.patterns), takes_self=True)
    )

    def names(self, word: str) -> bool:
        """Whether a pattern of more than its name is about a program."""
        return any(pattern.options or pattern.operands for pattern in self._named.get(program_of(word), ()))

    def may_stand_in(self, text: str) -> bool:
        """Whether a text has the name of a denied program in it."""
        return any(name in text for name in self._named if name)

    def found(self, words: tuple[str, ...]) -> str | None:
        """The pattern that a command falls under, or may fall under."""
        name = program_of(words[0])
        rest = words[1:]
        before = rest[: rest.index("--")] if "--" in rest else rest
        options: dict[str, bool] = {}
        for pattern in (*self._named.get(name, ()), *self._named.get("", ())):
            if may_be(name, pattern.name) and pattern.falls_on(rest, before, options):
                return pattern.text
        return None


@frozen
class Pattern:
    """What is denied: a name, options in any order, operands in theirs."""

    text: str
    name: str
    options: tuple[str, ...]
    operands: tuple[str, ...]

    def falls_on(self, words: tuple[str, ...], before: tuple[str, ...], known: dict[str, bool]) -> bool:
        """Whether words may have all of it; `before` is what stands before `--`, `known` what was found out before."""
        for option in self.options:
            if option not in known:
                known[option] = any(_option(word, option) for word in before)
            if not known[option]:
                return False
        return _in_order(words, self.operands)


def _pattern(words: tuple[str, ...]) -> Pattern:
    options = tuple(word for word in words[1:] if word.startswith("-"))
    operands = tuple(word for word in words[1:] if not word.startswith("-"))
    return Pattern(" ".join(words), words[0], options, operands)


def _by_name(patterns: Iterable[tuple[str, ...]]) -> "Mapping[str, tuple[Pattern, ...]]":
    named: dict[str, tuple[Pattern, ...]] = {}
    for words in patterns:
        key = "" if any(sign in words[0] for sign in "*?[") else program_of(words[0])
        named[key] = (*named.get(key, ()), _pattern(words))
    return named


def _option(word: str, option: str) -> bool:
    if option.startswith("--"):
        given = word.partition("=")[0]
        if not is_known(word):
            return may_be(word, option)
        return word.startswith("--") and len(given) > 3 and (option.startswith(given) or may_be(word, option))
    if len(option) == 2:
        return clustered(word, option[1])
    return clustered(word, option[1:]) or may_be(word, option)


def _in_order(words: tuple[str, ...], operands: tuple[str, ...]) -> bool:
    at = 0
    if operands and VERB.fullmatch(operands[0]):
        verb = _verb(words, operands[0])
        if verb is None:
            return False
        at, operands = verb + 1, operands[1:]
        if words[verb] == SOME:
            return True
    for operand in operands:
        while at < len(words) and not _operand(words[at], operand):
            if words[at] == SOME:
                return True
            at += 1
        if at == len(words):
            return False
        at += 1
    return True


def _verb(words: tuple[str, ...], verb: str) -> int | None:
    """Where the verb of a command may stand; what is not known can be one only where no other has been."""
    settled = False
    for at, word in enumerate(words):
        if is_known(word):
            if _operand(word, verb):
                return at
            settled = settled or not (word.startswith("-") or (at > 0 and words[at - 1].startswith("-")))
        elif not settled and _operand(word, verb):
            return at
    return None


def _operand(word: str, pattern: str) -> bool:
    if word.startswith("-") and is_known(word):
        return False
    return any(may_be(form, pattern) for form in _forms(word))


@lru_cache(maxsize=4_096)
def _forms(word: str) -> tuple[str, ...]:
    """A word as it is, and as the path that it names; the value of `of=…` is part of it."""
    name, equals, value = word.partition("=")
    path = f"{name}={path_of(value)}" if equals and value else path_of(word)
    return tuple(dict.fromkeys((word, word.casefold(), path)))
