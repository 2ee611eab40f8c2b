"""Whatever fails on the way to the tool, the tool does not run; and a record is left."""

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, cast

import pytest
from tests.host.engine.scripted import WAYS, Approvers, Kept, Tool, bundle

from seamlaw import Interceptors, ToolCall, block
from seamlaw_host.engine import Engine


class Injected(Exception):
    """What is raised in the middle of things."""


class FailAt:
    """Raise at the n-th call of a Python function of Seamlaw, in the thread that runs the pipeline."""

    def __init__(self, at: int, error: BaseException) -> None:
        self.left, self.error, self.raised = at, error, False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and "/seamlaw" in frame.f_code.co_filename.replace("\\", "/"):
            self.left -= 1
            if self.left == 0:
                self.raised = True
                raise self.error


def calls_made(run: Callable[[], object]) -> int:
    """How many functions of Seamlaw one run calls."""
    counter = FailAt(-1, Injected())
    sys.setprofile(counter)
    try:
        run()
    finally:
        sys.setprofile(None)
    return -1 - counter.left


def with_fault(at: int, error: BaseException, run: Callable[[], object]) -> bool:
    """Run with a fault at one place; gives back whether the fault happened."""
    fault = FailAt(at, error)
    sys.setprofile(fault)
    try:
        run()
    except (Injected, KeyboardInterrupt):
        pass
    finally:
        sys.setprofile(None)
    return fault.raised


REFUSED = {
    "blocked by the chain": (bundle(["note", "block"]), None),
    "blocked by a gate": (bundle(["replace"], ["note", "block"]), None),
    "a broken gate": (bundle([], ["raise"]), None),
    "refused by an approver": (bundle([], ["ask", "note"]), lambda: False),
    "an approver that crashes": (bundle(["ask"]), lambda: 1 / 0),
}


# A generator that is closed is called, too, and what is raised there is told to nobody.
UNRAISABLE = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@UNRAISABLE
@pytest.mark.parametrize("error", [Injected(), KeyboardInterrupt()], ids=["exception", "interrupt"])
@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("way", WAYS)
def test_a_fault_at_any_call_never_runs_what_is_refused(way: str, case: str, error: BaseException) -> None:
    """Every function that is called on the way to the block, one after the other, raises instead."""
    rules, said = REFUSED[case]
    tool = Tool()
    engine = Engine(rules, approvals=Approvers(said) if said else None, ledger=Kept())

    def run() -> object:
        return WAYS[way](engine, tool, {"path": "/"})

    run()  # what is found out once is known by now
    everywhere = calls_made(run)
    assert everywhere > 20
    assert all(with_fault(at, error, run) for at in range(1, everywhere + 1)), "a fault did not happen"
    assert tool.starts == []


@UNRAISABLE
@pytest.mark.parametrize("way", WAYS)
def test_a_fault_at_any_call_runs_nothing_but_what_was_decided(way: str) -> None:
    """Where the call may run, a fault leaves it unrun, or run once, with the arguments that were decided."""
    rules, started = bundle(["note", "replace"], ["nothing"]), set[str]()
    engine = Engine(rules, ledger=Kept())
    WAYS[way](engine, Tool(), {"a": 1})
    for at in range(1, 1 + calls_made(lambda: WAYS[way](engine, Tool(), {"a": 1}))):
        tool = Tool()
        with_fault(at, Injected(), partial(WAYS[way], engine, tool, {"a": 1}))
        assert tool.starts in ([], [{"a": 1, "replaced": True}])
        started.add(str(len(tool.starts)))
    assert started == {"0", "1"}


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("where", ["chain", "gate", "handler"])
def test_an_interrupt_in_an_interceptor_runs_nothing_and_leaves_a_record(
    where: str, way: str, error: type[BaseException]
) -> None:
    """It reaches the caller, and the ledger says what happened."""
    from seamlaw import gate

    def leave(call: ToolCall) -> None:
        raise error

    rules = {
        "chain": Interceptors(tool_call=[leave]),
        "gate": Interceptors(tool_call=[gate(leave)]),
        "handler": Interceptors(handlers=[leave]),
    }[where]
    tool, ledger = Tool(), Kept()
    with pytest.raises(error):
        WAYS[way](Engine(rules, ledger=ledger), tool, {})
    assert tool.starts == []
    assert error.__name__ in ledger.happenings[-1].error
    assert not ledger.happenings[-1].executed


