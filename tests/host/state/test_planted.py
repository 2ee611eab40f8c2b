"""States that are broken, each in one way, and the check that sees it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test as run_machine
from tests.host.state.running import Run, pay
from tests.host.state.test_model import Machine
from tests.host.state.turns import PatientLock, Turns, one_break_each, with_lock

from seamlaw import Interceptors, block, gate
from seamlaw_host.state import Ending, Key, MemoryState, Reservation, State, Units, budget
from seamlaw_host.state import _budget as budgets
from seamlaw_host.state._tables import Accounts

KEY = ("k",)
OPTIONS: dict[str, Any] = {"max_keys": 3, "lease_s": 6.0, "forget_after_s": None}
# The same runs each time, for they must find the bug.
QUICK = settings(max_examples=800, stateful_step_count=30, database=None, phases=[Phase.generate], derandomize=True)


class ChecksThenActs(MemoryState):
    """Looks whether it fits, and reserves afterwards: each step atomic, the two of them not."""

    def reserve(self, key: Key, amount: int, cap: int) -> Reservation | None:
        """Reserve."""
        if sum(self.spending(key)) + amount > cap:
            return None
        return super().reserve(key, amount, 2**53 - 1)


def test_a_check_that_is_followed_by_an_act_is_caught() -> None:
    """By the schedules, although each step holds the lock."""

    def reserved(kind: type[MemoryState], schedule: list[tuple[int, int]]) -> int:
        state = kind()
        turns = Turns(lambda: state.reserve(KEY, 6, 10), lambda: state.reserve(KEY, 6, 10))
        with_lock(state, PatientLock(turns))
        turns.run(schedule)
        return state.spending(KEY).reserved

    schedules = list(one_break_each(30, 30))
    assert {reserved(ChecksThenActs, schedule) for schedule in schedules} == {6, 12}
    assert {reserved(MemoryState, schedule) for schedule in schedules} == {6}


def by_doubles(amounts: list[float], cap: float) -> list[float]:
    """What fits by a sum of doubles."""
    taken, total = list[float](), 0.0  # not sum(), which makes up for its errors since Python 3.12
    for amount in amounts:
        if total + amount <= cap:
            taken.append(amount)
            total += amount
    return taken


def by_units(amounts: list[float], cap: float) -> list[float]:
    """What fits by a budget."""
    rules = Interceptors(tool_call=[budget(MemoryState(), cap, amount_from="amount")])
    return [amount for amount in amounts if Run(rules, pay(amount)).starts]


def test_a_sum_of_floats_is_caught() -> None:
    """A large amount swallows small ones, which are then free; and two tenths and one are more than three."""
    amounts, cap = [8_999_999.5, *[1e-10] * 40, 0.5], 9_000_000.0
    assert sum(map(Fraction, map(repr, by_doubles(amounts, cap)))) > cap
    assert sum(map(Fraction, map(repr, by_units(amounts, cap)))) <= cap
    assert (by_doubles([0.1, 0.2], 0.3), by_units([0.1, 0.2], 0.3)) == ([0.1], [0.1, 0.2])


def test_a_reservation_that_nobody_releases_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another gate blocks would cost all the same, in the end."""

    def spent_by_blocked_calls() -> int:
        state = MemoryState()
        other = gate(lambda call: block("no"), name="other")
        rules = Interceptors(tool_call=[budget(state, 10, amount_from="amount"), other])
        Run(rules, pay(5))
        return sum(state.spending(("budget", "session", "")))

    assert spent_by_blocked_calls() == 0

    def finished(held: object, ending: Ending) -> None:
        """Do nothing."""

    monkeypatch.setattr(budgets._Held, "finished", finished)
    assert spent_by_blocked_calls() == 5_000_000_000


