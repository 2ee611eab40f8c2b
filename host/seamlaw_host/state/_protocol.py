"""What counts: the operations, each atomic, and what they promise."""

from typing import NamedTuple, Protocol

from attrs import frozen

from ._keys import Key

__all__ = ["DAY_S", "Reservation", "Spending", "State"]

DAY_S = 86_400.0


@frozen
class Reservation:
    """So many units of a budget, held until the call they are for has ended."""

    id: str
    key: Key
    amount: int


class Spending(NamedTuple):
    """What has become of a budget, in units."""

    spent: int
    reserved: int


class State(Protocol):
    """Counts from call to call; every operation is atomic, short, and safe from any thread.

    Amounts are whole numbers of units, from 0 to 2^53 - 1. Each operation raises `InvalidAmount` for what is no key or
    amount, and changes nothing then; `StateFull` where a new key would push out one that still counts; and
    `StateUnavailable` where nothing can be counted. To a gate each of them is a fault, and blocks.
    """

    def attempt(self, *keys: Key) -> tuple[int, ...]:
        """Count an attempt by each key, and give how many there were with it."""
        ...

    def attempts(self, key: Key) -> int:
        """How many attempts there were.

        For information: a key not seen for long is forgotten, and counts from 0 again. Limit by `admit` or `reserve`.
        """
        ...

    def admit(self, key: Key, limit: int, per_s: float) -> float | None:
        """Take a place in the window of this length that slides along, or give the seconds until one is free.

        In no window of `per_s` seconds, its end left out, are there more than `limit` that got `None`.
        """
        ...

    def reserve(self, key: Key, amount: int, cap: int) -> Reservation | None:
        """Hold an amount, if with it no more than `cap` is spent and reserved; else hold nothing and give `None`.

        A reservation that nobody settles or releases until its lease runs out is spent in full: whoever held it may
        have spent it. So a crash neither frees what was spent nor spends twice.
        """
        ...

    def settle(self, reservation: Reservation, amount: int | None = None) -> None:
        """Spend what was reserved, or this amount in its place; raises `ReservationClosed`.

        More than was reserved is spent in full, past a cap, too: it is gone.
        """
        ...

    def release(self, reservation: Reservation) -> None:
        """Give back what was reserved; raises `ReservationClosed`."""
        ...

    def charge(self, key: Key, amount: int) -> None:
        """Spend an amount that was not reserved, past any cap: it is gone. A sum stops at 2^53 - 1."""
        ...

    def spending(self, key: Key) -> Spending:
        """What is spent, and what is reserved."""
        ...

    def forget(self, key: Key) -> None:
        """Forget what is spent and attempted by a key: a session has ended, a month has begun.

        What is reserved stays reserved, and is spent afterwards; a window goes on.
        """
        ...
