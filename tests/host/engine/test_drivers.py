"""The two drivers: an answer that comes late is none, and whatever work raises reaches the pipeline."""

import asyncio
import gc
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress

import pytest
from tests.host.engine.scripted import WAYS, Approvers, Kept, Tool, bundle

from seamlaw import Interceptors, ask, gate, note
from seamlaw_host.engine import CallContext, Engine, Event, ReversibleAction, aundoable, context
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


def test_nothing_runs_of_what_comes_when_nobody_waits() -> None:
    """An approver that is slow to give what is to be awaited: it is closed, and leaves no warning."""
    ran: list[int] = []

    async def asked() -> bool:
        ran.append(1)
        return True

    def slow() -> object:
        time.sleep(3 * LIMIT_S)
        return asked()

    async def main() -> None:
        with pytest.raises(Blocked, match="nobody answered in time"):
            await Engine(bundle(["ask"]), approvals=Approvers(slow, LIMIT_S)).acall("t", Tool())
        await asyncio.sleep(4 * LIMIT_S)

    asyncio.run(main())
    gc.collect()
    assert ran == []


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


def test_where_nothing_is_timed_no_event_loop_is_needed() -> None:
    """A coroutine that somebody else drives failed at every step, and its tool's record said that it had run."""
    tool, ledger = Tool(), Kept()

    async def run() -> object:
        return tool()

    call = Engine(bundle(["note"]), ledger=ledger).acall("t", run)
    with pytest.raises(StopIteration) as ended:
        call.send(None)
    assert ended.value.value == {"done": []}
    assert [one.error for one in ledger.happenings] == ["", ""]


PLACES = ["subscriber", "approver", "snapshot", "tool", "approver of the result", "undo"]


class Waiting:
    """A call that waits at one place, of an action in a chain that is undone when it is left."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.reached = asyncio.Event()
        self.ledger = Kept()
        self.done: list[int] = []
        self.undone: list[int] = []
        rules = Interceptors(
            tool_call=[
                gate(lambda call: note("seen"), name="notes"),
                gate(lambda call: ask("may it?", target="x://"), name="asks"),
            ],
            tool_result=[gate(lambda result, call: ask("may it be seen?", target="x://"), name="asks about it")],
        )
        self.engine = Engine(rules, ledger=self.ledger, approvals=Approvers(self.grant))
        self.engine.subscribe(self.told)

    async def at(self, place: str) -> None:
        """Be at a place, and stay if it is the one."""
        await asyncio.sleep(0)
        if place == self.place:
            self.reached.set()
            await asyncio.sleep(60)

    async def told(self, event: Event) -> None:
        """Subscribe."""
        await self.at("subscriber")

    async def grant(self) -> bool:
        """Grant the call, and not its result."""
        if context().result is None:
            await self.at("approver")
            return True
        await self.at("approver of the result")
        return False

    async def snapshot(self, call: CallContext) -> None:
        """Take none."""
        await self.at("snapshot")

    async def do(self) -> None:
        """Do it."""
        await self.at("tool")
        self.done.append(1)

    async def undo(self, call: CallContext) -> None:
        """Undo it."""
        await self.at("undo")
        self.undone.append(1)

    async def run(self) -> None:
        """Run it."""
        async with aundoable():
            await self.engine.acall("t", ReversibleAction(self.do, self.undo, self.snapshot))


async def cancel(waiting: Waiting) -> None:
    """Cancel the task when it waits."""
    task = asyncio.create_task(waiting.run())
    await waiting.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def time_out(waiting: Waiting) -> None:
    """Wait for it until it waits, and no longer."""
    limit = asyncio.timeout(None)
    with suppress(TimeoutError):
        async with limit:
            ending = asyncio.create_task(waiting.reached.wait())
            ending.add_done_callback(lambda _: limit.reschedule(0))
            await waiting.run()
    assert limit.expired()


async def abandon(waiting: Waiting) -> None:
    """End the event loop while it waits."""
    task = asyncio.create_task(waiting.run())
    await waiting.reached.wait()
    assert not task.done()


@pytest.mark.parametrize("give_up", [cancel, time_out, abandon])
@pytest.mark.parametrize("place", PLACES)
def test_wherever_a_call_is_given_up_it_is_recorded(
    place: str, give_up: Callable[[Waiting], Coroutine[None, None, None]]
) -> None:
    """At each place where a call waits: no tool is started after that, records tell of it, and a chain undoes it."""
    waiting = Waiting(place)
    asyncio.run(give_up(waiting))
    ran = PLACES.index(place) > PLACES.index("tool")
    assert waiting.done == [1] * ran
    records = waiting.ledger.happenings
    assert [one.executed for one in records].count(True) == (place == "tool" or ran)
    assert any("CancelledError" in one.error for one in records)
    assert waiting.undone == [1] * (place == "approver of the result")
