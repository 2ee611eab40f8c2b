"""The engine with a real ledger and a real budget, under threads and tasks: nothing is lost, nothing overspent."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.host.engine.scripted import Kept, Tool

from seamlaw import Interceptors, ToolCall, block, gate
from seamlaw_host.engine import Engine, session
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import NO_REDACTION, JsonlSink, Ledger, verify
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
    """Case 20."""
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
    """Eight threads, each with tasks, against one budget and one file: every call has its records, in a whole chain."""
    cap, threads, tasks, rounds = 500, 8, 25, 4
    tool, file = Tool(), tmp_path / "ledger.jsonl"
    with Ledger([JsonlSink(file)], redactor=NO_REDACTION, ring=10) as ledger:
        rules = Interceptors(tool_call=[budget(MemoryState(), cap, amount_from="amount", key="tool")])
        engine = Engine(rules, ledger=ledger)

        async def call(number: int) -> bool:
            try:
                await engine.acall("pay", tool.later, {"amount": 1})
            except Blocked:
                return False
            return True

        async def many() -> int:
            return sum([sum(await asyncio.gather(*map(call, range(tasks)))) for _ in range(rounds)])

        def thread(number: int) -> int:
            with session(f"s{number}"):
                return asyncio.run(many())

        with ThreadPoolExecutor(threads) as pool:
            ran = sum(pool.map(thread, range(threads)))
        assert ledger.flush()
        assert ledger.lost == 0
    assert ran == len(tool.starts) == cap
    verified = verify(file)
    assert not verified.problems
    assert verified.records == threads * tasks * rounds + cap


def test_a_call_has_the_same_attempt_in_both_records() -> None:
    """So that what was decided and how it ended can be joined."""
    ledger = Kept()
    engine = Engine(ledger=ledger)
    for _ in range(3):
        engine.call("tool", Tool(), {})
    attempts = [one.attempt for one in ledger.happenings]
    assert attempts[0::2] == attempts[1::2]
    assert len(set(attempts)) == 3
