"""What a seam costs: chains by length, answers, callables, gates, asks; beside a bare loop over the same callables."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from benchmarks.cases import (
    ARGUMENTS,
    CALL,
    LENGTHS,
    Case,
    block_at_first,
    built,
    chain,
    distinct,
    floor_of,
    nobody_listens,
    none_seam,
    realistic,
    silent,
)
from benchmarks.conftest import Measure
from seamlaw import ALLOW, Interceptors, ToolCall, ask, block, gate, note, replace
from seamlaw_host.bench import calling

OTHER = ToolCall("call-1", "bash", {**ARGUMENTS, "timeout": 120})
ANSWERS: dict[str, object] = {
    "None": None,
    "ALLOW": ALLOW,
    "note": note("noted"),
    "replace": replace(OTHER),
    "ask": ask("may it?"),
    "block": block("no"),
}


def test_no_plan(measure: Measure) -> None:
    measure(none_seam())


def test_nobody_listens(measure: Measure) -> None:
    measure(nobody_listens())


@pytest.mark.parametrize("count", [*LENGTHS, 256, 1024])
def test_silent(measure: Measure, count: int) -> None:
    measure(chain("silent", silent(count)))


@pytest.mark.parametrize("count", LENGTHS)
def test_realistic(measure: Measure, count: int) -> None:
    measure(chain("realistic", realistic(count)))


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(measure: Measure, name: str) -> None:
    """One of four has something to say, the second; the floor calls those who are asked, and drops what they say."""
    functions = [*silent(1), *distinct(ANSWERS[name], 1), *silent(2)]
    run = built(Interceptors(tool_call=functions)).tool_call
    asked = functions[:2] if name == "block" else functions
    measure(Case(f"answer/{name}", calling(run, CALL), floor_of(asked), "a bare loop over those who are asked"))


def test_all_answer_allow(measure: Measure) -> None:
    functions = distinct(ALLOW, 16)
    run = built(Interceptors(tool_call=functions)).tool_call
    measure(Case("allow/16", calling(run, CALL), floor_of(functions), "a bare loop"))


@pytest.mark.parametrize("count", LENGTHS)
def test_block_by_the_first(measure: Measure, count: int) -> None:
    measure(block_at_first(count))


@pytest.mark.parametrize("count", LENGTHS)
def test_block_by_the_last(measure: Measure, count: int) -> None:
    functions = [*silent(count - 1), *distinct(block("no"), 1)]
    run = built(Interceptors(tool_call=functions)).tool_call
    measure(Case(f"block/last/{count}", calling(run, CALL), floor_of(functions), "a bare loop", count))


class Silent:
    """Says nothing, as a method and as an object."""

    def method(self, call: ToolCall) -> None:
        return None

    def __call__(self, call: ToolCall) -> None:
        return None


def says_nothing(bound: int, call: ToolCall) -> None:
    """Says nothing, once something is bound."""
    return


CALLABLES: dict[str, Callable[[int], Any]] = {
    "function": lambda at: silent(1)[0],
    "bound method": lambda at: Silent().method,
    "partial": lambda at: partial(says_nothing, at),
    "object with __call__": lambda at: Silent(),
}


@pytest.mark.parametrize("kind", CALLABLES)
def test_callables(measure: Measure, kind: str) -> None:
    """Sixteen of a kind; the floor is a bare loop over sixteen functions."""
    run = built(Interceptors(tool_call=[CALLABLES[kind](at) for at in range(16)])).tool_call
    measure(Case(f"callable/{kind}", calling(run, CALL), floor_of(silent(16)), "a bare loop over functions"))


@pytest.mark.parametrize("count", LENGTHS)
def test_gates(measure: Measure, count: int) -> None:
    functions = silent(count)
    run = built(Interceptors(tool_call=[gate(function) for function in functions])).tool_call
    measure(Case(f"gates/{count}", calling(run, CALL), floor_of(functions), "a bare loop", count))


@pytest.mark.parametrize("count", LENGTHS)
def test_asks(measure: Measure, count: int) -> None:
    """Everyone asks: each ask stands, for the digest of the value."""
    functions = distinct(ask("may it?"), count)
    run = built(Interceptors(tool_call=[gate(function) for function in functions])).tool_call
    measure(Case(f"asks/{count}", calling(run, CALL), floor_of(functions), "a bare loop", count))
