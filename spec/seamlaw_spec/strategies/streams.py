"""Streams of answers."""

from hypothesis import strategies as st

from seamlaw_spec.domains import Heard, Said

from ._lookup import of, register

register(Heard, st.builds(Heard, st.sampled_from(Said), of(int)))
