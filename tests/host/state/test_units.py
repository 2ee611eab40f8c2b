"""Amounts are counted exactly, and what is no amount is refused."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw_host.state import InvalidAmount, InvalidLimit, Units
from seamlaw_host.state._units import MOST, checked_units

BILLIONTH = Decimal("0.000000001")
amounts = st.one_of(
    st.integers(0, 9_000_000),
    st.just(0.0) | st.floats(1e-30, 9_000_000),
    st.decimals(0, 9_000_000, places=12),
)
NO_AMOUNT: list[Any] = [
    -100, -0.01, Decimal("-1"), math.nan, math.inf, -math.inf, Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"),
    True, False, "5", b"5", None, 1j, Fraction(1, 2), [1], 10**400, 1e300, Decimal("1e999999"), Decimal("-1e-999999"),
]  # fmt: skip


def exactly(amount: Any) -> Fraction:
    """An amount as it was written."""
    return Fraction(repr(amount)) if isinstance(amount, float) else Fraction(amount)


@given(amounts)
def test_a_charge_is_rounded_up_and_a_cap_down_by_less_than_a_unit(amount: Any) -> None:
    """Rounding never loosens."""
    units = Units(BILLIONTH)
    exact = exactly(amount) * 10**9
    assert 0 <= units.charge(amount) - exact < 1
    assert 0 <= exact - units.cap(amount) < 1


@given(st.lists(amounts, max_size=20))
def test_what_fits_by_units_fits_exactly(charges: list[Any]) -> None:
    """A sum of charges in units that stays under a cap is a sum of amounts that does, however they are written."""
    units, cap = Units(BILLIONTH), 1_000_000
    spent, taken = 0, list[Fraction]()
    for amount in charges:
        if spent + units.charge(amount) <= units.cap(cap):
            spent += units.charge(amount)
            taken.append(exactly(amount))
    assert sum(taken) <= cap


def test_a_tenth_and_two_tenths_are_three_tenths() -> None:
    """A float is the shortest decimal that reads back as it: what was written."""
    units = Units(BILLIONTH)
    assert units.charge(0.1) + units.charge(0.2) == units.charge(0.3) == units.cap(Decimal("0.3")) == 3 * 10**8


@pytest.mark.parametrize("wrong", NO_AMOUNT, ids=lambda wrong: f"{type(wrong).__name__} {str(wrong)[:12]}")
def test_what_is_no_amount_is_refused_and_never_quoted(wrong: Any) -> None:
    """Negative, NaN, infinite, too large, a boolean, text; as a cap, too."""
    units = Units(BILLIONTH)
    with pytest.raises(InvalidAmount, match=r"^/amount: ") as refused:
        units.charge(wrong)
    assert refused.value.path == "/amount"
    assert wrong is None or str(wrong) not in refused.value.problem
    with pytest.raises(InvalidLimit, match=r"^cap: "):
        units.cap(wrong)
    with pytest.raises(InvalidLimit, match=r"^unit: "):
        Units(cast(int, wrong))


def test_an_amount_with_endless_digits_is_refused_at_once() -> None:
    """No amount makes the counting slow."""
    for tiny in (Decimal("1e-999999"), 1e-300):
        with pytest.raises(InvalidAmount, match="more digits"):
            Units(1).charge(tiny)
    with pytest.raises(InvalidAmount, match="more digits"):
        Units(1).charge(Decimal("0." + "1" * 5_000))


def test_a_unit_is_more_than_nothing() -> None:
    """There are no units of nothing."""
    with pytest.raises(InvalidLimit, match="positive"):
        Units(0)


def test_a_larger_unit_counts_further() -> None:
    """A cap past 2^53 units is refused, and says what helps."""
    with pytest.raises(InvalidLimit, match="a larger unit counts further"):
        Units(BILLIONTH).cap(10_000_000)
    assert Units(Decimal("0.000001")).cap(10_000_000) == 10**13


@pytest.mark.parametrize("wrong", [-1, MOST + 1, 1.0, True, "1", None, math.nan])
def test_units_are_whole_numbers(wrong: Any) -> None:
    """What is no number of units is refused."""
    with pytest.raises(InvalidAmount):
        checked_units(wrong)
    assert (checked_units(0), checked_units(MOST)) == (0, MOST)
