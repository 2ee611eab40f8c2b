"""A state as one would write it first: everything is kept, and counted anew each time."""

import math

from attrs import define, field

from seamlaw_host.state import Key, ReservationClosed, Spending, StateFull

MOST = 2**53 - 1


@define
class Held:
    """A reservation."""

    key: Key
    amount: int
    until: float


@define
class Model:
    """What every state must agree with."""

    max_keys: int
    lease_s: float
    forget_after_s: float | None
    now: float = 0.0
    attempted: list[Key] = field(factory=list[Key])
    admitted: list[tuple[Key, float, float]] = field(factory=list[tuple[Key, float, float]])
    spent: dict[Key, int] = field(factory=dict[Key, int])
    touched: dict[Key, float] = field(factory=dict[Key, float])
    held: list[Held] = field(factory=list[Held])

    def tick(self, clock: float) -> None:
        """Let time go on, never back."""
        self.now = max(self.now, clock)

    def attempt(self, key: Key) -> int:
        """Remember it; where too many keys are, forget the one seen last of all."""
        self.attempted.append(key)
        known = dict.fromkeys(reversed(self.attempted))
        if len(known) > self.max_keys:
            self.attempted = [one for one in self.attempted if one != list(known)[-1]]
        return self.attempted.count(key)

    def _inside(self, key: Key, per_s: float) -> list[float]:
        return [at for one, length, at in self.admitted if (one, length) == (key, per_s) and at + per_s > self.now]

    def admit(self, key: Key, limit: int, per_s: float) -> float | None:
        """Count those inside the window."""
        if limit == 0:
            return math.inf
        inside = self._inside(key, per_s)
        if len(inside) >= limit:
            return sorted(inside, reverse=True)[limit - 1] + per_s - self.now
        busy = {(one, length) for one, length, at in self.admitted if at + length > self.now}
        if not inside and len(busy) >= self.max_keys:
            raise StateFull
        self.admitted.append((key, per_s, self.now))
        return None

    def fall_due(self) -> None:
        """Spend what nobody came back for, and forget what may be."""
        for one in [one for one in self.held if one.until <= self.now]:
            self.held.remove(one)
            self._spend(one.key, one.amount)
        if self.forget_after_s is not None:
            for key in [key for key, at in self.touched.items() if self.now - at >= self.forget_after_s]:
                if self._open(key):
                    self.touched[key] = self.now
                else:
                    self.spent.pop(key, None)
                    self._tidy(key)

    def _open(self, key: Key) -> list[Held]:
        return [one for one in self.held if one.key == key]

    def _spend(self, key: Key, amount: int) -> None:
        self.spent[key] = min(self.spent.get(key, 0) + amount, MOST)
        self._tidy(key)

    def _tidy(self, key: Key) -> None:
        if not self.spent.get(key) and not self._open(key):
            self.spent.pop(key, None)
            self.touched.pop(key, None)

    def _room(self, key: Key) -> None:
        if key not in self.touched and len(self.touched) >= self.max_keys:
            raise StateFull

    def spending(self, key: Key) -> Spending:
        """Add it up."""
        self.fall_due()
        return Spending(self.spent.get(key, 0), sum(one.amount for one in self._open(key)))

    def reserve(self, key: Key, amount: int, cap: int) -> Held | None:
        """Hold it, if it fits."""
        used = sum(self.spending(key))
        if used >= cap or used + amount > cap:
            return None
        if len(self.held) >= self.max_keys:
            raise StateFull
        self._room(key)
        one = Held(key, amount, self.now + self.lease_s)
        self.held.append(one)
        self.touched[key] = self.now
        return one

    def close(self, one: Held, spent: int) -> None:
        """Spend it, or give it back."""
        self.fall_due()
        if not any(held is one for held in self.held):
            raise ReservationClosed
        self.held = [held for held in self.held if held is not one]
        self.touched[one.key] = self.now
        self._spend(one.key, spent)

    def charge(self, key: Key, amount: int) -> None:
        """Spend it."""
        self.fall_due()
        self._room(key)
        self.touched[key] = self.now
        self._spend(key, amount)

    def forget(self, key: Key) -> None:
        """Forget it."""
        self.attempted = [one for one in self.attempted if one != key]
        self.spent.pop(key, None)
        self._tidy(key)
