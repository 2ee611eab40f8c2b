"""The texts in JSON, and how they look to whoever reads over what is odd about them."""

import re
import unicodedata
from typing import cast

from seamlaw import canonical

__all__ = ["as_read", "has_unseen", "leaves", "nfkc", "plain", "visible"]

CONTROLS = "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]"  # those that are no space
SHAPELESS = "[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # marks without a shape
BLANK = "[\u115f\u1160\u2800\u3164\uffa0\u1680\u2028\u2029]"  # they look like a space, and NFKC makes none of them
UNSEEN = re.compile(f"{CONTROLS}|{SHAPELESS}")
MOST_MARKS = 30  # on one letter, as UAX #15 has it for streams: no language comes near
MARKS = re.compile(rf"[^\w\s\0-\u02ff]{{{MOST_MARKS + 1},}}")  # no letter, so perhaps marks
BLANKS = re.compile(BLANK)


def leaves(value: object) -> list[str]:
    """Give every text of a value, its keys too, and what is no text as JSON."""
    found, left = list[str](), [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            items = cast("dict[str, object]", one)
            left.extend([*items.values()][::-1])
            left.extend([*items][::-1])
        elif isinstance(one, list):
            left.extend(cast("list[object]", one)[::-1])
        else:
            found.append(canonical(one) or "")
    return found


def visible(text: str) -> str:
    """Leave out the characters that nobody sees."""
    seen = UNSEEN.sub("", text)
    if seen.isascii():
        return seen
    return "".join(character for character in seen if unicodedata.category(character) != "Cf")


def has_unseen(text: str) -> bool:
    """Whether a text has a character that nobody sees, or that looks like a space, or is one."""
    odd = any(unicodedata.category(character)[0] in "CZ" for character in text)
    return odd or visible(text) != text or bool(BLANKS.search(text))


def nfkc(text: str) -> str:
    """Normalise by NFKC, in linear time: the library sorts the marks on a letter in the square of their number."""
    if MARKS.search(text) is None:
        return unicodedata.normalize("NFKC", text)
    pieces, begun, marks = list[str](), 0, 0
    for at, character in enumerate(text):
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > MOST_MARKS:
            pieces.append(text[begun:at])
            begun, marks = at, 1
    return "".join(unicodedata.normalize("NFKC", piece) for piece in (*pieces, text[begun:]))


def plain(text: str) -> str:
    """Bring wide letters, odd spaces and other forms of a character to the usual one."""
    return BLANKS.sub(" ", nfkc(visible(text)))


def as_read(text: str) -> tuple[str, ...]:
    """Give a text as it stands and, where that is another, in plain characters."""
    return tuple(dict.fromkeys([text, plain(text)]))
