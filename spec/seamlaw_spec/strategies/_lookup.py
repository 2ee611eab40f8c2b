"""From an annotation to a strategy."""

from collections.abc import Callable
from enum import Enum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from seamlaw_spec._law import Law

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("checking laws by examples needs Hypothesis: pip install 'seamlaw[verify]'") from missing

__all__ = ["given_for", "of", "register"]

ODD_NUMBERS = (-1, 7, 13, 42, 99, 100, 101, 255, 256, 1000, 1337, 4095, 4096, 2**31, 2**53 + 1, 2**63, -(2**63))
ODD_TEXTS = ("", "\n", "a\nb", "a\n", " ", "\0", "*", "[", "{reason}", "%s", "é", "\u202e", "𝄞", "x" * 5000, "None")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)

_REGISTERED: dict[Any, SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(0, 3) | st.integers() | st.sampled_from(ODD_NUMBERS),
    float: st.floats(-10, 10) | st.floats(),
    str: st.sampled_from(ODD_TEXTS) | TEXT,
    NoneType: st.none(),
}


def register(kind: Any, strategy: SearchStrategy[Any]) -> None:
    """Say what makes the values of a type, or of a list of one; raises `ValueError` if something does already."""
    if kind in _REGISTERED:
        raise ValueError(f"{kind} has a strategy already")
    _REGISTERED[kind] = strategy


def of(annotation: Any) -> SearchStrategy[Any]:
    """Find the strategy for an annotation; raises `LookupError`, naming what nothing is registered for."""
    _load()
    if annotation in _REGISTERED:
        return _REGISTERED[annotation]
    parts, made = get_args(annotation), _GENERIC.get(get_origin(annotation))
    if made is not None:
        return made(parts)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(annotation)
    name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    raise LookupError(f"no strategy makes {name}: register one in a module of seamlaw_spec.strategies")


def given_for(law: Law) -> dict[str, SearchStrategy[Any]]:
    """Find the strategies for the parameters of a law, by name."""
    hints = get_type_hints(law.holds)
    return {name: of(annotation) for name, annotation in hints.items() if name != "return"}


def _list(parts: tuple[Any, ...]) -> SearchStrategy[Any]:
    return st.lists(of(parts[0]), max_size=6) | st.lists(of(parts[0]), max_size=40)


def _tuple(parts: tuple[Any, ...]) -> SearchStrategy[Any]:
    return _list(parts).map(tuple) if parts[1:] == (...,) else st.tuples(*map(of, parts))


def _union(parts: tuple[Any, ...]) -> SearchStrategy[Any]:
    return st.one_of(*map(of, parts))


_GENERIC: dict[Any, Callable[[tuple[Any, ...]], SearchStrategy[Any]]] = {
    list: _list,
    tuple: _tuple,
    Union: _union,
    UnionType: _union,
    Literal: st.sampled_from,
}


@cache
def _load() -> None:
    package = import_module("seamlaw_spec.strategies")
    for module in iter_modules(cast("list[str]", package.__path__)):
        import_module(f"{package.__name__}.{module.name}")
