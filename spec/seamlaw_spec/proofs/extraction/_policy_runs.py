"""`Policy.evaluate`, `Combined.evaluate` and the way `~` is pushed down, run on tokens."""

from collections.abc import Callable
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

from attrs import define, field

from seamlaw import AgentScoped, Evaluation, Finding, Level, Policy, Result, Scope
from seamlaw.policy._policy import Combined, Composable

from ._opaque import Looked, NotExtracted, Opaque
from ._runs import require, same, words
from ._shipped import Shipped, regrounded

__all__ = ["run_evaluate", "run_evaluate_both", "run_evaluation", "run_inverse", "run_scoped"]

CHECKS = (Result.PASSED, Result.FAILED, Result.FAULTED)
LETTERS: tuple[tuple[bool, Result | None], ...] = ((True, None), *product((False, True), CHECKS))  # None: other hook


@define(eq=False)
class _Requirement:
    """A requirement by its letter: whether it only notes, and what it says; of another hook if it says nothing."""

    notes: bool
    says: Result | None
    told: list[object] = field(factory=list[object])
    found: object = field(factory=Opaque)
    hook: str = field(init=False)
    finding: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.hook = "post" if self.says is None else "pre"
        self.finding = SimpleNamespace(level=Level.NOTE if self.notes else Level.BLOCK)

    def check(self, *offered: object) -> tuple[Result | None, object]:
        self.told.append(offered)
        return self.says, self.found


class _Captured:
    """An evaluation as it is handed over, before anything is made of it."""

    def __init__(self, result: Result, failures: Any, faults: Any, notes: Any) -> None:
        self.result, self.findings = result, [*failures, None, *faults, None, *notes]


def _activated(said: bool, *_: object) -> bool:
    return said


def run_evaluate(evaluate: Callable[..., Any], shipped: Shipped) -> int:
    """Evaluate every sequence of up to four requirements, negated or not; gives the number of runs."""
    count, turned = 0, Opaque()
    right_clean = {result: Evaluation(result) for result in Result}
    require(evaluate.__globals__["_CLEAN"] == right_clean, "evaluate", "has findings where there are none")
    clean = {result: _Captured(result, (), (), ()) for result in Result}
    run = regrounded(
        evaluate,
        _evaluation=_Captured,
        _CLEAN=clean,
        _must_not_hold=partial(_itself, turned),
        _active=_activated,
        _call=_itself,
    )
    for word, negated in product(words(LETTERS), (False, True)):
        made = [_Requirement(*letter) for letter in word]
        given = SimpleNamespace(requirements=tuple(made), activations=((True, None),), negated=negated)
        try:
            came = run(given, "pre", Opaque(), scope=Scope())
        except (Looked, Exception) as error:
            raise NotExtracted("token runs", "evaluate", f"{type(error).__name__} {error} at {word}") from error
        result, findings = _folded(made, shipped, [turned] if negated else None)
        right = came.result is result and same(came.findings, findings)
        require(right, "evaluate", f"evaluates otherwise at {word}, negated: {negated}")
        asked = all(len(one.told) == (one.says is not None) for one in made)
        require(asked, "evaluate", f"does not check each requirement once at {word}")
        count += 1
    for active, negated in product(((True, False), (False, True), (False,)), (False, True)):
        given = SimpleNamespace(requirements=(), activations=tuple((one, None) for one in active), negated=negated)
        came = run(given, "pre", Opaque(), scope=None)
        require(came is clean[Result.NOT_APPLICABLE], "evaluate", "applies though an activation says no")
        count += 1
    return count


def _itself(given: object, *_: object) -> object:
    return given


def _folded(made: list[_Requirement], shipped: Shipped, turned: list[object] | None) -> tuple[Result, list[object]]:
    """The axioms of `folded`, read; and the findings, in order."""
    result, conjunction = Result.NOT_APPLICABLE, shipped.tables["&"]
    counted = [one for one in made if one.says is not None and (not one.notes or one.says is Result.FAULTED)]
    for one in counted:
        result = conjunction[result][one.says or result]
    failures: list[object] = [one.found for one in counted if one.says is Result.FAILED]
    faults = [one.found for one in counted if one.says is Result.FAULTED]
    notes = [one.found for one in made if one.notes and one.says is Result.FAILED]
    if turned is not None:
        result = shipped.negation[result]
        failures = turned if result is Result.FAILED else []
    return result, [*failures, None, *faults, None, *notes]


