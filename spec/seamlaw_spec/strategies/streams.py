"""Streams of answers, and parts of bundles."""

from collections.abc import Iterable

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamlaw_spec.bundles import Part, Slot
from seamlaw_spec.domains import Heard, Said

from ._lookup import of, register

QUIET = (Said.ALLOW, Said.NOTE, Said.REPLACE)


def _heard(said: Iterable[Said]) -> SearchStrategy[Heard]:
    return st.builds(Heard, st.sampled_from(list(said)), of(int))


def _of_few(kinds: list[Said]) -> SearchStrategy[list[Heard]]:
    return st.lists(_heard(kinds), max_size=4)


def _one_loud(quiet: list[Heard], loud: Heard, at: int) -> list[Heard]:
    return [*quiet[:at], loud, *quiet[at:]]


_any, _quiet = _heard(Said), _heard(QUIET)
_long = st.lists(_quiet, min_size=33, max_size=40)

register(Heard, _any)
register(
    list[Heard],
    st.one_of(
        st.lists(_any, max_size=5),
        st.lists(st.sampled_from(Said), min_size=1, max_size=2).flatmap(_of_few),
        st.builds(_one_loud, st.lists(_quiet, max_size=4), _any, st.integers(0, 4)),
        st.builds(_one_loud, _long, _any, st.integers(30, 40)),
    ),
)
register(Part, st.builds(Part, st.sampled_from(Slot) | st.just(Slot.TOOL_CALL), st.booleans()))
