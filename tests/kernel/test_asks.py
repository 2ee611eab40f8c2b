"""Asks, settled: each must be granted, by an answer of its own, for exactly this value, once."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from typing import Any
from unittest.mock import Mock

import pytest
from attrs import evolve

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    Answered,
    Interceptors,
    Outcome,
    Scope,
    Severity,
    StandingAsk,
    ToolCall,
    ToolResult,
    Verdict,
    answered,
    ask,
    block,
    covers,
    decide,
    freeze,
    gate,
    grant,
    interceptor,
    refuse,
    settle,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
BUNDLE = Interceptors(
    tool_call=[
        gate(lambda call: ask("money", target="finance"), name="a"),
        gate(lambda call: ask("safety", target="security"), name="b"),
    ]
)


def asked(call: ToolCall = CALL) -> Outcome[ToolCall]:
    """Decide about a call that two must grant."""
    return decide(BUNDLE, TOOL_CALL, call)


GRANTS: list[tuple[object, bool]] = [
    (True, True),
    *[(wrong, False) for wrong in (False, None, 1, 1.0, "True", "yes", "no", "false", "", [True], {"approved": True})],
    (Mock(spec=bool), False),
    (type("Truth", (int,), {"__eq__": lambda self, other: True, "__hash__": int.__hash__})(1), False),
]


@pytest.mark.parametrize(("answer", "granted"), GRANTS, ids=lambda it: repr(it)[:20])
def test_only_true_grants(answer: Any, granted: bool) -> None:
    """Whatever an approver gave, and however it got into the record of it."""
    standing = decide(Interceptors(tool_call=[lambda call: ask("may it?")]), TOOL_CALL, CALL)
    (one,) = standing.asks
    assert answered(one, answer, by="x") == Answered(one, granted, "x")
    for said in (answered(one, answer), Answered(one, answer)):
        assert settle(standing, [said])[0].proceeds is granted


def test_a_coroutine_grants_nothing_and_is_closed() -> None:
    """An approver that forgot to await denies, without a warning."""

    async def approve() -> bool:
        return True

    one = asked().asks[0]
    coroutine = approve()
    try:
        assert not answered(one, coroutine).granted
    finally:
        coroutine.close()


def test_granting_and_refusing_are_data() -> None:
    """With who said it, and why not."""
    one = asked().asks[0]
    assert grant(one, by="me") == Answered(one, True, "me")
    assert refuse(one, by="me", reason="too dear") == Answered(one, False, "me", "too dear")


@pytest.mark.parametrize("make", [grant, refuse])
def test_an_answer_is_neither_true_nor_false(make: Any) -> None:
    """A refusal would be true, as every object is."""
    with pytest.raises(TypeError, match="granted"):
        bool(make(asked().asks[0]))


def test_all_granted_proceeds_with_the_very_value() -> None:
    """The log stays, the asks are gone."""
    outcome = asked()
    done, unused = settle(outcome, [grant(one) for one in outcome.asks])
    assert (done.verdict, done.asks, done.reason, done.interceptor) == (Verdict.PROCEED, (), "", None)
    assert (done.value is CALL, done.log == outcome.log, unused) == (True, True, ())


A, B = asked().asks
DENIED: dict[str, tuple[list[Answered], str, str]] = {
    "nobody": ([], "money (not granted)", "a"),
    "one alone": ([grant(A)], "safety (not granted)", "b"),
    "the other alone": ([grant(B)], "money (not granted)", "a"),
    "the same twice": ([grant(A), grant(A)], "safety (not granted)", "b"),
    "one refused": ([grant(A), refuse(B)], "safety (refused)", "b"),
    "refused by somebody": ([grant(A), refuse(B, by="eve")], "safety (refused, by eve)", "b"),
    "refused with a reason": ([refuse(A, reason="too dear"), grant(B)], "money (too dear)", "a"),
    "granted and refused": ([grant(A), refuse(A), grant(B)], "money (refused)", "a"),
    "refused and granted": ([refuse(A), grant(A), grant(B)], "money (refused)", "a"),
    "for another value": ([grant(A), grant(evolve(B, digest="0" * 64))], "safety (not granted)", "b"),
    "by another target": ([grant(A), grant(evolve(B, target="finance"))], "safety (not granted)", "b"),
    "of another asker": ([grant(A), grant(evolve(B, interceptor="c"))], "safety (not granted)", "b"),
    "for another reason": ([grant(A), grant(evolve(B, reason="fun"))], "safety (not granted)", "b"),
    "of another severity": ([grant(A), grant(evolve(B, severity=Severity.LOW))], "safety (not granted)", "b"),
    "at another seam": ([grant(A), grant(evolve(B, seam="memory"))], "safety (not granted)", "b"),
    "for another caller": ([grant(A), grant(evolve(B, scope=Scope(agent="x")))], "safety (not granted)", "b"),
    "all refused": ([refuse(A), refuse(B)], "money (refused)", "a"),
}


@pytest.mark.parametrize("kind", DENIED)
def test_anything_less_than_all_denies(kind: str) -> None:
    """One refusal, one missing, one for something else; the first that failed gives the reason."""
    answers, reason, interceptor = DENIED[kind]
    done, _ = settle(asked(), answers)
    assert (done.verdict, done.reason, done.interceptor, done.asks) == (Verdict.BLOCK, reason, interceptor, ())
    assert done.denial == f"Blocked by interceptor: {reason}"


def test_an_answer_is_used_once() -> None:
    """What is not used comes back; what was used does not."""
    outcome = asked()
    stranger = grant(evolve(A, digest="0" * 64))
    spare = grant(A, by="second")
    done, unused = settle(outcome, [grant(A, by="first"), stranger, spare, grant(B)])
    assert (done.proceeds, unused) == (True, (stranger, spare))
    again, left = settle(outcome, unused)
    assert (again.verdict, left) == (Verdict.BLOCK, (stranger,))


def test_two_equal_asks_need_two_answers() -> None:
    """Each ask is granted by an answer of its own."""
    twice = [gate(lambda call: ask("may it?"), name="same")] * 2
    outcome = decide(Interceptors(tool_call=twice), TOOL_CALL, CALL)
    first, second = outcome.asks
    assert first == second
    assert settle(outcome, [grant(first)])[0].verdict is Verdict.BLOCK
    assert settle(outcome, [grant(first), grant(second)])[0].proceeds


@pytest.mark.parametrize("verdict", [Verdict.PROCEED, Verdict.BLOCK])
def test_what_asks_nothing_stays_as_it_is(verdict: Verdict) -> None:
    """No grant undoes a block, and no refusal makes one; all answers come back."""
    outcome = Outcome(TOOL_CALL, verdict, CALL, reason="r")
    for said in (grant(A), refuse(A)):
        assert settle(outcome, [said]) == (outcome, (said,))


def test_an_ask_without_asks_is_not_granted_by_nobody() -> None:
    """However it came about."""
    done, _ = settle(Outcome(TOOL_CALL, Verdict.ASK, CALL), [])
    assert done.verdict is Verdict.BLOCK


def test_a_block_beside_an_ask_leaves_nothing_to_grant() -> None:
    """In either order: no approver is contacted."""
    asks, blocks = interceptor(lambda call: ask("a")), gate(lambda call: block("b"))
    for given in ([asks, blocks], [blocks, asks], [asks, interceptor(lambda call: block("b"))]):
        outcome = decide(Interceptors(tool_call=given), TOOL_CALL, CALL)
        assert (outcome.verdict, outcome.asks, len(outcome.log)) == (Verdict.BLOCK, (), 2)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (ToolCall("1", "bash", {"command": "ls"}), True),
        (ToolCall("another id", "bash", {"command": "ls"}), True),
        (ToolCall("1", "bash", {"command": "ls", "cwd": None}), False),
        (ToolCall("1", "bash", {"command": "rm"}), False),
        (ToolCall("1", "sh", {"command": "ls"}), False),
        (ToolCall("1", "bash", {"command": ["ls"]}), False),
    ],
)
def test_an_approval_is_for_one_value(other: ToolCall, same: bool) -> None:
    """Whatever runs under it is what was shown, up to the id that a provider gives anew."""
    answers = [grant(one) for one in asked().asks]
    assert settle(asked(other), answers)[0].proceeds is same


def test_an_approval_of_a_python_object_covers_only_the_very_ask() -> None:
    """What cannot be named cannot be approved in advance, also if it is the same object again."""
    call = ToolCall("1", "bash", freeze({"it": object()}, objects=True))
    first, again = asked(call), asked(call)
    answers = [grant(one) for one in first.asks]
    assert settle(first, answers)[0].proceeds
    assert settle(again, answers)[0].verdict is Verdict.BLOCK


def test_the_call_beside_a_result_is_part_of_what_is_approved() -> None:
    """The same output of another call is asked about again."""
    bundle = Interceptors(tool_result=[lambda result: ask("may it see?")])
    first = decide(bundle, TOOL_RESULT, ToolResult("out"), CALL)
    other = decide(bundle, TOOL_RESULT, ToolResult("out"), ToolCall("1", "cat", {"path": "/x"}))
    assert settle(first, [grant(first.asks[0])])[0].proceeds
    assert settle(other, [grant(first.asks[0])])[0].verdict is Verdict.BLOCK


def test_covering_is_between_one_answer_and_one_ask() -> None:
    """A refusal covers its ask as a grant does."""
    ask_again = StandingAsk(A.interceptor, A.reason, A.target, A.timeout_s, A.severity, A.digest, A.seam, A.scope)
    assert (covers(grant(A), ask_again), covers(refuse(A), ask_again), covers(grant(A), B)) == (True, True, False)


def test_what_only_claims_to_be_the_ask_grants_nothing() -> None:
    """An answer is for an ask by being for it, not by saying that it is equal."""
    equal: Any = type("Equal", (), {"__eq__": lambda self, other: True, "__hash__": lambda self: 0})()
    assert settle(asked(), [Answered(equal, True), Answered(equal, True)])[0].verdict is Verdict.BLOCK


@pytest.mark.parametrize("wrong", [True, "yes", None, {"approved": True}])
def test_what_is_no_answer_is_refused(wrong: Any) -> None:
    """`settle` takes what `grant`, `refuse` and `answered` make, and says so."""
    with pytest.raises((TypeError, ValueError), match="answered"):
        settle(asked(), [wrong])


def test_a_refusal_is_told_by_its_words_and_by_whom() -> None:
    """And as refused where there are none; what was never answered is told apart."""
    standing = decide(Interceptors(tool_call=[lambda call: ask("may it?")]), TOOL_CALL, CALL)
    (one,) = standing.asks

    def told(*given: Answered) -> str:
        return settle(standing, given)[0].reason

    assert told() == "may it? (not granted)"
    assert told(Answered(one, False)) == told(refuse(one)) == told(answered(one, "yes")) == "may it? (refused)"
    assert told(refuse(one, by="eve", reason="too dear")) == "may it? (too dear, by eve)"


def test_an_outcome_that_asks_of_nobody_cannot_be_granted() -> None:
    """Somebody made it by hand."""
    settled, _ = settle(evolve(asked(), asks=()), ())
    assert (settled.verdict, settled.reason) == (Verdict.BLOCK, "nothing that could be granted")
