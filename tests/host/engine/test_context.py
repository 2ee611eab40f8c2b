"""What the code inside of a call sees of it, and that a look at another call, or a change, cannot loosen anything."""

import os
import threading
from typing import Any

import pytest
from tests.host.engine.scripted import Kept, Tool

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    ToolCall,
    ToolResult,
    block,
    gate,
    interceptor,
    parse_rules,
    replace,
)
from seamlaw_host.engine import CallContext, Engine, context, guard, session
from seamlaw_host.engine._counts import Counts
from seamlaw_host.errors import Blocked
from seamlaw_host.state import MemoryState, budget, metering, rate_limit


@gate
def inside(call: ToolCall) -> object:
    """Judge by what is ambient alone."""
    return None if str(context().arguments["path"]).startswith("/srv/") else block("outside of /srv")


@interceptor
def astray(call: ToolCall) -> object:
    """Rewrite the call into one that must not run."""
    return replace(ToolCall(call.id, call.name, {"path": "/etc"}))


def test_a_gate_that_looks_at_the_context_judges_what_runs() -> None:
    """`context().call` was the call as proposed: a gate that read it let run what a rewriter had made of it."""
    tool = Tool()
    with pytest.raises(Blocked, match="outside"):
        Engine(Interceptors(tool_call=[astray, inside])).call("read", tool, {"path": "/srv/a"})
    assert tool.starts == []


def test_a_rule_that_fills_is_seen_in_the_context_too() -> None:
    """What a default adds is in what a gate reads of the context."""
    filled = parse_rules([{"default": {"tool": "read", "at": "/path", "value": "/etc"}}])
    with pytest.raises(Blocked, match="outside"):
        Engine(Interceptors(tool_call=[inside], rules=filled)).call("read", Tool(), {})


def test_a_call_decided_inside_a_tool_is_not_taken_for_the_tools_own() -> None:
    """An agent's loop inside of a tool decides its calls by `at`: its gates read the outer call's arguments."""
    engine = Engine(Interceptors(tool_call=[inside]))

    def loop(path: str) -> object:
        assert engine.at(TOOL_CALL, ToolCall("1", "read", {"path": "/srv/b"})).arguments == {"path": "/srv/b"}
        assert context().arguments == {"path": "/srv/a"}
        return engine.at(TOOL_CALL, ToolCall("2", "read", {"path": "/etc"}))

    with pytest.raises(Blocked, match="outside"):
        engine.call("loop", loop, {"path": "/srv/a"})


def test_what_is_decided_inside_a_tool_counts_against_limits() -> None:
    """Calls decided by `at` inside a tool were taken for the tool's own, asked about again: counted once, or not."""
    state = MemoryState()
    few, cheap = rate_limit(state, 3, per_s=60), budget(state, 30, amount_from=10)
    engine, decided = Engine(Interceptors(tool_call=[few, cheap])), list[str]()

    def loop() -> None:
        for number in range(9):
            decided.append(engine.at(TOOL_CALL, ToolCall(str(number), "read", {})).id)

    with pytest.raises(Blocked):
        engine.call("loop", loop)
    assert decided == ["0", "1"]
    assert state.spending(("budget", "session", "")).spent == 30 * 10**9


def test_a_loop_of_ones_own_inside_a_tool_still_meters_its_calls() -> None:
    """What `metering` is told is settled for the inner call, not with the tool's."""
    state = MemoryState()
    engine = Engine(Interceptors(tool_call=[budget(state, 100, actual_from=lambda it: it, tools="read")]))

    def loop() -> None:
        call = ToolCall("1", "read", {})
        with metering(call) as metered:
            engine.at(TOOL_CALL, call)
            metered.gave(7)

    engine.call("loop", loop)
    assert state.spending(("budget", "session", "")) == (7 * 10**9, 0)


def test_deny_by_default_holds_for_what_is_decided_inside_a_tool() -> None:
    """The tool around it is covered by a policy; the call inside is covered by none."""
    covered = Interceptors(tool_call=[gate(lambda call: None, name="loops", tools="loop")])
    engine = Engine(covered, default="deny")
    assert engine.at(TOOL_CALL, ToolCall("1", "loop", {})).name == "loop"
    with pytest.raises(Blocked, match="no policy covers"):
        engine.call("loop", lambda: engine.at(TOOL_CALL, ToolCall("2", "wipe", {})))


def test_deny_by_default_holds_for_what_a_call_is_renamed_to() -> None:
    """The name that was proposed is covered by the rewriter alone; the name that runs is covered by nothing."""
    tool = Tool()
    rename = interceptor(lambda call: replace(ToolCall(call.id, "wipe", {})), name="rename", tools="clean")
    with pytest.raises(Blocked, match="renamed"):
        Engine(Interceptors(tool_call=[rename]), default="deny", tools={"wipe": tool}).call("clean", Tool())
    assert tool.starts == []
    judged = gate(lambda call: None, name="judges", tools="wipe")
    engine = Engine(Interceptors(tool_call=[rename, judged]), default="deny", tools={"wipe": tool})
    assert engine.call("clean", Tool()) == {"done": []}


