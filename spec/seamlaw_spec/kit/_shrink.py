"""Make a counterexample smaller: drop, shorten, simplify, for as long as it stays one."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar, cast

import attrs
from attrs import evolve

from seamlaw import InvalidValue

from ._fields import fields_of
from ._parts import Shown, Trace

__all__ = ["shrink", "shrink_shown"]

T = TypeVar("T")
MOST_TRIES = 600
SIMPLE = "a0 "


def shrink(trace: Trace, fails: Callable[[Trace], bool]) -> Trace:
    """The smallest trace that is found to fail still."""
    return _least([*trace], _shorter, fails)


def shrink_shown(shown: Shown, is_it: Callable[[Shown], bool]) -> Shown:
    """The smallest value that is found to be still what it was."""
    return _least(shown, _smaller, is_it)


def _least(begun: T, smaller: Callable[[T], Iterator[T]], holds: Callable[[T], bool]) -> T:
    tries, found = 0, begun
    while tries < MOST_TRIES:
        for candidate in smaller(found):
            tries += 1
            if holds(candidate):
                found = candidate
                break
            if tries >= MOST_TRIES:
                return found
        else:
            return found
    return found


def _shorter(trace: list[Shown]) -> Iterator[list[Shown]]:
    for at in range(len(trace) if len(trace) > 1 else 0):
        yield trace[:at] + trace[at + 1 :]
    for at, shown in enumerate(trace):
        for other in _smaller(shown):
            yield [*trace[:at], other, *trace[at + 1 :]]


def _smaller(shown: Shown) -> Iterator[Shown]:
    for scope in _reduced(shown.scope):
        yield evolve(shown, scope=scope)
    for value in _reduced(shown.value):
        yield evolve(shown, value=value)
    for at, beside in enumerate(shown.beside):
        for other in _reduced(beside):
            yield evolve(shown, beside=(*shown.beside[:at], other, *shown.beside[at + 1 :]))


def _reduced(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield from _text(value)
    elif isinstance(value, dict):
        yield from _object(cast("dict[str, Any]", value))
    elif isinstance(value, list | tuple):
        for items in _array(list(cast("list[Any]", value))):
            yield items if isinstance(value, list) else tuple(items)
    elif isinstance(value, bool):
        yield from [False] if value else []
    elif isinstance(value, int | float):
        yield from (n for n in (0, 1, int(value)) if abs(n) < abs(value) or type(n) is not type(value))
    else:
        yield from _fields(value)


def _text(text: str) -> Iterator[str]:
    if text:
        yield ""
    half = len(text) // 2
    while half:
        yield from (text[:at] + text[at + half :] for at in range(0, len(text), half))
        half //= 2
    if len(text) <= 20:
        for at, character in enumerate(text):
            if character not in SIMPLE:
                yield text[:at] + SIMPLE[0] + text[at + 1 :]


def _object(items: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for left in items:
        yield {key: value for key, value in items.items() if key != left}
    for key, value in items.items():
        for other in _reduced(value):
            yield {**items, key: other}


def _array(items: list[Any]) -> Iterator[list[Any]]:
    for at in range(len(items)):
        yield items[:at] + items[at + 1 :]
    for at, item in enumerate(items):
        for other in _reduced(item):
            yield [*items[:at], other, *items[at + 1 :]]


def _fields(value: Any) -> Iterator[Any]:
    for one in fields_of(value):
        held = getattr(value, one.name)
        defaults = [] if one.default is attrs.NOTHING or held == one.default else [one.default]
        for other in (*defaults, *_reduced(held)) if one.name != "id" else ():
            with suppress(InvalidValue):  # its maker may refuse it
                yield evolve(value, **{one.name: other})
