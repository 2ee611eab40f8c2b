"""Policies that answer what a test says, tools that count their starts, approvers, and a ledger that keeps all."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, field, frozen

from seamlaw import Answered, Interceptors, Outcome, Scope, StandingAsk, ToolCall, answered, ask, block, note, replace
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import Happening

ANSWERS: dict[str, Callable[[Any], object]] = {
    "nothing": lambda value: None,
    "note": lambda value: note("noted"),
    "replace": lambda call: replace(ToolCall(call.id, call.name, {**call.arguments, "replaced": True})),
    "ask": lambda value: ask("may it?", target="test://one", timeout_s=5),
    "block": lambda value: block("no"),
    "nonsense": lambda value: "yes",
}


def raising(value: object) -> object:
    """Fail, as a broken policy does."""
    raise RuntimeError("broken")


ANSWERS["raise"] = raising


@define
class Kept:
    """A ledger that keeps the happenings as they come."""

    happenings: list[Happening] = field(factory=list[Happening])

    def append(self, happening: Happening, /) -> None:
        """Keep it."""
        self.happenings.append(happening)

    def told(self) -> list[tuple[object, ...]]:
        """All that is the same in two runs: not the time, the attempt and the duration."""
        return [
            (
                one.seam.name,
                one.mode,
                _bare(one.proposed),
                _bare(one.call),
                None if one.outcome is None else (one.outcome.verdict, one.outcome.reason, log_of(one)),
                one.governed,
                [(a.ask.reason, a.granted, a.reason) for a in one.answers],
                one.executed,
                one.error,
                one.undo,
            )
            for one in self.happenings
        ]


def log_of(happening: Happening) -> list[tuple[object, ...]]:
    """The findings, without the ids of calls."""
    entries = () if happening.outcome is None else happening.outcome.log
    return [(e.interceptor, e.kind, e.reason, e.level, _bare(getattr(e.answer, "value", None))) for e in entries]


def _bare(value: object) -> object:
    return (value.name, value.arguments) if isinstance(value, ToolCall) else value


@define
class Tool:
    """A tool that counts how often it was started, and with what."""

    starts: list[dict[str, Any]] = field(factory=list[dict[str, Any]])
    raises: bool = False

    def __call__(self, **arguments: Any) -> object:
        """Run."""
        self.starts.append(arguments)
        if self.raises:
            raise ValueError("the tool failed")
        return {"done": sorted(arguments)}

    async def later(self, **arguments: Any) -> object:
        """Run, after a turn of the event loop."""
        await asyncio.sleep(0)
        return self(**arguments)


@frozen
class Put:
    """One ask, put to a function."""

    ask: StandingAsk
    say: Callable[[], object]
    timeout_s: float | None = None

    @property
    def work(self) -> Callable[[], object]:
        """Contact them."""
        return self.say

    def answered(self, said: object, /) -> Answered:
        """Read the answer."""
        return answered(self.ask, said)


@define
class Approvers:
    """Approvals that say, by target, what a test wants; counts who was contacted."""

    says: Callable[[], object] = lambda: True
    timeout_s: float | None = None
    contacted: list[str | None] = field(factory=list[str | None])

    def pending(self, outcome: Outcome[Any], scope: Scope, attempt: str, /) -> Iterable[Put]:
        """One for each ask."""
        return [Put(asked, self._said(asked), self.timeout_s) for asked in outcome.asks]

    def _said(self, asked: StandingAsk) -> Callable[[], object]:
        def say() -> object:
            self.contacted.append(asked.target)
            return self.says()

        return say


def bundle(chain: Iterable[str] = (), gates: Iterable[str] = (), results: Iterable[str] = ()) -> Interceptors:
    """A bundle of scripted answers."""
    from seamlaw import gate

    return Interceptors(
        tool_call=[*(ANSWERS[name] for name in chain), *(gate(ANSWERS[name], name=name) for name in gates)],
        tool_result=[ANSWERS[name] for name in results],
    )


def outcome_of(run: Callable[[], object]) -> tuple[str, object]:
    """What a caller sees: a value, a denial, an exception."""
    try:
        return "value", run()
    except Blocked as denied:
        return "blocked", denied.denial
    except Exception as error:
        return "raised", f"{type(error).__name__}: {error}"


def sync(engine: Engine, tool: Tool, args: dict[str, object]) -> tuple[str, object]:
    """Call it at once."""
    return outcome_of(lambda: engine.call("tool", tool, args))


def in_loop(engine: Engine, tool: Tool, args: dict[str, object]) -> tuple[str, object]:
    """Call it in an event loop."""
    return outcome_of(lambda: asyncio.run(engine.acall("tool", tool.later, args)))


WAYS = {"sync": sync, "async": in_loop}
