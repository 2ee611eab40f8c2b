"""Small alphabets of globs and names."""

from seamlaw_spec.filter_domains import Flood, Listener, Name
from seamlaw_spec.layers._sizes import Domain, built, flat, heavier, lists, tuples, union

from ._lookup import register

GLOBS = ("a", "a*", "*b", "?", "[ab]", "[!a]", "*", "a\n")
NAMES = ("", "a", "b", "ab", "A", "a\n", "[ab]")


def _globs(*some: str) -> Domain:
    return union(flat([()]), heavier(flat((glob,) for glob in some)), heavier(flat([("b", "a")]), 2))


def _listener(tools: tuple[str, ...], agents: tuple[str, ...], renames: Name | None, is_gate: bool) -> Listener:
    return Listener(tools, agents, renames, is_gate)


def _flood(listeners: list[Listener], calls: list[tuple[str, str | None]]) -> Flood:
    return Flood(tuple(listeners), (*calls, *calls[::-1]))


register(Name, flat(map(Name, NAMES)))
register(
    Listener,
    built(
        _listener,
        _globs(*GLOBS),
        _globs("a", "a*"),
        union(flat([None]), heavier(flat(map(Name, ("", "a", "b"))))),
        flat([False, True]),
    ),
)
_renames = union(flat([None]), heavier(flat([Name("b")]), 2))
_in_chain = built(Listener, _globs(*GLOBS), _globs("a", "a*"), _renames)
_calls = tuples(flat(NAMES), union(flat([None]), heavier(flat(["a", "b"]))))
register(Flood, built(_flood, lists(_in_chain), lists(_calls)))
