"""Words of a command as far as they are known: text, with marks in the place of what only the shell will know."""

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = [
    "ANYTHING",
    "END",
    "GLOB",
    "SET",
    "SOME",
    "clustered",
    "expanded",
    "is_known",
    "may_be",
    "path_of",
    "spelled",
]

ANYTHING = "\0"  # any text: an expansion between quotes
GLOB = "\1"  # part of the name of a file: an unquoted *, ? or [...]
SOME = "\2"  # any text, and any number of words: an expansion without quotes
MARKS = frozenset((ANYTHING, GLOB, SOME))
OPEN, COMMA, CLOSE = "\3", "\4", "\5"  # of braces that the shell expands
SET, END = "\6", "\7"  # the brackets of a wildcard
SETS = re.compile(f"{SET}[^{END}/]+{END}")
EDGE = 64  # what is looked at of a long word that is not known
GLOBS = re.compile(f"{GLOB}{{2,}}")
MOST = 64  # words of one brace expansion


def is_known(word: str) -> bool:
    """Whether nothing in a word is left to the shell."""
    return MARKS.isdisjoint(word)


def may_be(word: str, pattern: str) -> bool:
    """Whether a word, whatever its marks stand for, may match a glob; `*` and `?` are no slash, `**` is any text."""
    if is_known(word):
        return _regular(pattern).fullmatch(word) is not None
    return _may_be(word if len(word) <= 2 * EDGE else word[:EDGE] + SOME + word[-EDGE:], pattern)


@lru_cache(maxsize=4_096)
def _regular(pattern: str) -> re.Pattern[str]:
    found = {"*": "[^/]*", "**": "(?s:.)*", "?": "[^/]", "[*]": r"\*"}
    return re.compile("".join(found.get(token) or re.escape(token) for token in _tokens(pattern)))


@lru_cache(maxsize=4_096)
def _may_be(word: str, pattern: str) -> bool:
    """Go through a word and a glob at once, along every way in which one may be the other."""
    tokens = (*_tokens(pattern), "")
    states, seen = [(0, 0, False)], set[tuple[int, int, bool]]()  # where in the word, where in the glob, mark in use
    while states:
        state = states.pop()
        if state not in seen:
            seen.add(state)
            at, by, used = state
            if at == len(word) and by == len(tokens) - 1:
                return True
            states.extend(_steps(word, at, tokens[by], by, used=used))
    return False


def _steps(word: str, at: int, part: str, by: int, *, used: bool) -> Iterator[tuple[int, int, bool]]:
    mark = word[at : at + 1]
    if mark and mark in MARKS:
        if used or not _is_whole(word, at):
            yield at + 1, by, False
        if part and (mark != GLOB or not _is_left_out(word, at, part, used=used)):
            yield at, by + 1, True
        if mark == GLOB and part == "[*]":  # what is meant is the star itself
            yield at + 1, by + 1, False
    if part in ("*", "**"):
        yield at, by + 1, used
        if mark and (part == "**" or mark != "/"):
            yield at + 1, by, False
    elif mark and mark not in MARKS and (part == mark or (part == "?" and mark != "/")):
        yield at + 1, by + 1, False


def _is_left_out(word: str, at: int, part: str, *, used: bool) -> bool:
    """Whether a wildcard does not stand for a sign: no slash, and at the beginning of a name no dot."""
    begins = not used and word[at - 1 : at] in ("", "/")
    return part == "/" or (begins and part in (".", "~"))


def _is_whole(word: str, at: int) -> bool:
    """Whether a wildcard is all of a name: no name is empty."""
    return word[at] == GLOB and word[at - 1 : at] in ("", "/") and word[at + 1 : at + 2] in ("", "/")


def _tokens(pattern: str) -> Iterator[str]:
    at = 0
    while at < len(pattern):
        token = next((known for known in ("[*]", "**") if pattern.startswith(known, at)), pattern[at])
        yield token
        at += len(token)


def clustered(word: str, letters: str) -> bool:
    """Whether a word may be short options, and hold all of these letters between them and others."""
    if not word or word[0] not in "-\0\1\2" or word.startswith("--"):
        return False
    if any(not (letter.isalnum() or letter in MARKS or letter == "-") for letter in word):
        return is_known(word) and set(letters) <= set(word[1:].partition("=")[0]) and word[0] == "-"
    return not is_known(word) or set(letters) <= set(word[1:])


def expanded(word: str) -> list[str]:
    """The words that braces make of one."""
    found = [word]
    while any(OPEN in one for one in found):
        found = [other for one in found for other in _once(one)]
        if len(found) > MOST:
            return [SOME]
    return [spelled(one) for one in found]


def spelled(word: str) -> str:
    """The word with the signs of braces that the shell leaves alone."""
    word = SETS.sub(GLOB, word).replace(SET, "[").replace(END, "]")
    return GLOBS.sub(GLOB, word.replace(OPEN, "{").replace(COMMA, ",").replace(CLOSE, "}"))


def _once(word: str) -> list[str]:
    end = word.find(CLOSE)
    start = word.rfind(OPEN, 0, end if end >= 0 else None)
    if start < 0:
        return [word.replace(CLOSE, "}").replace(COMMA, ",")]
    if end < 0:
        return [word.replace(OPEN, "{").replace(COMMA, ",")]
    before, inner, after = word[:start], word[start + 1 : end], word[end + 1 :]
    if COMMA in inner:
        return [f"{before}{part}{after}" for part in inner.split(COMMA)]
    return [f"{before}{GLOB if '..' in inner else '{' + inner + '}'}{after}"]


@lru_cache(maxsize=4_096)
def path_of(word: str) -> str:
    """The word as a path, without what changes nothing: `//`, `/./`, `x/..`, a slash at its end."""
    parts: list[str] = []
    for part in word.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            if is_known(parts[-1]):
                parts.pop()
                continue
        elif part == ".." and word.startswith("/"):
            continue
        parts.append(part)
    return ("/" if word.startswith("/") else "") + "/".join(parts) or "."
