"""A broken consultation, plan or seam is rejected by a law that says in its name what is wrong."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest
from attrs import evolve

import seamlaw
from seamlaw import (
    Block,
    Consultation,
    Entry,
    Fault,
    FrozenDict,
    Interceptors,
    Level,
    Plan,
    Replace,
    Seam,
    Severity,
    block,
    consult,
    pick,
    plan,
    read,
)
from seamlaw import _decisions as kernel_decisions
from seamlaw import _plan as kernel_plan

pytestmark = pytest.mark.slow

Plant: TypeAlias = Callable[[Any, Any], None]
Catches: TypeAlias = Callable[[str], bool]
Entries: TypeAlias = tuple[Entry, ...]


def true_allows(question: Consultation[Any], answer: Any) -> Entries:
    """`True` is taken for an allow, so that a gate of the wrong return type fails open."""
    return () if answer is True else read(question, answer)


def truth_allows(question: Consultation[Any], answer: Any) -> Entries:
    """Whatever says of itself that it is an allow is one."""
    return () if isinstance(answer, seamlaw.Allow) else read(question, answer)


def gates_may_rewrite(question: Consultation[Any], answer: Any) -> Entries:
    """A gate's replacement is passed on as it is."""
    if type(answer) is Replace:
        return (Entry(question.seam.name, question.interceptor.name, answer),)
    return read(question, answer)


def replacements_are_not_checked(question: Consultation[Any], answer: Any) -> Entries:
    """A replacement of the wrong type is taken."""
    if type(answer) is Replace and answer.value is not question.value and not question.interceptor.is_gate:
        return (Entry(question.seam.name, question.interceptor.name, answer),)
    return read(question, answer)


ANSWERS: dict[str, tuple[Callable[..., Entries], ...]] = {
    "what_is_no_decision_is_a_fault": (true_allows, truth_allows, replacements_are_not_checked),
    "a_gate_cannot_rewrite": (gates_may_rewrite,),
    "call_id_is_kept": (replacements_are_not_checked,),
    "the_loop_is_the_fold": (true_allows, truth_allows, gates_may_rewrite, replacements_are_not_checked),
}


@pytest.mark.parametrize(("law", "broken"), [(law, broken) for law in ANSWERS for broken in ANSWERS[law]])
def test_a_broken_reading_is_noticed(law: str, broken: Callable[..., Entries], plant: Plant, catches: Catches) -> None:
    """Each way to misread an answer breaks the law that forbids it."""
    plant(read, broken)
    assert catches(law)


def _faults(closed: bool) -> Callable[..., Entries]:
    def ask(question: Consultation[Any], answer: Callable[[], object] | None = None) -> Entries:
        def all_the_same(entry: Entry) -> Entry:
            return evolve(entry, answer=Fault(entry.reason, closed)) if isinstance(entry.answer, Fault) else entry

        return tuple(map(all_the_same, consult(question, answer)))

    return ask


open_faults_block, closed_faults_are_skipped = _faults(closed=True), _faults(closed=False)


def interrupts_are_swallowed(question: Consultation[Any], answer: Callable[[], object] | None = None) -> Entries:
    """An interrupt becomes an allow."""
    try:
        return consult(question, answer)
    except BaseException:
        return ()


def exceptions_leave(question: Consultation[Any], answer: Callable[[], object] | None = None) -> Entries:
    """What an interceptor raises goes on to the host."""
    said = answer() if answer else question.interceptor.ask(question.offered, question.scope)
    return read(question, said)


def every_other_answer_counts(question: Consultation[Any], answer: Callable[[], object] | None = None) -> Entries:
    """What is heard depends on how often somebody was asked."""
    COUNTED.append(question.interceptor.name)
    return consult(question, answer) if len(COUNTED) % 7 else ()


COUNTED: list[str] = []

CONSULTATIONS: dict[str, tuple[Callable[..., Entries], ...]] = {
    "open_fault_is_skipped": (open_faults_block,),
    "closed_fault_blocks": (closed_faults_are_skipped,),
    "deciding_never_raises": (interrupts_are_swallowed, exceptions_leave),
    "deciding_is_deterministic": (every_other_answer_counts,),
    "the_loop_is_the_fold": (open_faults_block, closed_faults_are_skipped, interrupts_are_swallowed),
}


