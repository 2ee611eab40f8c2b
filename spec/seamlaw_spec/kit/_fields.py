"""The fields of a seam's value."""

from typing import Any, cast

import attrs

LIST: Any = list
__all__ = ["fields_of", "items_of"]


def fields_of(value: object) -> "tuple[attrs.Attribute[Any], ...]":
    """The fields of an attrs object; of anything else none."""
    kind = cast("type[Any]", type(value))
    return tuple(attrs.fields(kind)) if attrs.has(kind) else ()


def items_of(value: Any) -> list[Any]:
    """The items of a list or a tuple, read as `list` and `tuple` themselves do."""
    return [*LIST.__iter__(value)] if isinstance(value, list) else [*value]
