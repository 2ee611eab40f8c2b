"""What passes a seam, as the extension reads and writes it: each of the kernel's values by its fields, as in records.

What the extension would see as another value is not sent: what is no JSON, what is no Unicode, and, unless it says that
it reads them exactly, integers that a double does not hold.
"""

import hashlib
import json
import re
from typing import Any, cast

import attrs
from attrs import frozen

from seamlaw import InvalidValue, MemoryItem, Message, ProviderRequest, Scope, Seam, ToolCall, ToolResult, canonical
from seamlaw_host.ledger._values import FIELDS

from .errors import Failed

__all__ = ["Written", "json_of", "read_value", "write_value"]

LONG_INTEGER = re.compile(r"\d{16}")
WRITTEN = {**FIELDS, Scope: ("session", "agent", "role", "trust", "chain", "domain")}


@frozen
class Written:
    """A value and what stands beside it, each as JSON, and the digest of all."""

    parts: tuple[str, ...]
    digest: str


def write_value(offered: tuple[Any, ...], *, exact_integers: bool) -> Written:
    """Write a value with what stands beside it; raises `Failed` where it cannot be shown as it is."""
    text = _canonical(offered) or _canonical(tuple(map(_frozen, offered)))
    if text is None:
        raise Failed("was not asked: the value is not JSON")
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        raise Failed("was not asked: a lone surrogate is no text") from None
    parts = tuple(map(json_of, offered))
    if not exact_integers:
        for part in parts:
            _representable(part)
    return Written(parts, hashlib.sha256(encoded).hexdigest())


def _canonical(offered: tuple[Any, ...]) -> str | None:
    value, *beside = offered
    return canonical(offered if beside else value)


def _frozen(value: Any) -> Any:
    """Make it anew where something in it is plain, which the kernel's own makers never leave so."""
    if isinstance(value, tuple):
        return tuple(map(_frozen, cast(Any, value)))
    return attrs.evolve(value) if type(value) in FIELDS else value


def json_of(value: object) -> str:
    """Write JSON, and the kernel's values by their fields."""
    # In ASCII: some readers take other characters than the line feed for the end of a line.
    return json.dumps(value, default=_fields, separators=(",", ":"), allow_nan=False)


def _fields(value: object) -> dict[str, Any]:
    return {name: getattr(value, name) for name in WRITTEN[cast("type[Any]", type(value))]}


def _representable(text: str) -> None:
    if LONG_INTEGER.search(text):
        json.loads(text, parse_int=_held)


def _held(digits: str) -> int:
    number = int(digits)
    if abs(number) > 2**53 and (abs(number) >= 10**21 or int(float(number)) != number):
        raise Failed("was not asked: an integer past 2^53, which it does not read exactly")
    return number


def read_value(seam: Seam[Any], given: object) -> Any:
    """Read what is to stand in a value's place; raises `Failed`, with the place of what does not fit."""
    try:
        if seam.many:
            return tuple(_made(seam.value_type, item, f"/{index}") for index, item in enumerate(_list(given, "")))
        return _made(seam.value_type, given, "")
    except InvalidValue as error:
        raise Failed(f"replaced it with what does not fit ({error})") from None


def _list(given: object, place: str) -> list[object]:
    if not isinstance(given, list):
        raise InvalidValue(place, "must be a list")
    return cast("list[object]", given)


def _made(kind: type[Any], given: object, place: str) -> Any:
    fields = FIELDS[kind]
    if not isinstance(given, dict) or set(cast("dict[str, object]", given)) != set(fields):
        raise InvalidValue(place, f"must be an object with {', '.join(fields)} and nothing else")
    said = dict(cast("dict[str, object]", given))
    for name, inner in INSIDE.get(kind, {}).items():
        listed = _list(said[name], f"{place}/{name}")
        said[name] = [_made(inner, item, f"{place}/{name}/{index}") for index, item in enumerate(listed)]
    try:
        return kind(**said)
    except InvalidValue as error:
        raise InvalidValue(place + _without_keys(kind, error.path), error.problem) from None


def _without_keys(kind: type[Any], path: str) -> str:
    """Keep the field alone: what follows may be keys that the extension made up."""
    field = path.split("/")[1] if "/" in path else ""
    return f"/{field}" if field in FIELDS[kind] else ""


INSIDE: dict[type[Any], dict[str, type[Any]]] = {
    Message: {"tool_calls": ToolCall},
    ProviderRequest: {"messages": Message},
    ToolCall: {},
    ToolResult: {},
    MemoryItem: {},
}
