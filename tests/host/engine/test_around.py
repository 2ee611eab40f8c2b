"""What stands around a call: who is calling, nested agents, asks, handlers, renames, events, undoing, the guard."""

import asyncio
import pickle
import threading
from typing import Any

import pytest
from tests.host.engine.scripted import Approvers, Kept, Tool, bundle, outcome_of

from seamlaw import (
    Interceptors,
    MemoryItem,
    Message,
    ProviderRequest,
    Scope,
    ToolCall,
    ToolResult,
    ask,
    block,
    gate,
    merge,
    note,
    observer,
    replace,
)
from seamlaw_host.engine import (
    Agent,
    CallContext,
    Engine,
    Event,
    Registry,
    ReversibleAction,
    RollbackFailed,
    UnknownAgent,
    aundoable,
    context,
    current_scope,
    guard,
    session,
    undoable,
)
from seamlaw_host.errors import Blocked, HostError, ToolFailed
from seamlaw_host.state import Ending, attempting


def one_more(x: int) -> int:
    """A tool."""
    return x + 1


def same(n: int) -> int:
    """A tool."""
    return n


def everything(**given: object) -> dict[str, object]:
    """A tool."""
    return given


class TwoPartsError(Exception):
    """An exception as many are: it can be pickled, and not read back."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


REGISTRY = Registry([Agent("lead", "planner", "high"), Agent("coder", "worker", "low", ancestors=["lead"])])


def test_options_and_arguments_never_share_a_name() -> None:
    """A tool with arguments called as the engine's own words works."""
    args = {"session": 1, "tool": 2, "args": 3, "function": 4, "mode": 5, "self": 6}
    assert Engine().call("tool", dict, args) == args


class TestBlocked:
    """The exception."""

    def test_is_a_permission_error_with_its_outcome(self) -> None:
        """And the reason without the words around it."""
        with pytest.raises(PermissionError, match="Blocked by interceptor: no") as caught:
            Engine(bundle(["block"])).call("tool", Tool(), {})
        denied = caught.value
        assert isinstance(denied, Blocked)
        assert (denied.reason, denied.executed) == ("no", False)

    @pytest.mark.parametrize(
        "held", ["text", lambda: None, TwoPartsError(1, 2)], ids=["plain", "cannot be pickled", "cannot be read back"]
    )
    def test_can_be_pickled(self, held: object) -> None:
        """An outcome that cannot be, there and back, is left behind; the words stay, and no pool breaks."""
        with pytest.raises(Blocked) as caught:
            Engine(bundle(["block"])).call("tool", Tool(), {"held": held})
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.executed) == (str(caught.value), False)
        assert (again.outcome is None) == (held != "text")


