"""The gate on ratios refuses each kind of slowdown that is put in.

That it lets the kernel through as it is, `make bench-gate` shows, which runs alone: no test here needs a quiet machine.
"""

import sys
from collections.abc import Callable, Generator
from fnmatch import fnmatchcase
from typing import Any

import pytest
from attrs import evolve, frozen

from benchmarks import gate
from benchmarks.cases import Case
from seamlaw import TOOL_CALL, Interceptors, Plan, ToolCall, decide, plan

pytestmark = pytest.mark.slow
ATTEMPTS = 2  # a planted slowdown is slower each time
Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def untraced() -> Generator[None]:
    """Measure without whatever traces the tests: that of coverage makes the kernel slower, and nothing else."""
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)


@frozen
class Step:
    """What a loop should not make."""

    interceptor: object
    answer: object


def planted(slow: Callable[[Interceptors, Run], Run]) -> Callable[[Interceptors], Plan | None]:
    """A plan whose seam for calls is replaced."""

    def ready(bundle: Interceptors) -> Plan | None:
        made = plan(bundle)
        assert made is not None
        return evolve(made, tool_call=slow(bundle, made.tool_call))

    return ready


def attrs_object_per_step(bundle: Interceptors, fast: Run) -> Run:
    """Make an attrs object of each answer."""
    functions: list[Any] = [asked.function for asked in bundle.ordered(TOOL_CALL)]

    def run(call: ToolCall) -> Any:
        for function in functions:
            step = Step(function, function(call))
            if step.answer is not None:
                return fast(call)
        return None

    return run if not any(asked.tools.patterns for asked in bundle.ordered(TOOL_CALL)) else fast


def readable_pipeline(bundle: Interceptors, fast: Run) -> Run:
    """Decide by the semantics, and make an outcome each time."""

    def run(call: ToolCall) -> Any:
        outcome = decide(bundle, TOOL_CALL, call)
        return None if outcome.proceeds else outcome

    return run


def scan(bundle: Interceptors, fast: Run) -> Run:
    """Look at every filter for every call."""
    filters = [pattern for asked in bundle.ordered(TOOL_CALL) for pattern in asked.tools.patterns]

    def run(call: ToolCall) -> Any:
        return fast(call) if not filters or any(fnmatchcase(call.name, pattern) for pattern in filters) else None

    return run


def everyone_is_asked(bundle: Interceptors, fast: Run) -> Run:
    """Ask everyone, also after a block."""
    everyone: list[Any] = [asked.function for asked in bundle.ordered(TOOL_CALL)]

    def run(call: ToolCall) -> Any:
        answers = [function(call) for function in everyone]
        return fast(call) if any(answer is not None for answer in answers) else None

    return run


def refused(slow: Callable[[Interceptors, Run], Run], named: str) -> list[str]:
    """The gates with this in their names that a slowed kernel does not pass."""
    gates = [one for one in gate.GATES if named in one.name]
    assert gates
    found = [gate.measured(one, planted(slow), ATTEMPTS) for one in gates]
    return [one.gate.name for one in found if one.holds]


@pytest.mark.parametrize(
    ("slow", "named"),
    [
        (attrs_object_per_step, "beside a bare loop"),
        (readable_pipeline, "beside a bare loop"),
        (scan, "10,000 rules"),
        (everyone_is_asked, "a block by the first of 1,024"),
    ],
)
def test_a_planted_slowdown_is_refused(slow: Callable[[Interceptors, Run], Run], named: str) -> None:
    """Each ratio that the slowdown is about exceeds its limit, at every attempt."""
    assert refused(slow, named) == []


def test_a_host_that_builds_something_where_no_plan_is_would_be_refused() -> None:
    """The ratio of no plan to an attribute check fails where an empty plan is called instead."""
    (none,) = [one for one in gate.GATES if one.name.startswith("no plan")]
    case = none.case(plan)

    def called(number: int) -> None:
        for _ in range(number):
            consult_nobody()

    def slowed(_: object) -> Case:
        return evolve(case, work=called)

    assert not gate.measured(evolve(none, case=slowed), attempts=ATTEMPTS).holds


def consult_nobody() -> None:
    """What a seam costs where it is a call."""


def test_every_gate_has_slack_above_its_target() -> None:
    """On a shared machine a ratio drifts by up to a quarter: no limit is closer to its target than an eighth."""
    assert [one.name for one in gate.GATES if one.limit < one.target * 1.125] == []
