"""Planted bugs: each layer rejects a kernel that is broken, and prints a test that shows it."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from attrs import evolve

from seamlaw import Entry, Interceptors, Plan, Replace, State, plan, step
from seamlaw.policy._conditions import OPERATORS
from seamlaw_spec import LAWS, proofs
from seamlaw_spec.domains import OPEN
from seamlaw_spec.layers import Evidence, confirmed, exhausted, proved, tested
from seamlaw_spec.layers.agreement import disagreement
from seamlaw_spec.proofs import NotExtracted

pytestmark = pytest.mark.slow

Plant: TypeAlias = Callable[[Any, Any], None]


def goes_on_after_a_block(state: State[Any], entry: Entry) -> State[Any]:
    """A block stops nothing."""
    return evolve(step(state, entry), stopped=False)


def forgets_one_number(state: State[Any], entry: Entry) -> State[Any]:
    """A replacement by one number of many is dropped."""
    after = step(state, entry)
    return evolve(after, value=state.value) if isinstance(entry.answer, Replace) and after.value == 8_191 else after


def fails_where_it_is_pasted(evidence: Evidence) -> bool:
    """Whether the printed test fails on this kernel."""
    space: dict[str, Any] = {}
    exec(evidence.counterexample, space)
    try:
        space[f"test_{evidence.law}"]()
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("layer", [tested.check, exhausted.check, confirmed.check])
def test_a_block_that_stops_nothing_is_rejected_with_a_test_to_paste(
    layer: Callable[..., Evidence], plant: Plant
) -> None:
    """The printed test fails on the broken kernel, and is about the least there is."""
    plant(step, goes_on_after_a_block)
    found = layer(LAWS["block_is_terminal"])
    assert (found.holds, found.problem) == (False, "it does not hold")
    assert fails_where_it_is_pasted(found)
    assert found.counterexample.count("Heard(") == 1


def test_the_printed_test_passes_once_the_kernel_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the bug that it shows."""
    with monkeypatch.context() as broken:
        broken.setattr("seamlaw_spec.domains.step", goes_on_after_a_block)
        found = exhausted.check(LAWS["block_is_terminal"])
        assert fails_where_it_is_pasted(found)
    assert not fails_where_it_is_pasted(found)


def test_a_number_that_is_dropped_is_found_by_paths_and_not_by_small_cases(plant: Plant) -> None:
    """A magic constant is out of reach for every case up to a size; CrossHair follows the comparison to it."""
    plant(step, forgets_one_number)
    assert exhausted.check(LAWS["replacements_chain"]).holds
    found = confirmed.check(LAWS["replacements_chain"])
    assert not found.holds
    assert "8191" in found.counterexample
    assert fails_where_it_is_pasted(found)


def test_an_operator_that_is_wrong_for_one_text_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data part of a law is about the shipped table."""
    right = OPERATORS["ends_with"]

    def holds(value: str, text: str) -> bool:
        return right.holds(value, text) or value == "!b"

    monkeypatch.setitem(OPERATORS, "ends_with", evolve(right, holds=holds))
    found = confirmed.check(LAWS["conditions_are_classical"])
    assert (found.holds, found.problem) == (False, "it does not hold")
    assert "an_operator_tells_what_is_documented" in found.counterexample


def test_a_plan_that_asks_in_another_order_disagrees_with_the_fold(plant: Plant) -> None:
    """The shortest chain where it shows is told."""

    def backwards(bundle: Interceptors) -> Plan | None:
        turned = {seam: bundle.at(seam)[::-1] for seam, _ in bundle.seams}
        return plan(Interceptors(seams=turned))

    plant(plan, backwards)
    _, wrong, told = disagreement(2)
    assert wrong == "plan does not do as the fold"
    assert OPEN.name in told


def test_what_cannot_be_extracted_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel of another form than the model fails every law that rests on it, each by its name."""

    def refuse(name: str | None = None) -> list[Any]:
        raise NotExtracted("shapes", "step", "it is not what it was")

    monkeypatch.setattr(proofs, "prove", refuse)
    found = proved.check_all([LAWS["block_is_terminal"], LAWS["first_block_wins"]])
    assert [(one.law, one.holds) for one in found] == [("block_is_terminal", False), ("first_block_wins", False)]
    assert "it is not what it was" in found[0].problem


def test_a_counterexample_that_is_none_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where CrossHair loses its way the law is not confirmed, and nothing is claimed against it."""
    from seamlaw_spec.layers import symbolic

    def lost(*_: object) -> symbolic.Explored:
        return symbolic.Explored(1, "it does not hold", {"number": 0})

    monkeypatch.setattr(symbolic, "explore", lost)
    found = confirmed.check(LAWS["empty_chain_is_identity"])
    assert (found.holds, found.problem) == (False, "CrossHair took a path that values do not take")
    assert found.counterexample == ""


def test_paths_that_are_not_all_taken_confirm_nothing() -> None:
    """Out of time is not confirmed."""
    found = confirmed.check(LAWS["gate_order_is_irrelevant"], size=1, seconds=0.5)
    assert (found.holds, found.problem) == (False, "not every path could be taken")
