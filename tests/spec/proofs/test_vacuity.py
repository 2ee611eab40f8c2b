"""The proofs do not say too much: the axioms have models, premises can be met, and what is no law is refuted."""

import re
from collections.abc import Iterator

import pytest

from seamlaw_spec.proofs import NON_LAWS
from seamlaw_spec.proofs import _solvers as solvers
from seamlaw_spec.proofs._smt import Interpreted, assumed
from seamlaw_spec.proofs.extraction import extract
from seamlaw_spec.proofs.extraction._forks import Fork, Forks, paths
from seamlaw_spec.proofs.theories import THEORIES, theory_of


@pytest.mark.parametrize("name", THEORIES)
def test_the_definitions_have_a_model(name: str) -> None:
    """z3 finds one, with the recursions written as functions that it executes, and what is assumed of oracles."""
    theory, _ = theory_of(name, extract())
    assert solvers.z3("\n".join((theory.executable, *theory.oracles)), models=True) == "sat"


def _asserted(text: str) -> Iterator[str]:
    """The terms that a script asserts."""
    for begun in re.finditer(r"^\(assert ", text, re.MULTILINE):
        depth = 1
        for at in range(begun.end(), len(text)):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            if depth == 0:
                yield text[begun.end() : at]
                break


@pytest.mark.parametrize("name", ["bundles", "rules"])
def test_what_is_assumed_holds_of_the_symbols_that_interpret_it(name: str) -> None:
    """Where a proof assumes something of bundles or of objects, the functions that a search puts there obey it."""
    theory, _ = theory_of(name, extract())
    parts = (*theory.sorts, *theory.parts)
    begun = [part.executable() if isinstance(part, Interpreted) else "\n".join(assumed([part])) for part in parts]
    told = "\n".join(part.assumed for part in theory.parts if isinstance(part, Interpreted))
    axioms = list(_asserted(re.sub(r":pattern \(.*\)(?=\){3}$)", "", told, flags=re.MULTILINE).replace("(! ", "(and ")))
    assert len(axioms) >= 3
    for axiom in axioms:
        assert solvers.z3("\n".join((*begun, f"(assert (not {axiom}))"))) == "unsat", axiom


@pytest.mark.parametrize("name", THEORIES)
def test_false_is_not_provable(name: str) -> None:
    """From all axioms and all claims of a theory together, no solver derives a contradiction."""
    theory, claims = theory_of(name, extract())
    everything = "\n".join((*theory.text(), *(claim.lemma for claim in claims)))
    assert solvers.z3(everything) != "unsat"
    assert solvers.cvc5(everything) != "unsat"


@pytest.mark.parametrize("name", THEORIES)
def test_premises_can_be_met(name: str) -> None:
    """For every claim with a premise z3 finds something that meets it."""
    theory, claims = theory_of(name, extract())
    for claim in claims:
        if claim.given != "true":
            assert solvers.z3(theory.premise(claim), models=True) == "sat", claim.name


@pytest.mark.parametrize("name", NON_LAWS)
def test_what_is_no_law_is_refuted(name: str) -> None:
    """z3 finds a counterexample, in the model that the laws are proved in; the axioms alone do not exclude it."""
    non_law = NON_LAWS[name]
    _, claims = theory_of(non_law.theory, extract())
    assert non_law.refuted()
    assert set(non_law.repaired_by) <= {claim.name for claim in claims}


@pytest.mark.parametrize("name", NON_LAWS)
def test_the_witness_is_replayed_on_the_shipped_code(name: str) -> None:
    """The smallest witness shows on the kernel what the solver found in the model."""
    assert NON_LAWS[name].replay()


def test_forks_take_every_path() -> None:
    """A function of three branches, of which one depends on another, is run once for each way through."""

    def run(forks: Forks) -> str:
        if Fork(forks):
            return "a"
        return "b" if Fork(forks) and Fork(forks) else "c"

    assert list(paths(run)) == [
        ((True,), "a"),
        ((False, True, True), "b"),
        ((False, True, False), "c"),
        ((False, False), "c"),
    ]
