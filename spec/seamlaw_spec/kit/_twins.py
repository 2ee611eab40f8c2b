"""A seam's value again, with other containers in it: plain ones, watched ones, ones that fail.

A seam's values are sealed and checked when they are made, so the twins are put together around their makers. They are
for the kit alone: no host can make one.
"""

from collections.abc import Callable
from typing import Any, cast

from attrs import evolve

from seamlaw import FrozenDict, FrozenList, ToolCall, freeze

from ._fields import fields_of
from ._parts import Part, Shown, hear
from ._plain import Twin

__all__ = ["Ticker", "asked_keys", "leaves", "map_texts", "reordered", "shown_as", "watched", "with_floats"]


def shown_as(twin: Twin, shown: Shown) -> Shown:
    """What is shown, made again; who is calling stays."""
    return Shown(twin.of(shown.value), tuple(map(twin.of, shown.beside)), shown.scope)


reordered = Twin(lambda items: freeze(dict(reversed(items.items()))))


def _as_float(leaf: Any) -> Any:
    return float(leaf) if type(leaf) is int and abs(leaf) < 2**53 else leaf


with_floats = Twin(of_leaf=_as_float)


Ticker = Callable[[str, Any, tuple[Any, ...]], None]  # told what is done to a container, and with what, before it is


def _telling(name: str, base: type[Any]) -> Callable[..., Any]:
    own: Any = getattr(base, name)

    def method(self: Any, *given: Any) -> Any:
        self.tick(name, self, given)
        return own(self, *given)

    return method


TOLD = ("__getitem__", "__contains__", "__iter__", "__len__", "__eq__", "__ne__")
WatchedDict: Any = type(
    "WatchedDict",
    (FrozenDict,),
    {
        "__slots__": ("tick",),
        "__hash__": None,
        **{name: _telling(name, dict) for name in (*TOLD, "get", "keys", "values", "items", "__or__", "__ror__")},
    },
)
WatchedList: Any = type(
    "WatchedList",
    (FrozenList,),
    {
        "__slots__": ("tick",),
        "__hash__": None,
        **{name: _telling(name, list) for name in (*TOLD, "index", "count", "__add__", "__reversed__")},
    },
)


def _watched_dict(items: dict[str, Any], tick: Ticker) -> Any:
    made = dict.__new__(WatchedDict)
    dict[str, Any].update(made, items)
    object.__setattr__(made, "tick", tick)
    return made


def _watched_list(items: list[Any], tick: Ticker) -> Any:
    made = list.__new__(WatchedList)
    list[Any].extend(made, items)
    object.__setattr__(made, "tick", tick)
    return made


def watched(shown: Shown, tick: Ticker) -> Shown:
    """What is shown, telling `tick` of all that is done to a container in it; `tick` may raise."""
    return shown_as(Twin(lambda items: _watched_dict(items, tick), lambda items: _watched_list(items, tick)), shown)


def asked_keys(part: Part, shown: Shown) -> set[str]:
    """The keys that a fresh instance asks for when it is shown this: of a call's arguments, those on top."""
    asked: set[str] = set()
    top: list[object] = []

    def tick(name: str, container: object, given: tuple[Any, ...]) -> None:
        on_top = not top or container is top[0]
        if name in ("__getitem__", "get", "__contains__") and isinstance(container, dict) and on_top:
            asked.update(key for key in given[:1] if isinstance(key, str))

    twin = watched(shown, tick)
    top += [twin.value.arguments] if isinstance(twin.value, ToolCall) else []
    hear(part, part.fresh(), twin)
    return asked


def leaves(value: Any, at: str = "") -> list[tuple[str, Any]]:
    """All leaves of a seam's value, each with its place; keys of objects count as leaves too."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return [found for key, item in items for found in ((f"{at}/{key} (key)", key), *leaves(item, f"{at}/{key}"))]
    if isinstance(value, list | tuple):
        listed = cast("list[Any]", value)
        return [found for place, item in enumerate(listed) for found in leaves(item, f"{at}/{place}")]
    if names := [one.name for one in fields_of(value)]:
        return [found for name in names for found in leaves(getattr(value, name), f"{at}/{name}")]
    return [(at, value)]


def map_texts(shown: Shown, change: Callable[[str, str], str]) -> Shown:
    """What is shown with each text, but not its key, changed by `change(text, place)`."""
    return evolve(shown, value=_map(shown.value, "", change))


def _map(value: Any, at: str, change: Callable[[str, str], str]) -> Any:
    if isinstance(value, str):
        return change(value, at)
    if isinstance(value, dict):
        return {key: _map(item, f"{at}/{key}", change) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        items = [_map(item, f"{at}/{place}", change) for place, item in enumerate(cast("list[Any]", value))]
        return items if isinstance(value, list) else tuple(items)
    names = [one.name for one in fields_of(value) if one.name not in ("id", "call_id", "role")]
    return (
        evolve(value, **{name: _map(getattr(value, name), f"{at}/{name}", change) for name in names})
        if names
        else value
    )
