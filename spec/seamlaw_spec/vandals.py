"""Interceptors that try to change what they are shown, at every depth, by every means that Python offers openly."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from operator import delitem, setitem
from typing import Any, cast

import attrs
from attrs import frozen

from seamlaw import (
    Interceptors,
    MemoryItem,
    Message,
    ProviderRequest,
    Seam,
    ToolCall,
    ToolResult,
    decide,
    digest,
    gate,
    rewriter,
)

from .places import seam_of
from .scripts import Place

__all__ = ["Vandalised", "vandalise"]

OWN: Seam[Any] = Seam("own_json", dict)
OF_DICTS: tuple[Callable[[Any], object], ...] = (
    lambda it: setitem(it, "new", 1),
    lambda it: [setitem(it, key, "changed") for key in list(it)],
    lambda it: [delitem(it, key) for key in list(it)],
    lambda it: it.update(new=1),
    lambda it: it.setdefault("new", 1),
    lambda it: it.pop("in", None),
    lambda it: it.popitem(),
    lambda it: it.clear(),
    lambda it: it.__ior__({"new": 1}),
    lambda it: it.__init__({"new": 1}),
    lambda it: setattr(it, "weight", (0, 0)),
)
OF_LISTS: tuple[Callable[[Any], object], ...] = (
    lambda it: it.append(1),
    lambda it: it.extend([1]),
    lambda it: it.insert(0, 1),
    lambda it: setitem(it, slice(None), [1]),
    lambda it: setitem(it, 0, "changed"),
    lambda it: delitem(it, slice(None)),
    lambda it: it.pop(),
    lambda it: it.remove(it[0]),
    lambda it: it.reverse(),
    lambda it: it.sort(),
    lambda it: it.clear(),
    lambda it: it.__iadd__([1]),
    lambda it: it.__imul__(2),
    lambda it: it.__init__([1]),
)


@frozen
class Vandalised:
    """A seam, and JSON that its value holds."""

    place: Place
    inside: Any

    def stays(self) -> bool:
        """Whether nobody who is shown the value, and not even who gave it, changes what the others see."""
        plain, saw = deepcopy(self.inside), list[str]()
        given, before = _holding(self.place, plain), digest(_holding(self.place, deepcopy(self.inside)))
        seam: Seam[Any] = OWN if self.place in (Place.OWN_OPEN, Place.OWN_CLOSED) else seam_of(self.place)

        def witness(value: object) -> None:
            saw.append(digest(value))
            vandalise(value)

        def intruder(value: object) -> None:
            vandalise(plain)
            saw.append(digest(value))

        around: tuple[Any, ...] = (CALL,) if seam.beside else ()
        everyone = (rewriter(witness), rewriter(witness), gate(witness), gate(intruder), gate(witness))
        at: dict[str, Any] = {"seams": {OWN: everyone}} if seam is OWN else {seam.name: everyone}
        outcome = decide(Interceptors(**at), seam, given, *around)
        kept = seam is OWN or digest(outcome.value) == before
        return saw == [before] * len(everyone) and kept and outcome.log == ()


CALL = ToolCall("id-1", "tool")


def _holding(place: Place, plain: Any) -> Any:
    call = ToolCall("id-1", "tool", {"in": plain})
    match place:
        case Place.TOOL_CALL:
            return call
        case Place.TOOL_RESULT:
            return ToolResult(plain, None, {"in": plain})
        case Place.CONTEXT:
            return (Message("user", [{"type": "other", "in": plain}], (call,), None, {"in": plain}),)
        case Place.PROVIDER_REQUEST:
            return ProviderRequest("m", (Message("user", "", (call,)),), [plain], {"in": plain}, {"h": "v"})
        case Place.MEMORY:
            return (MemoryItem(plain, metadata={"in": plain}),)
        case Place.OWN_OPEN | Place.OWN_CLOSED:
            return {"in": plain}


def vandalise(value: object) -> None:
    """Try everything, everywhere; what is refused is refused, and the next is tried."""
    for part in list(_parts(value)):
        for change in _means(part):
            _try(change, part)


def _means(part: Any) -> tuple[Callable[[Any], object], ...]:
    kind: type[Any] = part.__class__
    if attrs.has(kind):
        return tuple(_setting(field.name) for field in attrs.fields(kind))
    return OF_DICTS if issubclass(kind, dict) else OF_LISTS if issubclass(kind, list) else ()


def _setting(name: str) -> Callable[[Any], object]:
    return lambda it: setattr(it, name, "changed")


def _try(change: Callable[[Any], object], part: object) -> None:
    try:
        change(part)
    except (TypeError, AttributeError, LookupError, ValueError):
        return


def _parts(value: Any) -> Iterator[Any]:
    """All containers in a value, the inner ones first."""
    inner: list[Any]
    kind: type[Any] = value.__class__
    if isinstance(value, dict):
        inner = [*cast("dict[str, Any]", value).values()]
    elif isinstance(value, list | tuple):
        inner = [*cast("list[Any]", value)]
    elif attrs.has(kind):
        inner = [getattr(value, field.name) for field in attrs.fields(kind)]
    else:
        return
    for part in inner:
        yield from _parts(part)
    yield value
