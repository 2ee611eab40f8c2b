"""Rolling back: whatever ran inside is undone, however the block is left and whoever judged in between."""

import asyncio
from typing import Any

import pytest
from tests.host.engine.scripted import Approvers, Kept, Tool, outcome_of

from seamlaw import Interceptors, ToolCall, ToolResult, ask, block, gate, interceptor, replace
from seamlaw_host.engine import CallContext, Engine, ReversibleAction, RollbackFailed, aundoable, guard, undoable
from seamlaw_host.errors import Blocked, ToolFailed


class LeftEarlyError(Exception):
    """Why a block is left."""


def same(n: int) -> int:
    """Do it."""
    return n


class Deeds:
    """What was done, and undone."""

    def __init__(self) -> None:
        self.undone: list[int] = []
        self.action = ReversibleAction(self.do, self.undo)

    def do(self, n: int = 0) -> int:
        """Do it."""
        return n

    def undo(self, call: CallContext) -> None:
        """Undo it."""
        self.undone.append(call.arguments.get("n", 0))


def run(*numbers: int, deeds: Deeds, engine: Engine | None = None) -> None:
    """Do each."""
    for number in numbers:
        (engine or Engine()).call("t", deeds.action, {"n": number})


def fail_after_a_chain_inside(deeds: Deeds) -> None:
    """Leave a chain by an exception, after one inside it has ended well."""
    with undoable():
        run(1, deeds=deeds)
        with undoable():
            run(2, 3, deeds=deeds)
        run(4, deeds=deeds)
        raise LeftEarlyError


def test_a_chain_inside_of_another_is_undone_with_it() -> None:
    """What a helper did in a block of its own, which ended well, stayed done when the block around it failed."""
    deeds = Deeds()
    with pytest.raises(LeftEarlyError):
        fail_after_a_chain_inside(deeds)
    assert deeds.undone == [4, 3, 2, 1]


def test_an_async_chain_inside_of_another_is_undone_with_it() -> None:
    """The same, awaited."""
    undone: list[int] = []

    async def undo(call: CallContext) -> None:
        undone.append(call.arguments["n"])

    async def main() -> None:
        action = ReversibleAction(same, undo)
        async with aundoable():
            await Engine().acall("t", action, {"n": 1})
            async with aundoable():
                await Engine().acall("t", action, {"n": 2})
            raise LeftEarlyError

    with pytest.raises(LeftEarlyError):
        asyncio.run(main())
    assert undone == [2, 1]


def test_nothing_is_undone_twice() -> None:
    """A chain that was rolled back by hand has nothing left for the one around it."""
    deeds = Deeds()
    with undoable() as outer:
        with undoable() as inner:
            run(1, deeds=deeds)
        inner.rollback()
        outer.rollback()
    assert deeds.undone == [1]


def test_the_failures_of_a_chain_inside_are_told() -> None:
    """As failures of the whole."""

    def broken(call: CallContext) -> None:
        raise OSError(str(call.arguments["n"]))

    action = ReversibleAction(same, broken)
    with undoable() as outer, undoable():
        Engine().call("t", action, {"n": 1})
        Engine().call("t", action, {"n": 2})
    with pytest.raises(RollbackFailed) as caught:
        outer.rollback()
    assert [str(failure) for failure in caught.value.failures] == ["2", "1"]


def rewritten_result(deeds: Deeds) -> None:
    """Do something whose result somebody turns into an error."""
    hide = interceptor(lambda result, call: replace(ToolResult(error="hidden")), name="hide")
    with undoable():
        run(1, deeds=deeds, engine=Engine(Interceptors(tool_result=[hide])))


def test_an_action_whose_result_was_turned_into_an_error_is_undone() -> None:
    """It ran; that its result was replaced by an error left it out of the chain."""
    deeds = Deeds()
    with pytest.raises(ToolFailed, match="hidden"):
        rewritten_result(deeds)
    assert deeds.undone == [1]


def test_an_action_that_was_cancelled_after_it_ran_is_undone() -> None:
    """Cancelled while somebody was asked about its result, an action stayed done: the chain did not know it yet."""
    deeds = Deeds()

    async def never() -> bool:
        await asyncio.sleep(60)
        return True

    asked = Interceptors(tool_result=[gate(lambda result, call: ask("may it be seen?", target="x://"), name="asks")])
    engine = Engine(asked, approvals=Approvers(never))

    async def main() -> None:
        async with aundoable():
            await engine.acall("t", deeds.action, {"n": 1})

    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(main(), 0.1))
    assert deeds.undone == [1]


def withheld(deeds: Deeds) -> None:
    """Do something whose result is withheld, which undoes it at once."""
    no = gate(lambda result, call: block("no"), name="no", tools="t")
    with undoable():
        run(1, deeds=deeds, engine=Engine(Interceptors(tool_result=[no])))


