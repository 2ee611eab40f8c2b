"""A broken approval or merge is rejected by a law that says in its name what is wrong."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest
from attrs import evolve

import seamlaw
from seamlaw import Answered, Interceptors, Outcome, StandingAsk, Verdict, conclude, covers, merge, settle

Plant: TypeAlias = Callable[[Any, Any], None]
Catches: TypeAlias = Callable[[str], bool]


def asks_stand_beside_a_block(*given: Any) -> Outcome[Any]:
    """People are asked about what is blocked."""
    outcome, state = conclude(*given), given[-1]
    asks = [entry for entry in state.log if isinstance(entry.answer, seamlaw.Ask)]
    made = (StandingAsk(e.interceptor, e.reason, None, None, e.severity, "digest") for e in asks)
    return evolve(outcome, asks=tuple(made)) if outcome.verdict is Verdict.BLOCK else outcome


def test_asking_about_what_is_blocked_is_noticed(plant: Plant, catches: Catches) -> None:
    """A block leaves nothing to ask."""
    plant(conclude, asks_stand_beside_a_block)
    assert catches("block_outranks_ask")


def one_grant_is_enough(
    outcome: Outcome[Any], answers: Iterable[Answered]
) -> tuple[Outcome[Any], tuple[Answered, ...]]:
    """One of several asks is granted, and the value goes on."""
    listed = list(answers)
    if any(answer.granted is True for answer in listed):
        return evolve(outcome, verdict=Verdict.PROCEED, asks=()), ()
    return settle(outcome, listed)


def a_grant_is_never_used_up(outcome: Outcome[Any], answers: Iterable[Answered]) -> Any:
    """A grant can be used again."""
    listed = list(answers)
    return settle(outcome, listed)[0], tuple(listed)


def targets_do_not_matter(answer: Answered, ask: StandingAsk) -> bool:
    """Whoever grants this value grants it for all."""
    return answer.ask.digest == ask.digest


def values_do_not_matter(answer: Answered, ask: StandingAsk) -> bool:
    """Who was granted something once may do anything."""
    return answer.ask.interceptor == ask.interceptor


def truth_grants(ask: StandingAsk, said: object) -> Answered:
    """Whatever counts as true grants."""
    return Answered(ask, granted=bool(said))


BROKEN: list[tuple[str, Any, Any]] = [
    ("every_ask_must_be_granted", settle, one_grant_is_enough),
    ("an_approval_is_for_one_value", settle, a_grant_is_never_used_up),
    ("an_approval_is_for_one_value", covers, values_do_not_matter),
    ("every_ask_must_be_granted", covers, targets_do_not_matter),
    ("only_true_grants", seamlaw.answered, truth_grants),
]


@pytest.mark.parametrize(("law", "original", "broken"), BROKEN)
def test_a_broken_approval_is_noticed(law: str, original: Any, broken: Any, plant: Plant, catches: Catches) -> None:
    """Each way to grant too much breaks the law that forbids it."""
    plant(original, broken)
    assert catches(law)


def swapped(*bundles: Interceptors | None) -> Interceptors | None:
    """The last source comes first."""
    return merge(*reversed(bundles))


def two_are_swapped(*bundles: Interceptors | None) -> Interceptors | None:
    """Just two sources are taken in the wrong order."""
    return merge(*reversed(bundles)) if len(bundles) == 2 else merge(*bundles)


def nothing_is_an_empty_bundle(*bundles: Interceptors | None) -> Interceptors | None:
    """Where nothing contributes there is a bundle all the same."""
    return merge(*bundles) or Interceptors()


def one_is_copied(*bundles: Interceptors | None) -> Interceptors | None:
    """The result is always made anew."""
    merged = merge(*bundles)
    return merged and evolve(merged)


def first_source_wins(*bundles: Interceptors | None) -> Interceptors | None:
    """Only the first source that has something to say is heard."""
    return next((bundle for bundle in bundles if bundle), None)


MERGES: dict[str, tuple[Callable[..., Interceptors | None], ...]] = {
    "merge_is_a_monoid": (two_are_swapped,),
    "merging_nothing_is_none": (nothing_is_an_empty_bundle,),
    "merging_one_is_that_one": (one_is_copied,),
    "merge_keeps_order_and_inputs": (swapped, first_source_wins),
    "plugins_run_before_host": (swapped,),
    "a_block_is_never_undone": (first_source_wins,),
}


@pytest.mark.parametrize(("law", "broken"), [(law, broken) for law in MERGES for broken in MERGES[law]])
def test_a_broken_merge_is_noticed(
    law: str, broken: Callable[..., Interceptors | None], plant: Plant, catches: Catches
) -> None:
    """Each way to merge wrongly breaks the law that forbids it."""
    plant(merge, broken)
    assert catches(law)
