"""Faults that were met in agent hooks, guardrails and permission systems: each would be noticed if it came back.

Those of a single part are beside the tests of that part; here are those of a whole call, and of a whole run.
"""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.host.engine.scripted import Kept, Tool

from seamlaw import CONTEXT, TOOL_CALL, Interceptors, Message, ToolCall, ToolResult, ask, block, gate, note, replace
from seamlaw_host.approvals import Approvals, Request
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.engine import Engine, guard
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import Ledger

NO = "nothing is removed"


@gate(tools=["rm", "remove"], name="no rm")
def no_rm(call: ToolCall) -> object:
    """Refuse one tool."""
    return block(NO)


@gate(name="asks")
def asks(call: ToolCall) -> object:
    """Ask about everything."""
    return ask("may it?", target="desk://")


class Desk:
    """An approver who grants, and meddles while the question stands."""

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.shown: list[object] = []
        self.meanwhile = meanwhile

    def ask(self, request: Request) -> bool:
        """Grant."""
        self.shown.append(request.arguments)
        self.meanwhile()
        return True


# What is approved is what runs


def test_what_an_approver_was_shown_is_what_runs() -> None:
    """The approver was shown the arguments as proposed, and what ran was the call as rewritten, or changed since."""
    paths = ["/srv/a"]
    desk, tool = Desk(lambda: paths.append("/etc")), Tool()

    def timed(call: ToolCall) -> object:
        return replace(ToolCall(call.id, call.name, {**call.arguments, "timeout": 60}))

    engine = Engine(Interceptors(tool_call=[timed, asks]), approvals=Approvals({"desk": desk}))
    engine.call("read", tool, {"paths": paths})
    assert desk.shown == tool.starts == [{"paths": ["/srv/a"], "timeout": 60}]
    assert paths == ["/srv/a", "/etc"]


def test_two_calls_at_once_are_not_approved_in_each_others_place() -> None:
    """While two questions stood, the grant of one let the other run."""
    tool, both = Tool(), threading.Barrier(2)

    class Even:
        def ask(self, request: Request) -> bool:
            both.wait(10)
            return request.arguments == {"n": 2}

    engine = Engine(Interceptors(tool_call=[asks]), approvals=Approvals({"desk": Even()}))

    async def main() -> list[Any]:
        return await asyncio.gather(*(engine.acall("t", tool, {"n": n}) for n in (1, 2)), return_exceptions=True)

    came = asyncio.run(main())
    assert [type(one) for one in came] == [Blocked, dict]
    assert tool.starts == [{"n": 2}]


# What cannot be decided


@pytest.mark.parametrize("error", [ConnectionError, TimeoutError, ImportError, PermissionError, MemoryError])
@pytest.mark.parametrize("deadline_s", [None, 30.0])
def test_a_gate_whose_service_is_missing_denies_in_words_of_its_own(
    error: type[Exception], deadline_s: float | None
) -> None:
    """A gate that could not reach its service let the call through; or denied as if the policy had said no."""

    @gate
    def judged_elsewhere(value: object) -> object:
        raise error("the service at 10.0.0.7 is gone, password hunter2")

    ledger, tool = Kept(), Tool()
    everywhere = Interceptors(tool_call=[judged_elsewhere], context=[judged_elsewhere])
    engine = Engine(everywhere, ledger=ledger, deadline_s=deadline_s)
    runs: list[Callable[[], object]] = [
        lambda: engine.call("t", tool),
        lambda: engine.at(CONTEXT, (Message("user", "hello"),)),
    ]
    for run in runs:
        with pytest.raises(Blocked, match=f"interceptor error: judged_elsewhere raised {error.__name__}") as denied:
            run()
        assert "hunter2" not in str(denied.value) + repr(denied.value.outcome)
    assert tool.starts == []
    assert [one.outcome is not None and one.outcome.proceeds for one in ledger.happenings] == [False, False]


# A block is a block


def catching(run: Callable[[], object]) -> object:
    """Run as frameworks run tools: whatever comes is a text for the model."""
    try:
        return run()
    except Exception as error:
        return f"error: {error}"


async def catching_later(run: Awaitable[object]) -> object:
    """The same, awaited."""
    try:
        return await run
    except Exception as error:
        return f"error: {error}"