class TestScope:
    """Who is calling."""

    def seen(self, **options: Any) -> tuple[Engine, list[Scope]]:
        """An engine that keeps the scopes its interceptor is shown."""
        scopes: list[Scope] = []

        def look(call: ToolCall, scope: Scope) -> None:
            scopes.append(scope)

        return Engine(Interceptors(tool_call=[look]), **options), scopes

    def test_is_ambient(self) -> None:
        """`session` says it for all that is called inside, and inherits what it does not say."""
        engine, scopes = self.seen()
        with session("s1", domain="files"), session(agent="coder", trust="low"):
            engine.call("tool", Tool(), {})
        assert scopes == [Scope(session="s1", agent="coder", trust="low", chain=("coder",), domain="files")]
        assert current_scope() == Scope()

    def test_comes_from_the_registry(self) -> None:
        """Role, trust and ancestors; the chain ends with the acting agent."""
        engine, scopes = self.seen(agent="coder", registry=REGISTRY)
        with session("s"):
            engine.call("tool", Tool(), {})
        assert scopes == [Scope("s", "coder", "worker", "low", ("lead", "coder"))]

    def test_a_role_cannot_be_claimed_against_the_registry(self) -> None:
        """What a session says of an agent that the registry knows does not count."""
        engine, scopes = self.seen(registry=REGISTRY)
        with session(agent="coder", role="admin", trust="high"):
            engine.call("tool", Tool(), {})
        assert (scopes[0].role, scopes[0].trust) == ("worker", "low")

    def test_a_nested_agent_cannot_shed_its_chain(self) -> None:
        """An agent that is a tool of another gave up whom it worked for; the depth counts hops."""
        inner, scopes = self.seen(agent="coder", registry=REGISTRY)
        depths: list[int] = []

        def delegate() -> None:
            inner.call("tool", lambda: depths.append(context().depth), {})

        Engine(agent="lead", registry=REGISTRY).call("delegate", delegate, {})
        assert (scopes[0].chain, depths) == (("lead", "coder"), [1])

    def test_a_nested_agent_inherits_the_policies_of_the_outer_one(self) -> None:
        """The inner agent's calls went past the outer policy: they are decided by both, once each."""
        asked: list[str] = []

        def outer_policy(call: ToolCall) -> object:
            asked.append(f"outer {call.name}")
            return block("not for nested agents either") if call.name == "rm" else None

        def inner_policy(call: ToolCall) -> None:
            asked.append(f"inner {call.name}")

        outer = Engine(Interceptors(tool_call=[outer_policy]), agent="lead")
        inner = Engine(Interceptors(tool_call=[inner_policy]), agent="coder")
        tool = Tool()
        with pytest.raises(Blocked, match="nested"):
            outer.call("delegate", lambda: (inner.call("ls", tool, {}), inner.call("rm", tool, {})), {})
        assert asked == ["outer delegate", "outer ls", "inner ls", "outer rm"]
        assert len(tool.starts) == 1

    def test_the_same_engine_inside_itself_decides_once(self) -> None:
        """A tool that calls another tool through the same engine."""
        ledger = Kept()
        engine = Engine(bundle(["note"]), ledger=ledger)
        engine.call("outer", lambda: engine.call("inner", Tool(), {}), {})
        logs = [len(one.outcome.log) for one in ledger.happenings if one.outcome is not None]
        assert logs == [1, 1]

    def test_threads_and_tasks_do_not_mix(self) -> None:
        """Each sees its own session."""
        engine, scopes = self.seen()
        barrier = threading.Barrier(8)

        def run(number: int) -> None:
            with session(f"s{number}"):
                barrier.wait()
                engine.call(f"s{number}", lambda: current_scope().session, {})

        threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(scope.session or "" for scope in scopes) == [f"s{n}" for n in range(8)]

    def test_an_unknown_agent_is_refused_when_the_engine_is_made(self) -> None:
        """The text names the known ones."""
        with pytest.raises(UnknownAgent, match="lead, coder"):
            Engine(agent="nobody", registry=REGISTRY)


