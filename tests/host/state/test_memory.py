"""What a state in memory forgets, and when it refuses instead."""

import math
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw_host.state import (
    InvalidAmount,
    InvalidLimit,
    MemoryState,
    ReservationClosed,
    State,
    StateFull,
    StateUnavailable,
)

Clock = list[float]


def at(clock: Clock, **options: Any) -> MemoryState:
    """A state whose clock is a list of one number."""
    return MemoryState(clock=lambda: clock[0], **options)


def test_attempts_of_the_key_not_seen_for_longest_are_forgotten() -> None:
    """Attempts are for information."""
    state = MemoryState(max_keys=2)
    assert state.attempt(("a",), ("b",), ("a",)) == (1, 1, 2)
    state.attempt(("c",))
    assert [state.attempts((key,)) for key in "abc"] == [2, 0, 1]


def test_a_window_that_still_counts_is_never_forgotten() -> None:
    """A new key is refused instead, until one is over."""
    clock = [0.0]
    state = at(clock, max_keys=2)
    assert [state.admit((key,), 1, 10) for key in "ab"] == [None, None]
    with pytest.raises(StateFull, match="max_keys"):
        state.admit(("c",), 1, 10)
    assert state.admit(("a",), 1, 10) == 10
    clock[0] = 10
    assert [state.admit((key,), 1, 10) for key in "cd"] == [None, None]


def test_windows_of_several_lengths_do_not_shorten_each_other() -> None:
    """Two limits on one key, one by the second and one by the hour."""
    clock = [0.0]
    state = at(clock)
    assert state.admit(("k",), 1, 3_600) is None
    for second in range(1, 100):
        clock[0] = second
        assert state.admit(("k",), 1, 1) is None
    assert state.admit(("k",), 1, 3_600) == 3_600 - 99


def test_a_budget_that_was_spent_from_is_never_forgotten() -> None:
    """A new key is refused instead, and the cost of what has begun can always be written down."""
    state = MemoryState(max_keys=2)
    state.charge(("a",), 1)
    held = state.reserve(("b",), 0, 5)
    assert held is not None
    with pytest.raises(StateFull, match="max_keys"):
        state.reserve(("c",), 1, 5)
    with pytest.raises(StateFull, match="max_keys"):
        state.charge(("c",), 1)
    state.settle(held, 5)
    assert [state.spending((key,)).spent for key in "abc"] == [1, 5, 0]
    state.forget(("a",))
    assert state.reserve(("c",), 1, 5) is not None


def test_reservations_are_bounded_too() -> None:
    """Many small ones of one key."""
    state = MemoryState(max_keys=2)
    assert [state.reserve(("a",), 1, 5) is None for _ in range(2)] == [False, False]
    with pytest.raises(StateFull):
        state.reserve(("a",), 1, 5)


def test_a_lease_that_runs_out_is_spent_and_settling_it_late_changes_nothing() -> None:
    """Whoever held it may have spent it: neither given back, nor counted twice."""
    clock = [0.0]
    state = at(clock, lease_s=60.0)
    first, second = state.reserve(("k",), 3, 10), state.reserve(("k",), 4, 10)
    assert first is not None
    assert second is not None
    clock[0] = 59
    assert state.spending(("k",)) == (0, 7)
    clock[0] = 60
    assert state.spending(("k",)) == (7, 0)
    with pytest.raises(ReservationClosed):
        state.settle(first)
    with pytest.raises(ReservationClosed):
        state.release(second)
    assert state.spending(("k",)) == (7, 0)


def test_a_clock_that_jumps_back_lets_nothing_more_through() -> None:
    """Time stands still until it has caught up."""
    clock = [100.0]
    state = at(clock, lease_s=10.0)
    assert state.admit(("k",), 1, 10) is None
    state.reserve(("k",), 1, 1)
    clock[0] = 0
    assert state.admit(("k",), 1, 10) == 10
    assert state.reserve(("k",), 1, 1) is None
    clock[0] = 109
    assert state.admit(("k",), 1, 10) == 1