def ways(engine: Engine, tool: Tool) -> Iterable[Callable[[], object]]:
    """Every way on which a guarded tool can be reached."""
    call = ToolCall("1", "rm", {"path": "/"})

    def rm(path: str) -> object:
        return tool(path=path)

    async def rm_later(path: str) -> object:
        return tool(path=path)

    yield lambda: engine.call("rm", rm, {"path": "/"})
    yield lambda: engine.call("rm", rm_later, {"path": "/"})
    yield lambda: engine.wrap(rm)("/")
    yield lambda: guard(engine=engine)(rm)(path="/")
    yield lambda: engine.respond(call, lambda decided: tool(**decided.arguments))
    yield lambda: engine.call("outer", lambda: catching(lambda: engine.wrap(rm)("/")))
    yield lambda: engine.call("outer", lambda: catching(lambda: guard()(rm)("/")))
    yield lambda: asyncio.run(_run(catching_later(engine.acall("rm", rm_later, {"path": "/"}))))
    yield lambda: asyncio.run(_run(catching_later(engine.wrap(rm_later, name="rm")("/"))))
    yield lambda: asyncio.run(_run(catching_later(guard(engine=engine, name="rm")(rm_later)("/"))))
    yield lambda: asyncio.run(_run(engine.arespond(call, lambda decided: tool.later(**decided.arguments))))


async def _run(wanted: Awaitable[object]) -> object:
    return await wanted


@pytest.mark.parametrize("number", range(11))
def test_who_catches_every_exception_starts_no_blocked_tool(number: int) -> None:
    """A framework caught the exception of the hook as it catches everything, logged it, and ran the tool."""
    ledger, tool = Kept(), Tool()
    way = list(ways(Engine(Interceptors(tool_call=[no_rm]), ledger=ledger), tool))[number]
    told = catching(way)
    assert NO in str(told)
    assert tool.starts == []
    assert [one.executed for one in ledger.happenings if one.call and getattr(one.call, "name", "") == "rm"] == [False]


def test_a_tool_that_retries_what_was_blocked_starts_nothing() -> None:
    """Tried again and again, in the way of decorators that retry, a block stays one, and each try is recorded."""
    ledger, tool = Kept(), Tool()
    engine = Engine(Interceptors(tool_call=[no_rm]), ledger=ledger)
    for _ in range(5):
        with suppress(Blocked):
            engine.call("rm", tool)
    assert (tool.starts, len(ledger.happenings)) == ([], 5)


# Agents in agents, streams, batches


def test_an_agent_that_is_a_tool_has_its_own_calls_decided_once_each() -> None:
    """The calls of an agent inside another went past the policy of the outer, or were decided twice."""
    ledger, tool, asked = Kept(), Tool(), list[str]()
    sees = gate(lambda call: asked.append(call.name), name="sees")
    outer = Engine(Interceptors(tool_call=[sees, no_rm]), agent="lead", ledger=ledger)
    inner = Engine(agent="coder", ledger=ledger)

    async def agent() -> list[ToolResult]:
        calls = [ToolCall(str(n), name, {}) for n, name in enumerate(("ls", "rm", "cat"))]
        return list(await asyncio.gather(*(inner.arespond(call, lambda decided: tool()) for call in calls)))

    shown: list[ToolResult] = asyncio.run(outer.acall("agent", agent))
    assert [NO in (one.error or "") for one in shown] == [False, True, False]
    assert sorted(asked) == ["agent", "cat", "ls", "rm"]
    assert len(tool.starts) == 2
    decided = [one.call.name for one in ledger.happenings if one.seam is TOOL_CALL and isinstance(one.call, ToolCall)]
    assert sorted(decided) == ["agent", "cat", "ls", "rm"]


CONVERSATION = [
    ToolCall("1", "ls", {"path": "/"}),
    ToolCall("2", "rm", {"path": "/"}),
    ToolCall("3", "cat", {"path": "a"}),
    ToolCall("4", "fails", {"path": "b"}),
    ToolCall("5", "cat", {"path": "hidden"}),
]


def executing(call: ToolCall) -> object:
    """A tool."""
    if call.name == "fails":
        raise ValueError("no such file")
    return {"path": call.arguments["path"]}


def engine_and_ledger() -> tuple[Engine, Ledger]:
    """An engine with an opinion on everything."""
    rules = Interceptors(
        tool_call=[
            lambda call: replace(ToolCall(call.id, call.name, {**call.arguments, "limit": 9})),
            gate(lambda call: note("a look") if call.name == "cat" else None, name="looks"),
            no_rm,
        ],
        tool_result=[lambda result, call: block("hidden") if "hidden" in str(result.output) else None],
    )
    ledger = Ledger()
    return Engine(rules, ledger=ledger, timer=lambda: 0.0, clock=lambda: 0.0), ledger


def told(ledger: Ledger) -> list[dict[str, Any]]:
    """The records, but for what names and numbers them."""
    from attrs import asdict

    ledger.flush()
    own = ("id", "seq", "attempt", "prev", "hash")
    return sorted(
        ({name: value for name, value in asdict(one).items() if name not in own} for one in ledger.records()), key=repr
    )


