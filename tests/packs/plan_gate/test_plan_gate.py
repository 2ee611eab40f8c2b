"""Nothing is written before there is a plan, and each message of the user asks for a new one."""

import os
import signal
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.verified import broken

from seamlaw import CONTEXT, TOOL_CALL, Interceptors, Message, Scope, ToolCall, decide
from seamlaw_host.policies._hash import hash_of
from seamlaw_packs._sessions import Remembered
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.plan_gate import PlanGate

SCOPE = Scope(session="s", agent="a")
PLAN, WRITE, READ = (
    ToolCall("1", "todo", {}),
    ToolCall("2", "write_file", {"path": "x"}),
    ToolCall("3", "read_file", {}),
)
USER = Message("user", "please")
PLANNED = Message("assistant", None, (PLAN,))
RESULT = Message("tool", "done", call_id="1")


def may(bundle: Interceptors, call: ToolCall = WRITE, scope: Scope | None = SCOPE) -> bool:
    """Whether a call may run."""
    return decide(bundle, TOOL_CALL, call, scope=scope).proceeds


def shows(bundle: Interceptors, *messages: Message, scope: Scope | None = SCOPE) -> None:
    """Bring the messages to the seam, as a host does before each request."""
    assert decide(bundle, CONTEXT, messages, scope=scope).log == ()


def test_it_is_closed_until_a_plan_is_issued() -> None:
    """For writes, edits and shells, from the first call on; others pass."""
    bundle = PlanGate().interceptors()
    assert not may(bundle)
    assert [may(bundle, ToolCall("1", name, {})) for name in ("bash", "apply_patch", "Edit")] == [False] * 3
    assert may(bundle, READ)
    assert may(bundle, PLAN)
    assert may(bundle)


def test_the_denial_tells_how_to_go_on() -> None:
    """It names the tools that count as a plan."""
    outcome = decide(PlanGate(planning=["think", "todo"]).interceptors(), TOOL_CALL, WRITE, scope=SCOPE)
    assert outcome.reason == (
        "there is no plan since the last message of the user: call think or todo with your plan, and then this again"
    )


def test_in_one_batch_the_order_counts() -> None:
    """A write before the plan is blocked, one after it is not."""
    bundle = PlanGate().interceptors()
    assert [may(bundle, call) for call in (WRITE, PLAN, WRITE)] == [False, True, True]


def test_a_message_of_the_user_asks_for_a_new_plan() -> None:
    """At the beginning, and in the middle of a run."""
    bundle = PlanGate().interceptors()
    shows(bundle, USER)
    may(bundle, PLAN)
    shows(bundle, USER, PLANNED, RESULT)
    assert may(bundle)
    shows(bundle, USER, PLANNED, RESULT, Message("user", "rather this"))
    assert not may(bundle)
    may(bundle, PLAN)
    assert may(bundle)


def test_a_conversation_that_is_taken_up_again_has_the_plan_that_is_in_it() -> None:
    """It is read from the messages, in either way in which they tell of calls."""
    for message in (PLANNED, Message("assistant", [{"type": "tool_use", "name": "todo"}])):
        bundle = PlanGate().interceptors()
        shows(bundle, USER, message)
        assert may(bundle)


@pytest.mark.parametrize(
    "message",
    [
        Message("user", [{"type": "tool_result", "content": "x"}]),
        Message("user", "x", call_id="1"),
        Message("tool", "x", call_id="1"),
        Message("system", "x"),
        Message("assistant", "x"),
    ],
)
def test_a_result_is_no_message_of_the_user(message: Message) -> None:
    """Some providers send it in the user's name."""
    bundle = PlanGate().interceptors()
    shows(bundle, USER, PLANNED, message)
    assert may(bundle)


@pytest.mark.parametrize(
    "message",
    [
        Message("user", [{"type": "tool_result"}, {"type": "text", "text": "stop"}]),
        Message("user", [{"type": "image"}]),
        Message("user", []),
        Message("user", None),
        Message("user", ""),
        Message("user", None, (PLAN,)),
        Message("user", [{"type": "tool_use", "name": "todo"}]),
    ],
)
def test_everything_else_that_the_user_sends_is_a_message(message: Message) -> None:
    """Also an empty one, and one that claims to be a plan."""
    bundle = PlanGate().interceptors()
    shows(bundle, USER, PLANNED, message)
    assert not may(bundle)