@pytest.mark.parametrize("wrong", [math.nan, math.inf, None, "12:00", True])
def test_a_clock_that_tells_no_time_lets_nothing_through(wrong: Any) -> None:
    """Without the time no window can be judged."""
    state = MemoryState(clock=lambda: wrong)
    with pytest.raises(StateUnavailable, match="clock"):
        state.admit(("k",), 1, 1)
    with pytest.raises(StateUnavailable, match="clock"):
        state.reserve(("k",), 1, 1)


@given(st.lists(st.tuples(st.integers(0, 12), st.sampled_from(["a", "b"])), max_size=40), st.integers(1, 4))
def test_no_window_holds_more_than_the_limit(arrivals: list[tuple[int, str]], limit: int) -> None:
    """In whatever rhythm calls come, wherever the window is laid; and no call waits that need not."""
    clock, length = [0.0], 10
    state, admitted = at(clock), list[tuple[float, str]]()
    for wait, key in arrivals:
        clock[0] += wait
        inside = [time for time, other in admitted if other == key and time > clock[0] - length]
        let = state.admit((key,), limit, length) is None
        assert let is (len(inside) < limit)
        if let:
            admitted.append((clock[0], key))
    for key in "ab":
        times = [time for time, other in admitted if other == key]
        for begin in times:
            assert sum(begin <= time < begin + length for time in times) <= limit


@pytest.mark.parametrize("key", [(), "k", ["k"], ("k", 1), ("k", None), None])
@pytest.mark.parametrize(
    ("operation", "more"),
    [("attempt", ()), ("attempts", ()), ("admit", (1, 1)), ("reserve", (1, 1)), ("charge", (1,)), ("spending", ()),
     ("forget", ())],
)  # fmt: skip
def test_what_is_no_key_is_refused(state: State, operation: str, more: tuple[int, ...], key: Any) -> None:
    """By every operation."""
    with pytest.raises(InvalidAmount, match=r"^/key"):
        getattr(state, operation)(key, *more)


@pytest.mark.parametrize("amount", [-1, -100, math.nan, math.inf, 1.0, True, "1", 2**53])
def test_what_is_no_number_of_units_is_refused_and_changes_nothing(state: State, amount: Any) -> None:
    """A negative amount gave a budget back, and a NaN made it endless: by every operation that takes an amount."""
    state.charge(("k",), 3)
    held = state.reserve(("k",), 2, 10)
    asked: list[tuple[str, tuple[Any, ...]]] = [
        ("reserve", (("k",), amount, 10)),
        ("reserve", (("k",), 1, amount)),
        ("charge", (("k",), amount)),
        ("settle", (held, amount)),
    ]
    for operation, arguments in asked:
        with pytest.raises(InvalidAmount):
            getattr(state, operation)(*arguments)
        assert state.spending(("k",)) == (3, 2)


def test_long_parts_of_a_key_take_little_room_and_stay_apart() -> None:
    """The names of tools come from a model."""
    state = MemoryState()
    long = "x" * 1_000_000
    assert state.attempt((long,), (long + "y",), (long,)) == (1, 1, 2)
    tables: Any = state._hidden.value
    assert sum(len(part) for key in tables.attempts._counts for part in key) < 200


@pytest.mark.parametrize(
    "options",
    [{"max_keys": 0}, {"max_keys": True}, {"lease_s": 0}, {"lease_s": math.nan}, {"forget_after_s": -1}],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    """At once."""
    with pytest.raises(InvalidLimit, match=next(iter(options))):
        MemoryState(**options)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_does_not_spend_what_its_parent_has() -> None:
    """A copy of a budget would be spent twice; a state that counts nothing yet begins anew."""
    used, unused = MemoryState(), MemoryState()
    used.charge(("k",), 1)
    unused.attempt(("k",))
    child = os.fork()
    if child == 0:
        try:
            assert unused.reserve(("k",), 1, 1) is not None
            used.reserve(("k",), 1, 2)
        except StateUnavailable:
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert used.spending(("k",)) == (1, 0)
