"""Deeply immutable JSON that still is a `dict` and a `list`, so that `argv == ["rm", "-rf"]` means what it says."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial, wraps
from typing import Any, NoReturn, TypeVar, cast

from seamlaw.errors import InvalidValue

__all__ = ["FrozenDict", "FrozenList", "freeze", "thaw"]

MAX_DEPTH = 100  # containers inside containers
MAX_SIZE = 64 * 2**20  # characters of text, each node counting as NODE of them
MAX_INTEGER_BITS = 4096
NODE = 128
_set_item, _append = dict[str, Any].__setitem__, list[Any].append

C = TypeVar("C", bound=type)


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    """Refuse: a frozen value cannot be changed. `thaw` gives a plain copy that can."""
    raise TypeError(f"{type(self).__name__} is immutable: make one with freeze(), a plain copy with thaw()")


def _sealed(*mutators: str) -> Callable[[C], C]:
    def seal(cls: C) -> C:
        for name in ("__init__", "__setattr__", "__delattr__", "__setitem__", "__delitem__", *mutators):
            setattr(cls, name, _refuse)
        return cls

    return seal


def sealed(cls: C) -> C:
    """Refuse subclasses, for one could lie about what it holds, and to be made a second time, in place."""
    setattr(cls, "__init__", _once(cls, cls.__dict__["__init__"], *cls.__dict__["__slots__"]))  # noqa: B010

    def refuse(*_: object, **__: object) -> NoReturn:
        raise TypeError(f"{cls.__name__} cannot be subclassed")

    setattr(cls, "__init_subclass__", classmethod(refuse))  # noqa: B010 - an assignment would be a type error
    return cls


def _once(cls: type, made: Callable[..., None], first: str, *_: str) -> Callable[..., None]:
    @wraps(made)
    def once(self: object, *args: object, **options: object) -> None:
        if hasattr(self, first):
            raise TypeError(f"{cls.__name__} is immutable: make another one")
        made(self, *args, **options)

    return made if first == "__weakref__" else once


@_sealed("__ior__", "clear", "pop", "popitem", "setdefault", "update")
class FrozenDict(dict[str, Any]):
    """A JSON object that cannot be changed; `weight` is its height in containers and its size."""

    __slots__ = ("weight",)
    weight: tuple[int, int]

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(freeze, objects=True), (dict(self),)

    def __copy__(self) -> "FrozenDict":
        return self

    def __deepcopy__(self, memo: object) -> "FrozenDict":
        return self


@_sealed("__iadd__", "__imul__", "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")
class FrozenList(list[Any]):
    """A JSON array that cannot be changed; `weight` is its height in containers and its size."""

    __slots__ = ("weight",)
    weight: tuple[int, int]

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(freeze, objects=True), (list(self),)

    def __copy__(self) -> "FrozenList":
        return self

    def __deepcopy__(self, memo: object) -> "FrozenList":
        return self


def freeze(value: object, *, objects: bool = False) -> Any:
    """Give back `value` as deeply immutable JSON; what is frozen already is not copied again.

    With `objects`, a leaf that is no JSON is held by reference (for Python functions guarded directly).
    Raises `InvalidValue`, naming the place and never the value: non-string keys, NaN and infinities, lone
    surrogates, cycles and nesting past 100 levels, more than 64 Mi of text, integers past 4096 bits.
    """
    if type(value) is str and len(value) > MAX_SIZE:
        raise InvalidValue("", f"larger than {MAX_SIZE} characters")
    return _freeze(value, MAX_DEPTH, objects)


def _freeze(value: Any, levels: int, objects: bool) -> Any:
    kind: object = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str:
        return value if value.isascii() else _text(value, objects)
    if value is None or kind is bool:
        return value
    if kind is FrozenDict or kind is FrozenList:
        if value.weight[0] > levels:
            raise InvalidValue("", f"nested deeper than {MAX_DEPTH} levels")
        return value
    if kind is dict or kind is list:
        if levels == 0:
            raise InvalidValue("", f"nested deeper than {MAX_DEPTH} levels, or a cycle")
        return _object(value, levels - 1, objects) if kind is dict else _array(value, levels - 1, objects)
    if kind is int:
        problem = value.bit_length() > MAX_INTEGER_BITS and f"an integer of more than {MAX_INTEGER_BITS} bits"
    elif kind is float:
        problem = not math.isfinite(value) and "NaN and infinities are no JSON"
    else:
        return value if objects else _freeze(_exact(value), levels, objects)
    if problem and not objects:
        raise InvalidValue("", problem)
    return value


def _exact(value: object) -> Any:
    """Undo subclassing by the base class's own methods, so that nothing overridden is believed."""
    given: Any = value
    for base, undo in _UNDO.items():
        if issubclass(type(value), base):
            return undo(given)
    raise InvalidValue("", f"{type(value).__name__} is no JSON (null, boolean, number, string, list, dict)")


