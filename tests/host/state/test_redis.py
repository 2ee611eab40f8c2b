"""What is particular to Redis: a server that is away, slow, new, or that forgets; and the client for event loops."""

import asyncio
import math
import pickle
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from tests.host.state.conftest import Server
from tests.host.state.running import Run, pay

from seamlaw import TOOL_CALL, Interceptors, Scope, Verdict, decide
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked, MissingExtra
from seamlaw_host.state import (
    AsyncRedisState,
    InvalidAmount,
    InvalidLimit,
    RedisState,
    ReservationClosed,
    StateUnavailable,
    budget,
    rate_limit,
)

KEY = ("k",)
Make = Callable[..., RedisState]


def everything(state: RedisState) -> Iterator[Callable[[], object]]:
    """Every operation."""
    yield lambda: state.attempt(KEY)
    yield lambda: state.attempts(KEY)
    yield lambda: state.admit(KEY, 1, 1)
    yield lambda: state.reserve(KEY, 1, 1)
    yield lambda: state.charge(KEY, 1)
    yield lambda: state.spending(KEY)
    yield lambda: state.forget(KEY)


def test_a_server_that_is_away_is_an_error_and_at_a_gate_a_block(start_redis: Callable[..., Server]) -> None:
    """A limit whose server is away let all through: never; and the error says nothing of where it is, or its key."""
    server = start_redis()
    with closing(RedisState(server.url.replace("unix://", "unix://user:hunter2@"))) as state:
        server.stop()
        for asked in everything(state):
            with pytest.raises(StateUnavailable, match="Redis cannot be asked: ConnectionError") as away:
                asked()
            assert server.folder not in str(away.value)
            assert "hunter2" not in str(away.value)
        starts: list[int] = []
        for limit in (rate_limit(state, 5, 60), budget(state, 5, amount_from=1)):
            outcome = decide(Interceptors(tool_call=[limit]), TOOL_CALL, pay(1))
            assert (outcome.verdict, "raised StateUnavailable" in outcome.reason) == (Verdict.BLOCK, True)
            with pytest.raises(Blocked):
                Engine(Interceptors(tool_call=[limit])).call("pay", starts.append, {"object": 1})
            assert starts == []


