"""Everyone who could be consulted, in order, with what each answered, or why it was not asked."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import (
    TOOL_CALL,
    Interceptors,
    Scope,
    ToolCall,
    ToolResult,
    Verdict,
    block,
    decide,
    gate,
    note,
    observer,
    parse_rules,
    replace,
    rewriter,
)
from seamlaw_host.replay import Step, explain


def renames(call: ToolCall) -> object:
    """Rename the tool."""
    return replace(ToolCall(call.id, "sh", call.arguments))


def says(answer: object) -> Callable[[ToolCall], object]:
    """Make a function of a call that gives one answer."""
    return lambda call: answer


def watches(value: object, result: object) -> None:
    """Only watch."""


RULES = parse_rules(
    [
        {"name": "fill", "default": {"tool": "bash", "at": "/timeout", "value": 1}},
        {"name": "rule", "refuse": "no", "when": [{"at": "/x", "equals": 1}], "unless": [{"at": "/y", "matches": "a"}]},
    ]
)
BUNDLE = Interceptors(
    rules=RULES,
    tool_call=(
        gate(says(None), name="gate", tools=["sh"]),
        rewriter(renames, name="rename", tools=["bash"]),
        rewriter(says(None), name="late", tools=["bash"]),
        rewriter(says(None), name="agents", agents=["reviewer"]),
        observer(watches, name="watcher"),
    ),
    handlers=(rewriter(says(ToolResult("handled")), name="handler"),),
)


def steps(**arguments: Any) -> list[Step]:
    """Explain a call of bash by the main agent."""
    return list(explain(BUNDLE, ToolCall("1", "bash", arguments), Scope(agent="main")).steps)


def test_everyone_is_listed_in_the_order_of_asking() -> None:
    """Rules that fill, the chain, rules that judge, gates, handlers: nobody is left out."""
    assert [(step.phase, step.interceptor) for step in steps()] == [
        ("fill", "fill"),
        ("chain", "rename"),
        ("chain", "late"),
        ("chain", "agents"),
        ("chain", "watcher"),
        ("rule", "rule"),
        ("gate", "gate"),
        ("handler", "handler"),
    ]


def test_who_is_passed_over_is_told_why() -> None:
    """Each by the value as it would have seen it: after the rename, what is for bash is not asked."""
    assert {step.interceptor: step.skipped for step in steps() if step.skipped} == {
        "late": "it is for tools bash",
        "agents": "it is for agents reviewer",
        "watcher": "it only watches",
        "handler": "handlers act, so they are not called here",
    }


def test_values_are_told_before_and_after() -> None:
    """Each sees what the one before left."""
    fill, rename, *_ = steps()
    assert (fill.before.arguments, fill.after.arguments) == ({}, {"timeout": 1})
    assert (rename.before.name, rename.after.name) == ("bash", "sh")
    assert rename.before == fill.after


@pytest.mark.parametrize(
    ("arguments", "held"),
    [({}, (False, False)), ({"x": 1, "y": "b"}, (True, False)), ({"y": 5}, (False, "/y: matches is not for number"))],
)
def test_a_rule_tells_how_each_condition_came_out(arguments: dict[str, Any], held: tuple[object, ...]) -> None:
    """True, false, or why that cannot be known."""
    (rule,) = [step for step in steps(**arguments) if step.interceptor == "rule"]
    assert rule.conditions == (('when /x {"equals": 1}', held[0]), ('unless /y {"matches": "a"}', held[1]))


def test_after_a_stop_the_rest_is_told_by_whom() -> None:
    """A block in the chain stops it, and gates are not asked."""
    bundle = Interceptors(tool_call=(rewriter(says(block("no")), name="stops"), gate(says(None), name="g")))
    told = explain(bundle, ToolCall("1", "bash"))
    assert told.steps[1].skipped == "stops has stopped the chain"
    assert told.outcome.verdict is Verdict.BLOCK


def test_one_interceptor_given_twice_is_told_twice() -> None:
    """Each of its places is a step."""
    notes = rewriter(says(note("seen")), name="n")
    told = explain(Interceptors(tool_call=(notes, notes)), ToolCall("1", "bash"))
    assert [len(step.answers) for step in told.steps] == [1, 1]


def test_without_a_policy_there_is_nothing_to_tell() -> None:
    """No step, and the call proceeds."""
    assert explain(None, ToolCall("1", "bash")).steps == ()


TOOLS = st.sampled_from(["bash", "sh", "rm"])
ANSWERS = st.sampled_from(["nothing", "note", "block", "rename", "raise"])


def answering(answer: str) -> Any:
    """Make a function that gives one answer."""

    def function(call: ToolCall) -> object:
        match answer:
            case "note":
                return note("n")
            case "block":
                return block("b")
            case "rename":
                return replace(ToolCall(call.id, "sh", call.arguments))
            case "raise":
                raise ValueError
            case _:
                return None

    return function


@given(st.lists(st.tuples(st.booleans(), st.lists(TOOLS, max_size=1), ANSWERS), max_size=6), TOOLS)
def test_explaining_decides_just_what_deciding_does(drawn: list[tuple[bool, list[str], str]], tool: str) -> None:
    """The outcome is that of the kernel, and every interceptor is one step."""
    made = [(gate if is_gate else rewriter)(answering(says), tools=tools or ()) for is_gate, tools, says in drawn]
    bundle, call = Interceptors(tool_call=tuple(made), rules=RULES), ToolCall("1", tool)
    told = explain(bundle, call)
    assert told.outcome == decide(bundle, TOOL_CALL, call)
    assert len(told.steps) == len(drawn) + len(RULES)
    assert tuple(entry for step in told.steps for entry in step.answers) == told.outcome.log
