"""Asks, the pure part: which stand, what grants them, and the outcome after all answers.

Contacting people is the host's work. What it brings back is data: `grant` and `refuse` make an `Answered`, which is
for one ask of one value, and is used once (law `an_approval_is_for_one_value`).
"""

from collections.abc import Iterable
from typing import TypeVar

from attrs import evolve, frozen

from ._decisions import close_unawaited
from ._outcome import Outcome, StandingAsk, Verdict
from .errors import InvalidValue
from .values._digest import OPAQUE

__all__ = ["Answered", "answered", "covers", "grant", "refuse", "settle"]

V = TypeVar("V")


@frozen
class Answered:
    """What somebody said to an ask; only the value `True` grants."""

    ask: StandingAsk
    granted: bool
    by: str | None = None
    reason: str = ""

    def __bool__(self) -> bool:
        raise TypeError("an answer is neither true nor false: ask for .granted, or settle() with it")


def answered(ask: StandingAsk, answer: object, *, by: str | None = None) -> Answered:
    """Take whatever an approver gave: `"no"`, 1, `None` or a coroutine grant nothing (law `only_true_grants`)."""
    close_unawaited(answer)
    return Answered(ask, answer is True, by)


def grant(ask: StandingAsk, *, by: str | None = None) -> Answered:
    """Grant an ask."""
    return Answered(ask, True, by)


def refuse(ask: StandingAsk, *, by: str | None = None, reason: str = "") -> Answered:
    """Refuse an ask."""
    return Answered(ask, False, by, reason)


def covers(answer: Answered, ask: StandingAsk) -> bool:
    """Whether an answer is for this ask: by the same target, for the same value, of the same asker.

    One for a value that holds Python objects covers only the very ask it was given for.
    """
    same = type(answer.ask) is StandingAsk and answer.ask == ask  # not what merely says that it is equal
    return answer.ask is ask or (same and not ask.digest.startswith(OPAQUE))


def _why(refusal: Answered | None) -> str:
    if refusal is None:
        return "not granted"
    return (refusal.reason or "refused") + (f", by {refusal.by}" if refusal.by else "")


def settle(outcome: Outcome[V], answers: Iterable[Answered]) -> tuple[Outcome[V], tuple[Answered, ...]]:
    """Close an outcome with the answers there are, and give back those not used.

    Every ask must be granted, each by an answer of its own; one refused, or left without an answer, blocks. An
    outcome that asks nothing stays as it is.
    """
    unused = list(answers)
    if not all(type(answer) is Answered for answer in unused):
        raise InvalidValue("/answers", "are made by grant(), refuse() or answered()")
    if outcome.verdict is not Verdict.ASK:
        return outcome, tuple(unused)
    reasons: list[tuple[str, str]] = []
    for ask in outcome.asks:
        mine = [answer for answer in unused if covers(answer, ask)]
        refusal = next((answer for answer in mine if answer.granted is not True), None)
        if refusal is not None or not mine:
            reasons.append((ask.interceptor, f"{ask.reason} ({_why(refusal)})"))
        if mine:
            unused.remove(mine[0] if refusal is None else refusal)
    if reasons or not outcome.asks:
        asker, reason = reasons[0] if reasons else (None, "nothing that could be granted")
        return evolve(outcome, verdict=Verdict.BLOCK, asks=(), reason=reason, interceptor=asker), tuple(unused)
    return evolve(outcome, verdict=Verdict.PROCEED, asks=(), reason="", interceptor=None), tuple(unused)