_UNDO: dict[type, Callable[[Any], object]] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    dict: lambda it: dict(dict[Any, Any].items(it)),
    list: lambda it: [*list[Any].__iter__(it)],
}


def _text(value: str, objects: bool) -> str:
    with suppress(UnicodeEncodeError):  # which would quote the text, also as the context of another
        value.encode()
        return value
    if objects:
        return value
    raise InvalidValue("", "a lone surrogate is no text")


def _object(value: dict[Any, Any], levels: int, objects: bool) -> Any:
    result: dict[str, Any] = dict.__new__(FrozenDict)
    height, size = 0, NODE
    for key, item in value.copy().items():
        if type(key) is not str:
            if objects:
                return value
            if not issubclass(type(key), str):
                raise InvalidValue("", f"a key is {type(key).__name__}, not a string")
        try:
            name = key if type(key) is str and key.isascii() else _freeze(key, 0, False)
        except InvalidValue as error:
            raise InvalidValue("", f"a key: {error.problem}") from None
        try:
            child = _freeze(item, levels, objects)
        except InvalidValue as error:
            raise InvalidValue(pointer(name, error.path), error.problem) from None
        _set_item(result, name, child)
        height, size = _weigh(child, height, size + len(name))
    if len(result) != len(value):
        raise InvalidValue("", "two keys are the same string, or the value changed while it was read")
    return _weighed(result, height, size)


def _array(value: list[Any], levels: int, objects: bool) -> Any:
    result: list[Any] = list.__new__(FrozenList)
    height, size = 0, NODE
    for index, item in enumerate(value.copy()):
        try:
            child = _freeze(item, levels, objects)
        except InvalidValue as error:
            raise InvalidValue(pointer(str(index), error.path), error.problem) from None
        _append(result, child)
        height, size = _weigh(child, height, size)
    return _weighed(result, height, size)


def _weigh(child: Any, height: int, size: int) -> tuple[int, int]:
    kind: object = type(child)  # pyright: ignore[reportUnknownVariableType]
    if kind is FrozenDict or kind is FrozenList:
        height, size = max(height, child.weight[0]), size + child.weight[1]
    else:
        size += NODE + (len(child) if kind is str else 0)
    if size > MAX_SIZE:
        raise InvalidValue("", f"larger than {MAX_SIZE} characters")
    return height, size


def _weighed(result: Any, height: int, size: int) -> Any:
    object.__setattr__(result, "weight", (height + 1, size))
    return result


def pointer(key: str, rest: str = "") -> str:
    """Write one step of a JSON pointer (RFC 6901)."""
    return "/" + key.replace("~", "~0").replace("/", "~1") + rest


def thaw(value: Any) -> Any:
    """Give back plain, changeable `dict` and `list` containers, all the way down."""
    if isinstance(value, dict):
        return {key: thaw(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [thaw(item) for item in cast(Any, value)]
    return value


def frozen_object(value: Mapping[str, object]) -> FrozenDict:
    """Freeze what must be a JSON object."""
    return value if type(value) is FrozenDict else _of_kind(freeze(value), FrozenDict, "an object")


def frozen_list(value: object) -> FrozenList:
    """Freeze what must be a JSON array."""
    return _of_kind(freeze(value), FrozenList, "an array")


def frozen_text(value: object) -> str:
    """Freeze what must be text."""
    if type(value) is str and value.isascii() and len(value) <= MAX_SIZE:  # most of what is made: no further call
        return value
    return _of_kind(freeze(value), str, "a string")


T = TypeVar("T")


def _of_kind(value: object, kind: type[T], name: str) -> T:
    if type(value) is kind:
        return value
    raise InvalidValue("", f"must be {name}, not {type(value).__name__}")
