"""Every seam, every kind of answer, every mode: the cells are written down here, and then asked three ways.

Read `CELLS` and `EFFECTS` first. They are written from the semantics, not taken from the code.
"""

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any, cast
from unittest.mock import Mock

import pytest

from seamlaw import (
    ALLOW,
    SEAMS,
    Allow,
    Ask,
    Block,
    Consultation,
    Entry,
    Interceptor,
    Interceptors,
    MemoryItem,
    Message,
    Note,
    Outcome,
    ProviderRequest,
    Replace,
    Seam,
    Several,
    ToolCall,
    ToolResult,
    Verdict,
    consult,
    decide,
    decide_async,
    gate,
    interceptor,
    plan,
)

SECRET = "canary-5up3r"
CALL = ToolCall("id-1", "bash", {"command": SECRET})
OPEN: Seam[str] = Seam("user_message", str, on_fault="open")
CLOSED: Seam[dict[str, Any]] = Seam("event", dict)  # a host's own seam is closed unless it says otherwise

# name: the seam, is it closed, the value, another that fits, what stands beside it
SUBJECTS: dict[str, tuple[Seam[Any], bool, Any, Any, tuple[Any, ...]]] = {
    "context": (SEAMS["context"], False, (Message("user", SECRET),), (Message("user", "new"),), ()),
    "provider_request": (SEAMS["provider_request"], False, ProviderRequest("m"), ProviderRequest("new"), ()),
    "tool_call": (SEAMS["tool_call"], True, CALL, ToolCall("id-1", "ls"), ()),
    "tool_result": (SEAMS["tool_result"], False, ToolResult(SECRET), ToolResult("new"), (CALL,)),
    "memory": (SEAMS["memory"], False, (MemoryItem(SECRET),), (MemoryItem("new"),), ()),
    "open": (OPEN, False, SECRET, "new", ()),
    "closed": (CLOSED, True, {"said": SECRET}, {"said": "new"}, ()),
}
MODES: dict[str, Callable[[Callable[[Any], object]], Interceptor]] = {
    "chain": interceptor(name="subject"),
    "gate": gate(name="subject"),
    "hardened": interceptor(name="subject", on_fault="close"),
}

# kind of answer  chain, open seam    chain, closed seam  gate                hardened (on_fault="close")
CELLS = {
    "nothing": ("silent", "silent", "silent", "silent"),
    "allow": ("silent", "silent", "silent", "silent"),
    "same": ("silent", "silent", "silent", "silent"),
    "note": ("noted", "noted", "noted", "noted"),
    "ask": ("asks", "asks", "asks", "asks"),
    "block": ("stopped", "stopped", "blocked", "stopped"),
    "replace": ("replaced", "replaced", "no rewriter", "replaced"),
    "several": ("skipped", "failed", "all of them", "failed"),
    "misfit": ("skipped", "failed", "no rewriter", "failed"),
    "raise": ("skipped", "failed", "fault", "failed"),
    "nonsense": ("skipped", "failed", "fault", "failed"),
}

# effect         verdict            log                 value  does the chain go on
EFFECTS: dict[str, tuple[Verdict, list[str], str, bool]] = {
    "silent": (Verdict.PROCEED, [], "same", True),
    "noted": (Verdict.PROCEED, ["note"], "same", True),
    "replaced": (Verdict.PROCEED, ["replace"], "new", True),
    "skipped": (Verdict.PROCEED, ["fault"], "same", True),
    "asks": (Verdict.ASK, ["ask"], "same", True),
    "all of them": (Verdict.ASK, ["note", "ask"], "same", True),
    "stopped": (Verdict.BLOCK, ["block"], "same", False),
    "failed": (Verdict.BLOCK, ["fault"], "same", False),
    "blocked": (Verdict.BLOCK, ["block"], "same", True),
    "fault": (Verdict.BLOCK, ["fault"], "same", True),
    "no rewriter": (Verdict.BLOCK, ["fault"], "same", True),
}


def forged(claimed: type) -> object:
    """Make something that claims to be of a class, and is not."""
    return type("Forged", (), {"__class__": claimed})()


def first(given: object, *_: object) -> object:
    """Answer what is given."""
    return given


NONSENSE: list[object] = [True, False, 0, 1, 0.0, "", "no", "allow", b"", (), [], {}, {"decision": "block"}, ...]

