"""By what is counted: a key is a tuple of texts, such as the session and the tool."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeAlias, cast

from seamlaw import Scope

from ._errors import InvalidAmount, InvalidLimit

__all__ = ["PARTS", "By", "Key", "checked", "key_of"]

Key: TypeAlias = tuple[str, ...]
By: TypeAlias = str | tuple[str, ...] | Callable[[Any, Scope], Key]
LONG = 256  # characters of a part; names of tools come from a model


def _tool(value: Any) -> str | None:
    return cast("str | None", getattr(value, "name", None))


PARTS: dict[str, Callable[[Any, Scope], str | None]] = {
    "session": lambda value, scope: scope.session,
    "agent": lambda value, scope: scope.agent,
    "role": lambda value, scope: scope.role,
    "domain": lambda value, scope: scope.domain,
    "tool": lambda value, scope: _tool(value),
}


def key_of(by: By, name: str) -> Callable[[Any, Scope], Key]:
    """Make what finds the key of a call: `by` names parts (`PARTS`), or is a function of the value and the scope.

    The key begins with the name of the limit and those of the parts, so that two limits do not meet by accident. All
    who have no session share one, as they share one role or agent that is not known. Raises `InvalidLimit`.
    """
    if callable(by):
        return lambda value, scope: (name, *checked(by(value, scope)))
    named = (by,) if isinstance(by, str) else tuple(by)
    if unknown := [part for part in named if part not in PARTS]:
        raise InvalidLimit(f"key: nothing is counted by {unknown[0]!r}; there are {', '.join(PARTS)}, or a function")
    read = tuple(PARTS[part] for part in named)
    return lambda value, scope: (name, *named, *[part(value, scope) or "" for part in read])


def checked(key: object) -> Key:
    """Check a key, and put a digest in the place of a long part; raises `InvalidAmount` for what is no key."""
    if type(key) is not tuple or not key:
        raise InvalidAmount("/key", "must be a tuple of texts")
    parts = cast("tuple[object, ...]", key)
    return tuple(_short(part) if type(part) is str else _refused(index) for index, part in enumerate(parts))


def _short(part: str) -> str:
    return part if len(part) <= LONG else "sha256 " + sha256(part.encode("utf-8", "surrogatepass")).hexdigest()


def _refused(index: int) -> str:
    raise InvalidAmount(f"/key/{index}", "must be text")
