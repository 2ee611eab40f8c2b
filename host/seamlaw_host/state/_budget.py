"""A gate that lets calls through as long as there is something left to spend."""

from collections import deque
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, TypeAlias

from attrs import Factory, field, frozen

from seamlaw import Block, Interceptor, Scope, block, gate
from seamlaw_host.errors import HostError
from seamlaw_packs._hidden import Hidden

from ._errors import InvalidAmount, InvalidLimit, ReservationClosed
from ._keys import By, Key, key_of
from ._meter import Ending, attempt_of
from ._protocol import Reservation, State
from ._rate import ENDED
from ._units import Amount, Units

__all__ = ["BILLIONTH", "AmountFrom", "budget"]

AmountFrom: TypeAlias = Amount | str | Callable[[Any], object]
BILLIONTH = Decimal("0.000000001")
Owed: TypeAlias = "deque[tuple[Reservation, int | None]]"


def _no_debts() -> Hidden[Owed]:
    return Hidden(deque())


def _amount(given: AmountFrom, units: Units) -> Callable[[Any], object]:
    """What finds the amount of a call: the same for all, an argument by its name, or a function of the value."""
    if callable(given):
        return given
    if isinstance(given, str):
        return lambda value: _argument(value, given)
    _constant(given, units, "amount_from")
    return lambda value: given


def _constant(amount: Amount, units: Units, name: str) -> int:
    try:
        return units.charge(amount)
    except InvalidAmount as error:
        raise InvalidLimit(f"{name}: {error.problem}") from None


def _argument(value: Any, name: str) -> object:
    if name not in value.arguments:
        raise InvalidAmount(f"/arguments/{name}", "is missing, and says what the call costs")
    return value.arguments[name]


@frozen(eq=False)
class _Budget:
    state: State
    cap: Amount
    units: Units
    key: Callable[[Any, Scope], Key]
    amount_from: Callable[[Any], object] | None
    actual_from: Callable[[Any], object] | None
    if_unknown: int | None
    most: int = field(init=False, default=Factory(lambda it: it.units.cap(it.cap), takes_self=True))
    owed: Hidden[Owed] = field(init=False, factory=_no_debts)  # what could not be settled when it was due

    def judge(self, value: Any, scope: Scope | None) -> Block | None:
        """Reserve what the call costs, until it has ended."""
        self._pay()
        attempt = attempt_of(value)
        if attempt is None and self.amount_from is None:
            raise HostError("what a call costs is told by its result: decide it in an engine, or in metering()")
        earlier = attempt.drop(self) if attempt is not None else None
        if earlier is not None:
            earlier.finished(Ending(executed=False))
        try:
            amount = 0 if self.amount_from is None else self.units.charge(self.amount_from(value))
        except InvalidAmount as error:
            return block(str(error))
        held = self.state.reserve(self.key(value, scope or Scope()), amount, self.most)
        if held is None:
            return block(f"at most {self.cap} may be spent, and with this call it would be more")
        if attempt is None:
            self.close(held, held.amount)
        elif not attempt.hold(self, _Held(self, held)):
            self.close(held, None)
            return block(ENDED)
        return None

    def actual(self, result: Any) -> int:
        """What a call did cost."""
        if self.actual_from is None:
            raise HostError("nothing tells what a call did cost")
        return self.units.charge(self.actual_from(result), "/actual")

    def unknown(self, held: Reservation) -> int:
        """What is spent by a call that does not tell what it cost: never nothing."""
        if self.if_unknown is not None:
            return self.if_unknown
        return self.most if self.amount_from is None else held.amount

    def close(self, held: Reservation, amount: int | None) -> None:
        """Settle by an amount, or release; what cannot be done now is done before the next call is let through."""
        self.owed.value.append((held, amount))
        self._pay()

    def _pay(self) -> None:
        owed = self.owed.value
        while owed:
            try:
                held, amount = owed.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                _close(self.state, held, amount)
            except ReservationClosed:
                continue
            except BaseException:
                owed.appendleft((held, amount))
                raise


def _close(state: State, held: Reservation, amount: int | None) -> None:
    if amount is None:
        state.release(held)
        return
    try:
        state.settle(held, amount)
    except ReservationClosed:  # its lease has run out, and what was reserved is spent: what is more remains
        if amount > held.amount:
            state.charge(held.key, amount - held.amount)


@frozen(eq=False)
class _Held:
    """A reservation that waits for the end of its call."""

    budget: _Budget
    held: Reservation

    def finished(self, ending: Ending, /) -> None:
        """Settle or release it."""
        if not ending.executed:
            self.budget.close(self.held, None)
        elif self.budget.actual_from is None:
            self.budget.close(self.held, self.held.amount)
        else:
            self._settle(ending)

    def _settle(self, ending: Ending) -> None:
        try:
            amount = self.budget.actual(ending.result)
        except BaseException:
            self.budget.close(self.held, self.budget.unknown(self.held))
            raise
        self.budget.close(self.held, amount)


def budget(
    state: State,
    cap: Amount,
    *,
    amount_from: AmountFrom | None = None,
    actual_from: Callable[[Any], object] | None = None,
    if_unknown: Amount | None = None,
    unit: Amount = BILLIONTH,
    key: By = "session",
    name: str = "budget",
    tools: str | Iterable[str] = (),
    agents: str | Iterable[str] = (),
) -> Interceptor:
    """A gate that lets a call through only if what it costs fits under `cap`, per key.

    `amount_from` tells the cost before the call: a number, the name of an argument, or a function of the call. It is
    reserved, so no interleaving of calls spends more than the cap; when the tool was started, it is spent, even if
    the tool raised, and else it is given back. `actual_from` tells it afterwards, from the result: alone, calls are
    let through until the cap is reached, and those on their way may go past it; with `amount_from`, which is then an
    estimate, the cap holds as long as no call costs more than its estimate. A result that does not tell costs
    `if_unknown`, or else the estimate, or else all there is.

    Amounts are `int`, `float` or `Decimal`, counted in whole `unit`s: costs rounded up, the cap down. Raises
    `InvalidLimit`.
    """
    if amount_from is None and actual_from is None:
        raise InvalidLimit("a budget needs amount_from, actual_from, or both: something must tell what a call costs")
    units = Units(unit)
    known = None if amount_from is None else _amount(amount_from, units)
    unknown = None if if_unknown is None else _constant(if_unknown, units, "if_unknown")
    made = _Budget(state, cap, units, key_of(key, name), known, actual_from, unknown)
    return gate(made.judge, name=name, tools=tools, agents=agents)