def run_evaluation(evaluation: Callable[..., Any]) -> int:
    """What is kept where the whole fails, and where it does not; gives the number of cases."""
    for result in Result:
        failure, fault, note = (Finding(Level.BLOCK, "", name) for name in ("failure", "fault", "note"))
        came = evaluation(result, [failure], [fault], [note])
        fails = result in (Result.FAILED, Result.FAULTED)
        require(type(came) is Evaluation and came.result is result, "evaluation", f"is of another result at {result}")
        if fails:
            kept = same((*came.failures, *came.faults, *came.notes), (failure, fault, note))
        else:
            levels = [one.level for one in came.notes]
            kept = not (came.failures or came.faults) and came.notes[0] is note and Level.BLOCK not in levels[1:]
        require(kept, "evaluation", f"keeps other findings at {result}")
    return len(Result)


class _Part(Composable):
    """A part of a policy that says what it is told to, and knows its inverse by identity."""

    __slots__ = ("asked", "inverse", "said")

    def __init__(self, said: Evaluation) -> None:
        self.said, self.asked = said, list[object]()
        self.inverse: object = None

    @property
    def label(self) -> str:
        return "a part"

    @property
    def requires(self) -> bool:
        return True

    def structure(self) -> object:
        return self

    def evaluate(self, hook: object, *offered: object, scope: object = None) -> Evaluation:
        self.asked.append((hook, *offered, scope))
        return self.said

    def __invert__(self) -> Any:
        return self.inverse


def _evaluated(result: Result) -> Evaluation:
    found: Any = [(Opaque(),) for _ in range(3)]
    return Evaluation(result, *found)


def run_evaluate_both(evaluate: Callable[..., Any], shipped: Shipped) -> int:
    """Evaluate both sides under both operators, with every pair of results; gives the number of cases."""
    count, run = 0, regrounded(evaluate, _evaluation=_Captured)
    for operator, a, b in product(shipped.tables, Result, Result):
        left, right = _Part(_evaluated(a)), _Part(_evaluated(b))
        given: Any = SimpleNamespace(operator=operator, left=left, right=right)
        came = run(given, "pre", Opaque(), scope=None)
        gathered = _Captured(
            shipped.tables[operator][a][b],
            left.said.failures + right.said.failures,
            left.said.faults + right.said.faults,
            left.said.notes + right.said.notes,
        )
        right_one = came.result is gathered.result and same(came.findings, gathered.findings)
        require(right_one, "evaluate_both", f"combines otherwise {a} {operator} {b}")
        require(len(left.asked) == len(right.asked) == 1, "evaluate_both", "does not ask each side once")
        count += 1
    return count


def run_inverse() -> int:
    """How `~` goes down a policy of each form; gives the number of forms."""
    for negated in (False, True):
        policy = Policy("p", (), (), negated)
        require(~policy == Policy("p", (), (), not negated), "inverse", "does not turn a named policy")
    for operator, other in (("&", "|"), ("|", "&")):
        left, right = _Part(_evaluated(Result.PASSED)), _Part(_evaluated(Result.PASSED))
        inner: Any = _Part(_evaluated(Result.FAILED)), _Part(_evaluated(Result.FAILED))
        left.inverse, right.inverse = inner
        turned = ~Combined(cast(Any, operator), left, right)
        right_one = turned.operator == other and same((turned.left, turned.right), inner)
        require(right_one, "inverse", f"does not turn {operator} into {other} of the inverses")
    part: Any = _Part(_evaluated(Result.PASSED))
    part.inverse = _Part(_evaluated(Result.FAILED))
    scoped = ~AgentScoped(part, ("role",))
    require(scoped.policy is part.inverse and scoped.roles == ("role",), "inverse", "does not turn what is scoped")
    return 5


def run_scoped() -> int:
    """A policy for certain roles: it says what its policy says, or nothing; gives the number of cases."""
    cases = {None: True, "in": True, "out": False}
    for role, applies in cases.items():
        part = _Part(_evaluated(Result.FAILED))
        came = AgentScoped(part, ("in",)).evaluate("pre", Opaque(), scope=Scope(role=role))
        if applies:
            require(came is part.said, "scoped", f"says something else to the role {role}")
        else:
            require(came == Evaluation(Result.NOT_APPLICABLE), "scoped", f"applies to the role {role}")
    return len(cases)
