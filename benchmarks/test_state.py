"""What counting costs: an attempt, a place in a window, a reservation and its settlement; in memory and in Redis."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from seamlaw import TOOL_CALL, Interceptors, ToolCall, ToolResult, decide, gate
from seamlaw_host.state import (
    Attempt,
    Ending,
    MemoryState,
    RedisState,
    State,
    StateUnavailable,
    attempting,
    budget,
    rate_limit,
)

CALL = ToolCall("call-1", "pay", {"amount": 0.01})
RESULT = ToolResult("done")
KEY = ("session", "s-1")
PLENTY = 2**53 - 1
KINDS = ["memory", "redis"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A Redis of its own, on a socket."""
    program = shutil.which("redis-server")
    pytest.importorskip("redis", reason="no redis-py here: pip install 'seamlaw[redis]'")
    if program is None:
        pytest.skip("no redis-server here; on Debian and Ubuntu: apt-get install redis-server")
    with tempfile.TemporaryDirectory(prefix="redis-") as folder:
        socket = f"{folder}/redis.sock"
        nothing = ["--port", "0", "--save", "", "--appendonly", "no", "--dir", folder, "--unixsocket", socket]
        server = subprocess.Popen([program, *nothing], stdout=subprocess.DEVNULL)
        try:
            _wait_for(f"unix://{socket}")
            yield f"unix://{socket}"
        finally:
            server.terminate()
            server.wait()


def _wait_for(url: str) -> None:
    with closing(RedisState(url)) as state:
        for _ in range(500):
            try:
                state.attempts(KEY)
            except StateUnavailable:
                time.sleep(0.02)
            else:
                return
    pytest.fail("redis-server does not answer")


@pytest.fixture(params=KINDS)
def state(request: pytest.FixtureRequest) -> Iterator[State]:
    """A state of each kind."""
    if request.param == "memory":
        yield MemoryState()
        return
    with closing(RedisState(request.getfixturevalue("url"), namespace=request.node.name, timeout_s=20)) as made:
        yield made


def test_attempt(benchmark: BenchmarkFixture, state: State) -> None:
    """By session, agent and tool at once."""
    benchmark.group = "attempt"
    benchmark(lambda: state.attempt(("session", "s-1"), ("agent", "a"), ("tool", "pay")))


def test_admit(benchmark: BenchmarkFixture, state: State) -> None:
    """Into a window that is never full."""
    benchmark.group = "admit"
    assert benchmark(lambda: state.admit(KEY, 1_000, 0.001) is None) in (True, False)


def test_refuse(benchmark: BenchmarkFixture, state: State) -> None:
    """From a window that is full."""
    benchmark.group = "refuse"
    for _ in range(100):
        state.admit(KEY, 100, 86_400)
    assert benchmark(lambda: state.admit(KEY, 100, 86_400)) is not None


def test_reserve_and_settle(benchmark: BenchmarkFixture, state: State) -> None:
    """Of one budget."""
    benchmark.group = "reserve and settle"

    def once() -> None:
        held = state.reserve(KEY, 1, PLENTY)
        assert held is not None
        state.settle(held)

    benchmark(once)


def test_a_call_under_a_rate_and_a_budget(benchmark: BenchmarkFixture, state: State) -> None:
    """Decided and ended, as an engine does it."""
    benchmark.group = "a call under a rate and a budget"
    rules = Interceptors(
        tool_call=[rate_limit(state, 1_000, 0.001), budget(state, 9_000_000, amount_from="amount")],
    )
    benchmark(_called(rules))


def test_a_call_under_nothing(benchmark: BenchmarkFixture) -> None:
    """The same with two gates that count nothing."""
    benchmark.group = "a call under a rate and a budget"
    benchmark(_called(Interceptors(tool_call=[gate(lambda call: None), gate(lambda call, scope: None)])))


def _called(rules: Interceptors) -> Callable[[], None]:
    def once() -> None:
        attempt = Attempt()
        token = attempting.set(attempt)
        try:
            decide(rules, TOOL_CALL, CALL)
        finally:
            attempting.reset(token)
        attempt.finished(Ending(True, CALL, RESULT))

    return once