@pytest.mark.parametrize(("law", "broken"), [(law, broken) for law in CONSULTATIONS for broken in CONSULTATIONS[law]])
def test_a_broken_consultation_is_noticed(
    law: str, broken: Callable[..., Entries], plant: Plant, catches: Catches
) -> None:
    """Each way to consult wrongly breaks the law that forbids it."""
    plant(consult, broken)
    assert catches(law)


def _level_by_seam(entry: Entry) -> Level:
    return Level.NOTE if isinstance(entry.answer, Fault) else Level.ALLOW


def test_a_gate_that_fails_open_is_noticed(monkeypatch: pytest.MonkeyPatch, catches: Catches) -> None:
    """Where a gate's fault is no more than a note, an open seam lets it pass."""
    monkeypatch.setattr(Entry, "level", property(_level_by_seam))
    assert catches("a_faulting_gate_blocks")


def test_a_fast_path_that_skips_the_last_is_noticed(monkeypatch: pytest.MonkeyPatch, catches: Catches) -> None:
    """The plan is held to the fold, to the last interceptor."""
    find: Any = getattr(kernel_plan._Seam, "find")  # noqa: B009  (its type is known only in part)

    def find_all_but_one(*given: Any) -> tuple[tuple[Any, ...], ...]:
        return tuple(part[:-1] for part in find(*given))

    monkeypatch.setattr(kernel_plan._Seam, "find", find_all_but_one)
    assert catches("the_loop_is_the_fold")


def plan_for_nobody(bundle: Interceptors | None) -> Plan | None:
    """An empty bundle has a plan all the same."""
    return plan(bundle) or plan(Interceptors(memory=(seamlaw.rewriter(_says_nothing),)))


def _says_nothing(_: object) -> None: ...


def test_a_plan_for_nobody_is_noticed(plant: Plant, catches: Catches) -> None:
    """An empty bundle has no plan, so that its seams cost one check."""
    plant(plan, plan_for_nobody)
    assert catches("empty_chain_is_identity")


def _keeps_nothing(_: Seam[Any], before: object, after: object) -> object:
    return after


def test_a_lost_id_is_noticed(monkeypatch: pytest.MonkeyPatch, catches: Catches) -> None:
    """A replacement may not change what the seam keeps."""
    monkeypatch.setattr(Seam, "keep", _keeps_nothing)
    assert catches("call_id_is_kept")
    assert catches("the_loop_is_the_fold")


def test_a_coroutine_left_open_is_noticed(plant: Plant, catches: Catches) -> None:
    """An answer that nobody awaits is closed."""
    plant(kernel_decisions.close_unawaited, _says_nothing)
    assert catches("what_is_no_decision_is_a_fault")


def block_of_text(reason: object, severity: Severity = Severity.HIGH) -> Block:
    """Saying a block turns the reason into text, which may raise."""
    return Block(str(reason), severity)


def test_a_block_that_raises_is_noticed(plant: Plant, catches: Catches) -> None:
    """A block that cannot be said lets the value pass."""
    plant(block, block_of_text)
    assert catches("a_block_can_always_be_said")


def test_a_value_that_can_be_changed_is_noticed(monkeypatch: pytest.MonkeyPatch, catches: Catches) -> None:
    """One mutator that was forgotten is enough."""
    of_dict: Any = dict.__dict__["setdefault"]
    monkeypatch.setattr(FrozenDict, "setdefault", of_dict)
    assert catches("inputs_are_never_changed")


def first_found(findings: Iterable[Entry]) -> Entry | None:
    """What was found first decides, and not the worst."""
    return next(iter(findings), None)


def test_the_first_reason_instead_of_the_worst_is_noticed(plant: Plant, catches: Catches) -> None:
    """What decides is the worst of what was found."""
    plant(pick, first_found)
    assert catches("the_loop_is_the_fold")
