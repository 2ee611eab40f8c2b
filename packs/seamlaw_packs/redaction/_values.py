"""Redacts values: JSON, frozen or plain, bytes, and what the kernel carries; the shape stays.

All texts of a value are joined by walls and searched at once. Only where something was found, or stands under the name
of a secret, is the value walked and made anew.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import attrs

from seamlaw import FrozenDict, FrozenList, MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult, freeze

from ._names import Kind, Names
from ._placeholders import placeholder
from ._worth import bare, kept

__all__ = ["Rebuilding", "texts_of"]

FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in attrs.fields(kind))
    for kind in (MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult)
}
BASES: tuple[type, ...] = (str, bytes, bytearray, dict, list, tuple, set, frozenset)
NO_TEXT = frozenset({int, float, bool, type(None)})
DEEPEST = 200  # containers in containers; frozen values have at most 100
LONGEST_OPTION = 64  # characters
PIN = 1_000  # a number from here on may be one
CYCLE, TOO_DEEP = placeholder("cycle"), placeholder("too-deep")


def _base(value: object) -> type | None:
    """Give what a value is read as, by the methods of that class, whatever a subclass has made of them."""
    kind = type(value)
    if kind in BASES or kind in FIELDS:
        return kind
    return None if kind in NO_TEXT else next((base for base in BASES if issubclass(kind, base)), None)


def texts_of(value: object, names: Names) -> list[str] | None:
    """Give every text in a value, keys included, or `None` where something stands under the name of a secret."""
    texts, left, seen = list[str](), [value], set[int]()
    while left:
        one: Any = left.pop()
        base = str if type(one) is str else _base(one)
        if base is str:
            texts.append(one)
        elif base is bytes or base is bytearray:
            texts.append(one.decode("latin-1"))
        elif base is not None and id(one) not in seen:
            seen.add(id(one))
            for item, hidden in _parts(one, base, names):
                if hidden:
                    return None
                left.append(item)
            if base is dict:
                left.extend(dict.keys(one))
    return texts


def _parts(value: Any, base: type, names: Names) -> Iterator[tuple[Any, Kind | None]]:
    """Give what is in a container, and the kind of what is to be hidden because of its name."""
    if base is dict:
        named = _name_of_value(value)
        for key, item in dict.items(value):
            name = named if named is not None and key in ("value", "Value") else key
            kind = names.kind(name) if type(name) is str else None
            yield item, kind if kind is not None and _hides(item, kind) else None
    elif base in FIELDS:
        yield from ((getattr(value, name), None) for name in FIELDS[base])
    elif base is list or base is tuple:
        option: Kind | None = None
        for item in cast(Iterable[Any], base.__iter__(value)):
            text = item if type(item) is str else ""
            hidden = option is not None and text != "" and bare(text, option, tight=True, after="")
            yield item, option if hidden else None
            option = names.kind(text) if text[:1] == "-" and len(text) <= LONGEST_OPTION else None
    else:
        yield from ((item, None) for item in base.__iter__(value))


def _name_of_value(value: dict[Any, Any]) -> str | None:
    """Give the name in `{"name": "DB_PASSWORD", "value": …}`, which is how settings and headers are listed."""
    for name, content in (("name", "value"), ("key", "value"), ("Name", "Value"), ("Key", "Value")):
        named = dict.get(value, name)
        if type(named) is str and dict.__contains__(value, content):
            return named
    return None


def _hides(value: Any, kind: Kind) -> bool:
    """Whether something that stands under the name of a secret is one, or a list that has one."""
    base = _base(value)
    if base is str:
        return kept(value, kind)
    if base is bytes or base is bytearray:
        return len(value) > 0
    if base is list or base is tuple:
        return any(_base(item) not in (list, tuple) and _hides(item, kind) for item in base.__iter__(value))
    return isinstance(value, int | float) and not isinstance(value, bool) and not kind.weak and abs(value) >= PIN


class Rebuilding:
    """Makes one value anew, without what `clean` takes out of its texts, nor what stands under the name of a secret.

    What has nothing of either stays the object it was. A container that is met twice is made once.
    """

    def __init__(self, clean: Callable[[str], str], names: Names) -> None:
        self._clean = clean
        self._names = names
        self._made: dict[int, Any] = {}

    def value(self, value: Any, levels: int = DEEPEST) -> Any:
        """Give a value without its secrets."""
        base = str if type(value) is str else _base(value)
        if base is None:
            return value
        if base is str:
            return self._clean(value)
        if base is bytes or base is bytearray:
            return self._bytes(value, base)
        if id(value) in self._made:
            return self._made[id(value)]
        if not levels:
            return TOO_DEEP
        self._made[id(value)] = CYCLE
        made = self._made[id(value)] = self._container(value, base, levels - 1)
        return made

    def _bytes(self, value: Any, base: type) -> Any:
        text = value.decode("latin-1")
        clean = self._clean(text)
        return value if clean == text else base(clean.encode("latin-1", "replace"))

    def _container(self, value: Any, base: type, levels: int) -> Any:
        parts = list(_parts(value, base, self._names))
        made = [self._hidden(item, kind, levels) if kind else self.value(item, levels) for item, kind in parts]
        same = all(one is item for one, (item, _) in zip(made, parts, strict=True))
        if base is dict:
            keys = self._keys(value)
            return value if same and keys is None else _frozen_as(value, dict(zip(keys or dict.keys(value), made, strict=True)))
        if same:
            return value
        if base in FIELDS:
            return attrs.evolve(value, **dict(zip(FIELDS[base], made, strict=True)))
        return _frozen_as(value, base(made))

    def _hidden(self, value: Any, kind: Kind, levels: int) -> Any:
        """Give the placeholder for a value, or a list in which what is hidden is replaced."""
        base = _base(value)
        if base is list or base is tuple:
            items = base.__iter__(value)
            made = [self._hidden(i, kind, 0) if _alone(i, kind) else self.value(i, levels) for i in items]
            return _frozen_as(value, base(made))
        said = placeholder(kind.label)
        return base(said.encode()) if base in (bytes, bytearray) else said

    def _keys(self, value: dict[Any, Any]) -> list[Any] | None:
        """Give the keys without secrets, all of them different; `None` where they are as they were."""
        keys = list(dict.keys(value))
        made = [self.value(key) if _base(key) in (str, bytes) else key for key in keys]
        if all(one is key for one, key in zip(made, keys, strict=True)):
            return None
        used, counts = set(keys), dict[Any, int]()
        return [key if one is key else _unused(one, used, counts) for one, key in zip(made, keys, strict=True)]


def _alone(value: Any, kind: Kind) -> bool:
    return _base(value) not in (list, tuple) and _hides(value, kind)


def _unused(key: Any, used: set[Any], counts: dict[Any, int]) -> Any:
    """Number a key of which there is one already."""
    numbered = key
    while numbered in used:
        count = counts[key] = counts.get(key, 1) + 1
        number = f" ({count})"
        numbered = key + (number if isinstance(key, str) else number.encode())
    used.add(numbered)
    return numbered


def _frozen_as(value: object, made: Any) -> Any:
    """Freeze what is made in the place of a frozen value."""
    return freeze(made, objects=True) if type(value) in (FrozenDict, FrozenList) else made
