"""What the laws of the fold range over: streams of answers, as data that every engine can take.

A stream is a list of `Heard`. `chain` and `gates` turn it into entries, named by their place; `fold` folds the shipped
`step` over entries, and `run` has the shipped `asking` consult interceptors that answer them. No callable, mapping or
validated value is ever part of a case, so that a case can be symbolic.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, TypeAlias, TypeVar

from attrs import frozen

from seamlaw import (
    ALLOW,
    Allow,
    Ask,
    Block,
    Consultation,
    Entry,
    Fault,
    Interceptor,
    Note,
    Replace,
    Scope,
    Seam,
    Severity,
    State,
    Verdict,
    asking,
    conclude,
    consult,
    drive,
    pick,
    step,
)

__all__ = [
    "CLOSED",
    "OPEN",
    "Answer",
    "Heard",
    "Run",
    "Said",
    "chain",
    "fold",
    "gates",
    "is_stopped_by",
    "listener",
    "raised_at",
    "reported",
    "run",
    "verdict",
]

V = TypeVar("V")


Answer: TypeAlias = Allow | Note | Replace | Ask | Block | Fault


class Said(Enum):
    """What was answered, without its words."""

    ALLOW = 0
    NOTE = 1
    REPLACE = 2
    ASK = 3
    BLOCK = 4
    OPEN_FAULT = 5
    CLOSED_FAULT = 6
    GRAVE_NOTE = 7
    GRAVE_ASK = 8
    LIGHT_BLOCK = 9


@frozen
class Heard:
    """One answer; its number is what a replacement replaces by."""

    said: Said
    number: int = 0


OPEN: Seam[int] = Seam("open_number", int, on_fault="open")
CLOSED: Seam[int] = Seam("closed_number", int, on_fault="closed")


_ANSWERS: Mapping[Said, Callable[[int, str], Answer]] = {
    Said.ALLOW: lambda number, reason: ALLOW,
    Said.NOTE: lambda number, reason: Note(reason),
    Said.GRAVE_NOTE: lambda number, reason: Note(reason, Severity.HIGH),
    Said.REPLACE: lambda number, reason: Replace(number),
    Said.ASK: lambda number, reason: Ask(reason, "someone"),
    Said.GRAVE_ASK: lambda number, reason: Ask(reason, None, 5.0, Severity.HIGH),
    Said.BLOCK: lambda number, reason: Block(reason),
    Said.LIGHT_BLOCK: lambda number, reason: Block(reason, Severity.LOW),
    Said.OPEN_FAULT: lambda number, reason: Fault(reason, closed=False),
    Said.CLOSED_FAULT: lambda number, reason: Fault(reason, closed=True),
}


def _answer(heard: Heard, reason: str) -> Answer:
    return _ANSWERS[heard.said](heard.number, reason)


def chain(heard: Iterable[Heard], first: int = 0) -> list[Entry]:
    """The answers of a chain as entries, named by their place, of which the first is `first`."""
    return [Entry(OPEN.name, f"i{at}", _answer(one, f"said {at}")) for at, one in enumerate(heard, first)]


def gates(heard: Iterable[Heard], first: int = 0) -> list[Entry]:
    """The answers of gates as entries, named by their place, of which the first is `first`."""
    return [Entry(OPEN.name, f"g{at}", _answer(one, f"said {at}"), True) for at, one in enumerate(heard, first)]


def fold(state: State[V], entries: Iterable[Entry]) -> State[V]:
    """Fold the shipped `step`: what the semantics says."""
    for entry in entries:
        state = step(state, entry)
    return state


@frozen
class Run:
    """Where a run ended, and what each interceptor that was consulted saw, in order."""

    state: State[int]
    seen: tuple[tuple[str, int], ...] = ()


def run(state: State[int], entries: Sequence[Entry]) -> Run:
    """Have the shipped `asking` consult, in order, interceptors that answer these entries."""
    said, seen = iter(entries), list[tuple[str, int]]()

    def ask(question: Consultation[Any]) -> Iterable[Entry]:
        seen.append((question.interceptor.name, question.value))
        entry = next(said)
        return () if isinstance(entry.answer, Allow) else (entry,)

    everyone = [listener(entry.interceptor, entry.is_gate) for entry in entries]
    ended = drive(asking(everyone, OPEN, state, (), Scope()), ask)
    return Run(ended, tuple(seen))


@cache
def listener(name: str, is_gate: bool) -> Interceptor:
    """An interceptor that is only ever asked by a law; it is never called."""
    return Interceptor(_is_never_called, name, is_gate)


def _is_never_called(_: object) -> None:
    raise AssertionError("a law answers in its place")


def verdict(state: State[int]) -> Verdict:
    """The verdict of a state. Where people are asked it is read off what decides: a digest would need the value."""
    worst = pick(state.log)
    if worst is not None and isinstance(worst.answer, Ask):
        return Verdict.ASK
    return conclude(OPEN, state.value, (), state.value, state).verdict


def raised_at(seam: Seam[Any], value: Any, name: str, *, is_gate: bool = False) -> tuple[Entry, ...]:
    """What `consult` makes of an interceptor that raises at a seam."""
    return consult(Consultation(listener(name, is_gate), seam, value), _raise)


def _raise() -> None:
    raise RuntimeError("a secret")


def is_stopped_by(entry: Entry) -> bool:
    """Whether an answer, in the chain, stops it."""
    return isinstance(entry.answer, Block) or (isinstance(entry.answer, Fault) and entry.answer.closed)


def reported(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """What a log must hold of these answers: all but allows, up to the first of the chain that stops it."""
    stops = [at for at, entry in enumerate(entries) if not entry.is_gate and is_stopped_by(entry)]
    consulted = entries[: stops[0] + 1] if stops else entries
    return tuple(entry for entry in consulted if not isinstance(entry.answer, Allow))
