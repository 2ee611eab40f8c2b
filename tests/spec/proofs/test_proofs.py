"""What is proved, by which solver, and from what."""

from functools import cache

import pytest

from seamlaw_spec.proofs import Proved, prove
from seamlaw_spec.proofs import _solvers as solvers
from seamlaw_spec.proofs.__main__ import main
from seamlaw_spec.proofs._obligations import COVERAGE, OBLIGATIONS
from seamlaw_spec.proofs._prove import unfounded
from seamlaw_spec.proofs.extraction import extract
from seamlaw_spec.proofs.extraction._shipped import FUNCTIONS, TABLES
from seamlaw_spec.proofs.theories import THEORIES, theory_of


@cache
def proved(law: str) -> Proved:
    """A law, proved once."""
    return prove(law)[0]


@pytest.mark.parametrize("law", OBLIGATIONS)
def test_the_law_is_proved(law: str) -> None:
    """z3 refutes every query of the law's claims; cvc5 does so too."""
    found = proved(law)
    assert found.holds
    assert found.cvc5.proves, f"{law}: cvc5 refutes {found.cvc5}"
    assert found.z3.queries >= len(found.claims)
    assert found.does_not_say


def test_what_is_about_any_length_is_proved_by_induction() -> None:
    """Claims about chains, logs, asks, bundles or trees of any size have a base and steps."""
    direct = {law for law in OBLIGATIONS if proved(law).method == "direct"}
    assert direct == {
        "empty_chain_is_identity",
        "open_fault_is_skipped",
        "or_needs_one_clean_pass",
        "precedence_is_a_semilattice",
    }


def test_no_claim_rests_on_itself() -> None:
    """Each claim is proved from others that are proved before it; each is needed for some law."""
    for name in THEORIES:
        _, claims = theory_of(name, extract())
        uses = {claim.name: claim.uses for claim in claims}
        assert len(uses) == len(claims)
        assert unfounded(claims) == []
        wanted = [*COVERAGE.get(name, ()), *(c for o in OBLIGATIONS.values() if o.theory == name for c in o.claims)]
        for claim in wanted:
            wanted += [used for used in uses[claim] if used not in wanted]
        assert set(uses) - set(wanted) == set(), f"nobody needs them in {name}"


def test_the_loops_were_run() -> None:
    """Every function that is looked at was held to its form; loops by runs, of which there are many."""
    assert {name for one in OBLIGATIONS.values() for name in one.shipped} == {*FUNCTIONS, *TABLES}
    assert extract().hold(FUNCTIONS) > 20_000


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints a line for a law, and what is trusted."""
    assert main(["double_negation"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].split()[:3] == ["double_negation", "induction", "1"]
    assert told[2].startswith("trusted: the harness")


def test_a_solver_that_is_missing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra that brings it."""
    monkeypatch.setitem(__import__("sys").modules, "cvc5", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'seamlaw\[verify\]'"):
        solvers.cvc5("")
