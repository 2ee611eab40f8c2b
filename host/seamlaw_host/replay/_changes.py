"""What differs between two JSON values, leaf by leaf, each at its JSON pointer: what a rule would write as `at`."""

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, TypeGuard

from attrs import frozen

__all__ = ["Leaf", "compared", "json_text"]

DEEPEST = 100  # levels, as what is frozen may have; Python objects may hold themselves


@frozen
class Leaf:
    """One leaf (text, number, …, or an empty container) before and after, as JSON text; `None` where it is absent."""

    at: str
    before: str | None
    after: str | None

    @property
    def changed(self) -> bool:
        """Whether it differs: `1` from `true` and from `1.0`, too."""
        return self.before != self.after


def compared(before: object, after: object) -> tuple[Leaf, ...]:
    """Put the leaves of two values side by side, in the order of the first, then what only the second has."""
    old, new = dict(_leaves(before)), dict(_leaves(after))
    return tuple(Leaf(at, old.get(at), new.get(at)) for at in {**old, **new})


def _leaves(value: object, at: str = "", levels: int = DEEPEST) -> Iterator[tuple[str, str]]:
    if _is_object(value) and value and levels:
        for key, item in value.items():
            yield from _leaves(item, f"{at}/{_escaped(str(key))}", levels - 1)
    elif _is_list(value) and value and levels:
        for index, item in enumerate(value):
            yield from _leaves(item, f"{at}/{index}", levels - 1)
    else:
        yield at, json_text(value)


def _is_object(value: object) -> TypeGuard[dict[Any, Any]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list | tuple)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """Write a value as JSON, integers exactly; what is no JSON, in results of Python functions, by its type."""
    try:
        return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(_plain(value), ensure_ascii=ascii_only)


def _plain(value: object, levels: int = DEEPEST) -> Any:
    if _is_object(value) and levels:
        return {str(key): _plain(item, levels - 1) for key, item in value.items()}
    if _is_list(value) and levels:
        return [_plain(item, levels - 1) for item in value]
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and isfinite(value)):
        return value
    return f"<{type(value).__name__}>"
