"""The two drivers: an answer that comes late is none, and whatever work raises reaches the pipeline."""

import asyncio
import time
from collections.abc import Callable

import pytest
from tests.host.engine.scripted import WAYS, Approvers, Tool, bundle

from seamlaw import Interceptors, gate
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked

LIMIT_S = 0.05


async def holds_up_the_loop() -> bool:
    """Grant late, with nothing awaited in between at which a time-out could strike."""
    time.sleep(3 * LIMIT_S)
    return True


async def swallows_its_cancellation() -> bool:
    """Grant late, whatever the time-out says."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return True
    return True


def blocks_its_thread() -> bool:
    """Grant late, as plain code does."""
    time.sleep(3 * LIMIT_S)
    return True


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("approver", [holds_up_the_loop, swallows_its_cancellation, blocks_its_thread])
def test_a_late_grant_never_counts(approver: Callable[[], object], way: str) -> None:
    """An approver that granted after its time was up, in a way that no time-out interrupts, let the call run."""
    tool = Tool()
    outcome = WAYS[way](Engine(bundle(["ask"]), approvals=Approvers(approver, LIMIT_S)), tool, {})
    assert outcome[0] == "blocked"
    assert "nobody answered in time" in str(outcome[1])
    assert tool.starts == []


@pytest.mark.parametrize("way", WAYS)
def test_a_late_decision_never_counts(way: str) -> None:
    """Of an interceptor that took longer than the deadline, the allow is worth nothing."""
    tool = Tool()
    slow = gate(lambda call: time.sleep(3 * LIMIT_S))
    outcome = WAYS[way](Engine(Interceptors(tool_call=[slow]), deadline_s=LIMIT_S), tool, {})
    assert outcome[0] == "blocked"
    assert tool.starts == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("timeout_s", [None, 30.0])
def test_an_approver_that_runs_out_of_answers_refuses(way: str, timeout_s: float | None) -> None:
    """`next()` of an empty iterator raises `StopIteration`, which an event loop loses: the call waited forever."""
    answers = iter(list[bool]())
    tool = Tool()
    outcome = WAYS[way](Engine(bundle(["ask"]), approvals=Approvers(lambda: next(answers), timeout_s)), tool, {})
    assert outcome[0] == "blocked"
    assert "the approver raised" in str(outcome[1])
    assert tool.starts == []


@pytest.mark.parametrize("timeout_s", [None, 30.0])
def test_a_grant_in_time_counts(timeout_s: float | None) -> None:
    """Async, sync, with and without a limit: what is in time is not taken for late."""

    async def grants() -> bool:
        await asyncio.sleep(0)
        return True

    for approver in (grants, lambda: True):
        for way in WAYS.values():
            tool = Tool()
            assert way(Engine(bundle(["ask"]), approvals=Approvers(approver, timeout_s)), tool, {})[0] == "value"
            assert len(tool.starts) == 1


def test_a_cancelled_call_starts_nothing() -> None:
    """Cancelled while somebody is asked, a call is left as any other, and its tool is not started."""
    tool = Tool()

    async def never() -> bool:
        await asyncio.sleep(60)
        return True

    async def main() -> None:
        call = asyncio.create_task(Engine(bundle(["ask"]), approvals=Approvers(never)).acall("t", tool))
        await asyncio.sleep(0.05)
        call.cancel()
        await call

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert tool.starts == []
    with pytest.raises(Blocked):  # and the next is decided as if nothing had been
        Engine(bundle(["block"])).call("t", tool)
