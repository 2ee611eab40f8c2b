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

LOOKING = st.builds(Listener, FILTERS, FILTERS, st.none(), st.booleans())


def _and_again(calls: list[tuple[str, str | None]]) -> tuple[tuple[str, str | None], ...]:
    return (*calls, *calls[::-1])


register(Name, st.builds(Name, NAMES))
register(Listener, st.builds(Listener, FILTERS, FILTERS, st.none() | st.builds(Name, NAMES), st.booleans()))
register(
    Flood,
    st.builds(
        Flood,
        (st.lists(LOOKING, max_size=8) | st.lists(LOOKING, min_size=20, max_size=60)).map(tuple),
        st.lists(st.tuples(NAMES, st.none() | NAMES), max_size=12).map(_and_again),
    ),
)