MESSAGES = st.lists(st.sampled_from([USER, PLANNED, RESULT, Message("assistant", None, (WRITE,))]), max_size=8)


@given(MESSAGES)
def test_there_is_a_plan_just_where_one_follows_the_last_message_of_the_user(messages: list[Message]) -> None:
    """Whatever else is in between; the history before does not matter, nor what was known before."""
    after = messages[len(messages) - messages[::-1].index(USER) :] if USER in messages else messages
    for first in (PLAN, READ):
        bundle = PlanGate().interceptors()
        may(bundle, first)
        shows(bundle, *messages)
        assert may(bundle) is (PLANNED in after)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([None, "x"]), st.booleans()), max_size=8))
def test_sessions_and_agents_do_not_open_for_each_other(steps: list[tuple[str, str | None, bool]]) -> None:
    """What one has planned is no plan of another's."""
    bundle, planned = PlanGate().interceptors(), set[tuple[str, str | None]]()
    for session, agent, plans in steps:
        scope = Scope(session=session, agent=agent)
        if plans:
            may(bundle, PLAN, scope)
            planned.add((session, agent))
        assert may(bundle, WRITE, scope) is ((session, agent) in planned)


def test_a_forked_process_waits_for_nobody() -> None:
    """Whatever another thread was doing when it was forked."""
    remembered = Remembered[bool](5)
    remembered.put(("s", None), True)
    with remembered._lock:
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # it would wait for good
            os._exit(remembered.get(("s", None)) is True)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_what_is_remembered_is_no_part_of_the_policy() -> None:
    """Its hash stays the same."""
    bundle = PlanGate().interceptors()
    before = hash_of(bundle)
    decide(bundle, TOOL_CALL, ToolCall("1", "plan", {}))
    assert hash_of(bundle) == before


def test_what_is_forgotten_is_closed() -> None:
    """Beyond so many sessions, and for a bundle that was just made."""
    pack = PlanGate(sessions=2)
    bundle = pack.interceptors()
    scopes = [Scope(session=name) for name in "abc"]
    for scope in scopes:
        may(bundle, PLAN, scope)
    assert [may(bundle, WRITE, scope) for scope in scopes] == [False, True, True]
    assert not may(pack.interceptors(), WRITE, scopes[2])


def test_a_tool_that_is_guarded_is_no_plan() -> None:
    """Where both lists have it."""
    bundle = PlanGate("*", planning="todo").interceptors()
    assert [may(bundle, call) for call in (PLAN, PLAN, WRITE)] == [False] * 3


def test_many_threads_ask_at_once() -> None:
    """Nobody gets what is another's."""
    bundle, wrong = PlanGate().interceptors(), list[str]()

    def run(name: str, plans: bool) -> None:
        for turn in range(50):
            scope = Scope(session=f"{name} {turn}")
            if plans:
                may(bundle, PLAN, scope)
            if may(bundle, WRITE, scope) is not plans:
                wrong.append(name)

    threads = [Thread(target=run, args=(str(number), number % 2 == 0)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_what_it_does_not_see() -> None:
    """Limits: other names of a tool, an empty plan, callers without a name, a host without `context`."""
    bundle = PlanGate().interceptors()
    assert may(bundle, ToolCall("1", "mcp__files__write_file", {}))
    assert may(bundle, ToolCall("1", "todo", {"plan": ""}))
    assert may(bundle)
    may(bundle, PLAN, None)
    assert may(bundle, WRITE, Scope(role="somebody else"))


@pytest.mark.parametrize(
    ("options", "place"),
    [({"guarded": []}, "guarded"), ({"planning": ["["]}, "planning"), ({"sessions": 0}, "sessions")],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        PlanGate(**options)
    assert raised.value.place == place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green; the part that reads messages never says anything, as it should."""
    assert broken(PlanGate) == ["context: plan_gate.messages never said anything"]
