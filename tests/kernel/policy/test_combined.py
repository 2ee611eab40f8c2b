"""Policies under `&`, `|` and `~`: the tables, cell by cell, with all that was found."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import operator
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    AgentScoped,
    Block,
    Interceptors,
    Kind,
    Note,
    Policy,
    Result,
    Scope,
    Severity,
    ToolCall,
    Verdict,
    decide,
)
from seamlaw.policy._policy import Composable

CALL = ToolCall("1", "bash")
N, P, F, X = Result
POLICIES: dict[Result, Policy] = {
    N: Policy("n").require(lambda result: False, hook="post"),
    P: Policy("p").require(lambda call: True, reason="p"),
    F: Policy("f").require(lambda call: False, reason="f"),
    X: Policy("x").require(lambda call: call.missing, reason="x"),
}

# a, b: a & b, a | b, ~a & ~b
TABLE: dict[tuple[Result, Result], tuple[Result, Result, Result]] = {
    (N, N): (N, N, N),
    (N, P): (P, P, F),
    (N, F): (F, F, P),
    (N, X): (X, X, X),
    (P, N): (P, P, F),
    (P, P): (P, P, F),
    (P, F): (F, P, F),
    (P, X): (X, P, F),
    (F, N): (F, F, P),
    (F, P): (F, P, F),
    (F, F): (F, F, P),
    (F, X): (F, X, X),
    (X, N): (X, X, X),
    (X, P): (X, P, F),
    (X, F): (F, X, X),
    (X, X): (X, X, X),
}


@pytest.mark.parametrize(("a", "b"), TABLE)
def test_the_tables_of_and_or_and_not(a: Result, b: Result) -> None:
    """All sixteen cells of each, by what they evaluate to."""
    left, right = POLICIES[a], POLICIES[b]
    both, either, neither = TABLE[a, b]
    assert (left & right).evaluate("pre", CALL).result is both
    assert (left | right).evaluate("pre", CALL).result is either
    assert (~left & ~right).evaluate("pre", CALL).result is neither
    assert (~(left | right)).evaluate("pre", CALL).result is neither
    assert (~~(left & right)).evaluate("pre", CALL).result is both
    assert (~(~left | ~right)).evaluate("pre", CALL).result is both


@pytest.mark.parametrize("result", Result)
def test_not_turns_passing_and_failing_and_nothing_else(result: Result) -> None:
    """A crash stays a crash, and what does not apply stays out of it."""
    policy = POLICIES[result]
    assert (~policy).evaluate("pre", CALL).result is {N: N, P: F, F: P, X: X}[result]
    assert ~~policy == policy
    assert ((~policy).label, (policy & ~policy).label) == (f"~{policy.name}", f"({policy.name} & ~{policy.name})")


@pytest.mark.parametrize(("a", "b"), TABLE)
@pytest.mark.parametrize("combine", [operator.and_, operator.or_], ids=["and", "or"])
def test_a_gate_proceeds_where_the_whole_passes_or_does_not_apply(
    a: Result, b: Result, combine: Callable[..., Any]
) -> None:
    """And blocks where it fails or cannot be known; a crash that does not matter is noted."""
    result = combine(POLICIES[a], POLICIES[b]).evaluate("pre", CALL).result
    outcome = decide(combine(POLICIES[a], POLICIES[b]).interceptors(), TOOL_CALL, CALL)
    assert outcome.verdict is (Verdict.PROCEED if result in (N, P) else Verdict.BLOCK)
    if result in (N, P):
        assert {entry.kind for entry in outcome.log} <= {Kind.NOTE}
        assert len(outcome.log) == [a, b].count(X)


def found(policy: Any) -> list[str]:
    """The reasons that a gate of it gives."""
    return [entry.reason for entry in decide(policy.interceptors(), TOOL_CALL, CALL).log]


def test_and_gathers_the_failures_of_both() -> None:
    """However deep; a crash beside a failure is reported too."""
    f, g, x = POLICIES[F], Policy("g").require(lambda call: False, reason="g"), POLICIES[X]
    assert found(f & g) == found(f & POLICIES[P] & g) == ["f", "g"]
    assert found(f | g) == ["f", "g"]
    assert found(f | POLICIES[P]) == []
    assert [reason[:6] for reason in found(f & x)] == ["f", "policy"]


def test_notes_of_both_are_kept_and_never_count() -> None:
    """Beside a pass, a failure or a crash."""
    noting = Policy("m").require(lambda call: False, on_fail="note", reason="m")
    for result, verdict in ((P, Verdict.PROCEED), (F, Verdict.BLOCK), (X, Verdict.BLOCK), (N, Verdict.PROCEED)):
        for whole in (POLICIES[result] & noting, noting & POLICIES[result]):
            outcome = decide(whole.interceptors(), TOOL_CALL, CALL)
            assert (outcome.verdict, "m" in [entry.reason for entry in outcome.log]) == (verdict, True)
    assert (noting | POLICIES[F]).evaluate("pre", CALL).result is F


def test_a_negation_fails_with_the_gravest_of_what_must_not_hold() -> None:
    """Its reason names all that held."""
    policy = (
        Policy("p")
        .require(lambda call: True, reason="a", on_fail="ask", severity="high", target="t")
        .require(lambda call: True, reason="b", on_fail="block", severity="low")
        .require(lambda call: True, reason="c", on_fail="note")
    )
    (finding,) = (~policy).evaluate("pre", CALL).failures
    assert (finding.reason, finding.severity) == ("must not hold: a; b", Severity.LOW)
    assert (~policy).evaluate("pre", CALL).decisions() == (Block("must not hold: a; b", Severity.LOW),)
    asking = Policy("q").require(lambda call: True, reason="a", on_fail="ask", target="t")
    (ask,) = decide((~asking).interceptors(), TOOL_CALL, CALL).asks
    assert (ask.reason, ask.target) == ("must not hold: a", "t")
    assert found(~Policy("p").require(lambda call: False, on_fail="note", reason="n")) == ["n"]


def test_ands_and_ors_keep_the_levels_of_their_parts() -> None:
    """An ask beside a block is a block; alone it is an ask."""
    asks = Policy("a").require(lambda call: False, on_fail="ask", reason="a")
    assert decide((asks & POLICIES[P]).interceptors(), TOOL_CALL, CALL).verdict is Verdict.ASK
    assert decide((asks & POLICIES[F]).interceptors(), TOOL_CALL, CALL).verdict is Verdict.BLOCK
    assert decide((asks | POLICIES[F]).interceptors(), TOOL_CALL, CALL).verdict is Verdict.BLOCK
    assert decide((asks | POLICIES[N]).interceptors(), TOOL_CALL, CALL).verdict is Verdict.ASK


def test_roles_scope_a_part_of_a_whole() -> None:
    """A part that does not apply is neutral."""
    admins = AgentScoped(POLICIES[F], "admin")
    for whole in (admins & POLICIES[P], POLICIES[P] & admins, POLICIES[P] | admins):
        assert whole.evaluate("pre", CALL, scope=Scope(role="user")).result is P
    assert (admins & POLICIES[P]).evaluate("pre", CALL, scope=Scope(role="admin")).result is F
    assert (~(admins & POLICIES[P])).evaluate("pre", CALL, scope=Scope(role="admin")).result is P


WRONG: list[Any] = [None, True, "p", lambda call: True, POLICIES[P].as_gate(), Interceptors()]


@pytest.mark.parametrize("other", WRONG, ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("combine", [operator.and_, operator.or_], ids=["and", "or"])
def test_only_policies_are_combined(other: Any, combine: Callable[..., Any]) -> None:
    """What is none would fault at every call; it is refused where it is written, on either side."""
    for pair in ((POLICIES[P], other), (other, POLICIES[P])):
        with pytest.raises(TypeError):
            combine(*pair)


def test_and_or_and_not_in_words_are_refused() -> None:
    """Python would give one of the two, and forget the other."""
    p, f = POLICIES[P], POLICIES[F]
    for use in (lambda: p and f, lambda: p or f, lambda: not p, lambda: bool(p & f), lambda: f if p else p):
        with pytest.raises(TypeError, match=r"combine policies with &, \| and ~, not and, or, not"):
            use()


def test_the_decisions_of_an_evaluation_are_those_of_the_gate() -> None:
    """As data, for whoever drives it."""
    noting = Policy("m").require(lambda call: False, on_fail="note", reason="m", severity="high")
    evaluation = (POLICIES[F] & noting).evaluate("pre", CALL)
    assert evaluation.decisions() == (Block("f", Severity.MEDIUM), Note("m", Severity.HIGH))
    with pytest.raises(TypeError, match="result"):
        bool(evaluation)
    assert [finding.source for finding in (*evaluation.failures, *evaluation.notes)] == ["f", "m"]


def test_many_policies_make_one() -> None:
    """Some hundred parts are no trouble."""
    whole: Any = POLICIES[P]
    for _ in range(100):
        whole = whole & POLICIES[P]
    assert decide(whole.interceptors(), TOOL_CALL, CALL).proceeds
    assert not decide((whole & POLICIES[F]).interceptors(), TOOL_CALL, CALL).proceeds
    assert len((whole | POLICIES[F]).policy_hash) == 64


def test_a_policy_of_ones_own_says_all_that_a_policy_must_say() -> None:
    """One that leaves something out cannot be made."""
    with pytest.raises(TypeError, match="abstract"):
        type("Partial", (Composable,), {"label": "p"})()
