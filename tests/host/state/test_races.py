"""`budgets_are_never_overspent_by_races`: where the cost is known before the call, no interleaving spends more."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.host.state.conftest import Server
from tests.host.state.running import Run, pay, run, run_async
from tests.host.state.turns import NoLock, PatientLock, Turn, Turns, one_break_each, with_lock

from seamlaw import Interceptors, ToolCall
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.state import MemoryState, RedisState, State, budget, rate_limit

KEY = ("k",)
Limit = Callable[[State], Any]
LIMITS: dict[str, Limit] = {
    "rate": lambda state: rate_limit(state, 2, 3_600),
    "calls": lambda state: budget(state, 2, amount_from=1),
    "money": lambda state: budget(state, 1, amount_from="amount"),
}


def raced(lock: Callable[[Turns], Any], schedule: list[Turn]) -> int:
    """How much two threads reserve of a budget that has room for one of them."""
    state = MemoryState()
    turns = Turns(lambda: state.reserve(KEY, 6, 10), lambda: state.reserve(KEY, 6, 10))
    with_lock(state, lock(turns))
    turns.run(schedule)
    return state.spending(KEY).reserved


def lines_of_a_reservation() -> int:
    """How many lines a thread runs through that reserves."""
    state = MemoryState()
    turns = Turns(lambda: state.reserve(KEY, 6, 10))
    turns.run([])
    return turns.lines[0]


def test_no_schedule_of_two_interruptions_overspends() -> None:
    """Exactly one of two threads gets what is there for one, wherever each is interrupted, line by line."""
    lines = lines_of_a_reservation()
    assert lines > 15
    assert {raced(PatientLock, schedule) for schedule in one_break_each(lines, lines)} == {6}


def test_without_the_lock_a_schedule_overspends() -> None:
    """The schedules tried are those that find a check that is followed by an act with somebody in between."""
    lines = lines_of_a_reservation()
    assert max(raced(lambda turns: NoLock(), schedule) for schedule in one_break_each(lines, lines)) == 12


@given(st.data())
@settings(max_examples=150)
def test_budgets_are_never_overspent_by_races(data: st.DataObject) -> None:
    """Three calls, each decided, run or not, and ended, line by line in any order: never above the cap, at no time."""
    cap, unit = 10, 10**9
    state = MemoryState()
    rules = Interceptors(tool_call=[budget(state, cap, amount_from="amount", name="b")])
    key = ("b", "session", "")
    seen: list[int] = []

    def call(amount: int, executed: bool) -> Callable[[], int]:
        def work() -> int:
            one = Run(rules, pay(amount))
            if one.starts:
                one.end("done", executed=executed)
            assert one.problems == ()
            return amount if one.starts and executed else 0

        return work

    costs = data.draw(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=3, max_size=3), label="calls")
    schedule = data.draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 30)), max_size=20), label="turns")
    turns = Turns(*(call(*cost) for cost in costs))
    lock = PatientLock(turns)
    with_lock(state, lock)

    def watched() -> Iterator[Turn]:
        for turn in schedule:
            yield turn
            if not lock._held:
                seen.append(sum(state.spending(key)))

    spent = turns.run(watched())
    assert all(isinstance(amount, int) for amount in spent), spent
    assert sum(spent) <= cap
    assert max(seen, default=0) <= cap * unit
    assert state.spending(key) == (sum(spent) * unit, 0)


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("in_loop", [False, True], ids=["threads", "tasks"])
def test_of_a_batch_of_three_under_a_limit_of_two_exactly_two_start(state: State, limit: Limit, in_loop: bool) -> None:
    """Each call of a batch found the limit not yet reached: by an engine, or what does as one, here and in Redis."""
    starts: list[str] = []

    def tool(call: ToolCall) -> object:
        starts.append(call.id)
        time.sleep(0.02)
        return "done"

    async def tool_async(call: ToolCall) -> object:
        starts.append(call.id)
        await asyncio.sleep(0.02)
        return "done"

    rules = Interceptors(tool_call=[limit(state)])
    calls = [ToolCall(f"call-{at}", "pay", {"amount": 0.5}) for at in range(3)]

    async def batch() -> list[Any]:
        return await asyncio.gather(*(run_async(rules, call, tool_async) for call in calls), return_exceptions=True)

    def one(call: ToolCall) -> object:
        try:
            return run(rules, call, tool)
        except Blocked as denied:
            return denied

    if in_loop:
        ended = asyncio.run(batch())
    else:
        with ThreadPoolExecutor(3) as threads:
            ended = list(threads.map(one, calls))
    assert sorted(type(end).__name__ for end in ended) == ["Blocked", "str", "str"]
    assert len(starts) == 2


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("in_loop", [False, True], ids=["threads", "tasks"])
def test_an_engine_starts_exactly_two_of_three(state: State, limit: Limit, in_loop: bool) -> None:
    """A batch found the limit not yet reached, call by call: by the engine."""
    starts: list[float] = []

    def tool(amount: float) -> None:
        starts.append(amount)
        time.sleep(0.02)

    async def tool_async(amount: float) -> None:
        starts.append(amount)
        await asyncio.sleep(0.02)

    engine = Engine(Interceptors(tool_call=[limit(state)]))
    args = {"amount": 0.5}

    async def batch() -> list[Any]:
        calls = [engine.acall("pay", tool_async, args) for _ in range(3)]
        return await asyncio.gather(*calls, return_exceptions=True)

    def one(_: int) -> object:
        try:
            return engine.call("pay", tool, args)
        except Blocked as denied:
            return denied

    if in_loop:
        ended = asyncio.run(batch())
    else:
        with ThreadPoolExecutor(3) as threads:
            ended = list(threads.map(one, range(3)))
    assert sorted(type(end).__name__ for end in ended) == ["Blocked", "NoneType", "NoneType"]
    assert len(starts) == 2


def test_threads_never_overspend(state: State) -> None:
    """Eight threads that start at once spend what there is to the last unit, and no more."""
    cap, spent, barrier = 100, list[int](), Barrier(8)

    def work(step: int) -> None:
        barrier.wait()
        for at in range(40):
            held = state.reserve(KEY, step, cap)
            if held is not None and at % 3:
                state.settle(held)
                spent.append(step)
            elif held is not None:
                state.release(held)

    threads = [Thread(target=work, args=(1 + at % 3,)) for at in range(8)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert state.spending(KEY) == (sum(spent), 0)
    assert cap - 3 < sum(spent) <= cap


def test_threads_are_never_admitted_beyond_the_limit(state: State) -> None:
    """Eight threads at once get as many places as there are."""
    barrier = Barrier(8)

    def work(_: int) -> int:
        barrier.wait()
        return sum(state.admit(KEY, 50, 3_600) is None for _ in range(20))

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(work, range(8))) == 50


def test_two_processes_never_overspend(redis_server: Server, in_redis: Callable[..., RedisState]) -> None:
    """Two processes that race for one budget spend it to the last unit, and share one window."""
    state = in_redis()
    namespace = state._commands.namespace
    racer = [sys.executable, str(Path(__file__).with_name("racer.py")), redis_server.url, namespace]
    racers = [subprocess.Popen(racer, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for one in racers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    counts: list[list[int]] = []
    for one in racers:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    for one in racers:
        said, _ = one.communicate(timeout=120)
        counts.append([int(number) for number in said.split()])
    assert [sum(both) for both in zip(*counts, strict=True)] == [500, 300]
    assert all(min(alone) > 0 for alone in counts), "they did not race"
    assert state.spending(("money",)) == (500, 0)


@pytest.mark.slow
def test_eight_threads_and_two_hundred_tasks_overspend_nothing(make_state: Callable[..., State]) -> None:
    """For some seconds, with calls that are denied, cancelled and that fail among them: the sums are exact."""
    state = make_state()
    cap, key, until = 20_000, ("b", "session", ""), time.monotonic() + 4
    rules = Interceptors(tool_call=[budget(state, cap, amount_from="amount", unit=1, name="b")])
    spent: list[int] = []

    async def task(number: int) -> None:
        at = number
        while time.monotonic() < until:
            at += 1
            one = Run(rules, pay(at % 7))
            await asyncio.sleep(0)
            if not one.starts:
                continue
            if at % 5 == 0:
                one.end(executed=False)
            else:
                one.end("done", error=ValueError() if at % 3 else None)
                spent.append(at % 7)
            assert one.problems == ()

    async def tasks(thread: int) -> None:
        await asyncio.gather(*(task(thread * 25 + at) for at in range(25)))

    threads = [Thread(target=asyncio.run, args=(tasks(at),)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert state.spending(key) == (sum(spent), 0)
    assert 0 < sum(spent) <= cap
