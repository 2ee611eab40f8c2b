"""Scripts: short ones where everything happens, and long ones where nearly nothing does."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamlaw_spec.scripts import TOOLS, Act, Actor, Place, Ruled, Script, Turn

from ._lookup import of, register

LEAVES = (Act.EXIT, Act.INTERRUPT)
QUIET = (Act.NONE, Act.ALLOW, Act.FRESH_ALLOW, Act.SAME, Act.EQUAL, Act.NOTE, Act.REPLACE)
GLOBS = (*TOOLS, "read*", "*", "?ead", "write", "*\n", "none")


def _actors(acts: SearchStrategy[Act]) -> SearchStrategy[Actor]:
    return st.builds(
        Actor,
        st.lists(st.builds(Turn, acts, of(int)), max_size=3).map(tuple),
        by=st.sampled_from(["its own count", "everyone's count", "the value"]),
        is_gate=st.booleans(),
        closes=st.booleans(),
        takes=st.sampled_from(["what is offered", "what is offered", "the value", "anything", "the scope"]),
        tools=_some(GLOBS),
        agents=_some(("a", "b", "a*")),
    )


def _some(globs: tuple[str, ...]) -> SearchStrategy[tuple[str, ...]]:
    return st.just(()) | st.lists(st.sampled_from(globs), max_size=2).map(tuple)


_loud = _actors(st.sampled_from([act for act in Act if act not in LEAVES]))
_quiet = _actors(st.sampled_from(QUIET))
_any = _actors(st.sampled_from(Act))

register(Turn, st.builds(Turn, st.sampled_from(Act), of(int)))
register(Actor, _any)
register(Ruled, st.builds(Ruled, st.sampled_from(["refuse", "ask", "note", "default"]), st.sampled_from(GLOBS)))
register(
    Script,
    st.builds(
        Script,
        st.sampled_from(Place) | st.just(Place.TOOL_CALL),
        st.one_of(
            st.lists(_loud, max_size=5),
            st.lists(_any, max_size=3),
            st.lists(_quiet, max_size=40),
            st.tuples(st.lists(_quiet, max_size=40), _loud).map(lambda both: [*both[0], both[1]]),
        ).map(tuple),
        st.lists(of(int), min_size=1, max_size=3).map(tuple),
        st.sampled_from([None, "a", "b"]),
        st.just(()) | st.lists(of(Ruled), max_size=3).map(tuple),
    ),
)
