"""Vectors of deciding, made of scripts: who stands at a seam and answers what, and what the model says comes of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import product
from typing import Any, TypeVar

from seamlaw_spec.model import Asked, Expected, Logged, performances
from seamlaw_spec.scripts import TOOLS, Act, Actor, Place, Ruled, Script, Turn

from ._files import Vector

__all__ = ["Draw", "chains", "seams"]

T = TypeVar("T")
LEVELS = ("allow", "note", "ask", "block")
SEVERITIES = ("low", "medium", "high")
PLACES = (Place.CONTEXT, Place.PROVIDER_REQUEST, Place.TOOL_CALL, Place.TOOL_RESULT, Place.MEMORY)
DENIALS = {Place.TOOL_RESULT: "[tool result withheld by interceptor: {}]"}
DENIAL = "Blocked by interceptor: {}"
CALL: Vector = {"id": "id-1", "name": TOOLS[0], "arguments": {}}  # what stands beside a result
TOLD: Mapping[Act, Mapping[str, Any]] = {
    Act.NONE: {"do": "none"},
    Act.ALLOW: {"do": "allow"},
    Act.SAME: {"do": "same"},
    Act.NOTE: {"do": "note", "severity": "low"},
    Act.GRAVE_NOTE: {"do": "note", "severity": "high"},
    Act.ASK: {"do": "ask", "target": None, "timeout_s": None, "severity": "medium"},
    Act.ASK_SOMEONE: {"do": "ask", "target": "someone", "timeout_s": 5.0, "severity": "high"},
    Act.BLOCK: {"do": "block", "severity": "high"},
    Act.LIGHT_BLOCK: {"do": "block", "severity": "low"},
    Act.WRONG_TYPE: {"do": "wrong_type"},
    Act.RAISE: {"do": "raise"},
    Act.TRUE: {"do": "nonsense", "answer": True},
    Act.FALSE: {"do": "nonsense", "answer": False},
    Act.ZERO: {"do": "nonsense", "answer": 0},
    Act.TEXT: {"do": "nonsense", "answer": "allow"},
}
ACTS = (*TOLD, Act.REPLACE, Act.FORGED_ID)
CORE = (Act.ALLOW, Act.NOTE, Act.REPLACE, Act.WRONG_TYPE, Act.ASK, Act.BLOCK, Act.RAISE, Act.TRUE)
FILTERS = ((), (), (TOOLS[0],), ("read*",), ("*e",), (TOOLS[2], TOOLS[1]), ("?ead",))
AGENTS = ((), (), ("lead",), ("intern-*",))
RULES = (Ruled("default"), Ruled("note"), Ruled("ask"), Ruled("refuse"), Ruled("default", "read*"), Ruled("ask", "w*"))


class Draw:
    """Draws, always the same ones, on every Python."""

    def __init__(self, seed: str) -> None:
        self.seed, self.count = seed, 0

    def below(self, limit: int) -> int:
        """A number from 0 up to a limit."""
        self.count += 1
        return int.from_bytes(sha256(f"{self.seed} {self.count}".encode()).digest()[:8]) % limit

    def one(self, among: Sequence[T]) -> T:
        """One of several."""
        return among[self.below(len(among))]


def seams() -> Iterator[Vector]:
    """Every seam with everything that may be answered there, in the chain and by a gate, hardened or not."""
    for place, act, is_gate, closes in product(PLACES, ACTS, (False, True), (False, True)):
        if act is Act.FORGED_ID and place is not Place.TOOL_CALL:
            continue
        turn = (Turn(act, 1),)
        who = "gate" if is_gate else "chain"
        name = f"{place.value}, {who}{', on_fault=close' if closes else ''}: {act.value}"
        yield _vector(name, Script(place, (Actor(turn, is_gate=is_gate, closes=closes),)))


def chains() -> Iterator[Vector]:
    """All pairs of answers at a closed and an open seam; then, drawn, up to four, with filters, agents and rules."""
    modes = tuple(product(CORE, (False, True)))
    for place, (one, first), (other, second) in product((Place.TOOL_CALL, Place.MEMORY), modes, modes):
        actors = (Actor((Turn(one, 1),), is_gate=first), Actor((Turn(other, 2),), is_gate=second))
        yield _vector(f"{place.value}: {one.value}, {other.value}", Script(place, actors))
    draw = Draw("chains")
    for at in range(320):
        yield _vector(f"drawn {at}", _drawn(draw))


def _drawn(draw: Draw) -> Script:
    place = draw.one((*PLACES, Place.TOOL_CALL, Place.TOOL_CALL))
    actors = tuple(_actor(draw, place) for _ in range(draw.below(5)))
    rules = tuple(draw.one(RULES) for _ in range(draw.below(3))) if place is Place.TOOL_CALL else ()
    return Script(place, actors, tuple(range(draw.below(2) + 1)), draw.one((None, "lead", "intern-7")), rules)


def _actor(draw: Draw, place: Place) -> Actor:
    acts = (*CORE, *ACTS[:-1]) if place is not Place.TOOL_CALL else (*CORE, *ACTS)
    turns = tuple(Turn(draw.one(acts), draw.below(4)) for _ in range(draw.below(2) + 1))
    tools = draw.one(FILTERS) if place in (Place.TOOL_CALL, Place.TOOL_RESULT) else ()
    return Actor(turns, is_gate=draw.below(2) == 1, closes=draw.below(4) == 0, tools=tools, agents=draw.one(AGENTS))


def _vector(name: str, script: Script) -> Vector:
    expected, seen = performances(script)
    told: Vector = {
        "name": name,
        "seam": script.place.value,
        "interceptors": [_interceptor(f"a{at}", actor, script.place) for at, actor in enumerate(script.actors)],
        "rules": [_rule(f"r{at}", rule) for at, rule in enumerate(script.rules)],
        "agent": script.agent,
        "values": [_value(script.place, number) for number in script.numbers],
    }
    if script.place is Place.TOOL_RESULT:
        told["beside"] = [CALL]
    return told | {
        "expect": [_expected(one, script.place) for one in expected],
        "seen": [[who, _value(script.place, number, filled=filled)] for who, number, filled in seen],
    }


def _interceptor(name: str, actor: Actor, place: Place) -> Vector:
    told: Vector = {"name": name, "mode": "gate" if actor.is_gate else "chain"}
    told |= {"on_fault": "close"} if actor.closes else {}
    told |= {key: list(globs) for key, globs in (("tools", actor.tools), ("agents", actor.agents)) if globs}
    return told | {"answers": [_answer(name, turn, place) for turn in actor.turns]}


def _answer(name: str, turn: Turn, place: Place) -> Vector:
    if turn.act in (Act.REPLACE, Act.FORGED_ID):
        return {"do": "replace", "value": _value(place, turn.number, forged=turn.act is Act.FORGED_ID)}
    told = dict(TOLD[turn.act])
    return told | {"reason": f"{name} says {turn.number}"} if "severity" in told else told


def _rule(name: str, rule: Ruled) -> Vector:
    if rule.verb == "default":
        return {"default": {"tool": rule.tool, "at": "/filled", "value": True}, "name": name}
    return {rule.verb: f"{name} says so", "tools": [rule.tool], "name": name}


_MADE: Mapping[Place, Callable[[int], object]] = {
    Place.CONTEXT: lambda number: [{"role": "user", "content": str(number)}],
    Place.PROVIDER_REQUEST: lambda number: {"model": "m", "kwargs": {"number": number}},
    Place.TOOL_RESULT: lambda number: {"output": {"number": number}},
    Place.MEMORY: lambda number: [{"content": {"number": number}}],
}


def _value(place: Place, number: int, *, filled: bool = False, forged: bool = False) -> object:
    if place is not Place.TOOL_CALL:
        return _MADE[place](number)
    arguments = {"number": number} | ({"filled": True} if filled else {})
    return {"id": "forged" if forged else "id-1", "name": TOOLS[number % 3], "arguments": arguments}


def _expected(one: Expected, place: Place) -> Vector:
    told: Vector = {
        "verdict": one.verdict,
        "value": _value(place, one.number, filled=one.filled),
        "replaced": one.replaced,
    }
    told |= {"asks": list(map(_asked, one.asks)), **_words(one.words), "interceptor": one.who}
    if one.verdict == "block" and "reason" in told:
        told["denial"] = DENIALS.get(place, DENIAL).format(one.words)
    return told | {"log": list(map(_logged, one.log))}


def _words(words: str) -> Vector:
    return {"reason_begins" if words.startswith("interceptor error: ") else "reason": words}


def _asked(ask: Asked) -> Vector:
    return {"interceptor": ask.who, "reason": ask.words, "target": ask.target, "timeout_s": ask.timeout_s}


def _logged(entry: Logged) -> Vector:
    level, severity = LEVELS[entry.level], SEVERITIES[entry.severity]
    return {"kind": entry.kind, "interceptor": entry.who, **_words(entry.words), "level": level, "severity": severity}