class TestAsks:
    """People."""

    def test_no_approver_is_contacted_about_what_is_blocked(self) -> None:
        """One ask and one block: a person was asked about a call that could not run; in either order."""
        for order in (["ask", "block"], ["block", "ask"]):
            asked = Approvers()
            with pytest.raises(Blocked, match="no"):
                Engine(bundle([], order), approvals=asked).call("tool", Tool(), {})
            assert asked.contacted == []

    def test_nobody_to_ask_is_a_refusal_that_says_so(self) -> None:
        """An ask that nobody can answer is denied, with a reason of its own kind."""
        with pytest.raises(Blocked, match="nobody can be asked"):
            Engine(bundle(["ask"])).call("tool", Tool(), {})

    @pytest.mark.parametrize("is_async", [False, True])
    def test_a_timeout_is_enforced(self, is_async: bool) -> None:
        """By both drivers, whether the approver is sync or async."""
        wait = threading.Event()

        async def later() -> bool:
            await asyncio.sleep(10)
            return True

        engine = Engine(bundle(["ask"]), approvals=Approvers(later if is_async else lambda: wait.wait(10), 0.05))
        tool = Tool()
        with pytest.raises(Blocked, match="nobody answered in time"):
            engine.call("tool", tool, {})
        with pytest.raises(Blocked, match="nobody answered in time"):
            asyncio.run(engine.acall("tool", tool, {}))
        wait.set()
        assert tool.starts == []

    def test_an_async_approver_answers_a_sync_call(self) -> None:
        """In an event loop of its own, also where one is running already."""

        async def yes() -> bool:
            await asyncio.sleep(0)
            return True

        engine = Engine(bundle(["ask"]), approvals=Approvers(yes))

        async def inside() -> object:
            return engine.call("tool", Tool(), {})

        assert engine.call("tool", Tool(), {}) == asyncio.run(inside()) == {"done": []}

    def test_an_approver_sees_the_callers_context(self) -> None:
        """Context variables are copied into its thread."""
        seen: list[str | None] = []

        def say() -> bool:
            seen.append(current_scope().session)
            return True

        approvers = Approvers(say, 5)
        with session("mine"):
            Engine(bundle(["ask"]), approvals=approvers).call("tool", Tool(), {})
        assert seen == ["mine"]


class TestInsteadOfTheTool:
    """Handlers and renames."""

    def test_a_handler_answers_and_its_result_is_judged(self) -> None:
        """The tool is not started; the result passes `tool_result`."""
        rules = Interceptors(
            handlers=[lambda call: ToolResult("cached")],
            tool_result=[lambda result: replace(ToolResult(f"{result.output}!"))],
        )
        tool, ledger = Tool(), Kept()
        assert Engine(rules, ledger=ledger).call("tool", tool, {}) == "cached!"
        assert tool.starts == []
        assert not ledger.happenings[-1].executed

    def test_a_broken_handler_blocks(self) -> None:
        """It may have answered, so the tool must not."""
        tool = Tool()
        with pytest.raises(Blocked, match="interceptor error"):
            Engine(Interceptors(handlers=[lambda call: "no result"])).call("tool", tool, {})
        assert tool.starts == []

    def test_a_renamed_call_runs_the_tool_of_that_name(self) -> None:
        """`Engine(tools=…)` knows it; a name that nobody knows blocks."""
        rename = Interceptors(tool_call=[lambda call: replace(ToolCall(call.id, "delegate", {"task": call.name}))])
        tool, other = Tool(), Tool()
        Engine(rename, tools={"delegate": other}).call("tool", tool, {})
        assert (tool.starts, other.starts) == ([], [{"task": "tool"}])
        with pytest.raises(Blocked, match="no tool of that name"):
            Engine(rename).call("tool", tool, {})
        assert tool.starts == []


class TestResults:
    """What comes back."""

    def test_a_withheld_result_says_that_the_tool_ran(self) -> None:
        """`executed`, and the placeholder."""
        with pytest.raises(Blocked, match="withheld") as caught:
            Engine(bundle(results=["block"])).call("tool", Tool(), {})
        assert caught.value.executed

    def test_the_words_of_a_failing_tool_are_judged_too(self) -> None:
        """Once replaced, what the tool said is not to be found in the exception."""

        def redact(result: ToolResult) -> object:
            return replace(ToolResult(error="[redacted]")) if result.error else None

        with pytest.raises(ToolFailed, match="redacted") as caught:
            Engine(Interceptors(tool_result=[redact])).call("tool", Tool(raises=True), {})
        assert caught.value.__cause__ is None
        assert "the tool failed" not in str(caught.value.__context__)

    def test_respond_shows_a_model_everything_as_a_result(self) -> None:
        """A denial, an error and an output; never an exception."""
        call = ToolCall("1", "tool", {})
        assert Engine(bundle(["block"])).respond(call, lambda decided: 1).error == "Blocked by interceptor: no"
        assert Engine().respond(call, lambda decided: 1 / 0).error == "ZeroDivisionError: division by zero"
        assert Engine().respond(call, lambda decided: [decided.id]).output == ["1"]

    def test_observers_see_what_ran(self) -> None:
        """Each runs, and none changes anything."""
        seen: list[object] = []

        def broken(call: ToolCall, result: ToolResult) -> None:
            raise RuntimeError

        rules = Interceptors(tool_call=[observer(broken), observer(lambda call, result: seen.append(result.output))])
        assert Engine(rules).call("tool", Tool(), {}) == {"done": []}
        assert seen == [{"done": []}]


