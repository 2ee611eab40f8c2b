"""What an approver is shown: nothing in it can steer a terminal, hide, or turn the order of what is read."""

import json
import unicodedata

__all__ = ["cut", "folded", "visible", "written"]

# What Unicode lets a font show as nothing (Default_Ignorable_Code_Point) although it counts as printable:
# https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
BLANK = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810)))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def visible(text: str, *, kept: str = "") -> str:
    """Escape all that is not plainly visible, but what is in `kept`: control characters, bidi controls, blanks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in kept or (c.isprintable() and c not in BLANK) else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if code > 0xFFFF:  # as in JSON, so that what is shown can still be read by a parser
        high, low = divmod(code - 0x10000, 0x400)
        return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\u{code:04x}")


def folded(name: str) -> str:
    """What is the same of a name however it is written: its case, its spaces, how Unicode composes it."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def written(value: object, *, indent: int | None = 2) -> str:
    """Write JSON so that every character of it is visible; it means the same as the value."""
    return visible(json.dumps(value, ensure_ascii=False, indent=indent), kept="\n")


def cut(text: str, most: int) -> str:
    """Cut a text, and say how much is missing."""
    return text if len(text) <= most else f"{text[:most]}… (+{len(text) - most} characters)"
