"""Cases seen in the field about what fails or cannot be read: each by its number, with its siblings."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import inspect
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    Block,
    Interceptors,
    InvalidInterceptor,
    InvalidRule,
    Kind,
    MemoryItem,
    Message,
    Policy,
    ProviderRequest,
    ToolCall,
    ToolResult,
    Verdict,
    block,
    decide,
    gate,
    parse_rules,
)

CALL = ToolCall("1", "bash", {"command": "ls", "trail": []})


def at_call(*asked: Any, **more: Any) -> Interceptors:
    """Make a bundle of what is asked at `tool_call`."""
    return Interceptors(tool_call=asked, **more)


# Case 8 is the host's; its kernel part: a gate whose service is missing


def test_case_8_a_gate_that_cannot_reach_its_service_denies_with_a_reason_of_its_own_kind() -> None:
    """It is a fault, not a verdict; a person can tell the two apart."""

    def service(call: ToolCall) -> None:
        raise ConnectionError("secret host")

    outcome = decide(at_call(gate(service)), TOOL_CALL, CALL)
    line = inspect.getsourcelines(service)[1] + 1
    assert (outcome.verdict, outcome.log[0].kind) == (Verdict.BLOCK, Kind.FAULT)
    assert outcome.reason == f"interceptor error: service raised ConnectionError at test_fault_cases.py:{line}"


# Case 10: nothing that cannot be read is an allow

UNREADABLE: dict[str, tuple[list[dict[str, Any]], str]] = {
    "a missing decision": ([{"tools": "rm"}], "rules[0]"),
    "a verb that does not exist": ([{"deny": "no", "tools": "rm"}], "rules[0]"),
    "two decisions": ([{"refuse": "no", "note": "n"}], "rules[0]"),
    "an invalid regular expression": ([{"refuse": "no", "when": [{"at": "/c", "matches": "(rm"}]}], "rules[0].when[0]"),
    "a NaN threshold": ([{"refuse": "no", "when": [{"at": "/n", "greater": float("nan")}]}], "rules[0].when[0]"),
    "an infinite threshold": ([{"refuse": "no", "when": [{"at": "/n", "less": float("inf")}]}], "rules[0].when[0]"),
    "an unknown key": ([{"refuse": "no", "whem": []}], "rules[0].whem"),
    "an unknown operator": ([{"refuse": "no", "when": [{"at": "/c", "regex": "rm"}]}], "rules[0].when[0]"),
    "a misspelt key of a condition": ([{"refuse": "no", "unless": [{"att": "/c", "equals": 1}]}], "rules[0].unless[0]"),
    "an empty filter": ([{"refuse": "no", "tools": []}], "rules[0].tools"),
    "empty conditions": ([{"refuse": "no", "when": []}], "rules[0].when"),
    "a bad pointer": ([{"refuse": "no", "when": [{"at": "command", "equals": 1}]}], "rules[0].when[0].at"),
    "a bad glob": ([{"refuse": "no", "tools": "[rm"}], "rules[0].tools"),
    "a time-out of nothing": ([{"ask": "a", "timeout_s": 0}], "rules[0].timeout_s"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_case_10_a_rule_that_cannot_be_read_is_refused_at_load_with_its_place(kind: str) -> None:
    """Also as the second of two: nothing is skipped."""
    rules, place = UNREADABLE[kind]
    with pytest.raises(InvalidRule) as refusal:
        parse_rules(rules)
    assert refusal.value.place.startswith(place)
    with pytest.raises(InvalidRule):
        parse_rules([{"note": "fine"}, *rules])


# Case 11: a predicate that answers what is neither true nor false


async def later(call: object) -> bool:
    """Be async."""
    return True


@pytest.mark.parametrize("answer", [None, 0, 1, "", "yes", [], {}, object()], ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("on_fail", ["block", "ask", "note"])
def test_case_11_a_predicate_that_answers_nonsense_is_a_fault_not_a_pass(answer: Any, on_fail: Any) -> None:
    """Whatever its failure would have meant."""
    policy = Policy("p").require(lambda call: answer, on_fail=on_fail)
    assert decide(policy.interceptors(), TOOL_CALL, CALL).verdict is Verdict.BLOCK


def test_case_11_a_predicate_that_gives_a_coroutine_is_a_fault_and_it_is_closed() -> None:
    """One that is async is refused at once; one that only gives a coroutine is caught at the call."""
    predicate: Any = later
    with pytest.raises(InvalidInterceptor, match="is async"):
        Policy("p").require(predicate)
    made: list[Any] = []

    def gives(call: ToolCall) -> Any:
        made.append(later(call))
        return made[-1]

    assert decide(Policy("p").require(gives).interceptors(), TOOL_CALL, CALL).verdict is Verdict.BLOCK
    assert inspect.getcoroutinestate(made[0]) == inspect.CORO_CLOSED


# Case 12: an answer of the wrong shape

VALUES: dict[Any, Any] = {
    CONTEXT: (Message("user", "a"),),
    PROVIDER_REQUEST: ProviderRequest("m"),
    TOOL_CALL: CALL,
    TOOL_RESULT: ToolResult("out"),
    MEMORY: (MemoryItem("a"),),
}

SHAPES: list[Any] = [{"decision": "allow"}, {"action": "deny"}, "deny", ("block", "no"), True, 0, Block, [block("no")]]


@pytest.mark.parametrize("answer", SHAPES, ids=repr)
def test_case_12_a_gate_that_answers_the_wrong_shape_blocks_and_an_open_rewriter_is_skipped(answer: Any) -> None:
    """At every seam; and both are logged."""
    for seam, value in VALUES.items():
        beside = (CALL,) if seam is TOOL_RESULT else ()
        judges: dict[str, Any] = {seam.name: [gate(lambda value: answer)]}
        rewrites: dict[str, Any] = {seam.name: [lambda value: answer]}
        judged = decide(Interceptors(**judges), seam, value, *beside)
        assert (judged.verdict, judged.log[0].kind) == (Verdict.BLOCK, Kind.FAULT)
        skipped = decide(Interceptors(**rewrites), seam, value, *beside)
        assert skipped.verdict is (Verdict.BLOCK if seam is TOOL_CALL else Verdict.PROCEED)
        assert (skipped.log[0].kind, skipped.value is value) == (Kind.FAULT, True)
