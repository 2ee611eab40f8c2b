"""Handlers, which may answer in place of a tool, and observers, which change nothing."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    TOOL_RESULT,
    Block,
    Entry,
    Fault,
    Interceptors,
    InvalidInterceptor,
    InvalidValue,
    Kind,
    Message,
    Replace,
    Scope,
    ToolCall,
    ToolResult,
    decide,
    gate,
    handle,
    interceptor,
    observe,
    observer,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
RESULT = ToolResult("out")
Asked = Callable[[Any], object]


def handled(*handlers: Any, scope: Scope | None = None) -> ToolResult | Fault | None:
    """Ask the handlers about the call."""
    return handle(Interceptors(handlers=handlers), CALL, scope)


# Handlers


@pytest.mark.parametrize("bundle", [None, Interceptors(), Interceptors(tool_call=[lambda call: Block("no")])])
def test_without_handlers_the_tool_runs(bundle: Interceptors | None) -> None:
    """`None` lets it."""
    assert handle(bundle, CALL) is None


def test_the_first_that_answers_wins() -> None:
    """The rest is not asked, and the result is the very object."""
    asked: list[str] = []

    def says(name: str, answer: object) -> Asked:
        def answers(call: ToolCall) -> object:
            asked.append(name)
            return answer

        return answers

    assert handled(says("a", None), says("b", RESULT), says("c", ToolResult("other"))) is RESULT
    assert asked == ["a", "b"]
    assert handled(says("d", None)) is None


WRONG: list[Any] = [True, False, 0, "", "out", {"output": 1}, [], Block("no"), Replace(RESULT), CALL, ToolResult]


@pytest.mark.parametrize("answer", WRONG, ids=repr)
def test_what_is_no_result_is_a_fault_and_the_tool_must_not_run(answer: Any) -> None:
    """Whoever asked to answer instead had a reason; nobody after it is asked."""
    asked: list[object] = []
    fault = handled(interceptor(lambda call: answer, name="h"), asked.append)
    reason = f"interceptor error: h answered {type(answer).__name__}, which is no ToolResult"
    assert (fault, asked) == (Fault(reason, closed=True), [])


def test_a_handler_that_raises_is_a_closed_fault() -> None:
    """Told by its class and place."""

    def fails(call: ToolCall) -> None:
        raise ValueError("secret")

    line = inspect.getsourcelines(fails)[1] + 1
    assert handled(fails) == Fault(f"interceptor error: fails raised ValueError at test_watch.py:{line}", closed=True)


def test_a_handler_that_gives_a_coroutine_is_a_fault_and_it_is_closed() -> None:
    """Nobody will ever await it."""

    async def later() -> ToolResult:
        return RESULT

    made = later()
    assert isinstance(handled(lambda call: made), Fault)
    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED


def test_a_handler_is_asked_if_its_filter_matches_and_gets_the_scope() -> None:
    """Like every interceptor."""
    by_agent = interceptor(lambda call, scope: ToolResult(scope.agent), tools="bash", agents="a*")
    assert handled(by_agent, scope=Scope(agent="ab")) == ToolResult("ab")
    assert handled(by_agent, scope=Scope(agent="b")) is None
    assert handle(Interceptors(handlers=[by_agent]), ToolCall("1", "ls")) is None


def test_a_handler_has_no_part_in_the_decision() -> None:
    """It is not consulted at `tool_call`."""
    assert decide(Interceptors(handlers=[lambda call: Block("no")]), TOOL_CALL, CALL).proceeds


# Observers


def observed(*watchers: Any, scope: Scope | None = None) -> tuple[Entry, ...]:
    """Show the call and its result."""
    return observe(Interceptors(tool_call=watchers), TOOL_CALL, CALL, RESULT, scope=scope)


def test_each_is_shown_the_value_and_the_result() -> None:
    """As much of it as it declares; the scope if it wants it; the observing side of a gate too."""
    seen: list[tuple[Any, ...]] = []
    who = Scope(agent="a")

    def keeps(call: ToolCall, *, scope: Scope) -> None:
        seen.append((call, scope))

    by_name: Any = keeps
    watchers = [
        observer(lambda call: seen.append((call,))),
        observer(lambda call, result: seen.append((call, result))),
        observer(lambda call, result, scope: seen.append((call, result, scope))),
        observer(by_name),
        gate(lambda call: None, observe=lambda call, result: seen.append(("gate", result))),
    ]
    assert observed(*watchers, scope=who) == ()
    assert seen == [(CALL,), (CALL, RESULT), (CALL, RESULT, who), (CALL, who), ("gate", RESULT)]


@pytest.mark.parametrize("answer", [None, True, Block("no"), Replace(CALL), ToolResult("other"), "text"], ids=repr)
def test_what_they_answer_counts_for_nothing(answer: object) -> None:
    """They only watch."""
    assert observed(observer(lambda call, result: answer)) == ()


def test_each_runs_also_if_another_raised() -> None:
    """What was raised comes back as entries, in order."""
    seen: list[str] = []

    def fails(call: ToolCall, result: object) -> None:
        raise ValueError("secret")

    first = observer(fails, name="one")
    entries = observed(
        first, observer(lambda call: seen.append("a")), observer(fails), observer(lambda c: seen.append("b"))
    )
    line = inspect.getsourcelines(fails)[1] + 1
    assert seen == ["a", "b"]
    assert [(entry.kind, entry.interceptor, entry.seam) for entry in entries] == [
        (Kind.FAULT, "one", "tool_call"),
        (Kind.FAULT, "fails", "tool_call"),
    ]
    assert entries[0].answer == Fault(f"observer error: one raised ValueError at test_watch.py:{line}", closed=False)


def test_an_observers_coroutine_is_closed() -> None:
    """One that should have been plain does nothing, without a warning."""

    async def later() -> None: ...

    made = later()
    assert observed(observer(lambda call: made)) == ()
    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED


def test_an_observer_watches_the_tools_and_agents_it_names() -> None:
    """At `tool_call` by the call, at `tool_result` by the call beside the result."""
    seen: list[str] = []
    watching = observer(lambda value: seen.append(type(value).__name__), tools="bash", agents="a")
    bundle = Interceptors(tool_call=[watching], tool_result=[watching])
    for call in (CALL, ToolCall("2", "ls")):
        for agent in ("a", "b"):
            observe(bundle, TOOL_CALL, call, RESULT, scope=Scope(agent=agent))
            observe(bundle, TOOL_RESULT, RESULT, RESULT, call, scope=Scope(agent=agent))
    assert seen == ["ToolCall", "ToolResult"]


def test_an_observer_of_any_seam_watches_it() -> None:
    """The messages and what the provider gave for them, say."""
    seen: list[object] = []
    messages = (Message("user", "a"),)
    bundle = Interceptors(context=[observer(lambda shown, result: seen.append((shown, result)))])
    assert observe(bundle, CONTEXT, messages, "reply") == ()
    assert seen == [(messages, "reply")]
    assert observe(bundle, TOOL_CALL, CALL, RESULT) == observe(None, CONTEXT, messages, "reply") == ()


def test_an_observer_that_takes_more_than_there_is_is_refused() -> None:
    """As an interceptor is: it would fail at every call."""
    watches: Any = four
    with pytest.raises(InvalidInterceptor, match="takes more"):
        Interceptors(tool_call=[observer(watches)])


def four(call: ToolCall, result: object, scope: Scope, more: object) -> None:
    """Take four."""


@pytest.mark.parametrize("bundle", [None, Interceptors(handlers=[lambda call: None])])
def test_only_a_tool_call_is_handled(bundle: Interceptors | None) -> None:
    """What is no `ToolCall` is refused by its kind, whether anybody handles calls or not."""
    with pytest.raises(InvalidValue, match="tool_call carries ToolCall, not int"):
        handle(bundle, 5)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("wrong", [[], {}, "", 0], ids=repr)
def test_what_is_no_bundle_neither_handles_nor_watches(wrong: Any) -> None:
    """A list of handlers, an empty one too, does not pass for nobody."""
    with pytest.raises(InvalidInterceptor, match="a bundle is Interceptors"):
        handle(wrong, CALL)
    with pytest.raises(InvalidInterceptor, match="a bundle is Interceptors"):
        observe(wrong, TOOL_CALL, CALL, RESULT)


def test_where_the_call_is_not_given_each_watches() -> None:
    """The call stands beside a result; without it no filter can say no, and nothing fails."""
    seen: list[object] = []
    bundle = Interceptors(tool_result=[observer(lambda shown, result: seen.append(result), tools="bash")])
    assert observe(bundle, TOOL_RESULT, RESULT, "read") == ()
    assert seen == ["read"]


def test_who_only_answers_does_not_watch() -> None:
    """An interceptor without an observing side is passed over."""
    assert observed(lambda call: Block("no"), gate(lambda call: None)) == ()