class TestEvents:
    """The bus."""

    def test_subscribers_are_told_every_finding(self) -> None:
        """Sync and async ones, under both drivers; a failing one never matters; unsubscribing ends it."""
        told: list[tuple[str, str, str]] = []

        async def later(event: Event) -> None:
            await asyncio.sleep(0)
            told.append(("later", event.kind.value, event.reason))

        def broken(event: Event) -> None:
            raise RuntimeError

        engine = Engine(bundle(["note"], ["raise"]))
        engine.subscribe(broken)
        engine.subscribe(later)
        stop = engine.subscribe(lambda event: told.append(("now", event.kind.value, event.interceptor)))
        with pytest.raises(Blocked):
            engine.call("tool", Tool(), {})
        with pytest.raises(Blocked):
            asyncio.run(engine.acall("tool", Tool(), {}))
        kinds = [(who, kind) for who, kind, _ in told]
        assert kinds == [("later", "note"), ("now", "note"), ("later", "fault"), ("now", "fault")] * 2
        stop()
        told.clear()
        with pytest.raises(Blocked):
            engine.call("tool", Tool(), {})
        assert {who for who, *_ in told} == {"later"}


class TestUndo:
    """Actions that can be undone."""

    def test_a_withheld_result_is_undone(self) -> None:
        """With the snapshot taken before; sync and async."""
        undone: list[object] = []

        async def undo(context: CallContext) -> None:
            undone.append((context.snapshot, context.arguments["x"], context.result and context.result.output))

        async def snapshot(context: CallContext) -> str:
            return "before"

        action = ReversibleAction(one_more, undo, snapshot, "medium")
        ledger = Kept()
        engine = Engine(bundle(results=["block"]), ledger=ledger)
        with pytest.raises(Blocked):
            asyncio.run(engine.acall("add", action, {"x": 1}))
        assert undone == [("before", 1, 2)]
        assert ledger.happenings[-1].undo == "undone"

    def test_a_failing_undo_loses_no_record(self) -> None:
        """The record says so, and the block stays."""
        ledger = Kept()
        action = ReversibleAction(lambda: 1, lambda context: 1 / 0)
        with pytest.raises(Blocked):
            Engine(bundle(results=["block"]), ledger=ledger).call("t", action, {})
        assert "ZeroDivisionError" in ledger.happenings[-1].undo

    def test_a_failing_snapshot_runs_nothing(self) -> None:
        """A snapshot raised, and the action ran without one: it does not run, and the record says why."""
        ledger, tool = Kept(), Tool()
        action = ReversibleAction(tool, lambda context: None, lambda context: 1 / 0)
        with pytest.raises(Blocked, match="snapshot"):
            Engine(ledger=ledger).call("t", action, {})
        assert tool.starts == []
        assert "snapshot" in ledger.happenings[-1].error

    def test_other_modes_undo_nothing(self) -> None:
        """Law `modes_decide_alike`."""
        undone: list[object] = []
        action = ReversibleAction(lambda: 1, undone.append)
        assert Engine(bundle(results=["block"]), mode="observe").call("t", action, {}) == 1
        assert undone == []

    @pytest.mark.parametrize(("level", "says"), [("permanent", "never be undone"), ("high", "hard to undo")])
    def test_what_cannot_be_undone_is_blocked_or_asked_about(self, level: Any, says: str) -> None:
        """By the same way as every other rule, so that it is recorded as one."""
        tool, ledger = Tool(), Kept()
        with pytest.raises(Blocked, match=says):
            Engine(ledger=ledger).call("t", ReversibleAction(tool, reversibility=level), {})
        assert tool.starts == []
        assert ledger.happenings[0].outcome is not None
        assert ledger.happenings[0].outcome.log[0].interceptor == "reversibility"
        asked = Approvers()
        if level == "high":
            Engine(approvals=asked).call("t", ReversibleAction(tool, reversibility=level, escalate_to="cli://"), {})
            assert asked.contacted == ["cli://"]

    def test_a_medium_action_needs_an_undo(self) -> None:
        """Said when it is made, not when it is called."""
        with pytest.raises(HostError, match="needs an undo"):
            ReversibleAction(lambda: 1, reversibility="medium")

    def test_a_chain_is_rolled_back_in_reverse(self) -> None:
        """When the block is left by an exception; one undo that fails stops no other."""
        undone: list[int] = []

        def undo(context: CallContext) -> None:
            undone.append(context.arguments["n"])
            if context.arguments["n"] == 2:
                raise OSError("gone")

        action, engine = ReversibleAction(same, undo), Engine()

        def half_way() -> None:
            with undoable():
                for n in (1, 2, 3):
                    engine.call("t", action, {"n": n})
                raise ValueError("half way")

        with pytest.raises(RollbackFailed) as caught:
            half_way()
        assert undone == [3, 2, 1]
        assert isinstance(caught.value.__context__, ValueError)
        with undoable() as chain:
            engine.call("t", action, {"n": 5})
        assert undone == [3, 2, 1]
        chain.rollback()
        assert undone == [3, 2, 1, 5]

    def test_a_chain_with_async_undos(self) -> None:
        """`aundoable`."""
        undone: list[int] = []

        async def undo(context: CallContext) -> None:
            undone.append(context.arguments["n"])

        async def main() -> None:
            async with aundoable():
                await Engine().acall("t", ReversibleAction(same, undo), {"n": 1})
                raise ValueError("half way")

        with pytest.raises(ValueError, match="half way"):
            asyncio.run(main())
        assert undone == [1]