def test_a_result_judged_by_itself_is_in_the_context() -> None:
    """A gate on results finds the call that it is given, and the result, where a host judges a result alone."""
    seen: list[object] = []
    look = gate(lambda result, call: seen.append((context().call, context().result)), name="look")
    call, result = ToolCall("1", "read", {}), ToolResult("text")
    Engine(Interceptors(tool_result=[look])).at(TOOL_RESULT, result, call)
    assert seen == [(call, result)]


@pytest.mark.parametrize(
    ("name", "value"),
    [("proposed", ToolCall("9", "other", {})), ("scope", None), ("attempt", "9"), ("engine", Engine()), ("tool", "x")],
)
@pytest.mark.parametrize("mode", ["enforce", "dry_run"])
def test_nobody_changes_what_was_proposed_or_who_called(name: str, value: object, mode: Any) -> None:
    """A predicate could put another call in the place of the one proposed: in records, and in what a dry run ran."""

    def meddle(call: CallContext) -> bool:
        with pytest.raises(AttributeError):
            setattr(call, name, value)
        return True

    ledger = Kept()

    @guard(pre=meddle, engine=Engine(ledger=ledger, mode=mode))
    def run(n: int) -> int:
        return n

    assert run(1) == 1
    assert ledger.happenings[0].proposed.arguments == {"n": 1}


def test_a_checksum_that_cannot_be_had_leaves_a_record() -> None:
    """The provider was asked before anything was recorded: its failure left a call without a trace."""

    def gone() -> str:
        raise OSError("the disk is gone")

    ledger, tool = Kept(), Tool()
    with pytest.raises(OSError, match="gone"):
        Engine(Interceptors(tool_call=[lambda call: None]), ledger=ledger, checksum=gone).call("t", tool)
    assert tool.starts == []
    assert ["OSError" in one.error for one in ledger.happenings] == [True]


def test_engines_that_share_a_bundle_decide_by_it_once() -> None:
    """An agent inside another, both under one policy: each call of the inner was decided, and asked about, twice."""
    names: list[str] = []
    shared = Interceptors(tool_call=[gate(lambda call: names.append(call.name), name="once")])
    inner = Engine(shared)
    Engine(shared).call("outer", lambda: inner.call("inner", Tool()))
    assert names == ["outer", "inner"]


def test_the_count_of_a_session_never_looks_smaller_than_it_is() -> None:
    """While one thread counted, another found no count at all: a limit by `step` let a call through."""
    counts, over, low = Counts(), threading.Event(), list[int]()
    counts.add("s")

    def look() -> None:
        while not over.is_set():
            low.extend(number for number in (counts.of("s"),) if number < 1)

    looking = threading.Thread(target=look)
    looking.start()
    for _ in range(50_000):
        counts.add("s")
    over.set()
    looking.join()
    assert low == []


def test_the_elements_of_a_starred_parameter_are_judged_as_they_run() -> None:
    """A tuple was held as a Python object: a list in it could change after it was judged, and no rule could read it."""
    given = ["ls"]

    def late(call: ToolCall) -> object:
        given[0] = "rm"
        return block("no rm") if "rm" in call.arguments["argv"][0] else None

    def run(*argv: list[str], **options: int) -> object:
        return argv, options

    assert Engine(Interceptors(tool_call=[gate(late)])).wrap(run)(given) == ((["ls"],), {})
    refuses = parse_rules([{"refuse": "no rm", "tools": ["run"], "when": [{"at": "/argv/0/0", "equals": "rm"}]}])
    with pytest.raises(Blocked, match="no rm"):
        Engine(Interceptors(rules=refuses)).wrap(run)(["rm"])


def test_an_argument_that_was_taken_away_shifts_no_other() -> None:
    """What followed it went to the tool under other names than those that were judged."""

    def run(a: int = 1, *rest: int, **more: int) -> object:
        return a, rest, more

    drop = interceptor(
        lambda call: replace(
            ToolCall(call.id, call.name, {name: value for name, value in call.arguments.items() if name != "a"})
        ),
        name="drop",
    )
    assert Engine(Interceptors(tool_call=[drop])).wrap(run)(5, 2, 3, z=4) == (1, (2, 3), {"z": 4})


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_a_forked_process_names_its_calls_otherwise() -> None:
    """A server that forks after it made its engine gave the calls of two processes one id, and one attempt."""
    engine = Engine()

    def names() -> str:
        return engine.call("t", lambda: f"{context().attempt} {context().call.id}")

    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, names().encode())
        os._exit(0)
    os.waitpid(child, 0)
    told = os.read(ours, 1_000).decode()
    for end in (ours, theirs):
        os.close(end)
    assert set(told.split()).isdisjoint(names().split())


def test_a_session_is_left_as_it_was_found() -> None:
    """Whatever a call inside does (raise, be blocked, be abandoned), the caller's scope is its own again."""
    engine = Engine(Interceptors(tool_call=[gate(lambda call: block("no"), name="no", tools="no")]))
    with session("s", agent="a"):
        with pytest.raises(Blocked):
            engine.call("no", Tool())
        with pytest.raises(ZeroDivisionError):
            engine.call("raises", lambda: 1 / 0)
        with pytest.raises(Exception, match="no guarded call"):
            context()
        assert engine.call("who", lambda: (context().session, context().agent)) == ("s", "a")
