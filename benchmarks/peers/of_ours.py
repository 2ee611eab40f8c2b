"""Seamlaw, in the ways a host can use it.

The rows that record make their records within what is measured, and redact them: a ledger puts that off until it is
drained, so it is drained at the end of each sample. They appear with the redactor of the packs.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from seamlaw import TOOL_CALL, Interceptors, ToolCall, block, decide_async, parse_rules, plan
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import Ledger

from ._peer import TOOL, Peer, text


def checks(count: int) -> list[Callable[[ToolCall], object]]:
    """Interceptors that do the same test."""

    def made(forbidden: str) -> Callable[[ToolCall], object]:
        return lambda call: block("forbidden") if forbidden in call.arguments["command"] else None

    return [made(text(number)) for number in range(count)]


def call(arguments: dict[str, object]) -> ToolCall:
    """The value that passes the seam."""
    return ToolCall("call-1", TOOL, arguments)


def by_plan(count: int) -> Callable[[ToolCall], bool]:
    """The hot path."""
    ready = plan(Interceptors(tool_call=checks(count)))
    assert ready is not None
    run = ready.tool_call

    def decide(given: ToolCall) -> bool:
        outcome = run(given)
        return outcome is None or outcome.proceeds

    return decide


def with_call(count: int) -> Callable[[Any], bool]:
    """The hot path, and the call is made of plain arguments."""
    decide = by_plan(count)
    return lambda arguments: decide(ToolCall("call-1", TOOL, arguments))


def by_rules(count: int) -> Callable[[ToolCall], bool]:
    """The same policy as data: nothing is called."""
    ready = plan(
        Interceptors(
            rules=parse_rules(
                [
                    {"refuse": "forbidden", "tools": TOOL, "when": [{"at": "/command", "contains": text(number)}]}
                    for number in range(count)
                ]
            )
        )
    )
    assert ready is not None
    run = ready.tool_call

    def decide(given: ToolCall) -> bool:
        outcome = run(given)
        return outcome is None or outcome.proceeds

    return decide


def by_plan_async(count: int) -> Callable[[ToolCall], Awaitable[bool]]:
    """The hot path in a coroutine, as an async host uses it: interceptors are synchronous."""
    decide = by_plan(count)

    async def decide_it(given: ToolCall) -> bool:
        return decide(given)

    return decide_it


def by_decide_async(count: int) -> Callable[[ToolCall], Awaitable[bool]]:
    """The async driver: it awaits each answer, so that interceptors may live elsewhere."""
    from seamlaw import consult

    bundle = Interceptors(tool_call=checks(count))

    async def ask(question: Any) -> Any:
        return consult(question)

    async def decide_it(given: ToolCall) -> bool:
        return (await decide_async(bundle, TOOL_CALL, given, ask=ask)).proceeds

    return decide_it


def done(**arguments: object) -> bool:
    """The tool."""
    return True


def by_engine(count: int, ledger: Ledger | None = None) -> Callable[[Any], bool]:
    """The whole enforcement of one call."""
    engine = Engine(Interceptors(tool_call=checks(count)), ledger=ledger)

    def decide(arguments: Any) -> bool:
        try:
            return engine.call(TOOL, done, arguments)
        except Blocked:
            return False

    return decide


def by_engine_async(count: int, ledger: Ledger | None = None) -> Callable[[Any], Awaitable[bool]]:
    """The same, awaited."""
    engine = Engine(Interceptors(tool_call=checks(count)), ledger=ledger)

    async def decide(arguments: Any) -> bool:
        try:
            return bool(await engine.acall(TOOL, done, arguments))
        except Blocked:
            return False

    return decide


class Recording:
    """Decides, and makes the records when it is told to drain."""

    def __init__(self, count: int, by: Callable[[int, Ledger | None], Any]) -> None:
        self.ledger = Ledger()
        self.decide = by(count, self.ledger)

    def __call__(self, arguments: Any) -> Any:
        """Decide one call."""
        return self.decide(arguments)

    def drain(self) -> None:
        """Make the records of all that was decided."""
        self.ledger.records()


def by_engine_recorded(count: int) -> Recording:
    """The same, recorded and redacted."""
    return Recording(count, by_engine)


def by_engine_recorded_async(count: int) -> Recording:
    """The same, awaited, recorded and redacted."""
    return Recording(count, by_engine_async)


RECORDED = "freezes, decides, runs the tool, redacts and records in memory"
UNRECORDED = "freezes, decides, runs the tool; records nothing"
PEERS = (
    Peer("seamlaw plan", by_plan, "seamlaw", call, does="decides a call that is a value already"),
    Peer("seamlaw plan, from arguments", with_call, "seamlaw", does="freezes the arguments, decides"),
    Peer("seamlaw rules", by_rules, "seamlaw", call, does="decides by rules as data"),
    Peer("seamlaw Engine.call", by_engine, "seamlaw", does=UNRECORDED),
    Peer("seamlaw plan, async", by_plan_async, "seamlaw", call, is_async=True, does="decides, in a coroutine"),
    Peer("seamlaw decide_async", by_decide_async, "seamlaw", call, is_async=True, does="awaits each answer"),
    Peer("seamlaw Engine.acall", by_engine_async, "seamlaw", is_async=True, does=UNRECORDED),
    Peer("seamlaw Engine.call, recorded", by_engine_recorded, "seamlaw", records=True, does=RECORDED),
    Peer(
        "seamlaw Engine.acall, recorded",
        by_engine_recorded_async,
        "seamlaw",
        is_async=True,
        records=True,
        does=RECORDED,
    ),
)