class TestGuard:
    """The decorator."""

    def test_keeps_signature_name_and_types(self) -> None:
        """Sync stays sync, async stays async."""
        import inspect

        @guard(pre=lambda call: call.arguments["amount"] < 100, reason="at most 100")
        def pay(amount: int, /, *to: str, note: str = "", **more: int) -> str:
            """Pay."""
            return f"{amount} {to} {note} {more}"

        @guard()
        async def later(x: int) -> int:
            return x

        assert str(inspect.signature(pay)) == "(amount: int, /, *to: str, note: str = '', **more: int) -> str"
        assert (pay.__name__, pay.__doc__) == ("pay", "Pay.")
        assert inspect.iscoroutinefunction(later)
        assert pay(5, "a", "b", note="n", z=1) == "5 ('a', 'b') n {'z': 1}"
        assert asyncio.run(later(3)) == 3
        with pytest.raises(Blocked, match="at most 100"):
            pay(100)
        with pytest.raises(TypeError, match="missing"):
            pay()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

    def test_post_conditions_judge_the_result(self) -> None:
        """The context holds it."""

        @guard(post=lambda call: call.result is not None and call.result.output != "secret")
        def read(name: str) -> str:
            return name

        assert read("public") == "public"
        with pytest.raises(Blocked, match="withheld"):
            read("secret")

    def test_asks_go_where_it_says(self) -> None:
        """With time-out and severity."""
        asked = Approvers()
        engine = Engine(approvals=asked)

        @guard(pre=lambda call: False, on_fail="ask", escalate_to="cli://ops", timeout_s=3, engine=engine)
        def restart() -> str:
            return "done"

        assert restart() == "done"
        assert asked.contacted == ["cli://ops"]

    def test_a_condition_that_is_not_true_or_false_blocks(self) -> None:
        """An answer that is neither `True` nor `False` passed for a yes."""
        for answer in (None, 1, "yes"):

            @guard(pre=lambda call, answer=answer: answer)  # type: ignore[misc]
            def run() -> None:
                raise AssertionError

            with pytest.raises(Blocked):
                run()

    def test_a_condition_cannot_change_what_runs(self) -> None:
        """A predicate changed the arguments it was shown, and those were recorded and run."""

        def meddle(call: CallContext) -> bool:
            call.call = ToolCall("9", "other", {"n": 9})
            with pytest.raises(TypeError):
                call.proposed.arguments["n"] = 9
            return True

        ledger = Kept()

        @guard(pre=meddle, engine=Engine(ledger=ledger))
        def run(n: int) -> int:
            return n

        assert run(1) == 1
        assert ledger.happenings[0].proposed.arguments == {"n": 1}

    def test_state_and_consent(self) -> None:
        """Given by the host, asked by a condition."""
        state = ["a"]
        engine = Engine(checksum=lambda: state[0], consent=lambda call: call.arguments["n"] == 1)

        def change(call: CallContext) -> bool:
            matched = call.state_matches
            state[0] += "!"
            return matched and not call.state_matches

        @guard(pre=[change, lambda call: call.consent], engine=engine)
        def run(n: int) -> int:
            return n

        assert run(1) == 1
        with pytest.raises(Blocked):
            run(2)

    @pytest.mark.parametrize(
        ("spent", "runs"), [(9, True), (9.5, True), (11, False), (float("nan"), False), (True, False)]
    )
    def test_what_was_spent(self, spent: float, runs: bool) -> None:
        """Given by the host; what is no finite number is a doubt."""
        engine = Engine(spent=lambda call: spent)
        run = guard(pre=lambda call: call.spent <= 10, engine=engine, name="t")(lambda: "ran")
        if runs:
            assert run() == "ran"
        else:
            with pytest.raises(Blocked):
                run()

    def test_what_is_not_told_is_a_doubt(self) -> None:
        """Without a provider a condition fails, and blocks."""
        run = guard(pre=lambda call: call.spent <= 10, engine=Engine(), name="t")(lambda: "ran")
        with pytest.raises(Blocked, match="HostError"):
            run()

    def test_what_a_condition_was_told_is_recorded(self) -> None:
        """Each first answer, and nothing that nobody asked for: so that the call can be decided again."""
        kept, spent = Kept(), iter([1.5, 2.5])
        engine = Engine(ledger=kept, checksum=lambda: "a", consent=lambda call: True, spent=lambda call: next(spent))

        def holds(call: CallContext) -> bool:
            return call.step == 1 and call.spent + call.spent == 4 and call.state_matches

        guard(pre=holds, post=lambda call: call.consent, engine=engine, name="t")(lambda: "ran")()
        engine.call("other", lambda: None)
        Engine(ledger=kept).call("other", lambda: None)
        before = {"checksum": "a", "step": 1, "spent": 1.5, "state_matches": True}
        assert [one.state for one in kept.happenings] == [
            before,
            {**before, "consent": True},
            *[{"checksum": "a"}] * 2,
            None,
            None,
        ]

    def test_inside_a_call_it_uses_the_engine_around_it(self) -> None:
        """So that its policies hold for helpers, too."""
        helper = guard(name="helper")(lambda: "ran")
        engine = Engine(Interceptors(tool_call=[gate(lambda call: block("no"), tools="helper", name="g")]))
        assert helper() == "ran"
        with pytest.raises(Blocked):
            engine.call("outer", helper, {})

    def test_wrap(self) -> None:
        """An engine's own way."""
        assert Engine(bundle(["replace"])).wrap(everything, name="t")() == {"replaced": True}


