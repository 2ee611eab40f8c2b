"""Scripts: every place, with everyone who may stand there doing everything that can be done."""

from typing import Any, get_args

from seamlaw_spec.layers._sizes import Domain, built, flat, heavier, lists, union
from seamlaw_spec.scripts import TOOLS, Act, Actor, Declared, Place, Ruled, Script, Turn

from ._lookup import register

TURNS = tuple(Turn(act, 1) for act in Act)
RULED = tuple(Ruled(verb, tool) for verb in ("refuse", "ask", "note", "default") for tool in ("*", TOOLS[0]))


def _once(turn: Turn, is_gate: bool, closes: bool, takes: Any) -> Actor:
    return Actor((turn,), is_gate=is_gate, closes=closes, takes=takes)


def _twice(turn: Turn, then: Turn, by: Any, is_gate: bool) -> Actor:
    return Actor((turn, then), by=by, is_gate=is_gate)


def _filtered(turn: Turn, is_gate: bool, tools: tuple[str, ...], agents: tuple[str, ...]) -> Actor:
    return Actor((turn,), is_gate=is_gate, tools=tools, agents=agents)


def _choice(usual: Any, *unusual: Any) -> Domain:
    """What is usual costs nothing; what is not counts one."""
    return union(flat([usual]), heavier(flat(unusual)))


def _script(
    place: Place, actors: list[Actor], numbers: tuple[int, ...], agent: str | None, rules: list[Ruled]
) -> Script:
    return Script(place, tuple(actors), numbers, agent, tuple(rules))


_turn = flat(TURNS)
_gate = flat([False, True])
_actor = union(
    built(
        _once,
        _turn,
        _gate,
        _choice(False, True),
        _choice(*get_args(Declared)),
    ),
    heavier(built(_filtered, _turn, _gate, flat([(), (TOOLS[0],), ("read*",), ("none",)]), flat([(), ("a",)]))),
    heavier(built(_twice, _turn, _turn, flat(["its own count", "everyone's count", "the value"]), _gate)),
)

register(Turn, _turn)
register(Actor, _actor)
register(Ruled, flat(RULED))
register(
    Script,
    built(
        _script,
        flat(Place),
        lists(_actor),
        _choice((0,), (0, 1), (1, 0, 1)),
        _choice(None, "a", "b"),
        lists(flat(RULED)),
    ),
)
