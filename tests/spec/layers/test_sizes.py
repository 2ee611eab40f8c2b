from typing import Any

import pytest

from seamlaw_spec import LAWS
from seamlaw_spec._law import Law
from seamlaw_spec.layers._sizes import Domain, built, flat, heavier, lists, tuples, union
from seamlaw_spec.layers.enumerations import cases, enumerate_for
from seamlaw_spec.layers.exhausted import size_within
from seamlaw_spec.layers.shapes import SHAPES, Free, filled

BITS = flat([0, 1])


@pytest.mark.parametrize(
    "domain",
    [
        BITS,
        heavier(BITS, 2),
        union(BITS, heavier(flat("ab"))),
        tuples(BITS, lists(BITS)),
        lists(union(BITS, heavier(flat("ab")))),
        built(str, lists(BITS)),
    ],
)
def test_there_are_as_many_values_of_a_size_as_are_counted_and_none_twice(domain: Domain) -> None:
    """What is counted is what is enumerated, so that a stated number of cases is the number that was run."""
    for size in range(5):
        values = list(map(repr, domain.values(size)))
        assert len(values) == len(set(values)) == domain.count(size)
    assert domain.how_many(4) == len(list(domain.up_to(4)))


def test_lists_are_all_lists_the_smallest_first() -> None:
    """Nothing is left out."""
    assert list(lists(BITS).up_to(2)) == [[], [0], [1], [0, 0], [1, 0], [0, 1], [1, 1]]


def test_enumerations_are_found_by_annotation() -> None:
    """What has no domain of its own is composed of its parts."""
    assert list(enumerate_for(tuple[bool, int | None], 0)) == [(a, b) for a in (False, True) for b in (0, 1, 2, None)]
    assert len(list(enumerate_for(list[tuple[bool, ...]], 2))) == 1 + 1 + 1 + 2


def test_a_type_that_nothing_enumerates_is_named() -> None:
    """Nothing is guessed."""
    with pytest.raises(LookupError, match="nothing enumerates complex"):
        enumerate_for(list[complex], 1)


@pytest.mark.parametrize("law", [law for law in LAWS.values() if "E" in law.by], ids=lambda law: law.name)
def test_every_law_marked_e_has_cases_of_the_least_size(law: Law) -> None:
    """No law is exhausted over nothing."""
    assert next(iter(cases(law).up_to(0)), None) is not None


def test_the_size_is_the_largest_that_keeps_within_a_number_of_cases() -> None:
    """One more would be too many."""
    assert size_within(lists(BITS), 7) == 2
    assert size_within(lists(BITS), 6) == 1
    assert size_within(BITS, 100) == 0


@pytest.mark.parametrize("law", [law for law in LAWS.values() if "C" in law.by], ids=lambda law: law.name)
def test_every_law_marked_c_has_shapes(law: Law) -> None:
    """Each has at least one case for CrossHair."""
    assert next(iter(SHAPES.cases(law.holds).up_to(0)), None) is not None


def test_what_is_free_is_filled_each_time_anew() -> None:
    """Two replacements never share a value by accident."""
    made = iter(range(9))

    def make(free: Free) -> Any:
        return next(made)

    shape = {"a": [Free(int), (Free(int), "kept")], "b": Free(str, 2)}
    assert filled(shape, make) == {"a": [0, (1, "kept")], "b": 2}