class TestProvider:
    """What a model is sent."""

    REQUEST = ProviderRequest("m", [Message("user", "hello")])

    def test_context_comes_before_the_envelope(self) -> None:
        """And neither touches what the caller has."""
        rules = Interceptors(
            context=[lambda messages: replace((*messages, Message("system", "be brief")))],
            provider_request=[lambda request: note(f"{len(request.messages)} messages")],
        )
        ledger = Kept()
        request = Engine(rules, ledger=ledger).before_provider_call(self.REQUEST)
        assert [m.content for m in request.messages] == ["hello", "be brief"]
        assert len(self.REQUEST.messages) == 1
        assert [one.seam.name for one in ledger.happenings] == ["context", "provider_request"]
        assert Engine().before_provider_call(self.REQUEST) is self.REQUEST

    def test_headers_last_one_call(self) -> None:
        """They are restored also when the call raises."""
        rules = Interceptors(
            provider_request=[
                lambda request: replace(ProviderRequest(request.model, request.messages, headers={"x-new": "1"}))
            ]
        )
        headers = {"authorization": "Bearer t"}

        def send() -> None:
            with Engine(rules).provider_call(self.REQUEST, headers) as request:
                assert (headers, request.model) == ({"x-new": "1"}, "m")
                raise OSError("down")

        with pytest.raises(OSError, match="down"):
            send()
        assert headers == {"authorization": "Bearer t"}

    def test_a_block_means_no_call(self) -> None:
        """With the reason; async, too."""
        engine = Engine(Interceptors(context=[lambda messages: block("too long")]))
        with pytest.raises(Blocked, match="too long"):
            engine.before_provider_call(self.REQUEST)
        with pytest.raises(Blocked, match="too long"):
            asyncio.run(engine.abefore_provider_call(self.REQUEST))

    def test_blocked_memory_is_not_recalled(self) -> None:
        """Nothing joins the context."""
        items = (MemoryItem("a"), MemoryItem("b"))
        assert Engine().after_recall(items) == items
        assert Engine(Interceptors(memory=[lambda items: replace(items[:1])])).after_recall(items) == items[:1]
        assert Engine(Interceptors(memory=[lambda items: block("stale")])).after_recall(items) == ()

    def test_an_ask_at_another_seam_is_put_too(self) -> None:
        """And denied where nobody grants."""
        rules = Interceptors(context=[lambda messages: ask("send it?", target="cli://")])
        assert Engine(rules, approvals=Approvers()).before_provider_call(self.REQUEST) is self.REQUEST
        with pytest.raises(Blocked):
            Engine(rules).before_provider_call(self.REQUEST)


