"""The ways in which the kernel decides, and a plain one of this file; all must agree with the reference model.

Each `Way` is made for a stage, once, and is then given one value after another. What comes of it is told in the
words of the model, so that it can be compared.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias, TypeVar

from seamlaw import (
    TOOL_RESULT,
    Ask,
    Consultation,
    Entry,
    Interceptors,
    Level,
    Outcome,
    Replace,
    Severity,
    State,
    ToolResult,
    Verdict,
    conclude,
    consult,
    decide,
    decide_async,
    digest,
    gate,
    plan,
    rewriter,
    step,
)

from .model import Asked, Expected, Logged
from .odd import Odd, close, hostile_error, made
from .places import CALL, number_of, value
from .scripts import Act, Place, Script
from .stages import Stage

__all__ = [
    "WAYS",
    "Way",
    "answers_all_the_same",
    "decided",
    "leaves_only_what_interrupts",
    "nothing_is_awaited",
    "performed",
    "saw",
    "shown",
]

R = TypeVar("R")
Way: TypeAlias = Callable[[Stage], Callable[[Any], "Outcome[Any] | None"]]
Performed: TypeAlias = tuple[list[Expected], list[tuple[str, int, bool]]]
FAULT = "interceptor error:"


def _decided(on: Stage) -> Callable[[Any], Outcome[Any] | None]:
    return lambda given: decide(on.bundle, on.seam, given, *on.beside, scope=on.scope)


def _planned(on: Stage) -> Callable[[Any], Outcome[Any] | None]:
    ready = plan(on.bundle)
    if ready is None:
        return lambda given: None
    run = ready.at(on.seam)
    return lambda given: run(given, *on.beside, scope=on.scope)


def _awaited(on: Stage) -> Callable[[Any], Outcome[Any] | None]:
    async def ask(question: Consultation[Any]) -> Iterable[Entry]:
        return consult(question)

    def run(given: Any) -> Outcome[Any]:
        return nothing_is_awaited(decide_async(on.bundle, on.seam, given, *on.beside, ask=ask, scope=on.scope))

    return run


def _folded(on: Stage) -> Callable[[Any], Outcome[Any] | None]:
    """The semantics: fold `step` over what `consult` gives, for all that match what they would see."""

    def run(given: Any) -> Outcome[Any]:
        state = State(given)
        for asked in on.bundle.ordered(on.seam):
            tool = on.seam.tool((state.value, *on.beside))
            if not state.stopped and asked.matches(tool, on.scope.agent):
                for entry in consult(Consultation(asked, on.seam, state.value, on.beside, on.scope)):
                    state = step(state, entry)
        known = on.scope if on.script.agent else None  # nobody known is told either way
        return conclude(on.seam, given, on.beside, given, state, known)

    return run


WAYS: Mapping[str, Way] = {"decide": _decided, "plan": _planned, "decide_async": _awaited, "the fold": _folded}


def nothing_is_awaited(coroutine: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine that never really waits, without a loop."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: R = end.value
        return result
    raise AssertionError("it waits for something")


def performed(way: Way, on: Stage) -> Performed:
    """Play a script one way: what came of each value, and who was asked about what."""
    run = way(on)
    return [decided(run, on, number) for number in on.script.numbers], [shown(on, *seen) for seen in on.seen]


def saw(way: Way, script: Script, at: int) -> list[object]:
    """What one actor of a script saw, in order."""
    on = Stage(script)
    performed(way, on)
    return [seen for name, seen in on.seen if name == f"a{at}"]


def shown(on: Stage, name: str, seen: Any) -> tuple[str, int, bool]:
    """Tell what an interceptor saw; what is not quite the value of its number is told apart."""
    number, filled = number_of(on.script.place, seen), _is_filled(on, seen)
    whole = seen == value(on.script.place, number, filled=filled)
    return name if whole else f"{name} saw another value", number, filled


def decided(run: Callable[[Any], Outcome[Any] | None], on: Stage, number: int) -> Expected:
    """Decide about the value of a number, and tell what came of it."""
    given = value(on.script.place, number)
    try:
        outcome = run(given)
    except (KeyboardInterrupt, SystemExit):
        return Expected("", 0, False, False, interrupted=True)
    return Expected("proceed", number, False, False) if outcome is None else _told(on, given, outcome)


def leaves_only_what_interrupts(way: Way, on: Stage) -> bool:
    """Whether deciding one way raises just where an interceptor exits or is interrupted, and then asks nobody else."""
    run = way(on)
    for number in on.script.numbers:
        before = len(on.did)
        expected = decided(run, on, number)
        did = on.did[before:]
        interrupts = [at for at, act in enumerate(did, 1) if act in (Act.EXIT, Act.INTERRUPT)]
        if interrupts != ([len(did)] if expected.interrupted else []):
            return False
    return True


def answers_all_the_same(odd: Odd) -> bool:
    """Whether deciding gives an outcome where somebody raises, and somebody rewrites by, what is odd or hostile."""
    result, held = ToolResult(0), made(odd)
    hostile: list[Callable[[], Replace]] = [
        lambda: Replace(ToolResult(held)),
        lambda: Replace(ToolResult(0, metadata={"held": held})),
        _raise_what_is_hostile,
    ]
    for answer in hostile:
        bundle = Interceptors(tool_result=(rewriter(partial(_answer, answer)), gate(partial(_answer, _asked))))
        ready = plan(bundle)
        outcomes = [decide(bundle, TOOL_RESULT, result, CALL), ready.tool_result(result, CALL) if ready else None]
        if not all(outcome is not None and outcome.verdict is Verdict.ASK for outcome in outcomes):
            return False
    close(held)
    return True


def _answer(answer: Callable[[], object], _: object) -> object:
    return answer()


def _asked() -> Ask:
    return Ask("may it?")


def _raise_what_is_hostile() -> Replace:
    raise hostile_error()


def _told(on: Stage, given: Any, outcome: Outcome[Any]) -> Expected:
    _, number, filled = shown(on, "", outcome.value)
    name = digest((outcome.value, *on.beside) if on.beside else outcome.value)
    return Expected(
        _what_to_do(outcome) if shown(on, "", outcome.value)[0] == "" else "another value",
        number,
        filled,
        outcome.value is not given,
        tuple(
            Asked(ask.interceptor, ask.reason, ask.target, ask.timeout_s)
            for ask in outcome.asks
            if (ask.digest, ask.seam, ask.scope) == (name, on.seam.name, on.scope)
        ),
        _begin(outcome.reason),
        outcome.interceptor,
        tuple(_logged(on, entry) for entry in outcome.log),
    )


def _what_to_do(outcome: Outcome[Any]) -> str:
    """The verdict, where all that a host may ask an outcome says the same."""
    told = outcome.verdict.value
    alike = outcome.proceeds is (told == "proceed") and outcome.denial == (
        outcome.seam.surface(outcome.reason) if told == "block" else ""
    )
    return told if alike else f"{told}, and something else"


def _logged(on: Stage, entry: Entry) -> Logged:
    said = entry.answer if isinstance(entry.answer, Ask) else None
    return Logged(
        entry.kind.value if entry.seam == on.seam.name else "of another seam",
        entry.interceptor,
        _begin(entry.reason),
        list(Level).index(entry.level),
        list(Severity).index(entry.severity),
        said.target if said else None,
        said.timeout_s if said else None,
    )


def _begin(words: str) -> str:
    return " ".join(words.split(" ")[:3]) if words.startswith(FAULT) else words


def _is_filled(on: Stage, seen: Any) -> bool:
    return on.script.place is Place.TOOL_CALL and "filled" in seen.arguments
