"""An engine inside another can shed nothing of it: neither its mode, nor what it denies by default, nor its records."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.host.engine.scripted import Approvers, Kept, Tool

from seamlaw import TOOL_CALL, Interceptors, ToolCall, ask, block, gate, merge
from seamlaw_host.engine import CallContext, Engine, ReversibleAction, context
from seamlaw_host.errors import Blocked
from seamlaw_host.policies._hash import hash_of

NO_RM = Interceptors(tool_call=[gate(lambda call: block("no rm"), name="no rm", tools="rm")])
ASKS = Interceptors(tool_call=[gate(lambda call: ask("may it?", target="x://"), name="asks", tools="rm")])


def within(outer: Engine, inner: Engine, tool: Tool, *, name: str = "rm") -> Callable[[], object]:
    """A call of the inner engine, from a tool of the outer."""
    return lambda: outer.call("agent", lambda: inner.call(name, tool))


@pytest.mark.parametrize("mode", ["dry_run", "observe"])
def test_a_mode_that_only_watches_does_not_loosen_the_engine_around(mode: Any) -> None:
    """An agent under trial, inside of one that was not, ran what the policy of the outer refuses."""
    tool, inner = Tool(), Engine(mode=mode)
    with pytest.raises(Blocked, match="no rm"):
        within(Engine(NO_RM), inner, tool)()
    with pytest.raises(Blocked, match="no rm"):
        Engine(NO_RM).call("agent", lambda: inner.at(TOOL_CALL, ToolCall("1", "rm", {})))
    assert tool.starts == []
    assert within(Engine(NO_RM, mode=mode), inner, tool)() == {"done": []}
    assert inner.call("rm", tool) == {"done": []}


def test_what_is_denied_by_default_is_denied_within() -> None:
    """The outer engine denied what no policy covers, and an agent inside of it called what it liked."""
    covers = Interceptors(tool_call=[gate(lambda call: None, name="covers", tools="agent")])
    tool, inner = Tool(), Engine()
    with pytest.raises(Blocked, match="no policy covers"):
        within(Engine(covers, default="deny"), inner, tool)()
    assert tool.starts == []
    assert within(Engine(covers), inner, tool)() == {"done": []}


def test_what_an_agent_within_calls_is_in_the_records() -> None:
    """An inner engine without a ledger left no record of what the policy of the outer had decided."""
    ledger, own = Kept(), Kept()
    within(Engine(NO_RM, ledger=ledger), Engine(), Tool(), name="ls")()
    names = [(one.seam.name, one.call.name) for one in ledger.happenings if isinstance(one.call, ToolCall)]
    assert names == [("tool_call", "agent"), ("tool_call", "ls"), ("tool_result", "ls"), ("tool_result", "agent")]
    within(Engine(NO_RM, ledger=Kept()), Engine(ledger=own), Tool(), name="ls")()
    assert len(own.happenings) == 2


def test_whom_the_outer_engine_asks_is_asked_about_calls_within() -> None:
    """What the policy of the outer asks was refused within: the inner engine had nobody to ask. Its own go first."""
    theirs, own, tool = Approvers(), Approvers(), Tool()
    within(Engine(ASKS, approvals=theirs), Engine(), tool)()
    within(Engine(ASKS, approvals=theirs), Engine(approvals=own), tool)()
    assert (theirs.contacted, own.contacted, len(tool.starts)) == (["x://"], ["x://"], 2)
    with pytest.raises(Blocked, match="nobody can be asked"):
        within(Engine(ASKS), Engine(), tool)()


def test_the_shorter_deadline_holds_within() -> None:
    """A slow decision inside an engine with a deadline is late there, too."""
    slow = Interceptors(tool_call=[gate(lambda call: time.sleep(0.2), name="slow", tools="rm")])
    tool = Tool()
    with pytest.raises(Blocked, match="deadline"):
        within(Engine(deadline_s=0.05), Engine(slow), tool)()
    assert tool.starts == []
    within(Engine(deadline_s=0.05), Engine(slow), tool, name="ls")()


def test_an_engine_is_itself_within() -> None:
    """What is seen inside of the call is the engine that was made, at every depth and again outside."""
    outer, inner = Engine(NO_RM), Engine()

    def deep(levels: int) -> list[bool]:
        here = [context().engine is (inner if levels % 2 else outer)]
        return here + ((outer if levels % 2 else inner).call("deep", lambda: deep(levels - 1)) if levels else [])

    assert inner.call("deep", lambda: deep(5)) == [True] * 6
    assert inner.call("rm", lambda: "outside") == "outside"


@pytest.mark.parametrize("is_async", [False, True])
def test_an_async_undo_of_a_call_made_at_once_is_run(is_async: bool) -> None:
    """A result was withheld, and the action stayed done, because its undo was async and the call was not."""
    undone: list[str] = []

    async def undo(call: CallContext) -> None:
        await asyncio.sleep(0)
        undone.append(call.tool)

    ledger = Kept()
    withholds = Interceptors(tool_result=[gate(lambda result, call: block("no"), name="withholds")])
    engine = Engine(withholds, ledger=ledger)
    action: Any = ReversibleAction(lambda: 1, undo)
    with pytest.raises(Blocked):
        asyncio.run(engine.acall("t", action)) if is_async else engine.call("t", action)
    assert (undone, ledger.happenings[-1].undo) == (["t"], "undone")


def test_what_is_recorded_names_all_that_decided() -> None:
    """A nested call, and one under a guard, was decided by more than the engine's own bundle: so says the hash."""
    kept, no_ls = Kept(), Interceptors(tool_call=[gate(lambda call: None, name="no ls", tools="ls")])
    outer, inner = Engine(NO_RM, ledger=kept), Engine(no_ls, ledger=kept)
    outer.call("agent", lambda: inner.call("ls", Tool()))
    inner.call("ls", Tool())
    by_tool = {(each.call or each.proposed).name: each.policy_hash for each in kept.happenings[:4]}
    alone = {each.policy_hash for each in kept.happenings[4:]}
    assert by_tool == {"agent": hash_of(NO_RM), "ls": hash_of(merge(NO_RM, no_ls))}
    assert alone == {hash_of(no_ls)} == {inner.policy_hash}
