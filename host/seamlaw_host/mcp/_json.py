"""JSON as the other side will read it: what two readers could take differently is not passed on.

A reader that takes the first of two equal keys, or one that tells no case (as Go's does), must not find another call
in a message than the one that was decided.
"""

import json
from typing import Any, cast

from seamlaw_host.sessions._strict_json import Unreadable, is_list, is_object, parse

__all__ = ["Unreadable", "doubled", "encoded", "is_list", "is_object", "misspelt", "parse", "read"]


def read(line: bytes) -> Any:
    """Read one message or batch; raises `Unreadable`."""
    text = line.rstrip(b"\r\n")
    if b"\r" in text:  # there are servers to which it ends a line
        raise Unreadable("a carriage return inside of a message")
    try:
        return parse(text.decode())
    except UnicodeDecodeError:
        raise Unreadable("not UTF-8") from None


def encoded(value: Any) -> bytes:
    """Write JSON on one line, in ASCII, which every reader reads alike."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def misspelt(value: dict[str, Any], known: frozenset[str]) -> bool:
    """Whether a key differs from a known one in case alone."""
    return any(key not in known and key.casefold() in known for key in value)


def doubled(value: object) -> bool:
    """Whether an object, at any depth, has two keys that differ in case alone."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            fields = cast("dict[str, Any]", item)
            if len({key.casefold() for key in fields}) < len(fields):
                return True
            waiting += fields.values()
        elif isinstance(item, list):
            waiting += cast("list[object]", item)
    return False
