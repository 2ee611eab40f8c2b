from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from seamlaw_spec import LAWS, evidence, verify
from seamlaw_spec.layers import Evidence
from seamlaw_spec.report import as_data, failures, figures, table
from seamlaw_spec.verify import Report, lacking, marked, tasks
from seamlaw_spec.waivers import Waiver

HELD = Evidence("first_block_wins", "exhausted", True, 1234, "cases", "size <= 3", 0.5)
BROKEN = Evidence(
    "block_is_terminal", "tested", False, 7, "examples", "", 0.1, "it does not hold", "def test() -> None:\n    ..."
)
ONE = (("first_block_wins", "exhausted"), ("first_block_wins", "proved"))
BOTH = tuple((law, by) for law in ("block_is_terminal", "first_block_wins") for by in ("tested", "exhausted"))


def test_a_run_of_one_law_by_one_layer_checks_just_that() -> None:
    """What was asked for is done, and told as it is done."""
    told = list[tuple[int, int, str]]()
    found = verify.verify(
        ["merging_nothing_is_none"], ["exhausted"], tell=lambda done, of, one: told.append((done, of, one.law))
    )
    assert [(one.law, one.mechanism, one.holds) for one in found.evidence] == [
        ("merging_nothing_is_none", "exhausted", True)
    ]
    assert found.ok
    assert told == [(1, 1, "merging_nothing_is_none")]


def test_everything_the_book_marks_becomes_a_task_once() -> None:
    """No law is skipped: each check is in just one task."""
    planned = [(law, task.layer) for task in tasks(marked(), deep=False) for law in task.laws]
    assert sorted(planned) == sorted(marked())
    assert len(planned) == len(set(planned)) == sum(len(law.by) for law in LAWS.values())


def test_a_check_without_evidence_fails_the_run_unless_it_is_waived() -> None:
    """What nobody did is told by name."""
    checks = [("first_block_wins", "exhausted"), ("first_block_wins", "proved")]
    assert lacking(checks, [HELD], ()) == ["first_block_wins must be proved, and was not"]
    assert lacking(checks, [HELD], [Waiver("first_block_wins", "proved", "a reason")]) == []
    assert not Report(ONE, (HELD,), tuple(lacking(checks, [HELD], ())), (), 1.0, False).ok


def test_the_table_tells_counts_and_bounds_and_what_failed() -> None:
    """A figure stands for what was looked at, with the size; what failed is not a figure."""
    lines = list(table(Report(BOTH, (BROKEN, HELD), (), (), 3.0, False)))
    assert lines[1].split() == ["block_is_terminal", "FAILED", "-", "-", "LACKING", "0.1"]
    assert lines[2].split() == ["first_block_wins", "LACKING", "-", "-", "1,234", "≤3", "0.5"]
    assert lines[-1] == "2 laws, 2 checks, 3 s: 1 check FAILED"
    assert max(map(len, lines)) <= 120


def test_a_failure_is_told_with_the_sentence_and_the_code() -> None:
    """Whoever reads it knows which promise is broken, and has a test for it."""
    told = "\n".join(failures(Report(ONE, (BROKEN,), ("x must be proved, and was not",), (), 3.0, False)))
    assert LAWS["block_is_terminal"].statement in told
    assert "    def test() -> None:\n        ..." in told
    assert told.endswith("x must be proved, and was not")


def test_a_waived_check_is_shown_as_waived() -> None:
    """It is neither a figure nor silence."""
    waived = Waiver("first_block_wins", "proved", "a reason")
    lines = list(table(Report(ONE, (HELD,), (), (waived,), 3.0, False)))
    assert lines[1].split()[3] == "waived"


def test_the_last_line_of_a_run_that_holds_says_so() -> None:
    """All hold, or it is not said."""
    assert list(figures(Report(ONE, (HELD,), (), (), 3.0, False)))[-1] == "1 law, 1 check, 3 s: all hold"


def test_the_report_as_data_holds_everything() -> None:
    """Statement, hash, evidence and versions, so that another tool can judge."""
    data = as_data(Report(BOTH, (BROKEN, HELD), (), (), 3.0, True))
    assert (data["ok"], data["deep"], data["seconds"]) == (False, True, 3.0)
    assert [law["law"] for law in data["laws"]] == ["block_is_terminal", "first_block_wins"]
    assert data["laws"][1]["evidence"][0]["count"] == 1234
    assert {"python", "seamlaw", "crosshair-tool", "z3-solver"} <= set(data["versions"])


def test_only_a_whole_run_that_holds_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evidence is never half."""
    monkeypatch.setattr(verify, "write", _refuse)
    for report in (Report(ONE, (HELD,), (), (), 1.0, False), Report(ONE, (BROKEN,), (), (), 1.0, False)):
        with pytest.raises(ValueError, match="only a run of all laws"):
            verify.record(report)


def test_what_is_recorded_is_read_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Counts, bounds, seconds, versions and the hash of the statement."""
    monkeypatch.setattr(evidence, "FILE", tmp_path / "evidence.json")
    evidence.read.cache_clear()
    try:
        proof = evolve(HELD, mechanism="proved", unsaid="More.", trusted="z3")
        evidence.write([LAWS["first_block_wins"]], [HELD, proof], seconds=2.0, versions={"python": "3"})
        data: Mapping[str, Any] = evidence.read()
        found = data["laws"]["first_block_wins"]
        assert found["statement"] == evidence.statement_hash(LAWS["first_block_wins"])
        assert found["evidence"]["exhausted"] == {"count": 1234, "unit": "cases", "bound": "size <= 3", "seconds": 0.5}
        assert (found["evidence"]["proved"]["unsaid"], data["trusted"], data["versions"]) == (
            "More.",
            "z3",
            {"python": "3"},
        )
        assert evidence.recorded_seconds("first_block_wins", "exhausted") == 0.5
        assert evidence.recorded_seconds("first_block_wins", "tested") > 1000
    finally:
        evidence.read.cache_clear()


def test_the_hash_of_a_statement_sees_its_words_and_its_code() -> None:
    """A law that says or checks something else has other evidence."""
    law, other = LAWS["first_block_wins"], LAWS["block_is_terminal"]
    hashed = evidence.statement_hash(law)
    assert hashed == evidence.statement_hash(evolve(law))
    assert hashed != evidence.statement_hash(evolve(law, statement="Something else."))
    assert hashed != evidence.statement_hash(evolve(law, holds=other.holds))


def _refuse(*_: object, **__: object) -> None:
    raise AssertionError("nothing is written")
