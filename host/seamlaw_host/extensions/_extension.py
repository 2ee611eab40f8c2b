"""A pack whose interceptors live in another process."""

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from attrs import Factory, field, frozen

from seamlaw import SEAMS, Interceptor, Interceptors
from seamlaw_packs._hidden import Hidden
from seamlaw_packs._settings import text_at, whole_number

from ._breaker import Breaker
from ._channel import Channel
from ._manifest import Introduced, made
from ._remote import Observer, Remote
from ._settings import (
    DEADLINES_S,
    Settings,
    command_at,
    deadlines_at,
    name_of,
    seconds_at,
    texts_by_name_at,
    variables_at,
)
from .errors import ExtensionFailed, Failed

__all__ = ["Extension", "channel_of"]

T = TypeVar("T")
DOES = "Interceptors in another process."


def _command(given: Iterable[str]) -> tuple[str, ...]:
    return command_at("command", given)


def _expected(given: str | None) -> str | None:
    return None if given is None else text_at("name", given)


def _cwd(given: str | None) -> str | None:
    return None if given is None else text_at("cwd", given)


def _env(given: Mapping[str, str]) -> dict[str, str]:
    return texts_by_name_at("env", given)


def _pass_env(given: Iterable[str]) -> tuple[str, ...]:
    return variables_at("pass_env", given)


def _deadlines(given: Mapping[str, float]) -> dict[str, float]:
    return deadlines_at("deadlines_s", given)


def _start(given: float) -> float:
    return seconds_at("start_s", given)


def _pause(given: float) -> float:
    return seconds_at("pause_s", given)


def _failures(given: int) -> int:
    return whole_number("failures", given, 1)


def channel_of(it: "Extension") -> Channel:
    """Make what it is asked through."""
    settings = Settings(
        it.expected or name_of(it.command),
        it.expected,
        it.command,
        it.cwd,
        it.env,
        it.pass_env,
        it.deadlines_s,
        it.start_s,
    )
    return Channel(settings, Breaker(it.failures, it.pause_s))


class Told(Generic[T]):
    """What each extension tells of itself; of the class, what can be told before there is any."""

    def __init__(self, of_all: T, of_one: "Callable[[Any], T]") -> None:
        self._of_all, self._of_one = of_all, of_one

    def __get__(self, one: object, kind: type | None = None) -> T:
        """Tell it."""
        return self._of_all if one is None else self._of_one(one)


@frozen(eq=False)
class Extension:
    """Runs `command`, and has it answer as its manifest says; raises `InvalidPack`.

    `name`: what it must call itself. `env` and `pass_env`: what it finds in its environment, besides a few names.
    `deadlines_s`: by seam. `start_s`: how long it may take to say its manifest. After so many `failures` in a row
    nothing is asked for `pause_s`, and then for twice as long. It ends when it is closed, or nobody refers to it.
    """

    command: tuple[str, ...] = field(converter=_command)
    expected: str | None = field(default=None, converter=_expected, alias="name", kw_only=True)
    cwd: str | None = field(default=None, converter=_cwd, kw_only=True)
    env: Mapping[str, str] = field(factory=dict[str, str], converter=_env, kw_only=True, repr=False)
    pass_env: tuple[str, ...] = field(default=(), converter=_pass_env, kw_only=True)
    deadlines_s: Mapping[str, float] = field(default=DEADLINES_S, converter=_deadlines, kw_only=True)
    start_s: float = field(default=10.0, converter=_start, kw_only=True)
    failures: int = field(default=5, converter=_failures, kw_only=True)
    pause_s: float = field(default=5.0, converter=_pause, kw_only=True)
    _channel: Channel = field(init=False, repr=False, default=Factory(channel_of, takes_self=True))

    # What it calls itself; before it was started, what it is expected to, or the name of its program.
    name = Told("extension", lambda it: it._channel.name)
    # Its version; 0 before it was started.
    version = Told("1", lambda it: it._said("version", "0"))
    # What it says that it does.
    description = Told(DOES, lambda it: it._said("description", DOES))
    # What it may intercept, as its manifest says, such as `tool_call:bash`; starts it, raises `ExtensionFailed`.
    intercept = Told(tuple(SEAMS), lambda it: it._met().intercept)

    def _said(self, name: str, otherwise: str) -> str:
        known = self._channel.introduced
        return (getattr(known.manifest, name) if known is not None else "") or otherwise

    def interceptors(self) -> Interceptors:
        """Start it, and give what its manifest declares; raises `ExtensionFailed`."""
        known = self._met()
        listed: dict[str, list[Interceptor]] = {}
        exact = known.manifest.exact_integers
        for declared in known.manifest.interceptors:
            kind = Observer if declared.mode == "observer" else Remote
            function = kind(Hidden(self._channel), declared, self._channel.identity, exact)
            found = made(declared, known.manifest.name, function)
            listed.setdefault(declared.seam, []).append(found)
        if not listed:  # rules alone: nothing will be asked
            self._channel.rest()
        given: dict[str, Any] = {**listed, "rules": known.rules}
        return Interceptors(**given)

    def close(self) -> None:
        """End the process, and wait until it has; its gates block from now on."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _met(self) -> Introduced:
        try:
            return self._channel.meet()
        except Failed as failed:
            raise ExtensionFailed(self.name, str(failed)) from None
