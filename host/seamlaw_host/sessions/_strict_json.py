"""JSON with one meaning: what two parsers could read differently is refused, integers are exact."""

import json
import re
from collections import Counter
from typing import Any, NoReturn, TypeGuard

__all__ = ["Unreadable", "is_list", "is_object", "kind", "parse", "parse_first", "shown", "type_of"]

KINDS: dict[type, str] = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
PLAIN = re.compile(r"[A-Za-z_$][\w.$/-]{0,39}", re.ASCII)


class Unreadable(ValueError):
    """What a part of a recording cannot be read for; becomes a `Malformed` event and never leaves the package."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = counted.most_common(1)[0][0]
        raise Unreadable(f"the key {shown(twice)} is given twice in one object")
    return made


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is no JSON")


STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)
LENIENT = json.JSONDecoder()


def parse(text: str) -> Any:
    """Parse the one value in `text`, or raise `Unreadable`."""
    try:
        return STRICT.decode(text)
    except (ValueError, RecursionError) as error:
        raise _explained(error) from None


def parse_first(text: str, start: int) -> tuple[Any, int]:
    """Parse the value that begins at `start`, and tell where it ends; `Unreadable` may stand for the value.

    Raises `Unreadable` where no end can be found.
    """
    try:
        return STRICT.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        problem = _explained(error)
    try:
        return problem, LENIENT.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        raise problem from None


def _explained(error: Exception) -> Unreadable:
    if isinstance(error, Unreadable):
        return error
    if isinstance(error, RecursionError):
        return Unreadable("nested too deeply")
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return Unreadable(f"no JSON: {error.msg.rstrip(': ')} at {line}column {error.colno}")
    return Unreadable("a number with too many digits")  # int() has a limit of its own


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Tell whether it is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Tell whether it is a JSON array."""
    return isinstance(value, list)


def kind(value: object) -> str:
    """Name the type of a JSON value."""
    return KINDS.get(type(value), "a number")


def type_of(record: dict[str, Any]) -> str:
    """Give the text under the key `type`, empty if there is none."""
    named = record.get("type")
    return named if isinstance(named, str) else ""


def shown(key: str) -> str:
    """Show a key if it reads as a name; anything else may be data."""
    return key if PLAIN.fullmatch(key) else "(no plain name)"
