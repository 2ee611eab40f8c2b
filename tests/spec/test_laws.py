from typing import Any

import pytest
from hypothesis import given

from seamlaw_spec import LAWS, Law
from seamlaw_spec._law import RECORDED, law
from seamlaw_spec.book import BOOK
from seamlaw_spec.strategies import given_for, of


@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
def test_the_law_holds(law: Law) -> None:
    """Each law holds for whatever Hypothesis makes of what it ranges over."""

    @given(**given_for(law))
    def holds(**case: Any) -> None:
        assert law.holds(**case), law.statement

    holds()


@pytest.mark.parametrize("group", BOOK)
def test_a_group_has_just_the_laws_of_the_book(group: str) -> None:
    """No law is missing, none is there that the book does not list, and each says the mechanisms of its row."""
    assert {law.name: law.by for law in LAWS.values() if law.group == group} == dict(BOOK[group])


def test_a_law_needs_a_statement_a_mechanism_and_a_name_of_its_own() -> None:
    """What states nothing, is checked by nothing or repeats a name is no law, and is not recorded."""

    def silent(number: int) -> bool:
        return number == number

    def spoken(number: int) -> bool:
        """A number equals itself."""
        return number == number

    before = dict(RECORDED)
    with pytest.raises(ValueError, match="silent states nothing"):
        law(by="H")(silent)
    for mechanisms in ("", "X", "EH", "HH"):
        with pytest.raises(ValueError, match="must say how it is checked"):
            law(by=mechanisms)(spoken)
    spoken.__name__ = next(iter(LAWS), "spoken")
    if LAWS:
        with pytest.raises(ValueError, match="is a law already"):
            law(by="H")(spoken)
    assert before == RECORDED


def test_a_parameter_of_no_known_type_is_named() -> None:
    """Nothing is guessed for a type without a strategy."""
    with pytest.raises(LookupError, match="no strategy makes complex"):
        of(list[complex])
