"""Redacts values: JSON, frozen or plain, bytes, and what the kernel carries; the shape stays.

All texts of a value are joined by walls and searched at once. Only where something was found, or stands under the name
of a secret, is the value walked and made anew.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import attrs

from seamlaw import FrozenDict, FrozenList, MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult, freeze

from ._names import Kind, Names
from ._placeholders import placeholder
from ._worth import bare, kept

__all__ = ["CONTENT", "NO_TEXT", "Rebuilding", "opaque", "texts_of"]

Base: TypeAlias = "type[Any] | None"
KindOf: TypeAlias = Callable[[str], Kind | None]
FIELDS: Mapping[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in attrs.fields(kind))
    for kind in (MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult)
}
TEXT: tuple[type[Any], ...] = (str, bytes, bytearray)
LISTS: tuple[type[Any], ...] = (list, tuple)
# Containers, and how their parts are had by the methods of that class, whatever a subclass has made of them.
PARTS: Mapping[type[Any], Callable[[Any], Iterator[Any]]] = {
    dict: lambda it: iter(dict[Any, Any].values(it)),
    list: list[Any].__iter__,
    tuple: tuple[Any].__iter__,
    set: set[Any].__iter__,
    frozenset: frozenset[Any].__iter__,
    **{kind: lambda it: iter([getattr(it, name) for name in FIELDS[type(it)]]) for kind in FIELDS},
}
BASES: tuple[type[Any], ...] = (*TEXT, dict, list, tuple, set, frozenset)
# The classes that are met most, and what they are read as.
READ_AS: Mapping[type[Any], type[Any]] = {
    **{kind: kind for kind in (*PARTS, *TEXT)},
    FrozenDict: dict,
    FrozenList: list,
}
CONTENT = frozenset({"value", "Value"})  # may be named by what stands beside them
NO_TEXT = frozenset({int, float, bool, type(None)})
DEEPEST = 200  # containers in containers; frozen values have at most 100
LONGEST_OPTION = 64  # characters
PIN = 1_000  # a number from here on may be one
CYCLE, TOO_DEEP = placeholder("cycle"), placeholder("too-deep")


def _base(value: object) -> Base:
    """Give what a value is read as: its class, the one it derives from, or nothing."""
    kind: type[Any] = type(value)
    base = READ_AS.get(kind)
    if base is not None:
        return base
    return None if kind in NO_TEXT else next((base for base in BASES if issubclass(kind, base)), None)


def texts_of(value: object, names: Names) -> list[str] | None:
    """Give every text in a value, keys included, or `None` where something stands under the name of a secret."""
    texts, left, seen = list[str](), [value], set[int]()
    while left:
        one: Any = left.pop()
        base = _base(one)
        if base is str:
            texts.append(one)
        elif base in TEXT:
            texts.append(one.decode("latin-1"))
        elif base is not None and id(one) not in seen:
            seen.add(id(one))
            for item, hidden in _parts(one, base, names.kind):
                if hidden is not None:
                    return None
                left.append(item)
            if base is dict:
                left.extend(dict[Any, Any].keys(one))
    return texts


def opaque(value: object) -> bool:
    """Whether something in a value is of a class that is not looked into."""
    left, seen = [value], set[int]()
    while left:
        one: Any = left.pop()
        base = _base(one)
        if base is None:
            if type(one) not in NO_TEXT:
                return True
        elif base in PARTS and id(one) not in seen:
            seen.add(id(one))
            left.extend(PARTS[base](one))
            if base is dict:
                left.extend(dict[Any, Any].keys(one))
    return False


def _parts(value: Any, base: type[Any], kind_of: KindOf) -> Iterator[tuple[Any, Kind | None]]:
    """Give what is in a container, and the kind of what is to be hidden because of its name."""
    if base is dict:
        return _of_object(value, kind_of)
    if base in LISTS:
        return _of_list(PARTS[base](value), kind_of)
    return ((item, None) for item in PARTS[base](value))


def _of_object(value: dict[Any, Any], kind_of: KindOf) -> Iterator[tuple[Any, Kind | None]]:
    named = _name_of_value(value)
    for key, item in dict[Any, Any].items(value):
        name = named if named is not None and key in CONTENT else key
        kind = kind_of(name) if type(name) is str else None
        yield item, kind if kind is not None and _hides(item, kind) else None


def _name_of_value(value: dict[Any, Any]) -> str | None:
    """Give the name in `{"name": "DB_PASSWORD", "value": …}`, which is how settings and headers are listed."""
    if CONTENT.isdisjoint(dict[Any, Any].keys(value)):
        return None
    for name, content in (("name", "value"), ("key", "value"), ("Name", "Value"), ("Key", "Value")):
        named = dict[Any, Any].get(value, name)
        if type(named) is str and dict[Any, Any].__contains__(value, content):
            return named
    return None


def _of_list(items: Iterator[Any], kind_of: KindOf) -> Iterator[tuple[Any, Kind | None]]:
    """Give the items; what stands behind an option, as in `["--password", "…"]`, may be hidden."""
    option: Kind | None = None
    for item in items:
        text = item if type(item) is str else ""
        is_option = text[:2] == "--"
        hidden = option is not None and not is_option and bare(text, option, tight=True, after="")
        yield item, option if hidden else None
        option = kind_of(text) if is_option and len(text) <= LONGEST_OPTION else None


def _hides(value: Any, kind: Kind) -> bool:
    """Whether something that stands under the name of a secret is one, or a list that has one."""
    base = _base(value)
    return any(_hides_one(item, kind) for item in PARTS[base](value)) if base in LISTS else _hides_one(value, kind)


def _hides_one(value: Any, kind: Kind) -> bool:
    base = _base(value)
    if base in TEXT:
        return kept(value if base is str else value.decode("latin-1"), kind)
    return type(value) in (int, float) and not kind.weak and abs(value) >= PIN


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
        base = _base(value)
        if base is None:
            return value
        if base is str:
            return self._clean(value)
        if base in TEXT:
            return self._bytes(value, base)
        if id(value) in self._made:
            return self._made[id(value)]
        if not levels:
            return TOO_DEEP
        self._made[id(value)] = CYCLE
        made = self._made[id(value)] = self._container(value, base, levels - 1)
        return made

    def _kind(self, name: str) -> Kind | None:
        """Give the kind of what stands under a name, as it is and as it will be."""
        return self._names.kind(name) or self._names.kind(self._clean(name))

    def _bytes(self, value: Any, base: type[Any]) -> Any:
        text = value.decode("latin-1")
        clean = self._clean(text)
        return value if clean == text else base(clean.encode("latin-1", "replace"))

    def _container(self, value: Any, base: type[Any], levels: int) -> Any:
        parts = list(_parts(value, base, self._kind))
        made = [self.value(item, levels) if kind is None else self._hidden(item, kind, levels) for item, kind in parts]
        same = all(one is item for one, (item, _) in zip(made, parts, strict=True))
        if base is dict:
            keys = self._keys(value)
            return value if same and keys is None else _as(value, _paired(value, keys, made))
        if same:
            return value
        if base in FIELDS:
            return attrs.evolve(value, **dict(zip(FIELDS[base], made, strict=True)))
        return _as(value, base(made))

    def _hidden(self, value: Any, kind: Kind, levels: int) -> Any:
        """Give the placeholder for a value, or a list in which what is hidden is replaced."""
        base = _base(value)
        if base in LISTS:
            items = PARTS[base](value)
            return _as(value, base(_said(i, kind) if _hides_one(i, kind) else self.value(i, levels) for i in items))
        return _said(value, kind)

    def _keys(self, value: dict[Any, Any]) -> list[Any] | None:
        """Give the keys without secrets, all of them different; `None` where they are as they were."""
        keys = list(dict[Any, Any].keys(value))
        made = [self.value(key) if _base(key) in TEXT else key for key in keys]
        if all(one is key for one, key in zip(made, keys, strict=True)):
            return None
        used, counts = set[Any](keys), dict[Any, int]()
        return [key if one is key else _unused(one, used, counts) for one, key in zip(made, keys, strict=True)]


def _said(value: Any, kind: Kind) -> Any:
    """Give the placeholder for a value, as bytes for bytes."""
    said, base = placeholder(kind.label), _base(value)
    return base(said.encode()) if base in (bytes, bytearray) else said


def _unused(key: Any, used: set[Any], counts: dict[Any, int]) -> Any:
    """Number a key of which there is one already."""
    numbered = key
    while numbered in used:
        count = counts[key] = counts.get(key, 1) + 1
        numbered = key + f" ({count})" if isinstance(key, str) else key + f" ({count})".encode()
    used.add(numbered)
    return numbered


def _paired(value: dict[Any, Any], keys: list[Any] | None, items: list[Any]) -> dict[Any, Any]:
    return dict(zip(dict[Any, Any].keys(value) if keys is None else keys, items, strict=True))


def _as(value: object, made: Any) -> Any:
    """Freeze what is made in the place of a frozen value."""
    return freeze(made, objects=True) if type(value) in (FrozenDict, FrozenList) else made
