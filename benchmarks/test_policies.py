"""What policies cost, alone and composed, beside a bare loop over their predicates."""

from typing import Any

import pytest

from benchmarks.cases import CALL, Case, Check, built, floor_of
from benchmarks.conftest import Measure
from seamlaw import Interceptors, Policy
from seamlaw_host.bench import calling


def predicates(count: int) -> list[Check]:
    """Predicates that pass."""

    def made(forbidden: str) -> Check:
        return lambda call: forbidden not in call.arguments["command"]

    return [made(f"forbidden-{number:03}") for number in range(count)]


def policy(functions: list[Any]) -> Policy:
    """A policy that requires them all."""
    made = Policy("commands")
    for function in functions:
        made = made.require(function, reason="forbidden")
    return made


@pytest.mark.parametrize("count", [1, 4, 16, 64])
def test_policy(measure: Measure, count: int) -> None:
    functions = predicates(count)
    run = built(Interceptors(tool_call=[policy(functions).as_gate()])).tool_call
    measure(Case(f"policy/{count}", calling(run, CALL), floor_of(functions), "a bare loop", count))


@pytest.mark.parametrize("operator", ["a & b", "a | b", "~~a"])
def test_composed(measure: Measure, operator: str) -> None:
    """Two policies of two requirements each."""
    first, second = predicates(2), predicates(2)
    a, b = policy(first), policy(second)
    made: Any = {"a & b": a & b, "a | b": a | b, "~~a": ~~a}[operator]
    asked = first if operator == "~~a" else [*first, *second]
    run = built(Interceptors(tool_call=[made.as_gate()])).tool_call
    measure(Case(f"composed/{operator}", calling(run, CALL), floor_of(asked), "a bare loop"))
