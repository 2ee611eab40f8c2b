"""What stands where a secret stood. A placeholder is a wall: nothing is searched in it, and nothing across it."""

import re
from collections.abc import Iterable

from ._view import Span

__all__ = ["LABEL", "PLACEHOLDER", "WALL", "blanked", "merged", "placeholder", "replaced", "walled", "withheld"]

WALL = "\0"  # no pattern takes it, so that nothing is found across it
LABEL = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
PLACEHOLDER = re.compile(rf"\[redacted:{LABEL.pattern}\]")


def placeholder(label: str) -> str:
    """Say what was taken out."""
    return f"[redacted:{label}]"


def withheld(length: int) -> str:
    """Say that a text was not searched, and how long it was."""
    return placeholder(f"{length}-characters")


def walled(text: str) -> str:
    """Give the text with walls, as long as they are, for the placeholders in it."""
    if "[" not in text or "[redacted:" not in text:
        return text
    return PLACEHOLDER.sub(lambda found: WALL * len(found[0]), text)


def merged(spans: Iterable[Span]) -> list[Span]:
    """Join what overlaps; the first of the families in their order names it."""
    joined, last = list[Span](), (0, 0, 0, "")
    for span in sorted(spans):
        if span[0] < last[1]:
            joined.pop()
            span = (last[0], max(last[1], span[1]), *min(last[2:], span[2:]))  # noqa: PLW2901
        joined.append(span)
        last = span
    return joined


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Give the text with walls for what was found, so that everything else keeps its place."""
    parts, at = list[str](), 0
    for start, end, _, _ in spans:
        parts += text[at:start], WALL * (end - start)
        at = end
    return "".join([*parts, text[at:]])


def replaced(text: str, spans: Iterable[Span]) -> str:
    """Give the text with placeholders for what was found."""
    parts, at = list[str](), 0
    for start, end, _, label in spans:
        parts += text[at:start], placeholder(label)
        at = end
    return "".join([*parts, text[at:]])
