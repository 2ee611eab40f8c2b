"""Each kind of mistake is found in a policy that has it, and a policy without mistakes is left in peace."""

from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    Block,
    Interceptors,
    Policy,
    Replace,
    ToolCall,
    block,
    decide,
    gate,
    parse_rules,
    replace,
)
from seamlaw_spec.lint import Finding, Level, lint


def linted(*rules: dict[str, Any], tools: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What is found about rules, by kind and by whom it is about."""
    found = lint(Interceptors(rules=parse_rules(list(rules))), tools=tools)
    return [(one.kind, one.about) for one in found if one.kind != "contrary"]


def refuse(name: str, **given: Any) -> dict[str, Any]:
    """A refusal."""
    return {"refuse": "no", "name": name, **given}


def at(place: str, **test: Any) -> dict[str, Any]:
    """A condition."""
    return {"at": place, **test}


FILL = {"name": "fill", "default": {"tool": "bash", "at": "/timeout", "value": 60}}


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ([refuse("r", when=[at("/a", less=1), at("/a", greater=1)])], [("never but by a fault", "r")]),
        ([refuse("r", when=[at("/a", exists=True)], unless=[at("/a", exists=True)])], [("never", "r")]),
        ([FILL, refuse("r", tools="bash", unless=[at("/timeout", exists=True)])], [("never", "r")]),
        ([refuse("a", tools="*_file"), refuse("b", tools="write_file")], [("shadowed", "b")]),
        ([refuse("a"), refuse("b")], [("shadowed", "b")]),
        ([refuse("b", when=[at("/n", greater=5)]), refuse("a", when=[at("/n", greater=1)])], [("shadowed", "b")]),
        ([refuse("a", tools="rm"), {"ask": "sure?", "name": "b", "tools": "rm"}], [("shadowed", "b")]),
        ([FILL, refuse("r", tools="b*")], [("pointless", "fill")]),
        ([FILL, FILL | {"name": "again"}], [("never", "again")]),
        ([{"ask": "sure?", "name": "a", "tools": "rm"}, refuse("b", tools="rm", when=[at("/f", equals=True)])], []),
        ([refuse("a", tools="rm"), refuse("b", tools="dd")], []),
        ([FILL, refuse("r", tools="bash", when=[at("/timeout", greater=600)])], []),
    ],
)
def test_what_is_found_among_rules(rules: list[dict[str, Any]], found: list[tuple[str, str]]) -> None:
    """A rule that never acts, one that another covers, a default without effect; and none of these."""
    assert linted(*rules) == found


def test_why_a_rule_never_acts_is_told() -> None:
    """That a default fills in what it looks for is another matter than that its conditions exclude each other."""
    (one,) = lint(
        Interceptors(rules=parse_rules([FILL, refuse("r", tools="bash", unless=[at("/timeout", exists=True)])]))
    )
    assert one.problem == "no call meets its conditions, because of what a default fills in"


def test_an_ask_and_a_refusal_of_the_same_call_are_noted_with_the_call() -> None:
    """The call is decided by the kernel: it is blocked, and nobody is asked."""
    rules = parse_rules(
        [
            {"ask": "pushes", "name": "push", "when": [at("/command", contains="push")]},
            refuse("force", when=[at("/command", contains="--force")]),
        ]
    )
    (one,) = [found for found in lint(Interceptors(rules=rules)) if found.kind == "contrary"]
    assert (one.level, one.about) == (Level.NOTE, "push")
    assert one.witness is not None
    outcome = decide(Interceptors(rules=rules), TOOL_CALL, one.witness.call, scope=one.witness.scope)
    assert {entry.interceptor for entry in outcome.log} == {"push", "force"}


def test_globs_that_let_no_tool_through_are_told_where_the_tools_are_known() -> None:
    """A typing mistake in the name of a tool refuses nothing."""
    assert linted(refuse("r", tools=["bahs", "read_*"]), tools=("bash", "read_file")) == [
        ("no such tool", "tool_call: r")
    ]
    assert linted(refuse("r", tools=["bahs"])) == []


def blocks(call: ToolCall) -> Block | None:
    """It blocks, in the chain."""
    return block("no") if call.name == "rm" else None


def renames(call: ToolCall) -> Replace | None:
    """It makes one tool of another."""
    return replace(ToolCall(call.id, "rm", call.arguments)) if call.name == "remove" else None


def of_results(result: Any) -> Block | None:
    """It is for results."""
    return block("no") if result.output else None


def holds(result: Any, call: ToolCall) -> bool:
    """A requirement of results."""
    return True


POST = Policy("results").require(holds, hook="post")


@pytest.mark.parametrize(
    ("policy", "kinds"),
    [
        (Interceptors(), ["empty"]),
        (Interceptors(tool_call=[blocks, renames]), ["slipped past"]),
        (Interceptors(tool_call=[renames, blocks]), []),
        (Interceptors(tool_call=[gate(blocks), renames]), []),
        (Interceptors(tool_call=[of_results]), ["misplaced"]),
        (Interceptors(tool_result=[of_results]), []),
        (Interceptors(tool_call=[POST.as_gate()]), ["not installed", "no rules here"]),
        (POST, []),
    ],
)
def test_what_is_found_among_interceptors(policy: object, kinds: list[str]) -> None:
    """An empty policy, a gate in the chain before a rewriter, the wrong seam, a policy half installed."""
    assert [one.kind for one in lint(policy)] == kinds


def test_what_cannot_be_decided_in_time_is_told() -> None:
    """No answer is no absolution."""
    hard = r"(?i)(curl|wget)\s[^;&]*\|\s*(sudo\s+)?(ba|da|z|k)?sh\b".removesuffix(r"\b")
    rules = parse_rules([refuse("r", when=[at("/c", matches=hard), at("/c", matches=r"^[^|]*$")])])
    found = lint(Interceptors(rules=rules), timeout_ms=1)
    assert "unknown" in [one.kind for one in found]


def test_a_finding_is_data() -> None:
    """For `--json`."""
    assert Finding(Level.ERROR, "never", "r", "why").data() == {
        "level": "error",
        "kind": "never",
        "about": "r",
        "problem": "why",
    }
