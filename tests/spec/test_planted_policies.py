"""A broken table, policy or hash is rejected by a law that says in its name what is wrong."""

from collections.abc import Callable, Iterable
from enum import Enum
from itertools import product
from typing import Any, TypeAlias, TypeVar

import pytest
from attrs import evolve

from seamlaw import Evaluation, Finding, Level, Note, Policy, Result, Scope
from seamlaw import _precedence as precedence
from seamlaw._decisions import close_unawaited
from seamlaw.policy import _policy as policies
from seamlaw_spec.laws import policies as laws
from seamlaw_spec.laws.precedence import precedence_is_a_semilattice
from seamlaw_spec.policy_domains import Token

pytestmark = pytest.mark.slow

Plant: TypeAlias = Callable[[Any, Any], None]
Catches: TypeAlias = Callable[[str], bool]
RESULTS = [Token.EMPTY, Token.PASS, Token.FAIL, Token.CRASH]


E = TypeVar("E", bound=Enum)


def _cells(table: dict[E, dict[E, E]]) -> list[tuple[E, E, E]]:
    """Every cell of a table with every value that it does not have."""
    return [(a, b, wrong) for a in table for b in table for wrong in table if wrong is not table[a][b]]


@pytest.mark.parametrize("table", [policies.AND, policies.OR], ids=["and", "or"])
def test_no_cell_of_a_policy_table_can_be_wrong(
    table: dict[Result, dict[Result, Result]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the 48 wrong values in each table breaks a law, in a case of two leaves."""
    of_two = laws.and_gathers if table is policies.AND else laws.or_needs_one_clean_pass
    cells = _cells(table)
    assert len(cells) == 48
    for a, b, wrong in cells:
        with monkeypatch.context() as broken:
            broken.setitem(table[a], b, wrong)
            operator = Token.AND if table is policies.AND else Token.OR
            pairs = list(product(RESULTS, repeat=2))
            held = all(of_two([one], [other]) for one, other in pairs)
            held = held and all(laws.a_fault_is_an_unknown([one, other, operator]) for one, other in pairs)
            assert not held, (a, b, wrong)


def test_no_cell_of_not_can_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the 12 wrong values of `~` breaks its law, in a case of one leaf."""
    for result, wrong in product(Result, Result):
        if policies.NOT[result] is not wrong:
            with monkeypatch.context() as broken:
                broken.setitem(policies.NOT, result, wrong)
                assert not all(_holds(laws.not_turns_pass_and_fail, one) for one in RESULTS), (result, wrong)


def _holds(law: Callable[[list[Token]], bool], leaf: Token) -> bool:
    try:
        return law([leaf])
    except IndexError:  # a failure of which nothing tells
        return False


def test_no_cell_of_precedence_can_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the 48 wrong values in the table of levels breaks the semilattice."""
    for a, b, wrong in _cells(precedence.JOIN):
        with monkeypatch.context() as broken:
            broken.setitem(precedence.JOIN[a], b, wrong)
            assert not all(precedence_is_a_semilattice(*three) for three in product(Level, repeat=3)), (a, b, wrong)


def severity_is_ignored(a: Any, b: Any) -> bool:
    """Within a level the first decides, however grave."""
    return a.level is not b.level and precedence.join(a.level, b.level) is a.level


def severity_goes_before_level(a: Any, b: Any) -> bool:
    """A grave note outranks a light block."""
    return b.severity in precedence.GRAVER[a.severity]


check = policies.Requirement.check


def crash_is_a_pass(self: Any, offered: tuple[Any, ...], scope: Scope) -> tuple[Result, Finding]:
    """A predicate that faults is taken to hold."""
    result, finding = check(self, offered, scope)
    return (Result.PASSED if result is Result.FAULTED else result), finding


def crash_is_a_failure(self: Any, offered: tuple[Any, ...], scope: Scope) -> tuple[Result, Finding]:
    """A predicate that faults is taken to fail, so that its negation passes."""
    result, finding = check(self, offered, scope)
    return (Result.FAILED if result is Result.FAULTED else result), finding


def truthy_is_a_pass(self: Any, offered: tuple[Any, ...], scope: Scope) -> tuple[Result, Finding]:
    """Whatever is truthy passes."""
    try:
        answer = self.takes.call(self.predicate, offered, scope)
    except Exception:
        return check(self, offered, scope)
    return (Result.PASSED if answer else Result.FAILED), self.finding


def note_is_a_failure(result: Result, failures: Any, faults: Any, notes: Any) -> Evaluation:
    """A requirement that only notes makes its policy fail."""
    found = tuple(notes)
    return Evaluation(Result.FAILED if found else result, (*failures, *found), tuple(faults))


def decisions_stop_at_the_first(self: Evaluation) -> tuple[Any, ...]:
    """Only the first failure is told."""
    return decisions(self)[:1]


decisions = Evaluation.decisions


def blocks_are_noted(self: Evaluation) -> tuple[Any, ...]:
    """An unknown does not block."""
    told = decisions(self)
    return tuple(Note(said.reason) for said in told) if self.result is Result.FAULTED else told


def not_keeps_the_operator(self: Any) -> Any:
    """`~(a & b)` is `~a & ~b`."""
    return policies.Combined(self.operator, ~self.left, ~self.right)


def not_does_nothing(self: Policy) -> Policy:
    """`~p` is `p`."""
    return self


def not_forgets_when(self: Policy) -> Policy:
    """`~p` applies always."""
    return evolve(self, negated=not self.negated, activations=())


def crashing_activation_is_off(predicate: Any, wanted: Any, offered: tuple[Any, ...], scope: Scope) -> bool:
    """A policy whose activation raises does not apply."""
    try:
        answer = wanted.call(predicate, offered, scope)
        close_unawaited(answer)
        return answer is not False
    except Exception:
        return False


def falsy_activation_is_off(predicate: Any, wanted: Any, offered: tuple[Any, ...], scope: Scope) -> bool:
    """A policy whose activation answers `None` does not apply."""
    try:
        answer = wanted.call(predicate, offered, scope)
        close_unawaited(answer)
        return bool(answer)
    except Exception:
        return True


def one_failure_is_enough_for_or(self: Any, hook: Any, *offered: Any, scope: Scope | None = None) -> Evaluation:
    """`a | b` stops at the first side that passes or fails, as `or` would."""
    first: Evaluation = self.left.evaluate(hook, *offered, scope=scope)
    if first.result in (Result.PASSED, Result.FAILED):
        return first
    return combined(self, hook, *offered, scope=scope)


combined = policies.Combined.evaluate
PLANTED: list[tuple[Any, str, Callable[..., Any], str]] = [  # where, what, the bug, the law that catches it
    (precedence, "_outranks", severity_is_ignored, "severity_then_arrival"),
    (precedence, "_outranks", severity_goes_before_level, "severity_then_arrival"),
    (precedence, "_outranks", severity_goes_before_level, "a_note_never_enforces"),
    (policies.Requirement, "check", crash_is_a_pass, "a_fault_is_an_unknown"),
    (policies.Requirement, "check", crash_is_a_failure, "a_fault_is_an_unknown"),
    (policies.Requirement, "check", truthy_is_a_pass, "a_fault_is_an_unknown"),
    (policies, "_evaluation", note_is_a_failure, "a_note_never_enforces"),
    (Evaluation, "decisions", decisions_stop_at_the_first, "every_failure_is_reported"),
    (Evaluation, "decisions", blocks_are_noted, "a_fault_is_an_unknown"),
    (policies.Combined, "__invert__", not_keeps_the_operator, "de_morgan"),
    (policies.Combined, "evaluate", one_failure_is_enough_for_or, "or_needs_one_clean_pass"),
    (Policy, "__invert__", not_does_nothing, "not_turns_pass_and_fail"),
    (Policy, "__invert__", not_forgets_when, "double_negation"),
    (policies, "_active", crashing_activation_is_off, "a_crashing_activation_is_active"),
    (policies, "_active", falsy_activation_is_off, "a_crashing_activation_is_active"),
]


@pytest.mark.parametrize(("where", "what", "bug", "name"), PLANTED, ids=lambda it: getattr(it, "__name__", str(it)))
def test_a_bug_in_policies_is_caught(
    where: Any, what: str, bug: Callable[..., Any], name: str, monkeypatch: pytest.MonkeyPatch, catches: Catches
) -> None:
    """The law that says what is wrong notices it, and holds where nothing is planted."""
    with monkeypatch.context() as broken:
        broken.setattr(where, what, bug)
        assert catches(name)


def test_the_last_of_a_tie_is_caught(plant: Plant, catches: Catches) -> None:
    """Arrival breaks a tie: the first gives the reason."""
    plant(precedence.pick, last_of_a_tie_decides_by(precedence.pick))
    assert catches("severity_then_arrival")


def last_of_a_tie_decides_by(pick: Callable[[Any], Any]) -> Callable[[Iterable[Any]], Any]:
    """Pick from the reverse."""
    return lambda findings: pick(list(findings)[::-1])