# name: the kind it is, what is answered to a value, given another that fits
ANSWERS: dict[str, tuple[str, Callable[[Any, Any], object]]] = {
    "None": ("nothing", lambda value, new: None),
    "ALLOW": ("allow", lambda value, new: ALLOW),
    "another Allow": ("allow", lambda value, new: Allow()),
    "the same": ("same", lambda value, new: Replace(value)),
    "note": ("note", lambda value, new: Note("why")),
    "ask": ("ask", lambda value, new: Ask("why", "security", 5.0)),
    "block": ("block", lambda value, new: Block("why")),
    "replace": ("replace", lambda value, new: Replace(new)),
    "several": ("several", lambda value, new: Several((Note("first"), Ask("why", "security", 5.0)))),
    "replace by None": ("misfit", lambda value, new: Replace(None)),
    "replace by a number": ("misfit", lambda value, new: Replace(7)),
    "replace by an object": ("misfit", lambda value, new: Replace(object())),
    "replace by a decision": ("misfit", lambda value, new: Replace(Replace(new))),
    "replace by a forgery": ("misfit", lambda value, new: Replace(forged(ToolCall))),
    "replace by a tuple with one wrong item": ("misfit", lambda value, new: Replace((value, 7))),
    **{f"nonsense {wrong!r}": ("nonsense", partial(first, wrong)) for wrong in NONSENSE},
    "nonsense object": ("nonsense", lambda value, new: object()),
    "nonsense value": ("nonsense", lambda value, new: value),
    "nonsense list": ("nonsense", lambda value, new: [Block("why")]),
    "nonsense class Block": ("nonsense", lambda value, new: Block),
    "nonsense class Allow": ("nonsense", lambda value, new: Allow),
    "nonsense forged Allow": ("nonsense", lambda value, new: forged(Allow)),
    "nonsense forged Block": ("nonsense", lambda value, new: forged(Block)),
    "nonsense forged Replace": ("nonsense", lambda value, new: forged(Replace)),
    "nonsense mock of Allow": ("nonsense", lambda value, new: Mock(spec=Allow)),
    "nonsense mock of Note": ("nonsense", lambda value, new: Mock(spec=Note)),
    "nonsense exception": ("nonsense", lambda value, new: ValueError(SECRET)),
    "nonsense function": ("nonsense", lambda value, new: Block.__init__),
    "nonsense generator": ("nonsense", lambda value, new: (x for x in (Block("why"),))),
}

Way = Callable[..., Outcome[Any]]


def by_decide(bundle: Interceptors, seam: Seam[Any], value: Any, *beside: Any) -> Outcome[Any]:
    """Decide as people do."""
    return decide(bundle, seam, value, *beside)


def by_plan(bundle: Interceptors, seam: Seam[Any], value: Any, *beside: Any) -> Outcome[Any]:
    """Decide as the hot path does, where nothing that happened is `None`."""
    made = plan(bundle)
    assert made is not None
    run: Callable[..., Outcome[Any] | None] = getattr(made, seam.name) if seam.name in SEAMS else made.at(seam)
    outcome = run(value, *beside)
    return Outcome(seam, Verdict.PROCEED, value) if outcome is None else outcome


def by_awaiting(bundle: Interceptors, seam: Seam[Any], value: Any, *beside: Any) -> Outcome[Any]:
    """Decide as one does whose interceptors live elsewhere."""

    async def asking(question: Consultation[Any]) -> Iterable[Entry]:
        return consult(question)

    deciding = decide_async(bundle, seam, value, *beside, ask=asking)
    with pytest.raises(StopIteration) as end:
        deciding.send(None)  # nothing here waits
    return cast("Outcome[Any]", end.value.value)


WAYS: list[Way] = [by_decide, by_plan, by_awaiting]


def bundle_of(seam: Seam[Any], *asked: Interceptor) -> Interceptors:
    """Put interceptors at a seam, of the table or not."""
    given: dict[str, Any] = {seam.name: asked} if seam.name in SEAMS else {"seams": {seam: asked}}
    return Interceptors(**given)


def decided(
    way: Way, subject: str, mode: str, answer: Callable[[Any], object]
) -> tuple[Outcome[Any], Any, list[tuple[str, Any]]]:
    """Ask one that answers so, with another after it in the chain and a gate at the end, which tell what they saw."""
    seam, _, value, _, beside = SUBJECTS[subject]
    seen: list[tuple[str, Any]] = []

    def witness(name: str, shown: Any) -> None:
        seen.append((name, shown))

    asked = MODES[mode](answer)
    after, last = interceptor(partial(witness, "after")), gate(partial(witness, "last"))
    return way(bundle_of(seam, asked, last, after), seam, value, *beside), value, seen


