"""Which laws of lattices policies keep, and which they do not: two tables over the four results.

A row equates two expressions over up to three policies. `RESULT` compares what is decided (the result, and how strict
the verdict is), `FINDINGS` everything that is told. A row of `NON_LAWS` names the smallest case where the sides differ,
in the order of `SMALLEST_FIRST`.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from itertools import product
from typing import TypeAlias

from attrs import frozen

from seamlaw import Level, Policy, Result

from .policy_domains import CALL, Composable, Token, Tree, level, policy

__all__ = ["LAWS_THAT_HOLD", "NON_LAWS", "SMALLEST_FIRST", "Compared", "Equation", "NonLaw", "counterexamples"]

OF_RESULT = {
    Result.NOT_APPLICABLE: Token.EMPTY,
    Result.PASSED: Token.PASS,
    Result.FAILED: Token.FAIL,
    Result.FAULTED: Token.CRASH,
}
SMALLEST_FIRST = tuple(OF_RESULT)
_NEUTRAL, _PASS, _FAIL, _FAULT = SMALLEST_FIRST

Sides: TypeAlias = Callable[[Composable, Composable, Composable], tuple[Composable, Composable]]


class Compared(Enum):
    """What of two policies is compared."""

    RESULT = "result and verdict"
    FINDINGS = "everything told"


@frozen
class Equation:
    """A statement that two expressions are the same policy, for all policies in them."""

    name: str
    statement: str
    sides: Sides
    compared: Compared = Compared.RESULT

    def holds(self, *results: Result) -> bool:
        """Whether the sides are alike where the policies come to these results; those not named do not apply."""
        a, b, c = (_of(result) for result in (*results, *SMALLEST_FIRST[:1] * 3)[:3])
        return _alike(*self.sides(a, b, c), self.compared)


@frozen
class NonLaw:
    """An equation that does not hold, with its smallest counterexample."""

    equation: Equation
    witness: tuple[Result, ...]

    def replay(self) -> bool:
        """Whether the shipped kernel still shows the counterexample."""
        return not self.equation.holds(*self.witness)


def counterexamples(equation: Equation) -> Iterator[tuple[Result, ...]]:
    """Every case where an equation does not hold, the smallest first."""
    return (case for case in product(SMALLEST_FIRST, repeat=3) if not equation.holds(*case))


def _alike(one: Composable, other: Composable, compared: Compared) -> bool:
    a, b = one.evaluate("pre", CALL), other.evaluate("pre", CALL)
    if compared is Compared.FINDINGS:
        return a == b and a.decisions() == b.decisions()
    return a.result is b.result and _enforced(level(a.decisions())) is _enforced(level(b.decisions()))


def _enforced(said: Level) -> Level:
    return Level.ALLOW if said is Level.NOTE else said


def _of(result: Result) -> Composable:
    return policy(Tree(OF_RESULT[result]))


def _required_at_once() -> Policy:
    return _required("a").require(_holds, on_fail="ask", reason="b", target="b")


def _required_apart() -> Composable:
    return _required("a") & _required("b")


def _required(of: str) -> Policy:
    return Policy("both").require(_holds, on_fail="ask", reason=of, target=of)


def _holds(_: object) -> bool:
    return True


TOLD = Compared.FINDINGS
LAWS_THAT_HOLD: tuple[Equation, ...] = (
    Equation("and_commutes", "`a & b` is `b & a`.", lambda a, b, c: (a & b, b & a)),
    Equation("or_commutes", "`a | b` is `b | a`.", lambda a, b, c: (a | b, b | a)),
    Equation("and_associates", "`(a & b) & c` is `a & (b & c)`.", lambda a, b, c: ((a & b) & c, a & (b & c)), TOLD),
    Equation("or_associates", "`(a | b) | c` is `a | (b | c)`.", lambda a, b, c: ((a | b) | c, a | (b | c)), TOLD),
    Equation("and_is_idempotent", "`a & a` is `a`.", lambda a, b, c: (a & a, a)),
    Equation("or_is_idempotent", "`a | a` is `a`.", lambda a, b, c: (a | a, a)),
    Equation(
        "neutral_in_and", "What is not applicable is neutral in `&`.", lambda a, b, c: (a & _of(_NEUTRAL), a), TOLD
    ),
    Equation(
        "neutral_in_or", "What is not applicable is neutral in `|`.", lambda a, b, c: (a | _of(_NEUTRAL), a), TOLD
    ),
    Equation("a_failure_decides_and", "`a & fail` fails.", lambda a, b, c: (a & _of(_FAIL), _of(_FAIL) & _of(_FAIL))),
    Equation("a_pass_decides_or", "`a | pass` passes.", lambda a, b, c: (a | _of(_PASS), _of(_PASS))),
    Equation("double_negation", "`~~a` is `a`.", lambda a, b, c: (~~a, a), TOLD),
    Equation("de_morgan_of_and", "`~(a & b)` is `~a | ~b`.", lambda a, b, c: (~(a & b), ~a | ~b), TOLD),
    Equation("de_morgan_of_or", "`~(a | b)` is `~a & ~b`.", lambda a, b, c: (~(a | b), ~a & ~b), TOLD),
)

_STATED: tuple[tuple[str, str, Sides, Compared, tuple[Result, ...]], ...] = (
    (
        "and_absorbs_or",
        "`a & (a | b)` is `a`: not where `a` is not applicable and `b` is.",
        lambda a, b, c: (a & (a | b), a),
        Compared.RESULT,
        (_NEUTRAL, _PASS),
    ),
    (
        "or_absorbs_and",
        "`a | (a & b)` is `a`: not where `a` is not applicable and `b` is.",
        lambda a, b, c: (a | (a & b), a),
        Compared.RESULT,
        (_NEUTRAL, _PASS),
    ),
    (
        "and_distributes",
        "`a & (b | c)` is `(a & b) | (a & c)`: with `b` not applicable, `a` alone passes on the right.",
        lambda a, b, c: (a & (b | c), (a & b) | (a & c)),
        Compared.RESULT,
        (_PASS, _NEUTRAL, _FAIL),
    ),
    (
        "or_distributes",
        "`a | (b & c)` is `(a | b) & (a | c)`: with `b` not applicable, `a` alone fails on the right.",
        lambda a, b, c: (a | (b & c), (a | b) & (a | c)),
        Compared.RESULT,
        (_FAIL, _NEUTRAL, _PASS),
    ),
    (
        "excluded_middle",
        "`a | ~a` passes: not where `a` is not applicable, nor where it faults.",
        lambda a, b, c: (a | ~a, _of(_PASS)),
        Compared.RESULT,
        (_NEUTRAL,),
    ),
    (
        "contradictions_fail",
        "`a & ~a` fails: not where `a` is not applicable.",
        lambda a, b, c: (a & ~a, _of(_FAIL)),
        Compared.RESULT,
        (_NEUTRAL,),
    ),
    (
        "a_pass_is_neutral_in_and",
        "`a & pass` is `a`: what is not applicable passes beside a pass.",
        lambda a, b, c: (a & _of(_PASS), a),
        Compared.RESULT,
        (_NEUTRAL,),
    ),
    (
        "a_failure_is_neutral_in_or",
        "`a | fail` is `a`: what is not applicable fails beside a failure.",
        lambda a, b, c: (a | _of(_FAIL), a),
        Compared.RESULT,
        (_NEUTRAL,),
    ),
    (
        "and_commutes_in_what_is_told",
        "`a & b` tells the same as `b & a`: the findings keep the order in which they were written.",
        lambda a, b, c: (a & (~b), (~b) & a),
        TOLD,
        (_FAIL, _PASS),
    ),
    (
        "and_is_idempotent_in_what_is_told",
        "`a & a` tells the same as `a`: each failure is told by each side.",
        lambda a, b, c: (a & a, a),
        TOLD,
        (_FAIL,),
    ),
    (
        "requiring_twice_is_and",
        "A policy of two requirements is the `&` of two policies: its negation asks once, theirs asks both.",
        lambda a, b, c: (~_required_at_once(), ~_required_apart()),
        TOLD,
        (),
    ),
)
NON_LAWS = tuple(NonLaw(Equation(name, said, sides, how), witness) for name, said, sides, how, witness in _STATED)
