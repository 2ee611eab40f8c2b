"""What is counted in memory: attempts, sliding windows, budgets. Whoever calls holds the lock and says the time.

Each table is kept in the order in which its keys fall due, so that looking for what may be forgotten is looking at
the first. Nothing that still counts is forgotten: a table that is full of it refuses a new key.
"""

from collections import OrderedDict, deque
from itertools import count

from attrs import define

from ._errors import ReservationClosed, StateFull
from ._keys import Key
from ._protocol import Reservation, Spending
from ._units import MOST

__all__ = ["Accounts", "Attempts", "Windows"]


class Attempts:
    """How many attempts by each key; the key not seen for longest is forgotten first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: OrderedDict[Key, int] = OrderedDict()

    def add(self, key: Key) -> int:
        """Count one more."""
        number = self._counts[key] = self._counts.pop(key, 0) + 1
        if len(self._counts) > self._most:
            self._counts.popitem(last=False)
        return number

    def of(self, key: Key) -> int:
        """How many there were."""
        return self._counts.get(key, 0)

    def forget(self, key: Key) -> None:
        """Begin anew."""
        self._counts.pop(key, None)


class Windows:
    """When each key was admitted, as far back as its window reaches."""

    def __init__(self, most: int) -> None:
        self._most = most
        # By length of window: there, whoever was admitted last stands last, and the first is the first to be over.
        self._by_length: dict[float, OrderedDict[Key, deque[float]]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_length)

    def admit(self, key: Key, limit: int, per_s: float, now: float) -> float | None:
        """Take a place, or give the seconds until one is free."""
        if limit == 0:
            return float("inf")
        windows = self._by_length.get(per_s)
        taken = None if windows is None else windows.get(key)
        if taken is None:
            self._make_room(now)
            taken = self._by_length.setdefault(per_s, OrderedDict()).setdefault(key, deque())
        while taken and now - taken[0] >= per_s:
            taken.popleft()
        if len(taken) >= limit:
            return per_s - (now - taken[len(taken) - limit])
        taken.append(now)
        self._by_length[per_s].move_to_end(key)
        return None

    def _make_room(self, now: float) -> None:
        for per_s, windows in list(self._by_length.items()):
            while windows:
                first = next(iter(windows))
                if now - windows[first][-1] < per_s:
                    break
                del windows[first]
            if not windows:
                del self._by_length[per_s]
        if sum(map(len, self._by_length.values())) >= self._most:
            raise StateFull(f"{self._most} windows still count: MemoryState(max_keys=…)")


@define
class _Account:
    spent: int = 0
    reserved: int = 0
    open: int = 0  # reservations; one of 0 units counts, too
    touched: float = 0.0


class Accounts:
    """What is spent and reserved by each key, and the reservations that are open."""

    def __init__(self, most: int, lease_s: float, forget_after_s: float | None) -> None:
        self._most = most
        self._lease_s = lease_s
        self._forget_after_s = forget_after_s
        self._accounts: OrderedDict[Key, _Account] = OrderedDict()  # whoever was not touched for longest comes first
        self._open: OrderedDict[str, tuple[Reservation, float]] = OrderedDict()  # with the time the lease runs out
        self._ids = count(1)

    def __bool__(self) -> bool:
        return bool(self._accounts)

    def of(self, key: Key, now: float) -> Spending:
        """What has become of a budget."""
        self._fall_due(now)
        account = self._accounts.get(key) or _Account()
        return Spending(account.spent, account.reserved)

    def reserve(self, key: Key, amount: int, cap: int, now: float) -> Reservation | None:
        """Hold an amount, if it fits and the cap is not reached."""
        used = sum(self.of(key, now))
        if used + amount > cap or used >= cap:
            return None
        if len(self._open) >= self._most:
            raise StateFull(f"{self._most} reservations are open: MemoryState(max_keys=…)")
        account = self._touched(key, now)
        account.reserved += amount
        account.open += 1
        held = Reservation(str(next(self._ids)), key, amount)
        self._open[held.id] = held, now + self._lease_s
        return held

    def close(self, reservation: Reservation, spent: int, now: float) -> None:
        """Spend this much of a reservation, or in its place."""
        self._fall_due(now)
        if self._open.get(reservation.id, (None,))[0] != reservation:
            raise ReservationClosed("it was settled or released before, or its lease has run out")
        self._touched(reservation.key, now)
        self._close(reservation, spent)

    def charge(self, key: Key, amount: int, now: float) -> None:
        """Spend an amount."""
        self._fall_due(now)
        account = self._touched(key, now)
        account.spent = min(account.spent + amount, MOST)
        self._drop_if_empty(key, account)

    def forget(self, key: Key) -> None:
        """Set what is spent to 0."""
        account = self._accounts.get(key)
        if account is not None:
            account.spent = 0
            self._drop_if_empty(key, account)

    def _close(self, reservation: Reservation, spent: int) -> None:
        del self._open[reservation.id]
        account = self._accounts[reservation.key]
        account.reserved -= reservation.amount
        account.open -= 1
        account.spent = min(account.spent + spent, MOST)
        self._drop_if_empty(reservation.key, account)

    def _drop_if_empty(self, key: Key, account: _Account) -> None:
        if not (account.spent or account.open):
            del self._accounts[key]

    def _touched(self, key: Key, now: float) -> _Account:
        account = self._accounts.get(key)
        if account is None:
            if len(self._accounts) >= self._most:
                raise StateFull(f"{self._most} budgets still count: MemoryState(max_keys=…, forget_after_s=…)")
            account = self._accounts[key] = _Account()
        else:
            self._accounts.move_to_end(key)
        account.touched = now
        return account

    def _fall_due(self, now: float) -> None:
        """Spend the reservations whose lease has run out, and forget the budgets that may be."""
        while self._open:
            held, until = next(iter(self._open.values()))
            if now < until:
                break
            self._close(held, held.amount)
        while self._forget_after_s is not None and self._accounts:
            key, account = next(iter(self._accounts.items()))
            if now - account.touched < self._forget_after_s:
                break
            if account.open:
                self._touched(key, now)
            else:
                del self._accounts[key]
