"""Odd objects: what no interceptor should answer and no approver should say, but somebody will."""

import inspect
from collections.abc import Callable, Generator, Mapping
from enum import Enum
from typing import Any, NoReturn

from attrs import define

from seamlaw import Allow

__all__ = ["AWAITED", "Odd", "close", "hostile_error", "is_left_open", "made"]

AWAITED: list[str] = []  # what was awaited: nothing, ever


class Odd(Enum):
    """The kinds of odd objects; none of them is a decision, and none is the value `True`."""

    FALSE = "False"
    ZERO = "0"
    ONE = "1"
    NOT_A_NUMBER = "NaN"
    HUGE = "an integer too long to be shown"
    EMPTY = "empty text"
    NO = "the text no"
    TRUE = "the text True"
    LINES = "text of two lines, with a NUL"
    SURROGATE = "text with a lone surrogate"
    LYING_TEXT = "text of a class that overrides everything"
    BYTES = "bytes"
    LIST = "a list"
    CYCLE = "a list that holds itself"
    TUPLE_CYCLE = "a tuple that holds a list that holds it"
    OBJECT_CYCLE = "an object that holds itself"
    DICT = "a dict"
    CLASS = "the class Allow"
    FUNCTION = "a function"
    EXCEPTION = "an exception"
    FORGED_ALLOW = "an object whose __class__ says Allow"
    FORGED_TRUE = "an object that is equal to everything, and says it is a bool"
    HOSTILE = "an object whose every method raises"
    OF_HOSTILE_CLASS = "an object whose class raises, whatever it is asked"
    NO_TEXT = "an object whose __str__ gives no text"
    COROUTINE = "a coroutine"
    HOSTILE_AWAITABLE = "an awaitable that cannot be closed"


def _raise(*_: object) -> NoReturn:
    raise RuntimeError("a secret")


def _agree(*_: object) -> bool:
    return True


def _number(_: object) -> int:
    return 7


_TEXT = ("__str__", "__repr__", "__eq__", "__hash__")
_EVERYTHING = (*_TEXT, "__bool__", "__len__", "__iter__", "__getattr__")


def _of(name: str, members: Mapping[str, object], *bases: type[Any]) -> Callable[..., Any]:
    """A class that is made only when one is asked for: engines that look at all classes stumble over such a one."""

    def make(*given: object) -> Any:
        kind: type[Any] = type(name, bases, dict(members))
        return kind(*given)

    return make


_forged_allow = _of("ForgedAllow", {"__class__": property(lambda _: Allow)})  # as a mock says it
_forged_true = _of("ForgedTrue", {"__class__": property(lambda _: bool), "__eq__": _agree})
_hostile = _of("Hostile", dict.fromkeys(_EVERYTHING, _raise))
_no_text = _of("NoText", {"__str__": _number})
_lying_text = _of("LyingText", dict.fromkeys((*_TEXT, "isascii", "encode"), _raise), str)


def _nameless(*bases: type[Any], **members: object) -> Any:
    class Nameless(type):
        def __getattribute__(cls, name: str) -> NoReturn:
            _raise()

    return Nameless("Nameless", bases, members)()


def hostile_error() -> Exception:
    """Make an exception that cannot even be asked for its class and its name."""
    error: Exception = _nameless(Exception, __str__=_raise, __class__=property(_raise), __traceback__=property(_raise))
    return error


@define(eq=False)
class _Knot:
    me: object = None

    def __attrs_post_init__(self) -> None:
        self.me = self


class _HostileAwaitable:
    def __await__(self) -> Generator[Any, Any, None]:
        AWAITED.append("an awaitable")
        yield

    def close(self) -> None:
        """Refuse."""
        _raise()


async def _unawaited() -> bool:
    AWAITED.append("a coroutine")
    return True


def _cycle() -> list[object]:
    cycle: list[object] = [1]
    cycle.append(cycle)
    return cycle


_MADE: Mapping[Odd, Callable[[], object]] = {
    Odd.FALSE: lambda: False,
    Odd.ZERO: lambda: 0,
    Odd.ONE: lambda: 1,
    Odd.NOT_A_NUMBER: lambda: float("nan"),
    Odd.HUGE: lambda: 10**5000,
    Odd.EMPTY: lambda: "",
    Odd.NO: lambda: "no",
    Odd.TRUE: lambda: "True",
    Odd.LINES: lambda: "a\n\0b",
    Odd.SURROGATE: lambda: "\ud800",
    Odd.LYING_TEXT: lambda: _lying_text("text"),
    Odd.BYTES: lambda: b"\xff",
    Odd.LIST: lambda: [1],
    Odd.CYCLE: _cycle,
    Odd.TUPLE_CYCLE: lambda: (_cycle(),),
    Odd.OBJECT_CYCLE: _Knot,
    Odd.DICT: lambda: {"approved": True},
    Odd.CLASS: lambda: Allow,
    Odd.FUNCTION: lambda: _raise,
    Odd.EXCEPTION: lambda: RuntimeError("a secret"),
    Odd.FORGED_ALLOW: _forged_allow,
    Odd.FORGED_TRUE: _forged_true,
    Odd.HOSTILE: _hostile,
    Odd.OF_HOSTILE_CLASS: _nameless,
    Odd.NO_TEXT: _no_text,
    Odd.COROUTINE: _unawaited,
    Odd.HOSTILE_AWAITABLE: _HostileAwaitable,
}


def made(odd: Odd) -> Any:
    """Make one."""
    return _MADE[odd]()


def close(*given: object) -> None:
    """Close what is a coroutine, for nobody else will."""
    for one in given:
        is_left_open(one)


def is_left_open(answer: object) -> bool:
    """Whether this is a coroutine that was not closed, so that Python will complain; it is closed now."""
    if not inspect.iscoroutine(answer):
        return False
    was_open = inspect.getcoroutinestate(answer) != inspect.CORO_CLOSED
    answer.close()
    return was_open