def test_a_server_that_does_not_answer_is_waited_for_as_long_as_was_said() -> None:
    """Once, and not again and again."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        with closing(RedisState(url, timeout_s=0.3)) as state:
            begun = time.monotonic()
            with pytest.raises(StateUnavailable, match="TimeoutError"):
                state.reserve(KEY, 1, 1)
            assert 0.2 < time.monotonic() - begun < 5


def test_a_server_that_comes_back_without_its_data_is_not_counted_in(start_redis: Callable[..., Server]) -> None:
    """What was spent is not known any more; whoever begins anew says so by making a new state."""
    server = start_redis()
    with closing(RedisState(server.url)) as state, closing(RedisState(server.url)) as anew:
        state.charge(KEY, 5)
        server.stop()
        server.start()
        for asked in everything(state):
            with pytest.raises(StateUnavailable, match="not those that were counted in"):
                asked()
        assert anew.reserve(KEY, 5, 5) is not None
        with pytest.raises(StateUnavailable, match="not those"):
            state.reserve(KEY, 5, 5)


def test_what_could_not_be_settled_is_settled_before_the_next_call(start_redis: Callable[..., Server]) -> None:
    """A server that is away for a moment loses no cost, not even one that nothing was reserved for."""
    server = start_redis()
    with closing(RedisState(server.url, timeout_s=0.3)) as state:
        before = budget(state, 10, amount_from="amount", unit=1, name="before")
        after = budget(state, 10, actual_from=lambda result: result.output, unit=1, name="after")
        calls = [Run(Interceptors(tool_call=[limit]), pay(4)) for limit in (before, before, after)]
        server.process.send_signal(19)  # it stops, and forgets nothing
        calls[0].end("done")
        calls[1].end(executed=False)
        calls[2].end(10)
        assert [type(one.problems[0]) for one in calls] == [StateUnavailable] * 3
        assert not Run(Interceptors(tool_call=[before]), pay(1)).starts
        server.process.send_signal(18)
        assert not Run(Interceptors(tool_call=[after]), pay(1)).starts
        assert state.spending(("after", "session", "")) == (10, 0)
        assert Run(Interceptors(tool_call=[before]), pay(6)).starts
        assert state.spending(("before", "session", "")) == (4, 6)


def test_a_server_that_may_drop_keys_is_refused(start_redis: Callable[..., Server]) -> None:
    """A counter that is evicted begins again from nothing."""
    server = start_redis("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    with closing(RedisState(server.url)) as state, pytest.raises(StateUnavailable, match="noeviction"):
        state.attempt(KEY)
    keeps = start_redis("--maxmemory", "100mb", "--maxmemory-policy", "noeviction")
    with closing(RedisState(keeps.url)) as state:
        assert state.attempt(KEY) == (1,)


def test_an_answer_that_is_an_error_is_an_error(in_redis: Make) -> None:
    """As where somebody else wrote to one of the keys, or the server only reads."""
    state = in_redis()
    state.attempt(KEY)
    client: Any = state._hidden.value.client
    client.set(state._commands._name("budget", KEY), "not a budget")
    with pytest.raises(StateUnavailable, match="ResponseError"):
        state.reserve(KEY, 1, 1)


def test_scripts_that_the_server_forgot_are_loaded_again(in_redis: Make) -> None:
    """As after a restart that keeps the data."""
    state = in_redis()
    assert state.attempt(KEY) == (1,)
    client: Any = state._hidden.value.client
    client.script_flush()
    assert state.attempt(KEY) == (2,)


def test_namespaces_are_counted_apart_and_keys_cannot_run_into_each_other(in_redis: Make) -> None:
    """Whatever stands in the parts of a key."""
    state, other = in_redis(), in_redis()
    names = [
        ("a", "b"),
        ("a:b",),
        ("a%3Ab",),
        ("a", "", "b"),
        ("a", "b", ""),
        ("é{x}\n\0",),
        ("\ud800",),
        ("x" * 10_000,),
    ]
    for number, key in enumerate(names, 1):
        state.charge(key, number)
    assert [state.spending(key).spent for key in names] == list(range(1, len(names) + 1))
    assert other.spending(names[0]) == (0, 0)


def test_what_need_not_be_kept_expires(in_redis: Make) -> None:
    """Attempts after a day, windows after they count, budgets only if it was said; nothing of nothing is kept."""
    state, forgetful = in_redis(lease_s=7.0), in_redis(forget_after_s=100.0, lease_s=7.0)

    def kept_s(state: RedisState, kind: str) -> int:
        client: Any = state._hidden.value.client
        return int(client.ttl(state._commands._name(kind, KEY)))

    for one in (state, forgetful):
        one.attempt(KEY)
        one.admit(KEY, 1, 10)
        one.charge(KEY, 1)
    assert [86_000 < kept_s(one, "attempts") <= 86_400 for one in (state, forgetful)] == [True, True]
    assert 0 < kept_s(state, "window:10000000") <= 3_610
    for_good, gone = -1, -2
    assert (kept_s(state, "budget"), kept_s(state, "begun")) == (for_good, gone)
    assert 90 < kept_s(forgetful, "budget") <= 100
    held = forgetful.reserve(KEY, 1, 5)
    assert held is not None
    assert 100 < kept_s(forgetful, "budget") <= 107
    forgetful.settle(held)
    assert 90 < kept_s(forgetful, "budget") <= 100
    state.forget(KEY)
    assert [kept_s(state, kind) for kind in ("budget", "leases", "attempts")] == [gone] * 3


def test_the_clock_is_the_servers_unless_one_is_given(in_redis: Make) -> None:
    """So processes on several machines share one; and one that jumps back lets nothing more through."""
    state = in_redis()
    assert state.admit(KEY, 1, 3_600) is None
    wait_s = state.admit(KEY, 1, 3_600)
    assert wait_s is not None
    assert 3_500 < wait_s <= 3_600
    clock = [1_000.0]
    given = in_redis(clock=lambda: clock[0])
    assert given.admit(KEY, 1, 10) is None
    clock[0] = 0
    assert given.admit(KEY, 1, 10) == 10
    clock[0] = 1_009.5
    assert given.admit(KEY, 1, 10) == 0.5
    clock[0] = math.nan
    with pytest.raises(StateUnavailable, match="clock"):
        given.reserve(KEY, 1, 1)


def test_a_reservation_may_be_settled_by_another_process(in_redis: Make) -> None:
    """It is data."""
    state = in_redis()
    held = state.reserve(KEY, 3, 5)
    other = in_redis(namespace=state._commands.namespace)
    other.settle(pickle.loads(pickle.dumps(held)), 2)
    assert state.spending(KEY) == (2, 0)
    with pytest.raises(ReservationClosed):
        state.release(pickle.loads(pickle.dumps(held)))


def test_sums_stay_exact_to_the_last_unit(in_redis: Make) -> None:
    """Up to 2^53 - 1, where doubles end, and a sum stops there."""
    state, most = in_redis(), 2**53 - 1
    state.charge(KEY, most - 1)
    assert state.reserve(KEY, 2, most) is None
    held = state.reserve(KEY, 1, most)
    assert held is not None
    assert state.spending(KEY) == (most - 1, 1)
    state.settle(held)
    state.charge(KEY, 1)
    assert state.spending(KEY) == (most, 0)


def test_the_client_for_event_loops_counts_the_same(redis_server: Server, in_redis: Make) -> None:
    """Both clients see one state, and of tasks that race no more get through."""
    state = in_redis()

    async def main() -> None:
        later = AsyncRedisState(redis_server.url, namespace=state._commands.namespace, timeout_s=20)
        try:
            assert await later.attempt(KEY, ("j",)) == (1, 1)
            assert await later.attempts(KEY) == state.attempts(KEY) == 1
            admitted = await asyncio.gather(*(later.admit(KEY, 3, 3_600) for _ in range(20)))
            assert admitted.count(None) == 3
            assert await later.admit(KEY, 0, 1) == math.inf
            held = await asyncio.gather(*(later.reserve(KEY, 2, 5) for _ in range(20)))
            first, second = [one for one in held if one is not None]
            await later.settle(first, 1)
            await later.release(second)
            await later.charge(KEY, 3)
            assert await later.spending(KEY) == state.spending(KEY) == (4, 0)
            with pytest.raises(ReservationClosed):
                await later.settle(first)
            with pytest.raises(InvalidAmount):
                await later.charge(KEY, -100)
            await later.forget(KEY)
            assert state.spending(KEY) == (0, 0)
        finally:
            await later.close()

    asyncio.run(main())


def test_a_server_that_is_away_is_an_error_in_an_event_loop_too(start_redis: Callable[..., Server]) -> None:
    """With the same words."""
    server = start_redis()

    async def main() -> None:
        later = AsyncRedisState(server.url)
        server.stop()
        with pytest.raises(StateUnavailable, match="Redis cannot be asked: ConnectionError"):
            await later.reserve(KEY, 1, 1)
        await later.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    "options",
    [{"namespace": ""}, {"namespace": "a}"}, {"namespace": "é"}, {"timeout_s": 0}, {"lease_s": math.inf}],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    """At once, without a server."""
    with pytest.raises(InvalidLimit, match=next(iter(options))):
        RedisState("redis://localhost", **options)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing else needs it."""
    for name in ("redis", "redis.asyncio"):
        monkeypatch.setitem(sys.modules, name, None)
    for made in (RedisState, AsyncRedisState):
        with pytest.raises(MissingExtra, match=r"pip install 'seamlaw\[redis\]'"):
            made("redis://localhost")


def test_scopes_of_unknown_sessions_share_a_budget(in_redis: Make) -> None:
    """In Redis as in memory: whoever says nothing of a session has no budget of its own."""
    rules = Interceptors(tool_call=[budget(in_redis(), 1, amount_from=1)])
    assert [Run(rules, pay(1), scope).starts for scope in (None, Scope(), Scope(session="a"))] == [True, False, True]
