"""What a plan allocates where everybody allows: no more than a bare loop over the same callables, counted in bytes."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false

import gc
import sys
import tracemalloc
from collections import deque
from collections.abc import Callable
from itertools import repeat
from typing import Any

import pytest
from attrs import frozen

from seamlaw import (
    ALLOW,
    Interceptors,
    Plan,
    Policy,
    Scope,
    ToolCall,
    ToolResult,
    gate,
    interceptor,
    parse_rules,
    plan,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
A_FEW_TUPLES = 500  # in bytes


def planned(**given: Any) -> Plan:
    """Make the plan of a bundle that is not empty."""
    made = plan(Interceptors(**given))
    assert made is not None
    return made


def silent(value: object) -> None:
    """Say nothing."""


def most(run: Callable[..., object], *given: object) -> int:
    """Count the bytes that are allocated at once, at the most, in a thousand calls."""
    return min(_most(run, given) for _ in range(5))  # what else lives at the time only adds to it


def _most(run: Callable[..., object], given: tuple[object, ...]) -> int:
    """Count them once; a full collection empties the free lists, so that a tuple made and dropped counts, too."""
    kept = deque[object](maxlen=0)
    calls = map(run, *(repeat(one, 1_000) for one in given))
    run(*given)
    tracing = sys.gettrace()
    sys.settrace(None)  # who measures coverage makes a frame of every call
    tracemalloc.start()
    try:
        gc.collect()
        gc.disable()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()  # kept, for a tuple that is dropped would be taken for the next
        kept.extend(calls)
        return tracemalloc.get_traced_memory()[1] - before[0]
    finally:
        tracemalloc.stop()
        gc.enable()
        sys.settrace(tracing)


SOMEBODY = (silent,)


def bare(value: object) -> None:
    """Call somebody in a loop, and look at nothing."""
    for function in SOMEBODY:
        function(value)


def distinct(count: int, answer: object = None) -> list[Any]:
    """Interceptors that allow, each an object of its own."""

    def made() -> Callable[[ToolCall], object]:
        return lambda call: answer

    return [made() for _ in range(count)]


FREE: dict[str, dict[str, Any]] = {
    "one": {"tool_call": distinct(1)},
    "64": {"tool_call": distinct(64)},
    "64 allows": {"tool_call": distinct(64, ALLOW)},
    "one of 64": {"tool_call": [silent] * 64},
    "gates": {"tool_call": [gate(one) for one in distinct(16)]},
    "filters": {"tool_call": [gate(silent, tools=["b*", "ls"]), interceptor(silent, tools="*sh")]},
    "rules for others": {"rules": parse_rules([{"refuse": "no", "tools": f"tool_{at}"} for at in range(1_000)])},
}


@pytest.mark.parametrize("kind", FREE)
def test_an_allowed_call_allocates_what_a_bare_loop_does(kind: str) -> None:
    """That is the iterator of the loop: not one object for a step, a call, an outcome or a filter."""
    run = planned(**FREE[kind]).tool_call
    assert run(CALL) is None
    assert most(run, CALL) == most(bare, CALL)


BOUNDED: dict[str, tuple[dict[str, Any], str, tuple[Any, ...]]] = {
    "scope": ({"tool_call": [lambda call, scope: None]}, "tool_call", (CALL,)),
    "agents": ({"tool_call": [gate(silent, agents="a*")]}, "tool_call", (CALL,)),
    "result": ({"tool_result": [lambda result, call: None]}, "tool_result", (ToolResult("x"), CALL)),
}


@pytest.mark.parametrize("kind", BOUNDED)
def test_what_is_offered_together_is_one_tuple(kind: str) -> None:
    """Where more than the value is offered it is put together, once a call, and dropped."""
    given, seam, offered = BOUNDED[kind]
    run = getattr(planned(**given), seam)
    assert run(*offered) is None
    assert 0 < most(run, *offered) - most(bare, CALL) < A_FEW_TUPLES


@frozen
class Step:
    """What a loop might keep of each answer, if it were made less carefully."""

    answer: object


def test_an_object_for_each_step_would_be_noticed() -> None:
    """Also one that is dropped at once, and a tuple from a free list."""

    def steps(value: object) -> None:
        for function in SOMEBODY:
            Step(function(value))

    def pairs(value: object) -> None:
        for function in SOMEBODY:
            _ = (function(value), value)

    floor = most(bare, CALL)
    assert most(steps, CALL) > floor
    assert most(pairs, CALL) > floor


def test_nothing_remains_of_a_thousand_calls() -> None:
    """Of rules with conditions and of policies, too, which make objects as they judge."""
    rules = parse_rules([{"refuse": "no", "tools": "ba*", "when": [{"at": "/command", "equals": "rm"}]}])
    policy = Policy("p").require(lambda call: True).as_gate()
    run = planned(rules=rules, tool_call=[policy, lambda call, scope: None]).tool_call
    assert run(CALL, scope=Scope(agent="a")) is None
    assert most(run, CALL) < 5_000
