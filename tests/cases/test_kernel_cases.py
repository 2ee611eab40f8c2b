"""Cases seen in the field about chain, gates and asks: each by its number, with its siblings."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from attrs import evolve

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    Block,
    Consultation,
    Entry,
    Interceptors,
    MemoryItem,
    Message,
    Outcome,
    Policy,
    ProviderRequest,
    Replace,
    ToolCall,
    ToolResult,
    Verdict,
    ask,
    block,
    consult,
    decide,
    decide_async,
    digest,
    gate,
    grant,
    interceptor,
    merge,
    parse_rules,
    plan,
    settle,
)

CALL = ToolCall("1", "bash", {"command": "ls", "trail": []})
Asked = Callable[[Any], object]


def at_call(*asked: Any, **more: Any) -> Interceptors:
    """Make a bundle of what is asked at `tool_call`."""
    return Interceptors(tool_call=asked, **more)


def leaving(mark: str) -> Asked:
    """Make a rewriter that leaves its mark at the end of the trail."""

    def rewrites(call: ToolCall) -> Replace:
        return Replace(evolve(call, arguments={**call.arguments, "trail": [*call.arguments["trail"], mark]}))

    return rewrites


# Case 1: rewriters in order, whichever finishes first


@pytest.mark.parametrize("order", list(permutations("ABC")), ids="".join)
def test_case_1_rewrites_compose_in_the_order_of_the_chain(order: tuple[str, ...]) -> None:
    """The value is always what the last made of what the one before made, in order."""
    assert list(decide(at_call(*map(leaving, order)), TOOL_CALL, CALL).value.arguments["trail"]) == list(order)


def test_case_1_also_where_answers_are_awaited_and_the_first_takes_longest() -> None:
    """Each is asked when the one before has answered: nobody can overtake."""
    waits = {"A": 5, "B": 0}

    class Slowly:
        def __init__(self, question: Consultation[Any]) -> None:
            self.question = question

        def __await__(self) -> Any:
            for _ in range(waits[self.question.interceptor.name]):
                yield
            return consult(self.question)

    bundle = at_call(interceptor(leaving("A"), name="A"), interceptor(leaving("B"), name="B"))
    running: Any = decide_async(bundle, TOOL_CALL, CALL, ask=Slowly)
    for _ in range(waits["A"]):
        running.send(None)
    with pytest.raises(StopIteration) as end:
        running.send(None)
    assert end.value.value.value.arguments["trail"] == ["A", "B"]


def test_case_1_across_bundles_the_order_is_that_of_the_merge() -> None:
    """Plugins first, then the host."""
    merged = merge(at_call(leaving("plugin")), at_call(leaving("host")))
    assert decide(merged, TOOL_CALL, CALL).value.arguments["trail"] == ["plugin", "host"]


# Case 2: a rewrite, then nothing


SILENT: list[Asked] = [
    lambda value: None,
    lambda value: Replace(value),
    gate(lambda value: None),
    interceptor(lambda value: None, on_fault="close"),
]


@pytest.mark.parametrize("then", SILENT)
@pytest.mark.parametrize("many", [1, 3])
def test_case_2_a_rewrite_survives_who_answers_nothing(then: Asked, many: int) -> None:
    """At the seam, after one or several, by `decide` and by a plan."""
    bundle = at_call(leaving("x"), *[then] * many)
    made = plan(bundle)
    assert made is not None
    for outcome in (decide(bundle, TOOL_CALL, CALL), made.tool_call(CALL)):
        assert outcome is not None
        assert outcome.value.arguments["trail"] == ["x"]


def test_case_2_a_rewrite_survives_the_fault_of_an_open_rewriter() -> None:
    """The last good value proceeds, not the first."""

    def fails(messages: object) -> None:
        raise ValueError

    rewritten = (Message("user", "new"),)
    given: Any = [lambda messages: Replace(rewritten), fails, lambda messages: "nonsense"]
    assert decide(Interceptors(context=given), CONTEXT, (Message("user", "old"),)).value is rewritten


# Case 3: one ask and one block

ASKS: dict[str, Asked] = {
    "an interceptor": lambda call: ask("a", target="t"),
    "a gate": gate(lambda call: ask("a", target="t")),
    "a policy": Policy("a").require(lambda call: False, on_fail="ask", reason="a", target="t").as_gate(),
}
BLOCKS: dict[str, Asked] = {
    "an interceptor": lambda call: block("b"),
    "a gate": gate(lambda call: block("b")),
    "a low block": gate(lambda call: block("b", severity="low")),
    "a policy": Policy("b").require(lambda call: False, reason="b", severity="low").as_gate(),
    "a fault": gate(lambda call: call.missing),
}


@pytest.mark.parametrize("asks", ASKS)
@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("block_first", [False, True])
def test_case_3_a_block_leaves_no_ask_to_anybody(asks: str, blocks: str, block_first: bool) -> None:
    """In either order, from any source, of any severity: there is nobody to contact."""
    pair = [BLOCKS[blocks], ASKS[asks]] if block_first else [ASKS[asks], BLOCKS[blocks]]
    outcome = decide(at_call(*pair), TOOL_CALL, CALL)
    assert (outcome.verdict, outcome.asks) == (Verdict.BLOCK, ())


def test_case_3_rules_that_ask_and_rules_that_refuse() -> None:
    """The same among rules, and between rules and gates."""
    asks, refuses = {"ask": "a"}, {"refuse": "b", "severity": "low"}
    for rules in ([asks, refuses], [refuses, asks]):
        assert decide(Interceptors(rules=parse_rules(rules)), TOOL_CALL, CALL).asks == ()
    assert decide(at_call(BLOCKS["a gate"], rules=parse_rules([asks])), TOOL_CALL, CALL).reason == "b"


# Case 4: merging never loosens


@pytest.mark.parametrize("parent", ["rule", "interceptor", "gate", "policy"])
@pytest.mark.parametrize("child_first", [False, True])
def test_case_4_a_child_of_the_same_name_and_higher_severity_does_not_undo_a_block(
    parent: str, child_first: bool
) -> None:
    """A name is a label: nothing is overridden by it, in whichever order the two are merged."""
    blocking: dict[str, Interceptors] = {
        "rule": Interceptors(rules=parse_rules([{"refuse": "parent", "name": "rm", "severity": "low"}])),
        "interceptor": at_call(interceptor(lambda call: block("parent"), name="rm")),
        "gate": at_call(gate(lambda call: block("parent", severity="low"), name="rm")),
        "policy": at_call(Policy("rm").require(lambda call: False, reason="parent").as_gate()),
    }
    allowing = Interceptors(
        tool_call=[interceptor(lambda call: None, name="rm"), gate(lambda call: None, name="rm")],
        rules=parse_rules([{"note": "child", "name": "rm", "severity": "high"}]),
    )
    pair = (allowing, blocking[parent]) if child_first else (blocking[parent], allowing)
    outcome = decide(merge(*pair), TOOL_CALL, CALL)
    assert (outcome.verdict, outcome.reason) == (Verdict.BLOCK, "parent")


# Case 5: the gate judges what runs


def to_rm(call: ToolCall) -> Replace:
    """Turn any call into the one that is forbidden."""
    return Replace(ToolCall(call.id, "rm", {"path": "/"}))


def no_rm(call: ToolCall) -> Block | None:
    """Forbid it."""
    return block("no rm") if call.name == "rm" else None


ON_ROOT = {"refuse": "no rm", "when": [{"at": "/path", "equals": "/"}]}
FORBIDDING: dict[str, Interceptors] = {
    "a gate": at_call(gate(no_rm)),
    "a gate for that tool": at_call(gate(lambda call: block("no rm"), tools="rm")),
    "a rule": Interceptors(rules=parse_rules([{"refuse": "no rm", "tools": "rm"}])),
    "a rule on arguments": Interceptors(rules=parse_rules([ON_ROOT])),
    "a policy": at_call(Policy("p").require(lambda call: call.name != "rm", reason="no rm").as_gate()),
}


@pytest.mark.parametrize("forbids", FORBIDDING)
@pytest.mark.parametrize("gate_first", [False, True])
def test_case_5_no_rewrite_reaches_what_a_gate_forbids(forbids: str, gate_first: bool) -> None:
    """Wherever the gate stands, and whoever rewrites after it."""
    pair = [FORBIDDING[forbids], at_call(to_rm)]
    outcome = decide(merge(*pair if gate_first else reversed(pair)), TOOL_CALL, CALL)
    assert (outcome.verdict, outcome.reason) == (Verdict.BLOCK, "no rm")


def test_case_5_a_default_that_makes_the_call_forbidden_is_judged_too() -> None:
    """Rules that fill come before every gate."""
    rules = parse_rules(
        [
            {"refuse": "no force", "when": [{"at": "/force", "equals": True}]},
            {"default": {"tool": "*", "at": "/force", "value": True}},
        ]
    )
    assert decide(Interceptors(rules=rules), TOOL_CALL, CALL).reason == "no force"


# Case 7: an approval for f(a), then f(b), then f(a) with its keys in another order


def test_case_7_an_approval_is_for_one_value_and_used_once() -> None:
    """Another value is asked about again; the same, in another order of keys, would do, if it is not used."""
    bundle = at_call(gate(lambda call: ask("may it?")))

    def asked(arguments: dict[str, Any]) -> Outcome[ToolCall]:
        return decide(bundle, TOOL_CALL, ToolCall("1", "f", arguments))

    approval = grant(asked({"a": 1, "b": [2]}).asks[0])
    assert settle(asked({"a": 2, "b": [2]}), [approval])[0].verdict is Verdict.BLOCK
    done, unused = settle(asked({"b": [2], "a": 1}), [approval])
    assert (done.proceeds, unused) == (True, ())
    assert settle(asked({"a": 1, "b": [2]}), unused)[0].verdict is Verdict.BLOCK


def test_case_7_what_was_approved_is_what_the_rewriters_left() -> None:
    """The digest is of the value that would run, not of what the model sent."""
    outcome = decide(at_call(leaving("x"), gate(lambda call: ask("may it?"))), TOOL_CALL, CALL)
    assert outcome.asks[0].digest == digest(outcome.value) != digest(CALL)


# Case 18: a redactor with nothing to redact

VALUES: dict[Any, Any] = {
    CONTEXT: (Message("user", "a"),),
    PROVIDER_REQUEST: ProviderRequest("m"),
    TOOL_CALL: CALL,
    TOOL_RESULT: ToolResult("out"),
    MEMORY: (MemoryItem("a"),),
}


@pytest.mark.parametrize("seam", VALUES, ids=repr)
def test_case_18_who_rewrites_nothing_leaves_the_very_same_object(seam: Any) -> None:
    """Answering the value itself is an allow: nothing is copied, logged or blanked."""
    beside = (CALL,) if seam is TOOL_RESULT else ()
    given: dict[str, Any] = {seam.name: [lambda value: Replace(value)] * 2}
    bundle = Interceptors(**given)
    outcome = decide(bundle, seam, VALUES[seam], *beside)
    assert (outcome.value is VALUES[seam], outcome.log, outcome.verdict) == (True, (), Verdict.PROCEED)
    made = plan(bundle)
    assert made is not None
    assert made.at(seam)(VALUES[seam], *beside) is None


def test_case_18_of_a_call_that_is_rewritten_the_untouched_arguments_are_the_same_objects() -> None:
    """Only what changes is made anew."""
    call = ToolCall("1", "bash", {"command": "ls", "env": {"A": ["b"]}})

    def redacts(shown: ToolCall) -> Replace:
        return Replace(evolve(shown, arguments={**shown.arguments, "command": "[redacted]"}))

    outcome = decide(at_call(redacts), TOOL_CALL, call)
    assert outcome.value.arguments == {"command": "[redacted]", "env": {"A": ["b"]}}
    assert outcome.value.arguments["env"] is call.arguments["env"]
    assert outcome.log == (Entry("tool_call", "redacts", Replace(outcome.value)),)
