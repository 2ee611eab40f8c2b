"""Globs, and names that they match, or nearly."""

from hypothesis import strategies as st

from seamlaw_spec.filter_domains import Flood, Listener, Name

from ._lookup import register

LETTERS = st.text(st.sampled_from("ab_"), min_size=1, max_size=4)
PIECES = st.sampled_from(
    ["*", "?", "[ab]", "[!a]", "[a-c]", "[b-a]", "a", "b", "_", "A", ".", "\n", "é", "{", "|", "("]
)
GLOBS = (
    LETTERS
    | st.builds("{}*".format, LETTERS)
    | st.builds("*{}".format, LETTERS)
    | st.lists(PIECES, min_size=1, max_size=5).map("".join)
)
NAMES = (
    LETTERS
    | st.text(st.sampled_from("abA_.\né{|("), max_size=5)
    | st.sampled_from(["", "bash", "bash\n", "BASH", "ba[sh]", "*", "?", "[ab]", "a" * 300])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
)
FILTERS = st.lists(GLOBS, max_size=3).map(tuple)

register(Name, st.builds(Name, NAMES))
register(Listener, st.builds(Listener, FILTERS, FILTERS, st.none() | st.builds(Name, NAMES), st.booleans()))
register(
    Flood,
    st.builds(
        Flood,
        st.lists(FILTERS, max_size=8).map(tuple) | st.lists(st.tuples(GLOBS), min_size=20, max_size=60).map(tuple),
        st.lists(NAMES, max_size=12).map(lambda names: (*names, *names[::-1])),
    ),
)
