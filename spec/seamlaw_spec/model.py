"""The reference model: how one seam decides, written down naively, without the kernel.

It reads scripts and knows values by their numbers only; nothing of `seamlaw` is imported. Plain loops, plain
dictionaries, one rule of the semantics after another.
"""

from attrs import define, field, frozen

from .scripts import TOOLS, Act, Actor, Place, Script, Turn

__all__ = ["Asked", "Expected", "Logged", "performances"]


@frozen
class Logged:
    """An entry of the log: the kind, who, and the words (of a fault, only how they begin)."""

    kind: str
    who: str
    words: str
    level: int
    severity: int
    target: str | None = None
    timeout_s: float | None = None


@frozen
class Asked:
    """An ask that stands."""

    who: str
    words: str
    target: str | None
    timeout_s: float | None


@frozen
class Expected:
    """What must come of one value."""

    verdict: str
    number: int
    filled: bool
    replaced: bool
    asks: tuple[Asked, ...] = ()
    words: str = ""
    who: str | None = None
    log: tuple[Logged, ...] = ()
    interrupted: bool = False


ALLOW, NOTE, ASK, BLOCK = range(4)
LOW, MEDIUM, HIGH = range(3)
CLOSED_SEAMS = (Place.TOOL_CALL, Place.OWN_CLOSED)
SEAMS_WITH_A_CALL = (Place.TOOL_CALL, Place.TOOL_RESULT)
SILENT = (Act.NONE, Act.ALLOW, Act.FRESH_ALLOW, Act.SAME)
WORDS: dict[Act, tuple[tuple[str, int, int, str | None, float | None], ...]] = {
    Act.NOTE: (("note", NOTE, LOW, None, None),),
    Act.GRAVE_NOTE: (("note", NOTE, HIGH, None, None),),
    Act.ASK: (("ask", ASK, MEDIUM, None, None),),
    Act.ASK_SOMEONE: (("ask", ASK, HIGH, "someone", 5.0),),
    Act.BLOCK: (("block", BLOCK, HIGH, None, None),),
    Act.LIGHT_BLOCK: (("block", BLOCK, LOW, None, None),),
}
RULES = {
    "refuse": ("block", BLOCK, HIGH),
    "ask": ("ask", ASK, MEDIUM),
    "note": ("note", NOTE, LOW),
}
SEVERAL = (("note", NOTE, LOW), ("ask", ASK, MEDIUM), ("block", BLOCK, MEDIUM))


class Interrupted(Exception):
    """An interceptor raised what is no exception."""


@define
class _Performance:
    """One script, as it goes on from value to value."""

    script: Script
    seen: list[tuple[str, int, bool]] = field(factory=list[tuple[str, int, bool]])
    number: int = 0
    filled: bool = False
    replaced: bool = False
    log: list[Logged] = field(factory=list[Logged])

    def decide(self, number: int) -> Expected:
        self.number, self.filled, self.replaced, self.log = number, False, False, []
        try:
            self._decide()
        except Interrupted:
            return Expected("", 0, False, False, interrupted=True)
        return self._expected()

    def _decide(self) -> None:
        """Rules that fill, the chain, rules that judge, gates."""
        self._fill()
        for name, actor in self._actors(is_gate=False):
            if self._is_for(actor):
                self._hear(name, actor)
            if any(entry.level == BLOCK for entry in self.log):
                return
        self._judge()
        for name, actor in self._actors(is_gate=True):
            if self._is_for(actor):
                self._hear(name, actor)

    def _actors(self, is_gate: bool) -> list[tuple[str, Actor]]:
        return [(f"a{at}", a) for at, a in enumerate(self.script.actors) if a.is_gate == is_gate]

    def _is_for(self, actor: Actor) -> bool:
        if actor.agents and self.script.agent is not None and not _any_glob(actor.agents, self.script.agent):
            return False
        if not actor.tools or self.script.place not in SEAMS_WITH_A_CALL:
            return True
        return _any_glob(actor.tools, self._tool())

    def _tool(self) -> str:
        return TOOLS[0] if self.script.place is Place.TOOL_RESULT else TOOLS[self.number % 3]

    def _fill(self) -> None:
        for at, rule in self._rules():
            if rule == "default" and not self.filled:
                self.filled = self.replaced = True
                self.log.append(Logged("replace", f"r{at}", "", ALLOW, LOW))

    def _judge(self) -> None:
        for at, rule in self._rules():
            if rule in RULES:
                self.log.append(Logged(RULES[rule][0], f"r{at}", f"r{at} says so", *RULES[rule][1:]))

    def _rules(self) -> list[tuple[int, str]]:
        if self.script.place is not Place.TOOL_CALL:
            return []
        return [(at, rule.verb) for at, rule in enumerate(self.script.rules) if _any_glob((rule.tool,), self._tool())]

    def _hear(self, name: str, actor: Actor) -> None:
        own = len([who for who, _, _ in self.seen if who == name])
        turn = actor.turn(own, len(self.seen), self.number)
        self.seen.append((name, self.number, self.filled))
        if turn.act in (Act.EXIT, Act.INTERRUPT):
            raise Interrupted
        if turn.act in SILENT:
            return
        words = f"{name} says {turn.number}"
        if turn.act in WORDS:
            for kind, level, severity, target, timeout_s in WORDS[turn.act]:
                self.log.append(Logged(kind, name, words, level, severity, target, timeout_s))
        elif turn.act in (Act.EQUAL, Act.REPLACE, Act.FORGED_ID) and not actor.is_gate:
            self._replace(name, turn)
        elif turn.act in (Act.SEVERAL, Act.SEVERAL_NOTHING) and actor.is_gate:
            said = SEVERAL if turn.act is Act.SEVERAL else ()
            self.log.extend(Logged(kind, name, words, level, severity) for kind, level, severity in said)
        else:
            closed = self.script.place in CLOSED_SEAMS or actor.is_gate or actor.closes
            self.log.append(Logged("fault", name, f"interceptor error: {name}", BLOCK if closed else NOTE, HIGH))

    def _replace(self, name: str, turn: Turn) -> None:
        if turn.act is not Act.EQUAL:
            self.number, self.filled = turn.number, False
        self.replaced = True
        self.log.append(Logged("replace", name, "", ALLOW, LOW))

    def _expected(self) -> Expected:
        """The worst level decides; in it the gravest, and of these the first, gives the reason."""
        level = max((entry.level for entry in self.log), default=ALLOW)
        log, end = tuple(self.log), (self.number, self.filled, self.replaced)
        if level in (ALLOW, NOTE):
            return Expected("proceed", *end, log=log)
        worst = [entry for entry in self.log if entry.level == level]
        gravest = max(entry.severity for entry in worst)
        first = next(entry for entry in worst if entry.severity == gravest)
        asks = [Asked(e.who, e.words, e.target, e.timeout_s) for e in self.log if e.kind == "ask"]
        if level == BLOCK:
            return Expected("block", *end, words=first.words, who=first.who, log=log)
        return Expected("ask", *end, asks=tuple(asks), words=first.words, who=first.who, log=log)


def _any_glob(patterns: tuple[str, ...], name: str) -> bool:
    return any(_glob(pattern, name) for pattern in patterns)


def _glob(pattern: str, name: str) -> bool:
    """Match `*` and `?` by trying everything."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(_glob(pattern[1:], name[at:]) for at in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and _glob(pattern[1:], name[1:])


def performances(script: Script) -> tuple[list[Expected], list[tuple[str, int, bool]]]:
    """What must come of each value of a script, and who must have been asked about what, in order."""
    performance = _Performance(script)
    return [performance.decide(number) for number in script.numbers], performance.seen
