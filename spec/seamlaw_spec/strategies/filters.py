"""Globs, and names that they match, or nearly."""

from hypothesis import strategies as st

from seamlaw_spec.filter_domains import Flood, Listener, Name

from ._lookup import register

LETTERS = st.text(st.sampled_from("ab_"), min_size=1, max_size=4)
PIECES = st.sampled_from(["*", "?", "[ab]", "[!a]", "[a-c]", "a", "b", "_", "A", ".", "\n", "é", "{", "|", "("])
GLOBS = (
    st.sampled_from(["bash", "b*h", "ba?h", "*sh", "bas*", "BASH", "*", "[a-c]ash", "[!a]*", "*\n"])
    | LETTERS
    | st.builds("{}*".format, LETTERS)
    | st.builds("*{}".format, LETTERS)
    | st.lists(PIECES, min_size=1, max_size=5).map("".join)
)
NAMES = (
    st.sampled_from(["bash", "bash", "bash\n", "BASH", "b", "bush", "bashh", ""])
    | LETTERS
    | st.text(st.sampled_from("abA_.\né{|("), max_size=5)
    | st.sampled_from(["", "bash", "bash\n", "BASH", "ba[sh]", "*", "?", "[ab]", "a" * 300])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
)
FILTERS = st.lists(GLOBS, max_size=3).map(tuple)

LOOKING = [
    Listener(tools, agents, None, is_gate)
    for tools in (
        (),
        ("bash",),
        ("bash", "b*h"),
        ("ba*",),
        ("*sh",),
        ("b?sh",),
        ("BASH", "bash"),
        ("[!a]*",),
        ("bush",),
    )
    for agents in ((), ("bash",), ("b*",))
    for is_gate in (False, True)
]
RENAMES = st.none() | st.builds(Name, NAMES)
LOOKERS = st.lists(
    st.sampled_from(LOOKING) | st.builds(Listener, FILTERS, FILTERS, RENAMES, st.booleans()), max_size=8
) | st.lists(st.sampled_from(LOOKING), min_size=20, max_size=60)


def _and_again(calls: list[tuple[str, str | None]]) -> tuple[tuple[str, str | None], ...]:
    return (*calls, *calls[::-1])


register(Name, st.builds(Name, NAMES))
register(Listener, st.builds(Listener, FILTERS, FILTERS, RENAMES, st.booleans()))
register(
    Flood,
    st.builds(
        Flood,
        LOOKERS.map(tuple),
        st.lists(st.tuples(NAMES, st.none() | NAMES), max_size=12).map(_and_again),
    ),
)
