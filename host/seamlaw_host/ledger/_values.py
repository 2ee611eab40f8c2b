"""What passed a seam, as plain JSON: of what is no JSON the type alone is told, since its text may be anything."""

from collections.abc import Iterable
from typing import Any

import attrs

from seamlaw import MemoryItem, Message, ProviderRequest, ToolCall, ToolResult

__all__ = ["plain", "plain_seam"]

DEEPEST = 120  # levels; what is frozen has at most 100, and an envelope adds some
ATOMS = (bool, int, type(None))
FIELDS: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in attrs.fields(kind))
    for kind in (MemoryItem, Message, ProviderRequest, ToolCall, ToolResult)
}


def plain_seam(value: object) -> tuple[Any, bool]:
    """Give what a seam carries as JSON, a host's own attrs object by its fields; see `plain`."""
    kind: type[Any] = type(value)
    if kind not in FIELDS and "__attrs_attrs__" in kind.__dict__:
        return plain({field.name: getattr(value, field.name) for field in attrs.fields(kind)})
    return plain(value)


def plain(value: object) -> tuple[Any, bool]:
    """Give a value as JSON of exact types, and say whether all of it was JSON; the kernel's values by their fields.

    Raises `RecursionError` for what nests too deeply.
    """
    holes: list[str] = []
    return _plain(value, DEEPEST, holes), not holes


def _plain(value: Any, levels: int, holes: list[str]) -> Any:
    kind = _class(value)
    if kind is str:
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if kind in ATOMS or (kind is float and value - value == 0):
        return value
    return _nested(value, kind, levels, holes)


def _nested(value: Any, kind: type[Any], levels: int, holes: list[str]) -> Any:
    if not levels:
        raise RecursionError("nested too deeply for a record")
    if issubclass(kind, dict):
        items: Iterable[tuple[Any, Any]] = dict[Any, Any].items(value)
        return {_key(key, holes): _plain(item, levels - 1, holes) for key, item in items}
    if issubclass(kind, list | tuple):
        listed: Iterable[Any] = list[Any].__iter__(value) if issubclass(kind, list) else tuple[Any].__iter__(value)
        return [_plain(item, levels - 1, holes) for item in listed]
    names = FIELDS.get(kind)
    if names is not None:
        return {name: _plain(getattr(value, name), levels - 1, holes) for name in names}
    holes.append(kind.__name__)
    return f"<{kind.__name__}>"


def _key(key: Any, holes: list[str]) -> str:
    if type(key) is str and key.isascii():
        return key
    if type(key) is str:
        return key.encode("utf-8", "replace").decode()
    holes.append(type(key).__name__)
    return f"<{type(key).__name__}>"


def _class(value: object) -> type[Any]:
    return type(value)