def test_a_cost_that_is_settled_as_nothing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Releasing what has run would let the cap be spent again and again."""

    def calls_that_start() -> int:
        rules = Interceptors(tool_call=[budget(MemoryState(), 10, amount_from="amount")])
        runs = [Run(rules, pay(5)) for _ in range(1)]
        for _ in range(5):
            if runs[-1].starts:
                runs[-1].end("done")
            runs.append(Run(rules, pay(5)))
        return sum(one.starts for one in runs)

    assert calls_that_start() == 2
    shipped = budgets._Held.finished

    def finished(held: Any, ending: Ending) -> None:
        """Take every end for a release."""
        shipped(held, Ending(executed=False))

    monkeypatch.setattr(budgets._Held, "finished", finished)
    assert calls_that_start() == 6


class SettlesTwice(Accounts):
    """Takes a reservation that was closed for one that is open."""

    def close(self, reservation: Reservation, spent: int, now: float) -> None:
        """Close it."""
        if reservation.id in self._open:
            super().close(reservation, spent, now)
        else:
            self.charge(reservation.key, spent, now)


class FreesLeases(Accounts):
    """Gives back what is reserved when the lease runs out."""

    def _close(self, reservation: Reservation, spent: int) -> None:
        lapsed = self._open[reservation.id][1] <= self.last
        super()._close(reservation, 0 if lapsed else spent)

    def _fall_due(self, now: float) -> None:
        self.last = now
        super()._fall_due(now)


class FillsToTheBrim(Accounts):
    """Lets through what no longer fits by one unit."""

    def reserve(self, key: Key, amount: int, cap: int, now: float) -> Reservation | None:
        """Reserve."""
        return super().reserve(key, amount, cap + 1, now)


class FixedWindow(MemoryState):
    """Counts by the clock's own stretches of time, so that two limits fit into one window."""

    def admit(self, key: Key, limit: int, per_s: float) -> float | None:
        """Admit."""
        begun = self.clock() // per_s * per_s
        return super().admit((*key, str(begun)), limit, per_s)


class ForgetsWindows(MemoryState):
    """Makes room by forgetting a window that still counts."""

    def admit(self, key: Key, limit: int, per_s: float) -> float | None:
        """Admit."""
        tables: Any = self._hidden.value
        for windows in tables.windows._by_length.values():
            while key not in windows and len(windows) >= self.max_keys - 1:
                windows.popitem(last=False)
        return super().admit(key, limit, per_s)


def with_accounts(kind: type[Accounts]) -> Callable[[Callable[[], float]], State]:
    """A state with other accounts."""

    def make(clock: Callable[[], float]) -> State:
        state = MemoryState(**OPTIONS, clock=clock)
        tables: Any = state._hidden.value
        tables.accounts = kind(3, 6.0, None)
        return state

    return make


def made(kind: type[MemoryState], clock: Callable[[], float]) -> State:
    """A state of another kind."""
    return kind(**OPTIONS, clock=clock)


@pytest.mark.parametrize(
    "planted",
    [
        with_accounts(SettlesTwice),
        with_accounts(FreesLeases),
        with_accounts(FillsToTheBrim),
        partial(made, FixedWindow),
        partial(made, ForgetsWindows),
    ],
    ids=["settles twice", "frees leases", "fills to the brim", "fixed window", "forgets windows"],
)
def test_the_model_catches_a_broken_state(planted: Callable[[Callable[[], float]], State]) -> None:
    """Each of them, within a few hundred runs."""

    class Broken(Machine):
        model_options = OPTIONS

        def make(self, clock: Callable[[], float]) -> State:
            return planted(clock)

    with pytest.raises((AssertionError, ExceptionGroup)):
        run_machine(Broken, settings=QUICK)


def test_a_race_in_redis_between_a_check_and_an_act_is_caught(in_redis: Callable[..., Any]) -> None:
    """Two steps that are each atomic overspend, where one script does not."""

    def spent(reserve: Callable[[Any, Key, Barrier], object]) -> int:
        state, barrier, key = in_redis(), Barrier(8, timeout=60), ("race",)
        with ThreadPoolExecutor(8) as threads:
            for one in [threads.submit(reserve, state, key, barrier) for _ in range(8)]:
                one.result()
        return sum(state.spending(key))

    def at_once(state: Any, key: Key, barrier: Barrier) -> None:
        barrier.wait()
        state.reserve(key, 1, 1)

    def in_steps(state: Any, key: Key, barrier: Barrier) -> None:
        room = sum(state.spending(key)) < 1
        barrier.wait()
        if room:
            state.charge(key, 1)

    assert spent(in_steps) == 8
    assert spent(at_once) == 1


def test_a_cost_that_is_rounded_down_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs below a unit would be free."""

    def starts() -> int:
        rules = Interceptors(tool_call=[budget(MemoryState(), 1, amount_from="amount", unit=Decimal("0.5"))])
        return sum(Run(rules, pay(0.4)).starts for _ in range(10))

    assert starts() == 2
    monkeypatch.setattr(Units, "charge", Units.cap)
    assert starts() == 10
