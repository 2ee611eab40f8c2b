"""Rules as data: what they decide, how they are read, and what is refused at load with its place."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    Ask,
    Block,
    Default,
    Filter,
    Interceptors,
    InvalidRule,
    Kind,
    Mismatch,
    Note,
    Outcome,
    Replace,
    Rule,
    Scope,
    Severity,
    ToolCall,
    Verdict,
    decide,
    freeze,
    gate,
    parse_rules,
    rules_data,
)

CALL = ToolCall("1", "bash", {"command": "git push --force", "n": 5})


def decided(*rules: dict[str, Any], call: ToolCall = CALL, scope: Scope | None = None) -> Outcome[ToolCall]:
    """Decide about a call by rules alone."""
    return decide(Interceptors(rules=parse_rules(list(rules))), TOOL_CALL, call, scope=scope)


# What they decide


@pytest.mark.parametrize(
    ("rule", "verdict", "answer"),
    [
        ({"refuse": "no"}, Verdict.BLOCK, Block("no", Severity.HIGH)),
        ({"refuse": "no", "severity": "low"}, Verdict.BLOCK, Block("no", Severity.LOW)),
        ({"ask": "may it?"}, Verdict.ASK, Ask("may it?", None, None, Severity.MEDIUM)),
        (
            {"ask": "may it?", "target": "security", "timeout_s": 60, "severity": "high"},
            Verdict.ASK,
            Ask("may it?", "security", 60, Severity.HIGH),
        ),
        ({"note": "seen"}, Verdict.PROCEED, Note("seen", Severity.LOW)),
        ({"note": "seen", "severity": "medium"}, Verdict.PROCEED, Note("seen", Severity.MEDIUM)),
    ],
)
def test_a_rule_says_its_decision(rule: dict[str, Any], verdict: Verdict, answer: object) -> None:
    """As a gate: logged, named by its place."""
    outcome = decided(rule)
    (entry,) = outcome.log
    assert (outcome.verdict, entry.answer, entry.is_gate, entry.interceptor) == (verdict, answer, True, "rules[0]")
    assert decided(rule | {"name": "mine"}).log[0].interceptor == "mine"


WHEN = {"at": "/command", "matches": "push .*--force"}
OTHER = {"at": "/command", "starts_with": "rm"}
ABSENT = {"at": "/cwd", "equals": "/srv"}
WRONG = {"at": "/n", "starts_with": "a"}


@pytest.mark.parametrize(
    ("conditions", "verdict"),
    [
        ({}, Verdict.BLOCK),
        ({"when": [WHEN]}, Verdict.BLOCK),
        ({"when": [OTHER]}, Verdict.PROCEED),
        ({"when": [WHEN, OTHER]}, Verdict.PROCEED),
        ({"when": [ABSENT]}, Verdict.PROCEED),
        ({"unless": [ABSENT]}, Verdict.BLOCK),
        ({"unless": [WHEN]}, Verdict.PROCEED),
        ({"unless": [OTHER]}, Verdict.BLOCK),
        ({"unless": [OTHER, WHEN]}, Verdict.PROCEED),
        ({"when": [WHEN], "unless": [OTHER]}, Verdict.BLOCK),
        ({"when": [WHEN], "unless": [WHEN]}, Verdict.PROCEED),
        ({"when": [OTHER], "unless": [OTHER]}, Verdict.PROCEED),
    ],
    ids=str,
)
def test_when_all_must_hold_and_unless_none(conditions: dict[str, Any], verdict: Verdict) -> None:
    """To refuse unless X is Y refuses when X is missing."""
    assert decided({"refuse": "no", **conditions}).verdict is verdict


@pytest.mark.parametrize(
    ("conditions", "verdict"),
    [
        ({"when": [WRONG]}, Verdict.BLOCK),
        ({"unless": [WRONG]}, Verdict.BLOCK),
        ({"when": [WRONG, OTHER]}, Verdict.PROCEED),
        ({"when": [OTHER, WRONG]}, Verdict.PROCEED),
        ({"when": [WRONG, WHEN]}, Verdict.BLOCK),
        ({"when": [WRONG], "unless": [WHEN]}, Verdict.PROCEED),
        ({"unless": [WRONG, WHEN]}, Verdict.PROCEED),
    ],
    ids=str,
)
@pytest.mark.parametrize("verb", ["refuse", "ask", "note"])
def test_what_cannot_be_judged_refuses_unless_it_cannot_matter(
    verb: str, conditions: dict[str, Any], verdict: Verdict
) -> None:
    """A value of a type that the operator is not for is a fault of the rule, and a fault of a gate blocks."""
    outcome = decided({verb: "r", **conditions})
    assert outcome.verdict is verdict
    if verdict is Verdict.BLOCK:
        assert outcome.reason == "interceptor error: rules[0] raised Mismatch (/n: starts_with is not for number)"


@pytest.mark.parametrize(
    ("filters", "tool", "agent", "applies"),
    [
        ({"tools": "bash"}, "bash", None, True),
        ({"tools": ["write_file", "edit_*"]}, "edit_file", None, True),
        ({"tools": ["write_file", "edit_*"]}, "read_file", None, False),
        ({"agents": "a*"}, "bash", "ab", True),
        ({"agents": ["a*", "c"]}, "bash", "b", False),
        ({"agents": "a*"}, "bash", None, True),
        ({"tools": "bash", "agents": "a"}, "ls", "a", False),
    ],
)
def test_a_rule_is_for_tools_and_agents(filters: dict[str, Any], tool: str, agent: str | None, applies: bool) -> None:
    """By glob; an agent that is not known is meant too."""
    outcome = decided({"refuse": "no", **filters}, call=ToolCall("1", tool), scope=Scope(agent=agent))
    assert outcome.proceeds is not applies


def test_rules_judge_what_the_chain_left_and_defaults_fill_before_it() -> None:
    """A rewriter cannot slip a call past them, and sees what they filled in."""
    seen: list[object] = []

    def rewrites(call: ToolCall) -> Replace:
        seen.append(call.arguments["timeout"])
        return Replace(ToolCall(call.id, "rm", call.arguments))

    fills = {"default": {"tool": "bash", "at": "/timeout", "value": 5}}
    rules = parse_rules([{"refuse": "no rm", "tools": "rm"}, {"refuse": "no bash", "tools": "bash"}, fills])
    outcome = decide(Interceptors(tool_call=[rewrites], rules=rules), TOOL_CALL, CALL)
    assert (outcome.reason, seen, [entry.kind for entry in outcome.log]) == (
        "no rm",
        [5],
        [Kind.REPLACE, Kind.REPLACE, Kind.BLOCK],
    )


# Defaults


@pytest.mark.parametrize(
    ("arguments", "at", "after"),
    [
        ({}, "/t", {"t": 9}),
        ({"a": 1}, "/t", {"a": 1, "t": 9}),
        ({}, "/o/t", {"o": {"t": 9}}),
        ({"o": {"a": 1}}, "/o/t", {"o": {"a": 1, "t": 9}}),
        ({}, "/a~1b/m~0n", {"a/b": {"m~n": 9}}),
        ({}, "/", {"": 9}),
        ({"t": 1}, "/t", None),
        ({"t": None}, "/t", None),
        ({"t": False}, "/t", None),
        ({"o": {"t": []}}, "/o/t", None),
        ({"l": [1]}, "/l/0", None),
    ],
)
def test_a_default_fills_only_what_is_absent(arguments: Any, at: str, after: Any) -> None:
    """`null` is not absent; what it stands in is made where it is missing too; filling twice is filling once."""
    rule = {"default": {"tool": "*", "at": at, "value": 9}}
    call = ToolCall("1", "bash", arguments)
    once, twice = decided(rule, call=call), decided(rule, rule, call=call)
    assert once.value.arguments == twice.value.arguments == (arguments if after is None else after)
    assert len(once.log) == len(twice.log) == (after is not None)
    assert (once.value is call) is (after is None)


@pytest.mark.parametrize(
    ("arguments", "at"), [({"o": 7}, "/o/t"), ({"o": None}, "/o/t"), ({"l": []}, "/l/0"), ({"l": []}, "/l/x")]
)
def test_a_default_that_cannot_be_filled_in_blocks(arguments: Any, at: str) -> None:
    """Where what should hold it is no object, the rule faults, and `tool_call` is closed."""
    outcome = decided({"default": {"tool": "*", "at": at, "value": 9}}, call=ToolCall("1", "bash", arguments))
    assert (outcome.verdict, outcome.log[0].kind) == (Verdict.BLOCK, Kind.FAULT)


def test_a_default_may_have_conditions_and_keeps_what_is_no_json() -> None:
    """It fills for some calls only, and beside a Python object that is held by reference."""
    rule = {
        "default": {"tool": "bash", "at": "/t", "value": {"a": [1]}},
        "when": [{"at": "/n", "less": 9}],
        "agents": "a",
    }
    it = object()
    call = ToolCall("1", "bash", freeze({"n": 5, "it": it}, objects=True))
    filled = decided(rule, call=call, scope=Scope(agent="a")).value.arguments
    assert (filled["t"], filled["it"] is it) == ({"a": [1]}, True)
    assert decided(rule, call=call, scope=Scope(agent="b")).value is call
    assert decided(rule | {"unless": [{"at": "/n", "equals": 5}]}, call=call, scope=Scope(agent="a")).value is call


# Rules as values, and as data

ALL: list[dict[str, Any]] = [
    {"refuse": "no"},
    {"refuse": "no", "tools": "bash", "agents": ["a", "b*"], "name": "n", "severity": "medium"},
    {"ask": "may it?", "target": "t", "timeout_s": 1.5, "when": [WHEN, ABSENT], "unless": [OTHER]},
    {"note": "seen", "unless": [{"at": "", "any": {"not": {"equals": [1, None]}}}]},
    {
        "default": {"tool": ["bash", "sh*"], "at": "/a~1b", "value": {"x": [None]}},
        "agents": "a",
        "when": [WHEN],
        "name": "d",
    },
    {"default": {"tool": "*", "at": "/t", "value": None}},
    {"refuse": "no", "when": [{"at": "/x", "exists": False}, {"at": "/y", "length": {"less": 5}}]},
]


def test_rules_are_read_back_from_their_data() -> None:
    """Equal, one by one and together; their data is plain."""
    rules = parse_rules(ALL)
    assert parse_rules(rules_data(rules)) == rules
    for rule in rules:
        assert parse_rules([rule.data()]) == (rule,)
    plain = rules_data(rules)
    plain["rules"][0]["refuse"] = "changed"
    assert type(plain["rules"][4]["default"]["value"]["x"]) is list


def test_rules_may_stand_in_a_list_a_tuple_or_a_table() -> None:
    """A table has the one key `rules`."""
    rules = parse_rules(ALL)
    assert parse_rules(tuple(ALL)) == parse_rules({"rules": ALL}) == rules
    assert parse_rules([]) == parse_rules({"rules": []}) == ()


def test_a_rule_made_by_hand_is_one_that_was_read() -> None:
    """With the same fields; it is its own data again."""
    (made,) = parse_rules([{"refuse": "no"}])
    assert made == Rule("refuse", "no")
    assert parse_rules(rules_data([Rule("refuse", "no")])) == (Rule("refuse", "no"),)
    assert isinstance(parse_rules(ALL)[4], Default)
    assert Rule("refuse", "no", Filter()).data() == {"refuse": "no", "severity": "high"}


def test_a_rule_is_the_interceptor_it_stands_for() -> None:
    """Asked by itself, or as a gate of a bundle."""
    (rule,) = parse_rules([{"refuse": "no", "tools": "bash", "when": [WHEN]}])
    assert isinstance(rule, Rule)
    assert rule(CALL) == Block("no")
    assert rule(ToolCall("1", "bash", {"command": "ls"})) is None
    as_gate = gate(rule, name="rules[0]", tools="bash")
    by_gate = decide(Interceptors(tool_call=[as_gate]), TOOL_CALL, CALL)
    assert by_gate == decide(Interceptors(rules=[rule]), TOOL_CALL, CALL)


@pytest.mark.parametrize("verb", ["deny", "allow", "", None, "Refuse"])
def test_a_verb_that_does_not_exist_blocks(verb: Any) -> None:
    """Made by hand, past every type checker, it is refused or faults: never an allow."""
    try:
        rules = [Rule(verb, "no")]
    except (InvalidRule, ValueError, TypeError):
        return
    assert decide(Interceptors(rules=rules), TOOL_CALL, CALL).verdict is Verdict.BLOCK


def test_a_filter_given_by_hand_as_text_is_a_filter() -> None:
    """A `Filter` made without `parse_rules` takes globs as text, too: none of them lets everything through."""
    made = Filter(tools="rm", agents=["a*"])
    assert (made.tools.admit("rm"), made.tools.admit("ls"), made.agents.admit("b")) == (True, False, False)


def test_a_rule_made_by_hand_has_a_name_and_no_place() -> None:
    """One that was read is called by its place, unless it has a name."""
    assert (Rule("ask", "why").place, Rule("ask", "why").name, Default(("a",), 1).place) == ("", "", "")
    assert Rule("ask", "why").as_interceptor().name == "ask rule"
    assert (Default(("a",), 1).name, Default(("a",), 1).as_interceptor().name) == ("", "default rule")
    data: list[dict[str, Any]] = [{"refuse": "no"}, {"default": {"tool": "*", "at": "/a", "value": 1}}]
    named = [{**rule, "name": "mine"} for rule in data]
    assert [rule.as_interceptor().name for rule in parse_rules(data)] == ["rules[0]", "rules[1]"]
    assert [rule.as_interceptor().name for rule in parse_rules(named)] == ["mine", "mine"]


def test_a_default_for_all_tools_is_written_as_such() -> None:
    """As it would be read."""
    assert Default(("a",), 1).data() == {"default": {"tool": "*", "at": "/a", "value": 1}}


def test_a_default_inside_of_what_is_no_object_is_a_mismatch() -> None:
    """It names the place, and not what stands there."""
    for held in (None, {"b": None}):
        with pytest.raises(Mismatch, match=r"^/(b|c) cannot be filled in, for what should hold it is no object$"):
            Default(("a", "b", "c"), 1)(ToolCall("1", "t", {"a": held}))
