"""Where a script is played: real interceptors on the shipped kernel, with every consultation recorded."""

from collections.abc import Callable, Mapping
from typing import Any

from seamlaw import (
    ALLOW,
    SEAMS,
    Allow,
    Ask,
    Block,
    Globs,
    Interceptor,
    Interceptors,
    Note,
    Replace,
    Scope,
    Several,
    Severity,
    ToolCall,
    parse_rules,
)

from .odd import Odd, made
from .places import beside, number_of, seam_of, value
from .scripts import Act, Actor, Place, Ruled, Script, Turn

__all__ = ["Stage", "act"]


_PLAIN: Mapping[Act, Callable[[], object]] = {
    Act.NONE: lambda: None,
    Act.ALLOW: lambda: ALLOW,
    Act.FRESH_ALLOW: Allow,
    Act.SEVERAL_NOTHING: lambda: Several(()),
    Act.WRONG_TYPE: lambda: Replace(("wrong",)),
    Act.TRUE: lambda: True,
    Act.FALSE: lambda: False,
    Act.ZERO: lambda: 0,
    Act.TEXT: lambda: "allow",
    Act.DECISION_CLASS: lambda: Allow,
    Act.FORGED_ALLOW: lambda: made(Odd.FORGED_ALLOW),
    Act.COROUTINE: lambda: made(Odd.COROUTINE),
}
_WORDED: Mapping[Act, Callable[[str], object]] = {
    Act.NOTE: Note,
    Act.GRAVE_NOTE: lambda why: Note(why, Severity.HIGH),
    Act.ASK: Ask,
    Act.ASK_SOMEONE: lambda why: Ask(why, "someone", 5.0, Severity.HIGH),
    Act.BLOCK: Block,
    Act.LIGHT_BLOCK: lambda why: Block(why, Severity.LOW),
    Act.SEVERAL: lambda why: Several((Note(why), Ask(why), Block(why, Severity.MEDIUM))),
}
_RAISED: Mapping[Act, type[BaseException]] = {
    Act.RAISE: RuntimeError,
    Act.EXIT: SystemExit,
    Act.INTERRUPT: KeyboardInterrupt,
}


class Stage:
    """A script made ready to be played; what was seen stays readable. Make one anew for each performance."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.seen: list[tuple[str, Any]] = []
        self.did: list[Act] = []
        self.seam = seam_of(script.place)
        self.beside = beside(script.place)
        self.scope = Scope(agent=script.agent)
        self.bundle = self._bundle()

    def _bundle(self) -> Interceptors:
        given = tuple(self._interceptor(f"a{at}", actor) for at, actor in enumerate(self.script.actors))
        rules = parse_rules([_rule(f"r{at}", said) for at, said in enumerate(self.script.rules)])
        if self.seam.name not in SEAMS:
            return Interceptors(seams={self.seam: given}, rules=rules)
        at: dict[str, Any] = {self.seam.name: given}
        return Interceptors(rules=rules, **at)

    def _interceptor(self, name: str, actor: Actor) -> Interceptor:
        return Interceptor(
            self._function(name, actor),
            name,
            actor.is_gate,
            Globs(actor.tools if self.seam.call_at is not None else ()),
            Globs(actor.agents),
            actor.closes,
        )

    def _function(self, name: str, actor: Actor) -> Callable[..., object]:
        def alone(shown: object, /) -> object:
            own = sum(asked == name for asked, _ in self.seen)
            turn = actor.turn(own, len(self.seen), number_of(self.script.place, shown))
            self.seen.append((name, shown))
            self.did.append(turn.act)
            return act(turn, self.script.place, shown, name)

        def with_call(shown: object, call: ToolCall) -> object:
            return alone(shown) if (call,) == self.beside else "was shown another call"

        def with_scope(shown: object, *_: object, scope: Scope) -> object:
            return alone(shown) if scope == self.scope else "was told of another scope"

        def with_scope_by_place(shown: object, scope: Scope, /) -> object:
            return with_scope(shown, scope=scope)

        def with_one_more(shown: object, who: Scope) -> object:
            return with_scope(shown, scope=who)

        def with_call_and_one_more(shown: object, call: ToolCall, who: Scope) -> object:
            return with_call(shown, call) if who == self.scope else "was told of another scope"

        def with_anything(*offered: object) -> object:
            return alone(offered[0]) if offered[1:] == self.beside else "was shown something else"

        takes: dict[str, Callable[..., object]] = {
            "the value": alone,
            "anything": with_anything,
            "the scope": with_scope,
            "the scope by place": with_scope_by_place,
            "one more": with_call_and_one_more if self.beside else with_one_more,
        }
        return takes.get(actor.takes, with_call if self.beside else alone)


def act(turn: Turn, place: Place, shown: Any, name: str) -> object:
    """Do what the turn says."""
    if turn.act in _RAISED:
        raise _RAISED[turn.act]("a secret")
    if turn.act in _PLAIN:
        return _PLAIN[turn.act]()
    if turn.act in _WORDED:
        return _WORDED[turn.act](f"{name} says {turn.number}")
    if turn.act is Act.SAME:
        return Replace(shown)
    number = number_of(place, shown) if turn.act is Act.EQUAL else turn.number
    filled = turn.act is Act.EQUAL and place is Place.TOOL_CALL and "filled" in shown.arguments
    return Replace(value(place, number, filled=filled, forged=turn.act is Act.FORGED_ID))


def _rule(name: str, said: Ruled) -> dict[str, object]:
    if said.verb == "default":
        return {"default": {"tool": said.tool, "at": "/filled", "value": True}, "name": name}
    return {said.verb: f"{name} says so", "tools": [said.tool], "name": name}
