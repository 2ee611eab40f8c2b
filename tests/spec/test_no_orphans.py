"""No law without its checks, no evidence without its law, and none that is older than its law."""

import re
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from seamlaw_spec.claims import claims, figures
from seamlaw_spec.orphans import Shelf, listed, problems
from seamlaw_spec.unsaid import UNSAID
from seamlaw_spec.verify import marked
from seamlaw_spec.waivers import Waiver

README = Path(__file__).resolve().parents[2] / "README.md"
SHELF = Shelf.as_it_is(README.read_text("utf-8"))
LAW = "first_block_wins"


def without_evidence(law: str, mechanism: str) -> Shelf:
    """The shelf, had this check left no evidence."""
    recorded = SHELF.evidence["laws"][law]
    kept = {name: found for name, found in recorded["evidence"].items() if name != mechanism}
    return with_recorded(law, {**recorded, "evidence": kept})


def with_recorded(law: str, recorded: object) -> Shelf:
    """The shelf, were this recorded of a law."""
    return evolve(SHELF, evidence={**SHELF.evidence, "laws": {**SHELF.evidence["laws"], law: recorded}})


def test_everything_agrees() -> None:
    """Laws, book, checks, recorded evidence, waivers and the list in README are about the same."""
    assert problems(SHELF) == []


@pytest.mark.parametrize(("law", "mechanism"), marked())
def test_deleting_any_one_check_of_a_law_is_noticed(law: str, mechanism: str) -> None:
    """Each check in turn: without the means to run it, and without what it found, something is missing."""
    less = evolve(SHELF, checks=frozenset(SHELF.checks) - {(law, mechanism)})
    assert problems(less) == [f"{law} must be {mechanism}, and nothing can check it so"]
    assert problems(without_evidence(law, mechanism)) == [f"{law} must be {mechanism}, and no evidence is recorded"]


@pytest.mark.parametrize("law", SHELF.laws)
def test_deleting_any_one_law_is_noticed(law: str) -> None:
    """Each law in turn: its function, its line in README, its evidence, its row in the book."""
    functions = {name: found for name, found in SHELF.laws.items() if name != law}
    evidence = {name: found for name, found in SHELF.evidence["laws"].items() if name != law}
    book = {group: {name: by for name, by in laws.items() if name != law} for group, laws in SHELF.book.items()}
    for less in (
        evolve(SHELF, laws=functions),
        evolve(SHELF, listed=tuple(name for name in SHELF.listed or () if name != law)),
        evolve(SHELF, evidence={**SHELF.evidence, "laws": evidence}),
        evolve(SHELF, book=book),
    ):
        assert any(law in problem for problem in problems(less))


def test_a_law_that_changed_since_its_evidence_is_noticed() -> None:
    """Another sentence needs other evidence."""
    changed = {**SHELF.laws, LAW: evolve(SHELF.laws[LAW], statement="The last block wins.")}
    (problem,) = problems(evolve(SHELF, laws=changed))
    assert problem.startswith(f"{LAW} has changed since its evidence was recorded")


def test_evidence_that_names_no_law_or_no_mechanism_is_noticed() -> None:
    """Evidence is for a law of the book, by a mechanism of its row."""
    assert problems(with_recorded("all_is_well", {"statement": "", "evidence": {}})) == [
        "evidence is recorded for all_is_well, which is no law"
    ]
    recorded: dict[str, Any] = SHELF.evidence["laws"]["gates_are_isolated"]
    more: dict[str, Any] = {**recorded, "evidence": {**recorded["evidence"], "proved": {}}}
    assert problems(with_recorded("gates_are_isolated", more)) == [
        "evidence says that gates_are_isolated is proved, which the book does not mark"
    ]


def test_a_waiver_stands_for_a_check_and_for_nothing_else() -> None:
    """It needs a reason, must be asked for, and is not beside evidence."""
    waived = (Waiver(LAW, "proved", "a reason"),)
    assert problems(evolve(without_evidence(LAW, "proved"), waivers=waived)) == []
    assert problems(evolve(SHELF, waivers=waived)) == [f"{LAW} is waived for proved, and there is evidence"]
    silent = evolve(without_evidence(LAW, "proved"), waivers=(Waiver(LAW, "proved", " "),))
    assert problems(silent) == [f"the waiver of {LAW} for proved gives no reason"]
    idle = evolve(SHELF, waivers=(Waiver("gates_are_isolated", "proved", "a reason"),))
    assert problems(idle) == ["a waiver says that gates_are_isolated is not proved, which nothing asks for"]


def test_readme_may_list_no_more_than_the_laws() -> None:
    """A promise without a law is no promise."""
    more = evolve(SHELF, listed=(*(SHELF.listed or ()), "all_is_well"))
    assert problems(more) == ["README lists all_is_well, which is no law"]
    assert listed("nothing is listed here") == ()


def test_the_page_of_claims_has_every_law_with_all_that_must_be_said() -> None:
    """Statement, each mechanism with its count, what it does not say, and the function itself."""
    page = claims()
    assert re.findall(r"(?m)^### (\w+)$", page) == list(SHELF.laws)
    assert page.count("- Does not say: ") == len(SHELF.laws) == len(UNSAID)
    assert set(UNSAID) == set(SHELF.laws)
    for law, mechanism in marked():
        recorded = SHELF.evidence["laws"][law]["evidence"][mechanism]
        assert f"- **{mechanism}**: {recorded['count']:,} {recorded['unit']}" in page
    assert f"def {LAW}(" in page
    assert "@law" not in page


def test_figures_are_those_of_the_evidence() -> None:
    """The numbers are sums, not words."""
    cases = sum(law["evidence"].get("exhausted", {}).get("count", 0) for law in SHELF.evidence["laws"].values())
    assert f"{cases:,} cases" in figures()
    assert f"{len(SHELF.laws)} laws, {len(marked())} checks" in figures()