def check(way: Way, subject: str, mode: str, kind: str, answer: Callable[[Any], object]) -> Outcome[Any]:
    """Hold one decision against its cell; gives it back for what a test wants to see besides."""
    seam, closed, _, new, _ = SUBJECTS[subject]
    cell = CELLS[kind][{"chain": int(closed), "gate": 2, "hardened": 3}[mode]]
    verdict, log, value, goes_on = EFFECTS[cell]
    outcome, given, seen = decided(way, subject, mode, answer)
    assert (outcome.verdict, [entry.kind.value for entry in outcome.log]) == (verdict, log)
    assert {(e.seam, e.interceptor, e.is_gate) for e in outcome.log} <= {(seam.name, "subject", mode == "gate")}
    if value == "same":
        assert outcome.value is given
    else:
        assert outcome.value == new
    assert seen == [(who, outcome.value) for who in ("after", "last") if goes_on]
    assert outcome.interceptor == (None if verdict is Verdict.PROCEED else "subject")
    return outcome


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("name", ANSWERS)
def test_each_answer_has_its_effect(name: str, subject: str, mode: str) -> None:
    """Verdict, value, log and who is asked next are those of the cell, whichever way it is decided."""
    for way in WAYS:
        check_answer(name, way, subject, mode)


def check_answer(name: str, way: Way, subject: str, mode: str) -> None:
    """Hold one answer against its cell, with the words of the reason."""
    kind, make = ANSWERS[name]
    seam, _, _, new, _ = SUBJECTS[subject]
    shown: list[object] = []

    def answer(value: Any) -> object:
        shown.append(made := make(value, new))
        return made

    outcome = check(way, subject, mode, kind, answer)
    assert SECRET not in outcome.reason + outcome.denial + "".join(entry.reason for entry in outcome.log)
    told = {entry.reason for entry in outcome.log} - {""}
    if kind == "nonsense":
        assert told == {f"interceptor error: subject answered {type(shown[0]).__name__}, which is no decision here"}
    if kind in ("replace", "misfit") and mode == "gate":
        assert told == {"interceptor error: subject answered a replacement, but a gate cannot rewrite"}
    elif kind == "misfit":
        (reason,) = told
        assert reason.startswith("interceptor error: subject replaced it with what does not fit: raised InvalidValue (")
        assert f"{seam.name} carries " in reason
    if kind in ("block", "ask") or (kind == "several" and mode == "gate"):
        assert outcome.reason == "why"
    asks = [(ask.reason, ask.target, ask.timeout_s) for ask in outcome.asks]
    assert asks == [("why", "security", 5.0)] * (outcome.verdict is Verdict.ASK)


@pytest.mark.parametrize("error", [ValueError, KeyError, StopIteration, RecursionError, MemoryError, AssertionError])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_raises_is_a_fault_that_tells_kind_and_place(subject: str, mode: str, error: type[Exception]) -> None:
    """The reason names the exception's class, its file and line; its text may quote a secret and stays out."""

    def answer(value: Any) -> object:
        raise error(SECRET)

    line = inspect.getsourcelines(answer)[1] + 1
    outcomes = [check(way, subject, mode, "raise", answer) for way in WAYS]
    (entry,) = outcomes[0].log
    assert entry.reason == f"interceptor error: subject raised {error.__name__} at test_matrix.py:{line}"
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert SECRET not in entry.reason


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_coroutine_is_closed_and_is_a_fault(way: Way, subject: str, mode: str) -> None:
    """It is never awaited, and nobody is warned that it was not."""
    made: list[Coroutine[Any, Any, None]] = []

    async def answer() -> None: ...

    def answers(value: Any) -> object:
        made.append(answer())
        return made[0]

    outcome = check(way, subject, mode, "nonsense", answers)
    assert inspect.getcoroutinestate(made[0]) == inspect.CORO_CLOSED
    assert outcome.log[0].reason == "interceptor error: subject answered coroutine, which is no decision here"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_task_or_future_is_cancelled_and_is_a_fault(way: Way, subject: str, mode: str) -> None:
    """What was meant to run later does not run."""
    ran: list[int] = []

    async def later() -> None:
        ran.append(1)

    with asyncio.Runner() as runner:
        task, future = runner.get_loop().create_task(later()), runner.get_loop().create_future()
        check(way, subject, mode, "nonsense", lambda value: task)
        check(way, subject, mode, "nonsense", lambda value: future)
        runner.get_loop().run_until_complete(asyncio.wait([task, future]))
    assert (task.cancelled(), future.cancelled(), ran) == (True, True, [])
