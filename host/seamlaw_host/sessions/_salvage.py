"""What can still be read of a JSON document that is broken somewhere."""

from collections.abc import Collection, Iterator
from typing import Any

from ._strict_json import Unreadable, parse_first

__all__ = ["salvage"]

SPACE = " \t\n\r"


def salvage(text: str, wrappers: Collection[str]) -> Iterator[Any]:
    """Give the elements of the document's list, or of the list that one of its `wrappers` names.

    An element that is ambiguous is given as `Unreadable` and the next one follows; where the syntax itself breaks, an
    `Unreadable` is the last. Nothing is given if there is no such list.
    """
    start = _after(text, 0)
    if text.startswith("[", start):
        yield from _elements(text, start + 1)
    elif text.startswith("{", start):
        yield from _members(text, start + 1, wrappers)


def _after(text: str, index: int) -> int:
    """Skip white space."""
    while index < len(text) and text[index] in SPACE:
        index += 1
    return index


def _elements(text: str, index: int) -> Iterator[Any]:
    index = _after(text, index)
    while not text.startswith("]", index):
        try:
            value, index = parse_first(text, index)
        except Unreadable as problem:
            yield Unreadable(f"{problem.problem}; what follows in the document is lost")
            return
        yield value
        index = _after(text, index)
        if not text.startswith((",", "]"), index):
            yield Unreadable("the list breaks off here; what follows in the document is lost")
            return
        index = _after(text, index + 1) if text[index] == "," else index


def _members(text: str, index: int, wrappers: Collection[str]) -> Iterator[Any]:
    """Look through an object for its first wrapped list."""
    try:
        while text.startswith('"', index := _after(text, index)):
            key, index = parse_first(text, index)
            index = _after(text, index)
            if not text.startswith(":", index):
                return
            index = _after(text, index + 1)
            if key in wrappers and text.startswith("[", index):
                yield from _elements(text, index + 1)
                return
            _, index = parse_first(text, index)
            index = _after(text, index) + 1
    except Unreadable:
        return
