"""The matrix of mutants and laws: what is recorded is about the kernel as it is, and is true of a sample run anew."""

import random

import pytest

from seamlaw_spec.mutants import MODULES, Judged, Matrix, Mutant, mutants_of, read
from seamlaw_spec.mutants._mutate import compiled
from seamlaw_spec.mutants._run import Verdict, judge

MATRIX = read()
FAST = [one for one in MATRIX.of("law") if one.verdict.how == "exhausted"]
SAMPLE = random.Random(11).sample(FAST, min(6, len(FAST)))


@pytest.mark.parametrize("module", MODULES)
def test_every_mutant_can_be_made_and_is_another_program(module: str) -> None:
    """Its name finds it again, and its code is not that of the kernel."""
    listed = mutants_of(module)
    assert listed
    assert len({mutant.key for mutant in listed}) == len(listed)
    for mutant in random.Random(7).sample(listed, min(15, len(listed))):
        compiled(mutant)


@pytest.mark.parametrize("judged", SAMPLE, ids=lambda one: one.mutant.key)
def test_what_a_law_noticed_it_notices_again(judged: Judged) -> None:
    """A sample of the recorded mutants, each in a process of its own."""
    if judged.mutant not in mutants_of(judged.mutant.module):
        pytest.skip("the function has changed since: run python -m seamlaw_spec.mutants --record")
    assert judge(judged.mutant, "quick", [judged.verdict.law]) == judged.verdict


def test_a_law_that_does_not_speak_of_it_notices_nothing() -> None:
    """A mutant of the step, and a law about merging: so a kill is the law's, and not the process's."""
    block = next(m for m in mutants_of("seamlaw._step") if m.function == "step" and "Block() | Fault()" in m.text)
    assert judge(block, "quick", ["merging_nothing_is_none"]) == Verdict()
    assert judge(block, "quick").killed


def test_a_survivor_and_a_silent_law_are_problems() -> None:
    """The run fails on both."""
    mutant = Mutant("seamlaw._step", "step", "return None", "return state", 0)
    found = Matrix({"seamlaw._step": (Judged(mutant, Verdict()),)}).problems()
    assert found[0] == f"nothing notices {mutant.key}"
    assert "first_block_wins notices no mutant" in found