def test_what_was_undone_at_once_is_not_undone_again() -> None:
    """The result was withheld, and the block was left by that."""
    deeds = Deeds()
    with pytest.raises(Blocked):
        withheld(deeds)
    assert deeds.undone == [1]


def test_what_was_rolled_back_while_its_result_was_judged_is_not_undone_again() -> None:
    """Whoever judged the result rolled the chain back, and then withheld the result."""
    deeds, ledger = Deeds(), Kept()
    with undoable() as chain:

        def no(result: ToolResult, call: ToolCall) -> object:
            chain.rollback()
            return block("no")

        with pytest.raises(Blocked):
            run(1, deeds=deeds, engine=Engine(Interceptors(tool_result=[gate(no)]), ledger=ledger))
    assert (deeds.undone, ledger.happenings[-1].undo) == ([1], "undone")


@pytest.mark.parametrize("leaves", [SystemExit, KeyboardInterrupt, asyncio.CancelledError])
def test_an_undo_that_exits_stops_no_other(leaves: type[BaseException]) -> None:
    """An undo that ended in `sys.exit` left all that was done before it as it was."""
    undone: list[int] = []

    def undo(call: CallContext) -> None:
        if call.arguments["n"] == 2:
            raise leaves
        undone.append(call.arguments["n"])

    with undoable() as chain:
        for number in (1, 2, 3):
            Engine().call("t", ReversibleAction(same, undo), {"n": number})
    with pytest.raises(leaves):
        chain.rollback()
    assert undone == [3, 1]


@pytest.mark.parametrize("level", ["low", "high", "permanent"])
def test_a_rename_does_not_get_round_what_is_in_an_actions_nature(level: Any) -> None:
    """A call renamed to an action that can never be undone ran it: its own rule had not been asked."""
    tool = Tool()
    rename = interceptor(lambda call: replace(ToolCall(call.id, "wipe", {})), name="rename")
    engine = Engine(Interceptors(tool_call=[rename]), tools={"wipe": ReversibleAction(tool, reversibility=level)})
    with pytest.raises(Blocked, match="renamed"):
        engine.call("clean", Tool())
    assert tool.starts == []


@pytest.mark.parametrize("way", ["call", "respond", "wrap", "guard"])
@pytest.mark.parametrize("level", ["high", "permanent"])
def test_an_action_is_one_however_it_is_run(way: str, level: Any) -> None:
    """An action that can never be undone, wrapped as a function is, ran: its own rule went unasked."""
    tool = Tool()
    action: Any = ReversibleAction(tool, reversibility=level)
    engine = Engine()
    ways: dict[str, Any] = {
        "call": lambda: engine.call("t", action),
        "respond": lambda: engine.respond(ToolCall("1", "t", {}), action),
        "wrap": lambda: engine.wrap(action, name="t")(),
        "guard": lambda: guard(engine=engine, name="t")(action)(),
    }
    told = outcome_of(ways[way])
    assert "undo" in str(told)
    assert tool.starts == []


def test_a_wrapped_action_keeps_its_arguments_and_is_undone() -> None:
    """Sync and async, with the names of its own parameters and the name of its function."""
    deeds = Deeds()
    wrapped: Any = Engine().wrap(deeds.action)
    with undoable() as chain:
        assert wrapped(5) == 5
        chain.rollback()
    assert (deeds.undone, wrapped.__name__) == ([5], "do")

    async def later(n: int) -> int:
        return n

    awaited: Any = Engine().wrap(ReversibleAction(later, deeds.undo))

    async def main() -> None:
        async with aundoable() as actions:
            assert await awaited(6) == 6
            await actions.arollback()

    asyncio.run(main())
    assert deeds.undone == [5, 6]


def renamed(engine: Engine, deeds: Deeds) -> None:
    """Leave a chain in which a call was renamed."""
    with undoable():
        run(1, deeds=deeds, engine=engine)
        raise LeftEarlyError


def test_a_renamed_call_is_not_undone_as_what_was_proposed() -> None:
    """What archived was undone as if it had deleted."""
    deeds, tool = Deeds(), Tool()
    rename = interceptor(lambda call: replace(ToolCall(call.id, "archive", call.arguments)), name="rename")
    with pytest.raises(LeftEarlyError):
        renamed(Engine(Interceptors(tool_call=[rename]), tools={"archive": tool}), deeds)
    assert (len(tool.starts), deeds.undone) == (1, [])


def test_a_handlers_error_is_an_error() -> None:
    """A handler that answered with an error gave a Python caller `None`, as if all had gone well."""
    ledger = Kept()
    engine = Engine(Interceptors(handlers=[lambda call: ToolResult(error="no such file")]), ledger=ledger)
    with pytest.raises(ToolFailed, match="no such file"):
        engine.call("read", Tool())
    assert engine.respond(ToolCall("1", "read", {}), lambda call: 1 / 0).error == "no such file"
    assert not ledger.happenings[-1].executed
