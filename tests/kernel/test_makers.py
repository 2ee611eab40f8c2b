"""`interceptor`, `gate`, `rewriter` and `observer`: as functions, as decorators, with options and with wrong ones."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    Block,
    Globs,
    Interceptor,
    Interceptors,
    InvalidInterceptor,
    Scope,
    ToolCall,
    Verdict,
    block,
    decide,
    gate,
    interceptor,
    observer,
    rewriter,
)


def no(call: object) -> Block:
    """Block."""
    return block("no")


def at_seam(name: str, *asked: Any) -> Interceptors:
    """Make a bundle of anything."""
    given: dict[str, Any] = {name: asked}
    return Interceptors(**given)


def test_each_makes_its_mode() -> None:
    """`interceptor` makes either; without a mode it is of the chain, as every plain callable."""
    assert [make(no).is_gate for make in (interceptor, gate, rewriter)] == [False, True, False]
    assert interceptor(no, mode="gate").is_gate
    assert not interceptor(no, mode="rewrite").is_gate
    assert gate(no, mode="gate").is_gate
    assert not Interceptors(tool_call=(no,)).tool_call[0].is_gate


def test_each_is_a_decorator_with_and_without_options() -> None:
    """Bare, called with nothing, or with options; the result is the same value."""

    @gate
    def bare(call: object) -> None: ...

    @gate()
    def called(call: object) -> None: ...

    @gate(name="named", tools=["bash", "git_*"], agents="a?", on_fault="close")
    def with_options(call: object) -> None: ...

    assert (bare.name, called.name, with_options.name) == ("bare", "called", "named")
    assert with_options.tools == Globs(("bash", "git_*"))
    assert with_options.agents == Globs(("a?",))
    assert (bare.is_gate, called.is_gate, with_options.is_gate, with_options.closes) == (True, True, True, True)
    assert interceptor(no) == interceptor()(no) == interceptor(no, mode="rewrite") == rewriter(no)


def test_options_of_a_decorator_serve_many() -> None:
    """It may be kept and used again."""
    hardened = rewriter(on_fault="close", tools="bash")
    assert [hardened(no).tools, hardened(no).closes, hardened(no)] == [Globs(("bash",)), True, hardened(no)]


WRONG: list[tuple[Callable[..., object], dict[str, Any], str]] = [
    (gate, {"mode": "rewrite"}, "mode is gate"),
    (rewriter, {"mode": "gate"}, "mode is rewrite"),
    (interceptor, {"mode": "guard"}, "mode is rewrite or gate"),
    (interceptor, {"mode": None}, "mode is rewrite or gate"),
    (interceptor, {"on_fault": "open"}, "can only be 'close'; nothing loosens a closed seam"),
    (interceptor, {"on_fault": "skip"}, "can only be 'close'"),
    (interceptor, {"on_fault": False}, "can only be 'close'"),
    (interceptor, {"on_fault": ""}, "can only be 'close'"),
    (gate, {"tools": "[bash"}, "glob 0 is no glob"),
    (gate, {"tools": ["bash", ""]}, "glob 1 is no glob"),
    (gate, {"tools": None}, "globs are a string, or a list of strings"),
    (gate, {"agents": [7]}, "glob 0 is no glob"),
    (gate, {"agents": {"a": 1}}, "globs are a string, or a list of strings"),
    (gate, {"observe": 7}, "not callable"),
    (gate, {"tool": "bash"}, "no option is called tool; there are name, mode, tools, agents, on_fault, observe"),
]


@pytest.mark.parametrize(("make", "options", "complaint"), WRONG, ids=lambda it: str(it)[:40])
@pytest.mark.parametrize("decorates", [False, True])
def test_wrong_options_are_refused(make: Any, options: dict[str, Any], complaint: str, decorates: bool) -> None:
    """As a function and as a decorator, saying what may be said."""
    with pytest.raises(InvalidInterceptor, match=complaint):
        make(**options)(no) if decorates else make(no, **options)


@pytest.mark.parametrize(
    ("field", "wrong"), [("is_gate", 1), ("is_gate", "gate"), ("is_gate", None), ("closes", "close")]
)
def test_an_interceptor_made_by_hand_is_of_one_mode_or_the_other(field: str, wrong: object) -> None:
    """One that is neither would be asked by nobody."""
    options: dict[str, Any] = {field: wrong}
    with pytest.raises(InvalidInterceptor, match="True or False"):
        Interceptor(no, "by hand", **options)


@pytest.mark.parametrize("name", [7, b"name", no])
def test_a_name_is_text(name: Any) -> None:
    """It stands in every log."""
    with pytest.raises(InvalidInterceptor, match="name"):
        gate(no, name=name)


def test_a_name_can_be_written_down() -> None:
    """A lone surrogate in a name must not make the log unwritable."""

    def fails(call: object) -> None:
        raise ValueError

    outcome = decide(Interceptors(tool_call=(gate(fails, name="\ud800"),)), TOOL_CALL, ToolCall("1", "x"))
    assert outcome.denial.encode()


def test_a_name_that_is_empty_is_taken_from_the_function() -> None:
    """Everybody has one."""
    assert gate(no, name="").name == "no"


# Hardening


def test_a_hardened_interceptor_closes_an_open_seam() -> None:
    """Its fault blocks there; another's does not."""

    def fails(messages: object) -> None:
        raise ValueError

    hardened, plain = rewriter(fails, on_fault="close"), rewriter(fails)
    assert decide(Interceptors(context=(plain,)), CONTEXT, ()).verdict is Verdict.PROCEED
    assert decide(Interceptors(context=(plain, hardened)), CONTEXT, ()).verdict is Verdict.BLOCK


# Filters


@pytest.mark.parametrize(
    ("tools", "agents", "tool", "agent", "asked"),
    [
        ("bash", (), "bash", None, True),
        ("bash", (), "Bash", None, False),
        ("bash", (), "bash ", None, False),
        ((), "a*", "bash", "ab", True),
        ((), "a*", "bash", "ba", False),
        ((), "a*", "bash", None, True),
        ("bash", "a*", "bash", "ab", True),
        ("bash", "a*", "ls", "ab", False),
        ("bash", "a*", "bash", "b", False),
    ],
)
def test_it_is_asked_if_tool_and_agent_match(
    tools: Any, agents: Any, tool: str, agent: str | None, asked: bool
) -> None:
    """An agent that is not known is let in, so that nobody slips past a gate."""
    bundle = Interceptors(tool_call=(gate(no, tools=tools, agents=agents),))
    assert decide(bundle, TOOL_CALL, ToolCall("1", tool), scope=Scope(agent=agent)).proceeds is not asked


def test_a_filter_by_tool_needs_a_seam_with_a_call() -> None:
    """Where no tool is known it would never, or always, match."""
    for at in ("context", "provider_request", "memory"):
        with pytest.raises(InvalidInterceptor, match=f"is for certain tools, but the seam {at} knows no tool"):
            at_seam(at, gate(no, tools="bash"))


def test_an_observer_answers_nothing() -> None:
    """It has no function to ask, and may stand anywhere."""
    watcher = observer(lambda value, result: None, name="w", tools="bash", agents="a")
    assert (watcher.function, watcher.name, watcher.tools, watcher.is_gate) == (None, "w", Globs(("bash",)), False)
    assert decide(Interceptors(tool_call=(watcher,)), TOOL_CALL, ToolCall("1", "bash")).log == ()
