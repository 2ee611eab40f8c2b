"""A tool's result in the tool's own shape: Claude Code drops a replacement of another one, and shows the original."""

from collections.abc import Mapping
from typing import Any, cast

__all__ = ["NoShape", "same_shape", "withheld"]

# Texts that say which shape it is, and nothing of what the tool found; any other is withheld.
TELLING: Mapping[str, frozenset[str]] = {
    "type": frozenset({"text", "create", "update", "resource"}),
    "mode": frozenset({"content", "files_with_matches", "count"}),
    "status": frozenset({"completed"}),
}


class NoShape(Exception):
    """A result that cannot be withheld in its own shape; stays in the package."""


def same_shape(before: Any, after: Any) -> bool:
    """Whether two JSON values differ in their texts, numbers and booleans alone."""
    if isinstance(before, dict) and isinstance(after, dict):
        old, new = cast("dict[str, object]", before), cast("dict[str, object]", after)
        return old.keys() == new.keys() and all(same_shape(value, new[key]) for key, value in old.items())
    if isinstance(before, list) and isinstance(after, list):
        parts = cast("list[object]", before), cast("list[object]", after)
        return len(parts[0]) == len(parts[1]) and all(map(same_shape, *parts))
    return _kind(before) == _kind(after)


def _kind(value: Any) -> str:
    return "number" if type(value) in (int, float) else type(value).__name__


def withheld(value: object, placeholder: str, key: str = "") -> object:
    """The same shape with a placeholder for every text; raises `NoShape` for what may not be recognised then."""
    if isinstance(value, dict):
        return {name: withheld(part, placeholder, name) for name, part in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [withheld(part, placeholder) for part in cast("list[object]", value)]
    if isinstance(value, str):
        if key not in TELLING:
            return placeholder
        if value not in TELLING[key]:
            raise NoShape
        return value
    return value if value is None or isinstance(value, bool) else 0
