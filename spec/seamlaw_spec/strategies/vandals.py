"""JSON, shallow and deep, for interceptors that would change it."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamlaw_spec.scripts import Place
from seamlaw_spec.vandals import Vandalised

from ._lookup import of, register

_scalars: SearchStrategy[Any] = (
    st.none() | st.booleans() | of(int) | of(str) | st.floats(allow_nan=False, allow_infinity=False)
)
_json: SearchStrategy[Any] = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(of(str), inner, max_size=4), max_leaves=12
)


def _buried(levels: int, inside: Any) -> Any:
    for level in range(levels):
        inside = [inside] if level % 2 else {"in": inside}
    return inside


register(
    Vandalised,
    st.builds(Vandalised, st.sampled_from(Place), _json | st.builds(_buried, st.integers(0, 80), _json)),
)
