"""Amounts as whole numbers of a smallest unit, so that sums are exact, in Python and in Redis alike."""

from decimal import Decimal
from typing import Any, TypeAlias, cast

from ._errors import InvalidAmount, InvalidLimit

__all__ = ["MOST", "Amount", "Units", "checked_units"]

Amount: TypeAlias = int | float | Decimal
MOST = 2**53 - 1  # units: what a double, and so a number of Redis' scripts, holds exactly
_DIGITS = 40  # before or after the point: far beyond what any budget can hold


def checked_units(amount: object, place: str = "/amount") -> int:
    """Check a number of units: a whole number from 0 to `MOST`; raises `InvalidAmount`."""
    if type(amount) is not int:
        raise InvalidAmount(place, f"must be a whole number of units, not {type(amount).__name__}")
    if not 0 <= amount <= MOST:
        raise InvalidAmount(place, "must not be negative" if amount < 0 else f"must be at most {MOST} units")
    return amount


class Units:
    """Turns amounts into units: a charge is rounded up, a cap down, so that rounding never loosens.

    A float is taken as the shortest decimal that reads back as it, which is what was written: 0.1 is one tenth.
    """

    def __init__(self, unit: Amount) -> None:
        try:
            self._over, self._under = _ratio(unit, "/unit")
        except InvalidAmount as error:
            raise InvalidLimit(f"unit: {error.problem}") from None
        if self._over == 0:
            raise InvalidLimit("unit: must be positive")

    def charge(self, amount: object, place: str = "/amount") -> int:
        """The units that an amount takes, rounded up; raises `InvalidAmount`, which quotes nothing."""
        over, under = _ratio(amount, place)
        return checked_units(-(-over * self._under // (under * self._over)), place)

    def cap(self, amount: object) -> int:
        """The units that a cap gives, rounded down; raises `InvalidLimit`."""
        try:
            over, under = _ratio(amount, "/cap")
            return checked_units(over * self._under // (under * self._over), "/cap")
        except InvalidAmount as error:
            raise InvalidLimit(f"cap: {error.problem}; a larger unit counts further") from None


def _ratio(amount: object, place: str) -> tuple[int, int]:
    """An amount as a fraction, exactly; raises `InvalidAmount`."""
    kind: type[Any] = type(amount)
    if kind is int:
        whole = cast(int, amount)
        if whole < 0:
            raise InvalidAmount(place, "must not be negative")
        if whole.bit_length() > 4 * _DIGITS:
            raise InvalidAmount(place, "is larger than anything can be counted to")
        return whole, 1
    if kind is float:
        amount = Decimal(repr(amount))
    elif kind is not Decimal:
        raise InvalidAmount(place, f"must be int, float or Decimal, not {kind.__name__}")
    return _decimal_ratio(cast(Decimal, amount), place)


def _decimal_ratio(amount: Decimal, place: str) -> tuple[int, int]:
    if not amount.is_finite():
        raise InvalidAmount(place, "must be a finite number")
    if amount.is_zero():
        return 0, 1
    if amount.is_signed():
        raise InvalidAmount(place, "must not be negative")
    if amount.adjusted() > _DIGITS:
        raise InvalidAmount(place, "is larger than anything can be counted to")
    if len(amount.as_tuple().digits) > 2 * _DIGITS or amount.adjusted() < -_DIGITS:
        raise InvalidAmount(place, "has more digits than can be counted")
    return amount.as_integer_ratio()
