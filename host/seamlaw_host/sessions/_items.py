"""What a recording holds: a record a line, or the elements of one JSON document.

A file is a document if it has one line, or if its first line is no JSON by itself (as `[` is not) and most of
the next ones are not either. Lines are streamed; a document is held as a whole, and if it is broken somewhere,
what stands before and after is saved as far as JSON allows.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from attrs import frozen

from ._lines import Line
from ._salvage import salvage
from ._strict_json import Unreadable, is_list, is_object, parse
from ._unread import calls_in

__all__ = ["WRAPPERS", "Item", "items", "unwrapped", "unwrapped_rest"]

AHEAD = 16  # lines
WRAPPERS = ("messages", "input", "output", "choices")
NO_WRAPPER = ("role", "type", "tool", "jsonrpc", "hook_event_name")


@frozen
class Item:
    """One record and where it stands; an `Unreadable` is held in place of what cannot be read."""

    place: str
    value: Any


def items(source: Iterator[Line]) -> Iterator[Item]:
    """Give the records of a recording one by one."""
    ahead = list(islice(source, AHEAD))
    rest = chain(ahead, source)
    for item in _document(list(rest)) if _is_document(ahead) else map(_record, rest):
        yield from _elements(item) if is_list(item.value) else (item,)


def _is_document(ahead: list[Line]) -> bool:
    if len(ahead) < 2:
        return bool(ahead)
    values = [_record(line).value for line in ahead]
    return isinstance(values[0], Unreadable) and sum(map(is_object, values)) * 2 < len(ahead)


def _record(line: Line) -> Item:
    try:
        return Item(line.place, parse(line.text()))
    except Unreadable as problem:
        return Item(line.place, problem)


def _document(source: list[Line]) -> Iterable[Item]:
    """Read all lines as one value, or save what can be saved of it."""
    place = source[0].place
    try:
        text = _text(source)
    except Unreadable:  # what is left without a line could mean something else
        return map(_record, source)
    try:
        return _messages(place, parse(text))
    except Unreadable as problem:
        if any(_stands_alone(line) for line in source[:AHEAD]):
            return map(_record, source)
        found = list(salvage(text, WRAPPERS))
        if not any(isinstance(value, Unreadable) for value in found):  # it broke behind what was saved
            return [*_numbered(found), Item(place, problem)]
        return _numbered(found)


def _text(source: list[Line]) -> str:
    """Join lines, blank ones too; broken UTF-8 becomes surrogates, from which only the message they are in suffers."""
    pieces: list[str] = []
    above = 0
    for line in source:
        pieces += ["\n" * (line.number - above - 1), line.text("surrogateescape")]
        above = line.number
    return "".join(pieces)


def _stands_alone(line: Line) -> bool:
    return bool(is_object(value := _record(line).value) and value)


def _messages(place: str, value: Any) -> Iterable[Item]:
    found = value if is_list(value) else unwrapped(value)
    if found is None:
        return [Item(place, value)]
    rest = unwrapped_rest(value) if is_object(value) else {}
    return [*_numbered(found), *([Item(place, rest)] if any(True for _ in calls_in(rest)) else [])]


def _numbered(values: Iterable[Any]) -> Iterator[Item]:
    return (Item(f"message {number}", value) for number, value in enumerate(values, 1))


def _elements(item: Item) -> Iterator[Item]:
    for number, value in enumerate(item.value, 1):
        yield Item(f"{item.place}, message {number}", value)


def unwrapped(value: object) -> list[Any] | None:
    """Give the messages that a request, a response or a training example wraps, or `None` if it is none of these."""
    if not is_object(value) or any(key in value for key in NO_WRAPPER):
        return None
    lists = [value[key] for key in WRAPPERS if is_list(value.get(key))]
    if not lists:
        return None
    return [_chosen(message) for message in chain.from_iterable(lists)]


def unwrapped_rest(record: dict[str, Any]) -> dict[str, Any]:
    """Give what a record holds beside the messages that it wraps."""
    return {key: value for key, value in record.items() if key not in WRAPPERS or not is_list(value)}


def _chosen(message: Any) -> Any:
    """Take the message out of one of a completion's choices."""
    if not is_object(message) or "message" not in message or any(key in message for key in NO_WRAPPER):
        return message
    beside = {key: value for key, value in message.items() if key != "message"}
    return message if any(True for _ in calls_in(beside)) else message["message"]
