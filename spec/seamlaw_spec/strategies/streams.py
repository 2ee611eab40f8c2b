"""Streams of answers, and parts of bundles."""

from hypothesis import strategies as st

from seamlaw_spec.bundles import Part, Slot
from seamlaw_spec.domains import Heard, Said

from ._lookup import of, register

register(Heard, st.builds(Heard, st.sampled_from(Said), of(int)))
register(Part, st.builds(Part, st.sampled_from(Slot) | st.just(Slot.TOOL_CALL), st.booleans()))
