"""The texts in JSON, and how they look to whoever reads over what is odd about them."""

import unicodedata
from typing import cast

from seamlaw import canonical

__all__ = ["as_read", "leaves", "plain", "visible"]


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
    if text.isascii():
        return text
    return "".join(character for character in text if unicodedata.category(character) != "Cf")


def plain(text: str) -> str:
    """Bring wide letters, odd spaces and other forms of a character to the usual one."""
    return unicodedata.normalize("NFKC", visible(text))


def as_read(text: str) -> tuple[str, ...]:
    """Give a text as it stands and, where that is another, in plain characters."""
    return tuple(dict.fromkeys([text, plain(text)]))
