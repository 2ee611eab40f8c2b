"""What can be configured, and what it is unless it is: deadlines, when to stop trying, what the program is given."""

import math
import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import PurePath
from typing import cast

from attrs import frozen

from seamlaw import SEAMS
from seamlaw_packs._settings import text_at, texts_at
from seamlaw_packs.errors import InvalidPack

__all__ = [
    "DEADLINES_S",
    "GIVEN",
    "Settings",
    "command_at",
    "deadlines_at",
    "environment",
    "seconds_at",
    "texts_by_name_at",
]

DEADLINES_S: Mapping[str, float] = {  # from when it is asked to when its answer counts
    "context": 5.0,
    "provider_request": 5.0,
    "tool_call": 5.0,
    "tool_result": 5.0,
    "memory": 2.0,
}
# What a program needs to be found, to speak and to keep time; no token and no key has one of these names.
GIVEN = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
LONGEST_S = 3_600.0


@frozen(eq=False)
class Settings:
    """An extension's configuration, as its channel needs it."""

    name: str
    expected: str | None
    command: tuple[str, ...]
    cwd: str | None
    env: Mapping[str, str]
    pass_env: tuple[str, ...]
    deadlines_s: Mapping[str, float]
    start_s: float


def command_at(place: str, given: object) -> tuple[str, ...]:
    """Take the program and its arguments; an argument may be empty, and no shell reads any."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise InvalidPack(place, "must be a list: the program and its arguments")
    listed = tuple(cast("Iterable[object]", given))
    if not listed or not listed[0]:
        raise InvalidPack(place, "must begin with a program")
    for index, item in enumerate(listed):
        if type(item) is not str or "\0" in item:
            raise InvalidPack(f"{place}[{index}]", "must be text without NUL")
    return cast("tuple[str, ...]", listed)


def name_of(command: tuple[str, ...]) -> str:
    """What a program is called until it has said its name: the first argument that looks like a file, or itself."""
    return next((PurePath(part).name for part in command[1:] if PurePath(part).suffix), PurePath(command[0]).name)


def seconds_at(place: str, given: object) -> float:
    """Take a time-out."""
    if type(given) not in (int, float) or not 0 < cast(float, given) <= LONGEST_S:
        raise InvalidPack(place, f"must be a number of seconds, more than 0 and at most {LONGEST_S:.0f}")
    return float(cast(float, given))


def deadlines_at(place: str, given: object) -> dict[str, float]:
    """Take deadlines by seam; those that are not given are as they are."""
    if not isinstance(given, Mapping):
        raise InvalidPack(place, "must be a mapping of seams to seconds")
    found = dict(DEADLINES_S)
    for key, value in cast("Mapping[object, object]", given).items():
        name = text_at(f"a key of {place}", key)
        if name not in SEAMS:
            near = get_close_matches(name, SEAMS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the seams are {', '.join(SEAMS)}"
            raise InvalidPack(f"{place}[{name!r}]", f"is no seam; {hint}")
        found[name] = seconds_at(f"{place}[{name!r}]", value)
    return found


def texts_by_name_at(place: str, given: object) -> dict[str, str]:
    """Take variables of the environment."""
    if not isinstance(given, Mapping):
        raise InvalidPack(place, "must be a mapping of names to texts")
    found = dict[str, str]()
    for key, value in cast("Mapping[object, object]", given).items():
        name = _variable(f"a key of {place}", key)
        if type(value) is not str or "\0" in value:
            raise InvalidPack(f"{place}[{name!r}]", "must be text without NUL")
        found[name] = value
    return found


def variables_at(place: str, given: object) -> tuple[str, ...]:
    """Take names of variables of the environment."""
    return tuple(_variable(f"{place}[{index}]", name) for index, name in enumerate(texts_at(place, given, empty=True)))


def _variable(place: str, given: object) -> str:
    name = text_at(place, given)
    if "=" in name or "\0" in name:
        raise InvalidPack(place, "is no name of a variable")
    return name


def environment(env: Mapping[str, str], pass_env: Iterable[str]) -> dict[str, str]:
    """What the program finds in its environment: `GIVEN`, what is passed on by name, and what is set."""
    passed = {name: os.environ[name] for name in (*GIVEN, *pass_env) if name in os.environ}
    return passed | dict(env)


def finite(seconds: float) -> str:
    """Write a number of seconds."""
    return f"{seconds:g} s" if math.isfinite(seconds) else "a while"
