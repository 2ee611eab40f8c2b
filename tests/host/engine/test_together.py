"""The engine with a real ledger and a real budget, under threads and tasks: nothing is lost, nothing overspent."""

import asyncio
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.host.engine.scripted import Kept, Tool

from seamlaw import Interceptors, ToolCall, block, gate
from seamlaw_host.engine import Engine, session
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import JsonlSink, Ledger, verify
from seamlaw_host.state import MemoryState, budget


def starts(engine: Engine, tool: Tool, way: str, calls: int) -> list[object]:
    """Start that many calls at once; what each came to."""

    def one(_: int) -> object:
        try:
            return engine.call("pay", tool, {"amount": 1})
        except Blocked as denied:
            return denied

    if way == "threads":
        barrier = threading.Barrier(calls)

        def together(number: int) -> object:
            barrier.wait()
            return one(number)

        with ThreadPoolExecutor(calls) as pool:
            return list(pool.map(together, range(calls)))

    async def main() -> list[object]:
        wanted = (engine.acall("pay", tool.later, {"amount": 1}) for _ in range(calls))
        return list(await asyncio.gather(*wanted, return_exceptions=True))

    return asyncio.run(main())


@pytest.mark.parametrize("way", ["threads", "tasks"])
def test_of_three_calls_at_once_a_limit_of_two_starts_two(way: str) -> None:
    """A parallel batch of three found the limit of two not yet reached, three times."""
    tool = Tool()
    spending = budget(MemoryState(), 2, amount_from="amount", key="session")
    came = starts(Engine(Interceptors(tool_call=[spending])), tool, way, 3)
    assert len(tool.starts) == 2
    assert sum(isinstance(one, Blocked) for one in came) == 1


def test_what_another_gate_blocks_costs_nothing() -> None:
    """What was reserved for a call that never ran is given back."""
    tool, state = Tool(), MemoryState()
    blocked = [True]

    def closed(call: ToolCall) -> object:
        return block("not yet") if blocked[0] else None

    rules = Interceptors(tool_call=[budget(state, 1, amount_from="amount", key="session"), gate(closed)])
    engine = Engine(rules)
    for _ in range(5):
        with pytest.raises(Blocked, match="not yet"):
            engine.call("pay", tool, {"amount": 1})
    blocked[0] = False
    engine.call("pay", tool, {"amount": 1})
    with pytest.raises(Blocked):
        engine.call("pay", tool, {"amount": 1})
    assert len(tool.starts) == 1


@pytest.mark.slow
def test_a_load_of_threads_and_tasks_loses_no_record_and_overspends_nothing(tmp_path: Path) -> None:
    """Eight threads with 25 tasks each, redacted into one file: every call has its records, in a whole chain.

    One budget is used up early on, another never; SEAMLAW_LOAD_SECONDS says for how long (`make verify-deep`: 60).
    """
    cap, threads, tasks = 500, 8, 25
    pay, read, file = Tool(), Tool(), tmp_path / "ledger.jsonl"
    end = time.monotonic() + float(os.environ.get("SEAMLAW_LOAD_SECONDS", "2"))
    with Ledger([JsonlSink(file)], ring=10) as ledger:
        state = MemoryState()
        rules = Interceptors(
            tool_call=[
                budget(state, cap, amount_from="amount", key="tool", tools="pay"),
                budget(state, 10**6, amount_from="amount", key="session", tools="read", name="reads"),
            ]
        )
        engine = Engine(rules, ledger=ledger)

        async def call(name: str, tool: Tool) -> int:
            try:
                await engine.acall(name, tool.later, {"amount": 1, "note": "password=hunter2hunter2"})
            except Blocked:
                return 0
            return 1

        async def task() -> tuple[int, int, int]:
            paid = had = asked = 0
            while asked == 0 or time.monotonic() < end:
                paid += await call("pay", pay)
                had += await call("read", read)
                asked += 2
            return paid, had, asked

        async def many() -> list[tuple[int, int, int]]:
            return await asyncio.gather(*(task() for _ in range(tasks)))

        def thread(number: int) -> list[tuple[int, int, int]]:
            with session(f"s{number}"):
                return asyncio.run(many())

        with ThreadPoolExecutor(threads) as pool:
            done = [counts for listed in pool.map(thread, range(threads)) for counts in listed]
        assert ledger.flush()
        assert ledger.lost == 0
    paid, had, asked = (sum(counts) for counts in zip(*done, strict=True))
    assert (len(pay.starts), len(read.starts)) == (paid, had)
    assert had == asked // 2
    assert paid <= cap
    assert paid == cap or asked // 2 < cap
    verified = verify(file)
    assert not verified.problems
    assert verified.records == asked + paid + had
    assert b"hunter2hunter2" not in file.read_bytes()


def test_a_call_has_the_same_attempt_in_both_records() -> None:
    """So that what was decided and how it ended can be joined."""
    ledger = Kept()
    engine = Engine(ledger=ledger)
    for _ in range(3):
        engine.call("tool", Tool(), {})
    attempts = [one.attempt for one in ledger.happenings]
    assert attempts[0::2] == attempts[1::2]
    assert len(set(attempts)) == 3
