"""Scripts: short ones where everything happens, and long ones where nearly nothing does."""

from typing import get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamlaw_spec.scripts import TOOLS, Act, Actor, Declared, Place, Ruled, Script, Turn

from ._lookup import of, register

LEAVES = (Act.EXIT, Act.INTERRUPT)
QUIET = (Act.NONE, Act.ALLOW, Act.FRESH_ALLOW, Act.SAME, Act.EQUAL, Act.NOTE, Act.REPLACE)
GLOBS = (*TOOLS, "read*", "*", "?ead", "write", "*\n", "none")


def _actors(acts: SearchStrategy[Act]) -> SearchStrategy[Actor]:
    return st.builds(
        Actor,
        st.lists(st.builds(Turn, acts, of(int)), min_size=1, max_size=3).map(tuple),
        by=st.sampled_from(["its own count", "everyone's count", "the value"]),
        is_gate=st.booleans(),
        closes=st.booleans(),
        takes=st.just("what is offered") | st.sampled_from(get_args(Declared)),
        tools=_some(GLOBS),
        agents=_some(("a", "b", "a*")),
    )


def _some(globs: tuple[str, ...]) -> SearchStrategy[tuple[str, ...]]:
    return st.just(()) | st.just(()) | st.lists(st.sampled_from(globs), max_size=2).map(tuple)


def _focused(act: Act) -> SearchStrategy[list[Actor]]:
    """A few interceptors, of which many do the same thing: each thing gets its scripts."""
    return st.lists(_actors(st.just(act) | st.sampled_from(QUIET)), min_size=1, max_size=4)


def _ended(quiet: Actor, length: int, loud: Actor) -> list[Actor]:
    return [*[quiet] * length, loud]


_loud = _actors(st.sampled_from([act for act in Act if act not in LEAVES]))
_quiet = _actors(st.sampled_from(QUIET))
_any = _actors(st.sampled_from(Act))
_shapes = (
    st.lists(_loud, max_size=5),
    st.sampled_from(Act).flatmap(_focused),
    st.sampled_from(LEAVES).flatmap(_focused),
    st.lists(_quiet, max_size=10),
    st.builds(_ended, _quiet, st.integers(0, 40), _loud),
)

register(Turn, st.builds(Turn, st.sampled_from(Act), of(int)))
register(Actor, _any)
register(Ruled, st.builds(Ruled, st.sampled_from(["refuse", "ask", "note", "default"]), st.sampled_from(GLOBS)))
register(
    Script,
    st.builds(
        Script,
        st.sampled_from(Place) | st.just(Place.TOOL_CALL),
        st.one_of(*_shapes).map(tuple),
        st.lists(of(int), min_size=1, max_size=3).map(tuple),
        st.sampled_from([None, "a", "b"]),
        st.just(()) | st.lists(of(Ruled), max_size=3).map(tuple),
    ),
)
