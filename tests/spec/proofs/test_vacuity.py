"""The proofs do not say too much: the axioms have models, premises can be met, and what is no law is refuted."""

import pytest

from seamlaw_spec.proofs import NON_LAWS
from seamlaw_spec.proofs import _solvers as solvers
from seamlaw_spec.proofs.extraction import extract
from seamlaw_spec.proofs.extraction._forks import Fork, Forks, paths
from seamlaw_spec.proofs.theories import THEORIES, theory_of


@pytest.mark.parametrize("name", THEORIES)
def test_the_definitions_have_a_model(name: str) -> None:
    """z3 finds one, with the recursions written as functions that it executes, and what is assumed of oracles."""
    theory, _ = theory_of(name, extract())
    assert solvers.z3("\n".join((theory.executable, *theory.oracles)), models=True) == "sat"


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
