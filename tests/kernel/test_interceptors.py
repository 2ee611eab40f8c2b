"""Interceptors: what may be one, what it is shown, and what is refused where it is made."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    TOOL_RESULT,
    Block,
    Interceptor,
    Interceptors,
    InvalidInterceptor,
    Policy,
    Scope,
    ToolCall,
    ToolResult,
    block,
    decide,
    gate,
    interceptor,
    note,
    observer,
    rewriter,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
WHO = Scope(agent="builder")


def at_call(*asked: Any) -> Interceptors:
    """Make a bundle of anything at `tool_call`."""
    return Interceptors(tool_call=asked)


def no(call: ToolCall) -> Block:
    """Block."""
    return block("no")


# What may be one


class Counter:
    """An object that is called, counts, and has a method that is as good."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, call: ToolCall) -> None:
        self.seen += 1

    def method(self, call: ToolCall) -> None:
        """Count."""
        self.seen += 1

    @staticmethod
    def static(call: ToolCall) -> Block:
        """Block."""
        return block("static")

    @classmethod
    def on_class(cls, call: ToolCall) -> Block:
        """Block."""
        return block(cls.__name__)


def test_any_plain_callable_is_one() -> None:
    """Functions, lambdas, bound, static and class methods, objects and partials."""
    counter = Counter()

    def second(word: str, call: ToolCall) -> object:
        return note(word)

    bundle = at_call(counter, counter.method, functools.partial(second, "p"), Counter.static)
    outcome = decide(bundle, TOOL_CALL, CALL)
    assert ([entry.reason for entry in outcome.log], counter.seen) == (["p", "static"], 2)
    assert [made.name for made in bundle.tool_call] == ["Counter", "method", "second", "static"]
    assert decide(at_call(Counter.on_class), TOOL_CALL, CALL).reason == "Counter"


def test_a_mock_is_one() -> None:
    """As people write in their tests; what it answers by itself is no decision."""
    assert decide(at_call(Mock(return_value=None)), TOOL_CALL, CALL).proceeds
    assert decide(at_call(Mock(return_value=block("no"))), TOOL_CALL, CALL).reason == "no"
    assert "answered Mock" in decide(at_call(Mock()), TOOL_CALL, CALL).reason
    assert decide(at_call(Mock(side_effect=ValueError)), TOOL_CALL, CALL).verdict.value == "block"


def test_a_callable_that_does_not_tell_its_parameters_is_one() -> None:
    """Some that are built in cannot be inspected; they are called with the value."""
    assert "answered int" in decide(Interceptors(context=(len,)), CONTEXT, ()).log[0].reason
    untold: Any = type
    assert "answered type" in decide(at_call(untold), TOOL_CALL, CALL).reason


async def async_function(call: ToolCall) -> None:
    """Be async."""


async def async_generator(call: ToolCall) -> AsyncIterator[None]:
    """Be async, and a generator."""
    yield None


def generator(call: ToolCall) -> Iterator[None]:
    """Be a generator."""
    yield None


class AsyncObject:
    """An object whose call is async."""

    async def __call__(self, call: ToolCall) -> None:
        """Be async."""

    async def method(self, call: ToolCall) -> None:
        """Be async."""


@functools.wraps(async_function)
def wrapped(call: ToolCall) -> Any:
    """Be plain, though what it wraps is not."""


ASYNC: dict[str, Any] = {
    "function": async_function,
    "generator": async_generator,
    "plain generator": generator,
    "object": AsyncObject(),
    "method": AsyncObject().method,
    "partial": functools.partial(async_function),
    "partial of a partial": functools.partial(functools.partial(async_function)),
    "partial of an object": functools.partial(AsyncObject()),
}


@pytest.mark.parametrize("kind", ASYNC)
@pytest.mark.parametrize("make", [gate, rewriter, interceptor, observer, at_call])
def test_what_cannot_answer_at_once_is_refused_where_it_is_registered(kind: str, make: Callable[[Any], object]) -> None:
    """Async functions, methods and objects, and generators, are refused with what to do."""
    with pytest.raises(InvalidInterceptor, match="async or a generator: it must answer at once, in a plain def"):
        make(ASYNC[kind])


