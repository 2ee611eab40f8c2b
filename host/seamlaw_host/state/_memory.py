"""Counting in the memory of one process."""

import math
import time
from collections.abc import Callable
from threading import Lock

from seamlaw_packs._fork import tell_when_forked
from seamlaw_packs._hidden import Hidden

from ._checks import checked_now, checked_window, positive
from ._errors import InvalidLimit, StateUnavailable
from ._keys import Key, checked
from ._protocol import DAY_S, Reservation, Spending
from ._tables import Accounts, Attempts, Windows
from ._units import checked_units

__all__ = ["MemoryState"]


class MemoryState:
    """A `State` in memory, of one process: where it is forked with a limit in use, the child's copy refuses.

    It holds at most `max_keys` keys of each kind. Attempts of the key not seen for longest are forgotten. A window
    makes room when nothing in it counts any more, a budget when nothing of it is spent or reserved; where all still
    count, a new key is refused (`StateFull`). `forget_after_s` lets a budget be forgotten that was not touched for so
    long; by default none ever is. `lease_s` is how long a reservation stays open. `clock` gives seconds that go on
    evenly, as `time.monotonic` does; where it jumps back, time stands still until it has caught up, so that nothing
    is forgotten early. Raises `InvalidLimit`.
    """

    def __init__(
        self,
        *,
        max_keys: int = 100_000,
        lease_s: float = DAY_S,
        forget_after_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if type(max_keys) is not int or max_keys < 1:
            raise InvalidLimit("max_keys is a positive whole number")
        self.max_keys = max_keys
        self.lease_s = positive(lease_s, "lease_s")
        self.forget_after_s = None if forget_after_s is None else positive(forget_after_s, "forget_after_s")
        self.clock = clock
        self._hidden = Hidden[_Tables | None](_Tables(self))
        tell_when_forked(self)

    def attempt(self, *keys: Key) -> tuple[int, ...]:
        """Count an attempt by each key, and give how many there were with it."""
        counted = [checked(key) for key in keys]
        tables = self._tables()
        with tables.lock:
            return tuple([tables.attempts.add(key) for key in counted])

    def attempts(self, key: Key) -> int:
        """How many attempts there were, as far as is remembered."""
        key, tables = checked(key), self._tables()
        with tables.lock:
            return tables.attempts.of(key)

    def admit(self, key: Key, limit: int, per_s: float) -> float | None:
        """Take a place in the sliding window, or give the seconds until one is free."""
        key = checked(key)
        checked_window(limit, per_s)
        tables, at = self._tables(), checked_now(self.clock())
        with tables.lock:
            return tables.windows.admit(key, limit, per_s, tables.later(at))

    def reserve(self, key: Key, amount: int, cap: int) -> Reservation | None:
        """Hold an amount, if with it no more than `cap` is spent and reserved."""
        key, amount, cap = checked(key), checked_units(amount), checked_units(cap, "/cap")
        tables, at = self._tables(), checked_now(self.clock())
        with tables.lock:
            return tables.accounts.reserve(key, amount, cap, tables.later(at))

    def settle(self, reservation: Reservation, amount: int | None = None) -> None:
        """Spend what was reserved, or this amount in its place."""
        self._close(reservation, reservation.amount if amount is None else checked_units(amount))

    def release(self, reservation: Reservation) -> None:
        """Give back what was reserved."""
        self._close(reservation, 0)

    def _close(self, reservation: Reservation, spent: int) -> None:
        tables, at = self._tables(), checked_now(self.clock())
        with tables.lock:
            tables.accounts.close(reservation, spent, tables.later(at))

    def charge(self, key: Key, amount: int) -> None:
        """Spend an amount that was not reserved, past any cap."""
        key, amount = checked(key), checked_units(amount)
        tables, at = self._tables(), checked_now(self.clock())
        with tables.lock:
            tables.accounts.charge(key, amount, tables.later(at))

    def spending(self, key: Key) -> Spending:
        """What is spent, and what is reserved."""
        key = checked(key)
        tables, at = self._tables(), checked_now(self.clock())
        with tables.lock:
            return tables.accounts.of(key, tables.later(at))

    def forget(self, key: Key) -> None:
        """Forget what is spent and attempted by a key."""
        key, tables = checked(key), self._tables()
        with tables.lock:
            tables.attempts.forget(key)
            tables.accounts.forget(key)

    def forked(self) -> None:
        """In a child process: a copy of what limits would let parent and child spend it twice."""
        tables = self._hidden.value
        self._hidden.value = _Tables(self) if tables is not None and not tables.limits else None

    def _tables(self) -> "_Tables":
        tables = self._hidden.value
        if tables is None:
            raise StateUnavailable(
                "this process was forked from one that counts already: make a MemoryState in each, or use Redis"
            )
        return tables


class _Tables:
    """All that changes, under one lock: nothing of the user's runs while it is held."""

    def __init__(self, state: MemoryState) -> None:
        self.lock = Lock()
        self.now = -math.inf
        self.attempts = Attempts(state.max_keys)
        self.windows = Windows(state.max_keys)
        self.accounts = Accounts(state.max_keys, state.lease_s, state.forget_after_s)

    def later(self, at: float) -> float:
        """The time, which never goes back."""
        self.now = max(self.now, at)
        return self.now

    @property
    def limits(self) -> bool:
        """Whether something is counted that a limit depends on."""
        return bool(self.windows or self.accounts)