class TestMeters:
    """What has counted a call is told how it ended."""

    @pytest.mark.parametrize(
        ("rules", "raises", "executed"),
        [
            (bundle(), False, True),
            (bundle(), True, True),
            (bundle([], ["block"]), False, False),
            (bundle([], ["ask"]), False, False),
            (bundle(results=["block"]), False, True),
        ],
    )
    @pytest.mark.parametrize("way", ["call", "acall"])
    def test_are_told_once_whether_the_tool_was_started(
        self, way: str, rules: Interceptors, raises: bool, executed: bool
    ) -> None:
        """Also where it raised, was refused by a gate or a person, or its result was withheld."""
        ended: list[Ending] = []

        class Counted:
            def finished(self, ending: Ending, /) -> None:
                ended.append(ending)

        def count(call: ToolCall) -> None:
            attempt = attempting.get()
            assert attempt is not None
            attempt.hold("test", Counted())

        engine = Engine(merge(Interceptors(tool_call=[count]), rules))
        tool = Tool(raises=raises)
        outcome_of(
            (lambda: engine.call("tool", tool, {}))
            if way == "call"
            else lambda: asyncio.run(engine.acall("tool", tool.later, {}))
        )
        assert [one.executed for one in ended] == [executed]
        assert isinstance(ended[0].error, ValueError) == raises
        assert attempting.get() is None
