"""What the hot path costs, beside its floor: a bare loop over the same callables."""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from seamlaw import Interceptors, ToolCall, digest, freeze, parse_rules, plan

ARGUMENTS: dict[str, object] = {"command": "ls -la", "timeout": 5, "cwd": "/srv/workspace"}
CALL = ToolCall("call-1", "bash", {**ARGUMENTS})
LENGTHS = [1, 4, 16, 64]


def silent(count: int) -> list[Callable[[ToolCall], object]]:
    """Distinct interceptors that have nothing to say."""

    def made() -> Callable[[ToolCall], object]:
        return lambda call: None

    return [made() for _ in range(count)]


@pytest.mark.parametrize("count", LENGTHS)
def test_floor(benchmark: BenchmarkFixture, count: int) -> None:
    """A bare loop."""
    benchmark.group = f"chain of {count}"
    functions = silent(count)

    def loop() -> None:
        for function in functions:
            function(CALL)

    benchmark(loop)


@pytest.mark.parametrize("count", LENGTHS)
def test_plan(benchmark: BenchmarkFixture, count: int) -> None:
    """The plan, over as many interceptors."""
    benchmark.group = f"chain of {count}"
    made = plan(Interceptors(tool_call=silent(count)))
    assert made is not None
    assert benchmark(made.tool_call, CALL) is None


@pytest.mark.parametrize("count", [10, 10_000])
def test_rules(benchmark: BenchmarkFixture, count: int) -> None:
    """Rules for other tools, once the plan has seen this one."""
    benchmark.group = "rules for other tools"
    made = plan(Interceptors(rules=parse_rules([{"refuse": "no", "tools": f"tool_{at}"} for at in range(count)])))
    assert made is not None
    assert benchmark(made.tool_call, CALL) is None


def test_freeze(benchmark: BenchmarkFixture) -> None:
    """The arguments of a typical call."""
    benchmark.group = "values"
    benchmark(freeze, ARGUMENTS)


def test_digest(benchmark: BenchmarkFixture) -> None:
    """The digest of a typical call."""
    benchmark.group = "values"
    benchmark(digest, CALL)
