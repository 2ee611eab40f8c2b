"""Whatever is done, in whatever order, at whatever time: each state answers as the naive model does."""

from collections.abc import Callable
from typing import Any, ClassVar, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine
from tests.host.state.model import MOST, Held, Model

from seamlaw_host.state import Key, MemoryState, Reservation, ReservationClosed, State, StateFull

keys = st.sampled_from([("a",), ("b",), ("a", "b"), ("a:b",), ("é {} %",)])
amounts = st.integers(0, 5) | st.sampled_from([MOST, MOST - 1, 2**52])
lengths = st.sampled_from([1, 4, 8])


def outcome(work: Callable[[], Any]) -> Any:
    """What came of it: an answer, or the kind of the exception."""
    try:
        return work()
    except (StateFull, ReservationClosed) as error:
        return type(error)


class Machine(RuleBasedStateMachine):
    """Does the same to a state and to the model."""

    model_options: ClassVar[dict[str, Any]]
    jumps_back: ClassVar = True
    held: Bundle[tuple[Reservation, Held]] = Bundle("held")

    def __init__(self) -> None:
        super().__init__()
        self.clock = 0.0
        self.state = self.make(lambda: self.clock)
        self.model = Model(**self.model_options)

    def make(self, clock: Callable[[], float]) -> State:
        """Make the state that is tried."""
        raise NotImplementedError

    @rule(by=st.sampled_from([0, 1, 2, 3, 5, 9, -1, -4]))
    def time_passes(self, by: float) -> None:
        """The clock goes on, or jumps back."""
        self.clock += by if self.jumps_back else abs(by)
        self.model.tick(self.clock)

    @rule(key=keys)
    def attempt(self, key: Key) -> None:
        """An attempt."""
        assert self.state.attempt(key) == (self.model.attempt(key),)

    @rule(key=keys, limit=st.integers(0, 3), per_s=lengths)
    def admit(self, key: Key, limit: int, per_s: float) -> None:
        """A place in a window."""
        ours = outcome(lambda: self.state.admit(key, limit, per_s))
        assert ours == outcome(lambda: self.model.admit(key, limit, per_s))

    @rule(target=held, key=keys, amount=amounts, cap=st.sampled_from([0, 1, 5, 8, MOST, MOST - 1]))
    def reserve(self, key: Key, amount: int, cap: int) -> Any:
        """A reservation."""
        ours = outcome(lambda: self.state.reserve(key, amount, cap))
        theirs = outcome(lambda: self.model.reserve(key, amount, cap))
        if isinstance(ours, Reservation) and isinstance(theirs, Held):
            return ours, theirs
        assert ours == theirs
        return cast(Any, multiple())

    @rule(held=held, amount=st.none() | amounts)
    def settle(self, held: tuple[Reservation, Held], amount: int | None) -> None:
        """Spend it, perhaps a second time."""
        ours = outcome(lambda: self.state.settle(held[0], amount))
        assert ours == outcome(lambda: self.model.close(held[1], held[1].amount if amount is None else amount))

    @rule(held=held)
    def release(self, held: tuple[Reservation, Held]) -> None:
        """Give it back, perhaps a second time."""
        assert outcome(lambda: self.state.release(held[0])) == outcome(lambda: self.model.close(held[1], 0))

    @rule(key=keys, amount=amounts)
    def charge(self, key: Key, amount: int) -> None:
        """Spend what was not reserved."""
        assert outcome(lambda: self.state.charge(key, amount)) == outcome(lambda: self.model.charge(key, amount))

    @rule(key=keys)
    def forget(self, key: Key) -> None:
        """A session ends."""
        self.state.forget(key)
        self.model.forget(key)

    @invariant()
    def same_counts(self) -> None:
        """Attempts, and what is spent and reserved, are the same."""
        for key in [("a",), ("a:b",), ("a", "b")]:
            assert self.state.spending(key) == self.model.spending(key)
            assert self.state.attempts(key) == self.model.attempted.count(key)


@pytest.mark.parametrize(
    "options",
    [
        {"max_keys": 2, "lease_s": 6.0, "forget_after_s": None},
        {"max_keys": 3, "lease_s": 6.0, "forget_after_s": 5.0},
        {"max_keys": 4, "lease_s": 3.0, "forget_after_s": 9.0},
        {"max_keys": 100, "lease_s": 100.0, "forget_after_s": None},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_a_state_in_memory_is_the_model(options: dict[str, Any]) -> None:
    """Also where there is room for few keys, leases run out, and budgets may be forgotten."""

    class InMemory(Machine):
        model_options = options

        def make(self, clock: Callable[[], float]) -> State:
            return MemoryState(**options, clock=clock)

    run_machine(InMemory, settings=settings(max_examples=100, stateful_step_count=40))


def test_a_state_in_redis_is_the_model(in_redis: Callable[..., State]) -> None:
    """The scripts do what the model does, to the last unit below 2^53, as long as the clock does not jump back.

    Where it does, each window stands still by itself, and a lease may run out early, which spends it.
    """

    class InRedis(Machine):
        jumps_back = False
        model_options: ClassVar = {"max_keys": 1_000, "lease_s": 6.0, "forget_after_s": None}

        def make(self, clock: Callable[[], float]) -> State:
            return in_redis(lease_s=6.0, clock=clock)

    run_machine(InRedis, settings=settings(max_examples=60, stateful_step_count=30))
