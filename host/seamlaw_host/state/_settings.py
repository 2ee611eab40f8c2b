"""Reads the configuration of the packs that count, which may be Python's values or those of TOML and JSON."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import TypeAlias, cast

from seamlaw import Globs
from seamlaw_packs.errors import InvalidPack

from ._checks import positive
from ._errors import InvalidAmount, InvalidLimit
from ._keys import By, key_of
from ._memory import MemoryState
from ._protocol import State
from ._redis import RedisState
from ._units import Units

__all__ = [
    "Where",
    "amount_at",
    "before_at",
    "function_at",
    "globs_of",
    "key_at",
    "label_at",
    "place",
    "seconds_at",
    "shown",
    "state_of",
    "where_at",
]

Where: TypeAlias = State | str
URLS = ("redis://", "rediss://", "unix://")
OPERATIONS = ("admit", "reserve", "settle", "release", "charge")


@contextmanager
def place(named: str) -> Generator[None]:
    """Turn what a limit says of a setting into `InvalidPack`, which names it."""
    try:
        yield
    except InvalidAmount as error:
        raise InvalidPack(named, error.problem) from None
    except InvalidLimit as error:
        raise InvalidPack(named, str(error).removeprefix(named).lstrip(": ")) from None


def where_at(given: Where) -> Where:
    """Take a state, or the text that names one."""
    if isinstance(given, str):
        if given != "memory" and not given.startswith(URLS):
            raise InvalidPack("state", "must be 'memory', or the URL of a Redis: redis://, rediss:// or unix://")
    elif not all(callable(getattr(given, name, None)) for name in OPERATIONS):
        raise InvalidPack("state", "must be a State, or text that names one")
    return given


def state_of(given: Where) -> State:
    """Give the state, or make the one that is named; raises `MissingExtra` where there is no library for it."""
    if not isinstance(given, str):
        return given
    if given == "memory":
        return MemoryState()
    try:
        return RedisState(given)
    except (TypeError, ValueError):  # of the library, which may quote the URL
        raise InvalidPack("state", "is no URL of a Redis") from None


def shown(given: Where) -> str:
    """Show where is counted, but nothing of a URL: a password may stand in it."""
    if not isinstance(given, str):
        return type(given).__name__
    scheme, slashes, _ = given.partition("://")
    return repr(scheme + slashes + "…") if slashes else repr(given)


def key_at(given: By | Iterable[str]) -> By:
    """Take what is counted by: parts of `PARTS`, or a function."""
    parts: By = given if isinstance(given, str) or callable(given) else _texts("key", given)
    with place("key"):
        key_of(parts, "")
    return parts


def label_at(given: str) -> str:
    """Take what a gate is called."""
    (label,) = _texts("label", [given])
    return label


def globs_of(given: str | Iterable[str] | Globs | None) -> Globs | None:
    """Take one glob or several, or none, where that is said by `None`."""
    if given is None or isinstance(given, Globs):
        return given
    try:
        return Globs(_texts("tools", (given,) if isinstance(given, str) else given))
    except InvalidPack:
        raise
    except ValueError as error:
        raise InvalidPack("tools", str(error)) from None


def _texts(named: str, given: object) -> tuple[str, ...]:
    listed = (
        tuple(cast("Iterable[object]", given))
        if isinstance(given, Iterable) and not isinstance(given, str | Mapping)
        else ()
    )
    if not listed or not all(type(text) is str and text for text in listed):
        raise InvalidPack(named, "must be text that is not empty, or a list of such")
    return cast("tuple[str, ...]", listed)


def seconds_at(named: str, given: object) -> float:
    """Take a positive number of seconds."""
    with place(named):
        return positive(given, named)


def function_at(named: str, given: object) -> None:
    """Check that something is a function."""
    if not callable(given):
        raise InvalidPack(named, "must be a function")


def amount_at(named: str, given: object, units: Units) -> int | None:
    """Give the units of an amount, if one is given."""
    if given is None:
        return None
    with place(named):
        return units.charge(given)


def before_at(named: str, given: object, units: Units) -> None:
    """Check what tells a cost before the call: a function, the name of an argument, or an amount."""
    if isinstance(given, str):
        _texts(named, [given])
    elif not callable(given):
        amount_at(named, given, units)
