"""A proof is about the shipped code as it is, and the law as it is stated."""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import pytest
from attrs import evolve

from seamlaw import Level, Result, Verdict
from seamlaw_spec import LAWS
from seamlaw_spec.book import BOOK
from seamlaw_spec.proofs import NotExtracted, StatementChanged, prove
from seamlaw_spec.proofs import _prove as proving
from seamlaw_spec.proofs._obligations import OBLIGATIONS
from seamlaw_spec.proofs._prove import hash_of, pinned
from seamlaw_spec.proofs.extraction import SHIPPED
from seamlaw_spec.proofs.extraction._shipped import regrounded

Planted = Callable[[str, str, str], FunctionType]

MARKED = {name for group in BOOK.values() for name, by in group.items() if "P" in by}


def test_every_law_that_must_be_proved_has_claims() -> None:
    """No law marked P is without an obligation, and no obligation is for anything else."""
    assert set(OBLIGATIONS) == MARKED == {law.name for law in LAWS.values() if "P" in law.by}


def test_claims_are_for_the_statements_as_they_are() -> None:
    """Whoever changes what a law states must read its claims beside it, and pin the statement anew."""
    assert dict(pinned()) == {name: hash_of(LAWS[name]) for name in OBLIGATIONS}


def test_a_statement_that_changed_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law that says something else than it did has no proof until somebody reads it."""
    law = LAWS["double_negation"]
    monkeypatch.setattr(proving, "LAWS", {**LAWS, law.name: evolve(law, statement="`~~p` is what it is.")})
    with pytest.raises(StatementChanged, match="double_negation states something new"):
        prove(law.name)


def test_a_law_without_claims_is_named() -> None:
    """To ask for the proof of what has none is a mistake."""
    with pytest.raises(LookupError, match="no claims prove inputs_are_never_changed"):
        prove("inputs_are_never_changed")


def test_evidence_tells_which_source_it_is_about(planted: Planted) -> None:
    """The hash of the sources changes with what they do, and not with their comments."""
    before = SHIPPED.fingerprint(("step", "pick"))
    commented = SHIPPED.but(pick=planted("pick", "worst: R | None = None", "worst: R | None = None  # so far"))
    changed = SHIPPED.but(pick=planted("pick", "_outranks(finding, worst)", "_outranks(worst, finding)"))
    assert commented.fingerprint(("step", "pick")) == before != changed.fingerprint(("step", "pick"))


CHANGED_STEPS = {
    "block_is_terminal": ("stopped=not entry.is_gate", "stopped=False"),
    "gates_see_what_runs": ("case Replace(value) if not entry.is_gate:", "case Replace(value):"),
    "a_note_never_enforces": (
        "case Allow():\n            return state",
        "case Allow():\n    return state\ncase Note() if not entry.is_gate:\n"
        "    return State(state.value, (*state.log, entry), stopped=True)",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("law", CHANGED_STEPS)
def test_a_step_that_does_something_else_is_proved_anew_and_fails(law: str, planted: Planted) -> None:
    """Where the form allows it, the table is another one, and the law does not follow from it."""
    spoiled = SHIPPED.but(step=planted("step", *CHANGED_STEPS[law]))
    assert not prove(law, shipped=spoiled)[0].holds


def _with(table: Mapping[Any, Any], key: object, value: object) -> dict[Any, Any]:
    return {**table, key: value}


ASKS = SHIPPED.joins[Level.ASK]
BLOCKS_PROCEED = _with(SHIPPED.verdicts, Level.BLOCK, Verdict.PROCEED)
PASSES_STAND = _with(SHIPPED.negation, Result.PASSED, Result.PASSED)


def _reground(name: str, **globals_: object) -> Any:
    return {name: regrounded(SHIPPED.functions[name], **globals_)}


CHANGED_TABLES = {
    "block_outranks_ask": evolve(
        SHIPPED.but(**_reground("conclude", VERDICTS=BLOCKS_PROCEED)), verdicts=BLOCKS_PROCEED
    ),
    "precedence_is_a_semilattice": evolve(
        SHIPPED, joins=_with(SHIPPED.joins, Level.ASK, _with(ASKS, Level.BLOCK, Level.ASK))
    ),
    "not_turns_pass_and_fail": evolve(SHIPPED.but(**_reground("evaluate", NOT=PASSES_STAND)), negation=PASSES_STAND),
}


@pytest.mark.parametrize("law", CHANGED_TABLES)
def test_a_table_that_says_something_else_is_proved_anew_and_fails(law: str) -> None:
    """A changed cell reaches the solvers."""
    assert not prove(law, shipped=CHANGED_TABLES[law])[0].holds


def test_a_table_without_a_cell_is_refused() -> None:
    """What is finite is looked at whole."""
    lacking: dict[Level, Verdict] = {
        level: verdict for level, verdict in SHIPPED.verdicts.items() if level is not Level.BLOCK
    }
    with pytest.raises(NotExtracted, match="full enumeration: VERDICTS"):
        prove("first_block_wins", shipped=evolve(SHIPPED, verdicts=lacking))