def test_what_only_wraps_something_async_is_judged_by_itself() -> None:
    """A plain function is plain, whatever it was given the name of."""
    assert decide(at_call(wrapped), TOOL_CALL, CALL).proceeds


NONE_AT_ALL: list[Any] = [
    None,
    7,
    "bash",
    [no],
    {"function": no},
    Policy("p"),
    Policy("p") & Policy("q"),
    ...,
    block("no"),
]


@pytest.mark.parametrize("wrong", NONE_AT_ALL, ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("make", [gate, rewriter, interceptor, observer, at_call])
def test_what_is_no_callable_is_refused(make: Callable[[Any], object], wrong: Any) -> None:
    """Above all `None`: a factory that forgot to return must not become nothing."""
    with pytest.raises(InvalidInterceptor, match="callable"):
        make(wrong)


def test_a_policy_is_told_how_to_become_one() -> None:
    """The remedy is in the message."""
    with pytest.raises(InvalidInterceptor, match=r"limits is not callable; a Policy becomes a gate with .as_gate\(\)"):
        at_call(Policy("limits"))


def test_an_interceptor_is_not_made_of_another() -> None:
    """Wrapping would lose its mode, its filter or its hardening."""
    for inner in (gate(no), rewriter(no, tools="x"), interceptor(no, on_fault="close")):
        for make in (gate, rewriter, interceptor):
            with pytest.raises(InvalidInterceptor, match="not of another one"):
                make(inner, name="y")


def no_parameter() -> None:
    """Take nothing."""


def keyword_only(*, call: ToolCall) -> None:
    """Take it by keyword."""


def needs_keyword(call: ToolCall, *, strict: bool) -> None:
    """Need a keyword."""


def only_options(**options: object) -> None:
    """Take options alone."""


def only_default(call: ToolCall | None = None) -> None:
    """Take the value as if it might be missing."""


@pytest.mark.parametrize("wrong", [no_parameter, keyword_only, needs_keyword, only_options, only_default])
def test_the_value_is_the_first_parameter_and_no_keyword_is_needed(wrong: Any) -> None:
    """What could never be called is refused at once."""
    with pytest.raises(InvalidInterceptor, match="must take the value as its first parameter and need no keyword"):
        at_call(wrong)


def three(call: ToolCall, scope: Scope, more: object) -> None:
    """Take three."""


def three_by_name(result: ToolResult, call: ToolCall, more: object, scope: Scope) -> None:
    """Take three and the scope."""


@pytest.mark.parametrize(("wrong", "at"), [(three, "tool_call"), (three, "context"), (three_by_name, "tool_result")])
def test_more_parameters_than_the_seam_offers_are_refused(wrong: Any, at: str) -> None:
    """It would fail at every call."""
    with pytest.raises(InvalidInterceptor, match=f"at {at}, takes more than it is offered: [12] and the scope"):
        Interceptors(**{at: (wrong,)})


# What it is shown


WITH_A_CALL: list[tuple[Callable[..., object], tuple[Any, ...]]] = [
    (lambda call: (call,), (CALL,)),
    (lambda call, who: (call, who), (CALL, WHO)),
    (lambda call, scope=None: (call, scope), (CALL, WHO)),
    (lambda call, *, scope: (call, scope), (CALL, WHO)),
    (lambda call, scope, /: (call, scope), (CALL, WHO)),
    (lambda call, strict=False: (call, strict), (CALL, False)),
    (lambda *all_of_it: all_of_it, (CALL,)),
    (lambda *all_of_it, scope: (*all_of_it, scope), (CALL, WHO)),
    (lambda call, **options: (call, options), (CALL, {})),
]
RESULT = ToolResult("out")
WITH_A_RESULT: list[tuple[Callable[..., object], tuple[Any, ...]]] = [
    (lambda result: (result,), (RESULT,)),
    (lambda result, call: (result, call), (RESULT, CALL)),
    (lambda result, scope: (result, scope), (RESULT, WHO)),
    (lambda result, call, who: (result, call, who), (RESULT, CALL, WHO)),
    (lambda result, call, scope: (result, call, scope), (RESULT, CALL, WHO)),
    (lambda *all_of_it: all_of_it, (RESULT, CALL)),
]


@pytest.mark.parametrize("make", [gate, rewriter], ids=["gate", "chain"])
def test_it_is_shown_what_it_declares(make: Any) -> None:
    """The value; then what stands beside it; one parameter more is the scope; one named `scope` gets it by name."""
    for function, expected in WITH_A_CALL:
        seen: list[object] = []
        shown = decide(at_call(make(telling(function, seen))), TOOL_CALL, CALL, scope=WHO)
        assert (seen, shown.log) == ([expected], ())
    for function, expected in WITH_A_RESULT:
        seen = []
        given: Any = [make(telling(function, seen))]
        told = decide(Interceptors(tool_result=given), TOOL_RESULT, RESULT, CALL, scope=WHO)
        assert (seen, told.log) == ([expected], ())


def telling(function: Callable[..., object], seen: list[object]) -> Callable[..., None]:
    """Keep the parameters of a function, and keep what it gives instead of answering it."""

    @functools.wraps(function)
    def tells(*given: Any, **named: Any) -> None:
        seen.append(function(*given, **named))

    return tells


def test_without_a_scope_it_is_an_empty_one() -> None:
    """Nobody has to be ready for `None`."""
    seen: list[Scope] = []
    decide(at_call(lambda call, scope: seen.append(scope)), TOOL_CALL, CALL)
    assert seen == [Scope()]


def test_it_may_still_be_called_as_a_function() -> None:
    """A decorated function can be tested on its own, with what it is made for."""

    @gate(tools="bash")
    def judge(call: ToolCall, scope: Scope) -> object:
        return block(f"{call.name} by {scope.agent}")

    assert judge(CALL, scope=WHO) == judge(CALL, WHO) == block("bash by builder")
    assert observer(no)(CALL) is None
    assert observer(no).ask((CALL,), WHO) is None


def test_a_filter_given_by_hand_as_text_is_a_filter() -> None:
    """An `Interceptor` made without a maker turns globs into a filter, or refuses what is none."""
    made = Interceptor(lambda call: block("no"), "by hand", tools="rm", agents=["a*"])
    assert made.tools.admit("rm")
    assert not made.tools.admit("ls")
    assert not made.agents.admit("b")
    with pytest.raises(ValueError, match="globs are"):
        Interceptor(lambda call: None, "by hand", tools=5)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_what_is_declared_is_known() -> None:
    """One that takes anything takes more than any seam offers; one that only watches is asked nothing."""
    watching = observer(lambda value: None)
    assert interceptor(lambda *offered: None).takes.count == 1_000
    assert (watching.takes.count, watching.observes.count) == (0, 1)
    assert interceptor(lambda value: None).observes.count == 0


def by_place(value: object, scope: Scope, /) -> None:
    """Take the scope by its place."""


def by_name(value: object, *, scope: Scope) -> None:
    """Take the scope by its name."""


def test_an_interceptor_made_by_hand_is_of_the_chain_and_known_by_what_it_is_made_of() -> None:
    """How it is called is no part of it, and is not shown."""
    made: Any = Interceptor
    one, other = made(by_place, "n"), made(by_place, "n", takes=made(no, "n").takes)
    assert (one.is_gate, one.closes, one == other) == (False, False, True)
    assert [made(function, "n").takes.scope for function in (by_place, by_name, no)] == ["by place", "by name", ""]
    assert "takes" not in repr(one)
    assert "observes" not in repr(one)
    with pytest.raises(TypeError):
        made(no, "n", observes=one.takes)


def test_the_value_comes_first() -> None:
    """Who takes the scope before it would be given the one for the other."""

    def turned(scope: Scope, call: ToolCall) -> None: ...

    wrong: Any = turned
    with pytest.raises(InvalidInterceptor, match="must take the value as its first parameter"):
        interceptor(wrong)