def streamed(engine: Engine) -> list[object]:
    """The calls come one by one from a stream, and run while it goes on."""

    async def stream() -> AsyncIterator[ToolCall]:
        for call in CONVERSATION:
            await asyncio.sleep(0)
            yield call

    async def main() -> list[object]:
        return [await engine.arespond(call, executing) async for call in stream()]

    return asyncio.run(main())


def batched(engine: Engine) -> list[object]:
    """All at once, as tasks."""

    async def main() -> list[object]:
        return list(await asyncio.gather(*(engine.arespond(call, executing) for call in CONVERSATION)))

    return asyncio.run(main())


def pooled(engine: Engine) -> list[object]:
    """All at once, in threads."""
    with ThreadPoolExecutor(5) as pool:
        waiting = [pool.submit(engine.respond, call, executing) for call in CONVERSATION]
        return [one.result() for one in waiting]


@pytest.mark.parametrize("way", [streamed, batched, pooled])
def test_one_conversation_leaves_the_same_records_however_it_is_run(way: Callable[[Engine], list[object]]) -> None:
    """The stream skipped a hook that the plain run had, and the batch recorded what the stream did not."""
    plain, ledger = engine_and_ledger()
    shown = [plain.respond(call, executing) for call in CONVERSATION]
    engine, other = engine_and_ledger()
    assert way(engine) == shown
    records = told(ledger)
    assert told(other) == records
    assert len(records) == 2 * len(CONVERSATION) - 1


def test_no_call_of_a_batch_starts_before_it_was_decided() -> None:
    """A block early in a batch ended the deciding, and the rest of the batch ran undecided."""
    events: list[tuple[str, int]] = []
    lock = threading.Lock()

    def tell(what: str, call: ToolCall) -> None:
        with lock:
            events.append((what, call.arguments["n"]))

    @gate
    def first_not(call: ToolCall) -> object:
        tell("decided", call)
        return block("not the first") if call.arguments["n"] == 0 else None

    engine = Engine(Interceptors(tool_call=[first_not]))
    calls = [ToolCall(str(n), "t", {"n": n}) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for waiting in [pool.submit(engine.respond, call, lambda it: tell("ran", it)) for call in calls]:
            waiting.result()
    assert ("ran", 0) not in events
    for n in range(1, 8):
        assert events.index(("decided", n)) < events.index(("ran", n))
    assert len(events) == 15


# What a framework would refuse


@pytest.mark.parametrize("arguments", [{}, {"path": 7}, {"path": "/", "more": True}, {"path": None}])
def test_arguments_that_the_tool_would_refuse_are_decided_and_recorded_first(arguments: dict[str, Any]) -> None:
    """The framework checked the arguments before the hook: what it refused was seen by no policy and in no record."""

    def validated(call: ToolCall) -> object:
        if set(call.arguments) != {"path"} or not isinstance(call.arguments["path"], str):
            raise TypeError("the arguments do not fit")
        return "ran"

    seen: list[ToolCall] = []
    ledger = Kept()
    engine = Engine(Interceptors(tool_call=[gate(seen.append, name="sees"), no_rm]), ledger=ledger)
    assert engine.respond(ToolCall("1", "read", arguments), validated).error == "TypeError: the arguments do not fit"
    assert NO in str(engine.respond(ToolCall("2", "rm", arguments), validated).error)
    assert [call.arguments for call in seen] == [arguments, arguments]
    assert [(one.seam.name, one.executed) for one in ledger.happenings] == [
        ("tool_call", False),
        ("tool_result", True),
        ("tool_call", False),
    ]


# A call that no policy covers


def test_a_call_that_no_policy_covers_is_recorded_as_such_and_its_tool_is_named(tmp_path: Path) -> None:
    """Case 34: the record says that nobody was asked about it, and `lint` finds the tool before it ever runs."""
    kept, tool = Kept(), Tool()
    engine = Engine(Interceptors(tool_call=[no_rm]), ledger=kept)
    engine.call("deploy", tool)
    assert [(one.seam.name, one.governed) for one in kept.happenings] == [("tool_call", False), ("tool_result", False)]
    policy = tmp_path / "policy.toml"
    policy.write_text("[[rules]]\nrefuse = 'nothing is removed'\ntools = ['rm', 'remove']\n", "utf-8")
    ran = CliRunner().invoke(seamlaw, ["lint", str(policy), "--tools", "rm,remove,deploy", "--json"])
    assert [(one["kind"], one["about"]) for one in json.loads(ran.stdout)["findings"]] == [("uncovered tool", "deploy")]
