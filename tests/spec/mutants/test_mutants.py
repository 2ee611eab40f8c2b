"""The matrix of mutants and laws: what is recorded is about the kernel as it is, and is true of a sample run anew."""

import importlib
import random
import sys
from collections import Counter
from types import ModuleType
from typing import Any, cast

import pytest
from attrs import evolve

from seamlaw_spec import LAWS
from seamlaw_spec.mutants import MODULES, Judged, Matrix, Mutant, mutants_of, read
from seamlaw_spec.mutants._equivalent import EQUIVALENT
from seamlaw_spec.mutants._mutate import compiled
from seamlaw_spec.mutants._run import Verdict, judge

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="a mutant's name is its text, as Python 3.11 writes it; newer ones do not"
)
MATRIX = read()
FAST = [one for one in MATRIX.of("law") if one.verdict.how == "exhausted"]
SAMPLE = random.Random(11).sample(FAST, min(6, len(FAST)))


def asked(mutant: Mutant, *laws: str) -> Verdict:
    """Ask laws about a mutant, in small cases."""
    return judge(mutant, "quick", [("exhausted", law, 0.1) for law in laws])


@pytest.mark.parametrize("module", MODULES)
def test_every_mutant_can_be_made_and_is_another_program(module: str) -> None:
    """Its name finds it again, and its code is not that of the kernel."""
    listed = mutants_of(module)
    assert listed
    assert len({mutant.key for mutant in listed}) == len(listed)
    for mutant in random.Random(7).sample(listed, min(6, len(listed))):
        compiled(mutant)


@pytest.mark.parametrize("judged", SAMPLE, ids=lambda one: one.mutant.key)
def test_what_a_law_noticed_it_notices_again(judged: Judged) -> None:
    """A sample of the recorded mutants, each in a process of its own."""
    assert asked(judged.mutant, judged.verdict.law) == judged.verdict


def test_a_law_that_does_not_speak_of_it_notices_nothing() -> None:
    """A mutant of the step, and a law about merging: so a kill is the law's, and not the process's."""
    block = next(m for m in mutants_of("seamlaw._step") if m.function == "step" and "Block() | Fault()" in m.text)
    assert asked(block, "merging_nothing_is_none") == Verdict()
    assert asked(block, "merging_nothing_is_none", "block_is_terminal").law == "block_is_terminal"


def test_a_survivor_and_a_silent_law_are_problems() -> None:
    """The run fails on both."""
    mutant = Mutant("seamlaw._step", "step", "return None", "return state", 0)
    found = Matrix({"seamlaw._step": (Judged(mutant, Verdict()),)}).problems()
    assert found[0] == f"nothing notices {mutant.key}"
    assert "first_block_wins notices no mutant" in found


def test_what_is_recorded_is_of_the_kernel_as_it_is() -> None:
    """Where a function changed since, run python -m seamlaw_spec.mutants --module MODULE --record."""
    assert MATRIX.stale(MODULES) == []
    for module in MODULES:
        assert [one.mutant for one in MATRIX.judged[module]] == mutants_of(module)


def test_every_mutant_is_noticed_or_equivalent_and_every_law_notices_one() -> None:
    """Nothing survives; no law is silent; no test stands where a law is said to."""
    assert MATRIX.problems() == []
    assert Counter(one.kind for one in MATRIX.everyone).keys() == {"law", "test", "crash", "equivalent"}
    assert set(LAWS) == MATRIX.noticing


def test_every_equivalent_mutant_has_a_reason_and_was_not_noticed() -> None:
    """A reason for a mutant that is not there, or that something noticed, is wrong."""
    assert all(len(reason.split()) > 4 for reason in EQUIVALENT.values())
    assert {one.mutant.key for one in MATRIX.of("equivalent")} == set(EQUIVALENT)


def _anything_goes(number: int) -> bool:
    return True


def test_a_law_that_was_weakened_lets_a_mutant_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run asks the laws and nothing else: what one of them finds it does not find once it says nothing."""
    block = next(m for m in mutants_of("seamlaw._step") if m.function == "step" and "Block() | Fault()" in m.text)
    assert asked(block, "block_is_terminal").law == "block_is_terminal"
    load = importlib.import_module

    def weakened(name: str) -> ModuleType:
        module: Any = load(name)
        if name == "seamlaw_spec":
            weak = evolve(module.LAWS["block_is_terminal"], holds=_anything_goes)
            module.LAWS = {**module.LAWS, "block_is_terminal": weak}
        return cast("ModuleType", module)

    monkeypatch.setattr(importlib, "import_module", weakened)
    assert not asked(block, "block_is_terminal").killed
