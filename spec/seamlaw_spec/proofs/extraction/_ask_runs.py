"""`settle` and `conclude`, run on everything they may tell apart."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

from attrs import define

from seamlaw import ALLOW, TOOL_CALL, Answered, Ask, Level, Outcome, Scope, Severity, StandingAsk, Verdict
from seamlaw._outcome import Entry

from ._opaque import Looked, NotExtracted, Opaque, bare
from ._runs import require, same, words
from ._shipped import regrounded

__all__ = ["run_conclude", "run_settle"]

ASKS = tuple(StandingAsk(f"asker {at}", "may it?", None, None, Severity.MEDIUM, f"digest {at}") for at in range(2))
ANSWERS = tuple(Answered(ask, granted) for ask in ASKS for granted in (True, False))


def run_settle(settle: Callable[..., Any]) -> int:
    """Settle every sequence of up to three asks with up to three answers; gives the number of runs."""
    count = 0
    for asked, given in product(words(ASKS, 3), words(ANSWERS, 3)):
        outcome: Outcome[Any] = bare(
            Outcome, seam=TOOL_CALL, verdict=Verdict.ASK, value=None, asks=asked, reason="", interceptor=None, log=()
        )
        came, unused = settle(outcome, iter(given))
        verdict, left = _reading(asked, given)
        require(came.verdict is verdict and list(unused) == left, "settle", f"settles otherwise {asked} by {given}")
        require(came.asks == () and came.value is None, "settle", f"leaves something open of {asked}")
        count += 1
    for verdict in (Verdict.PROCEED, Verdict.BLOCK):
        closed: Outcome[Any] = bare(Outcome, seam=TOOL_CALL, verdict=verdict, value=None, asks=ASKS)
        came, unused = settle(closed, ANSWERS)
        require(came is closed and unused == ANSWERS, "settle", "touches what asks nothing")
    return count


def _reading(asked: Sequence[StandingAsk], given: Sequence[Answered]) -> tuple[Verdict, list[Answered]]:
    """The axioms of `denies` and `left`, read."""
    pile, denies = list(given), not asked
    for ask in asked:
        mine = {grants: [one for one in pile if one.ask == ask and one.granted is grants] for grants in (True, False)}
        denies = denies or bool(mine[False]) or not mine[True]
        taken = (mine[False] or mine[True])[:1]
        for one in taken:
            pile.remove(one)
    return (Verdict.BLOCK if denies else Verdict.PROCEED), pile


@define(eq=False)
class _Worst:
    """What was picked: a level, a reason, an interceptor, and nothing else."""

    level: Level
    reason: object
    interceptor: object


def run_conclude(conclude: Callable[..., Any], verdicts: Mapping[Level, Verdict]) -> int:
    """Conclude from whatever may have been picked, with the value replaced or not; gives the number of cases."""
    count = 0
    for level, replaced, beside in product((None, *Level), (False, True), ((), (Opaque(),))):
        seam, scope, digested = SimpleNamespace(name=Opaque()), Scope(agent="somebody"), list[object]()
        given, begun = Opaque(), Opaque()
        log = tuple(_entry(kind) for kind in ("note", "ask", "block", "ask"))
        state = SimpleNamespace(value=Opaque() if replaced else begun, log=log, stopped=False)
        worst = None if level is None else _Worst(level, Opaque(), Opaque())
        run = regrounded(conclude, pick=partial(_given, worst, log), digest=partial(_digest, digested))
        try:
            came = run(seam, given, beside, begun, state, scope)
        except (Looked, Exception) as error:
            raise NotExtracted("shape table", "conclude", f"{type(error).__name__} {error} at {level}") from error
        verdict = verdicts[level or Level.ALLOW]
        named: tuple[object, object] = (None, "")
        if worst is not None and verdict is not Verdict.PROCEED:
            named = (worst.interceptor, worst.reason)
        handed = (came.seam, came.value, came.log, came.verdict, came.interceptor, came.reason)
        value = state.value if replaced else given
        due = (seam, value, log, verdict, *named)
        require(type(came) is Outcome and same(handed, due), "conclude", f"reads another outcome at {level}")
        asks = [one.answer for one in log if isinstance(one.answer, Ask)] if verdict is Verdict.ASK else []
        stand = [part for ask in came.asks for part in (ask.target, ask.timeout_s, ask.digest, ask.seam, ask.scope)]
        wanted = [part for ask in asks for part in (ask.target, ask.timeout_s, "the digest", seam.name, scope)]
        require(same(stand, wanted), "conclude", f"lets other asks stand at {level}")
        require(same(digested, (state.value, *beside) if asks else ()), "conclude", "names another value than runs")
        count += 1
    return count


def _given(worst: _Worst | None, log: object, found: object) -> _Worst | None:
    require(found is log, "conclude", "picks from another log")
    return worst


def _digest(digested: list[object], value: object) -> str:
    kind: object = type(value)  # and no isinstance(), which would look into a payload
    digested.extend(cast("tuple[object, ...]", value) if kind is tuple else (value,))
    return "the digest"


def _entry(kind: str) -> Entry:
    ask = bare(Ask, reason="may it?", target=Opaque(), timeout_s=Opaque(), severity=Severity.LOW)
    entry: Entry = bare(Entry, seam="", interceptor=kind, answer=ask if kind == "ask" else ALLOW, is_gate=False)
    return entry