def test_a_cancelled_tool_leaves_a_record() -> None:
    """The task is cancelled while the tool waits: the record says that it was started, and how it ended."""
    ledger = Kept()

    async def forever() -> None:
        await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.create_task(Engine(ledger=ledger).acall("forever", forever))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    last = ledger.happenings[-1]
    assert (last.seam.name, last.executed) == ("tool_result", True)
    assert "CancelledError" in last.error


class Full:
    """A ledger that cannot take anything."""

    def append(self, happening: object, /) -> None:
        """Fail."""
        raise OSError("no space left")


@pytest.mark.parametrize("way", WAYS)
def test_a_ledger_that_cannot_take_the_decision_stops_the_call(way: str) -> None:
    """A sink that fails is the ledger's business; a ledger that itself fails leaves a call without a record."""
    tool = Tool()
    kind, _ = WAYS[way](Engine(ledger=Full()), tool, {})
    assert kind == "raised"
    assert tool.starts == []


def test_an_async_tool_called_at_once_is_refused_and_never_started() -> None:
    """Its coroutine is closed, so that nothing of it runs and no warning is left."""
    tool = Tool()
    with pytest.raises(TypeError, match="acall"):
        Engine().call("tool", cast("Callable[..., object]", tool.later), {})
    assert tool.starts == []


def test_a_decision_past_its_deadline_blocks() -> None:
    """The interceptor's thread cannot be killed; its answer no longer counts."""
    from threading import Event

    go_on, tool = Event(), Tool()

    def slow(call: ToolCall) -> None:
        go_on.wait(10)

    for way in WAYS.values():
        kind, said = way(Engine(Interceptors(tool_call=[slow]), deadline_s=0.05), tool, {})
        assert (kind, "deadline" in str(said)) == ("blocked", True)
    go_on.set()
    assert tool.starts == []


def test_default_deny_blocks_what_nobody_judges() -> None:
    """A tool that no interceptor or rule is for does not run; one that is judged does."""
    from seamlaw import gate

    tool = Tool()
    engine = Engine(Interceptors(tool_call=[gate(lambda call: None, tools="known", name="g")]), default="deny")
    engine.call("known", tool, {})
    with pytest.raises(PermissionError, match="no policy covers this tool"):
        engine.call("unknown", tool, {})
    assert len(tool.starts) == 1


def test_an_ungoverned_call_is_recorded_as_such() -> None:
    """A call that no policy covers looked in the records like one that was allowed."""
    ledger = Kept()
    engine = Engine(Interceptors(tool_call=[]), ledger=ledger)
    engine.call("anything", Tool(), {})
    assert [one.governed for one in ledger.happenings][:1] == [False]


def test_the_first_block_of_many_answers_for_a_parallel_batch() -> None:
    """A block in a batch stopped the deciding, and not the tools: each is decided, and a blocked one never starts."""

    def odd(call: ToolCall) -> object:
        return block("odd") if call.arguments["n"] % 2 else None

    tool = Tool()
    engine = Engine(Interceptors(tool_call=[odd]))

    async def main() -> list[Any]:
        calls = (engine.acall("tool", tool.later, {"n": n}) for n in range(10))
        return await asyncio.gather(*calls, return_exceptions=True)

    came = asyncio.run(main())
    assert sorted(start["n"] for start in tool.starts) == [0, 2, 4, 6, 8]
    assert sum(isinstance(one, PermissionError) for one in came) == 5
