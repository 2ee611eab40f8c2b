"""What approvers reply to asks, as data, and outcomes that ask."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from attrs import evolve

from seamlaw import (
    SEAMS,
    Answered,
    Ask,
    Interceptors,
    Outcome,
    Replace,
    Seam,
    Severity,
    StandingAsk,
    Verdict,
    answered,
    decide,
    gate,
    grant,
    refuse,
    rewriter,
)

from .domains import OPEN

__all__ = ["Reply", "asking", "grants", "replies", "standing"]


class Reply(Enum):
    """What comes back for an ask."""

    GRANTED = "a grant"
    REFUSED = "a refusal"
    TIMED_OUT = "a refusal, for nobody answered in time"
    CRASHED = "whatever an approver that crashed left behind"
    MISSING = "nothing"
    OF_ANOTHER = "a grant by another target"
    OF_ANOTHER_VALUE = "a grant for another value"


_MADE: Mapping[Reply, Callable[[StandingAsk], tuple[Answered, ...]]] = {
    Reply.GRANTED: lambda ask: (grant(ask, by="someone"),),
    Reply.REFUSED: lambda ask: (refuse(ask, by="someone", reason="no"),),
    Reply.TIMED_OUT: lambda ask: (refuse(ask),),
    Reply.CRASHED: lambda ask: (answered(ask, RuntimeError("a secret")),),
    Reply.MISSING: lambda ask: (),
    Reply.OF_ANOTHER: lambda ask: (grant(evolve(ask, target="another")),),
    Reply.OF_ANOTHER_VALUE: lambda ask: (grant(evolve(ask, digest="another")),),
}


def standing(count: int, *, alike: bool = False) -> Outcome[int]:
    """An outcome with so many asks, each of another asker, or all alike."""
    asks = (f"g{0 if alike else at}" for at in range(count))
    made = tuple(StandingAsk(asker, f"{asker} asks", asker, None, Severity.MEDIUM, "the digest") for asker in asks)
    return Outcome(OPEN, Verdict.ASK, 0, made, "g0 asks", "g0")


def replies(outcome: Outcome[Any], given: list[Reply]) -> list[Answered]:
    """What comes back for the asks of an outcome, one reply for each."""
    return [said for ask, reply in zip(outcome.asks, given, strict=True) for said in _MADE[reply](ask)]


def asking(seam: Seam[Any], value: Any, *beside: Any, by: Any = None) -> Outcome[Any]:
    """Decide about a value where a gate asks, after a rewriter put `by` in its place, if it is given."""

    def rewrites(*_: object) -> Replace | None:
        return None if by is None else Replace(by)

    def asks(*_: object) -> Ask:
        return Ask("may it?", "someone")

    everyone = (rewriter(rewrites), gate(asks))
    at: dict[str, Any] = {seam.name: everyone} if seam.name in SEAMS else {"seams": {seam: everyone}}
    return decide(Interceptors(**at), seam, value, *beside)


def grants(outcome: Outcome[Any]) -> list[Answered]:
    """A grant for every ask."""
    return [grant(ask) for ask in outcome.asks]
