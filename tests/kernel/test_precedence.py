"""The table of levels, cell by cell, and which of several findings decides."""

from itertools import permutations

import pytest

from seamlaw import Finding, Level, Severity, join, pick

ALLOW, NOTE, ASK, BLOCK = Level
LOW, MEDIUM, HIGH = Severity

# joined with: allow, note, ask, block
JOINED = {
    ALLOW: [ALLOW, NOTE, ASK, BLOCK],
    NOTE: [NOTE, NOTE, ASK, BLOCK],
    ASK: [ASK, ASK, ASK, BLOCK],
    BLOCK: [BLOCK, BLOCK, BLOCK, BLOCK],
}


def finding(level: Level, severity: Severity, reason: str = "r") -> Finding:
    """Make a finding."""
    return Finding(level, reason, "source", severity)


def test_joining_two_levels_gives_the_stricter() -> None:
    """All sixteen cells."""
    assert {a: [join(a, b) for b in Level] for a in Level} == JOINED


def test_levels_and_severities_stand_in_their_order() -> None:
    """From the weakest to the strictest, and their names are what data says."""
    assert [level.value for level in Level] == ["allow", "note", "ask", "block"]
    assert [severity.value for severity in Severity] == ["low", "medium", "high"]


# who wins over whom, from the weakest
ORDER = [(level, severity) for level in (ALLOW, NOTE, ASK, BLOCK) for severity in (LOW, MEDIUM, HIGH)]


@pytest.mark.parametrize("weak", range(len(ORDER)))
@pytest.mark.parametrize("strong", range(len(ORDER)))
def test_the_level_decides_then_the_severity_then_who_came_first(weak: int, strong: int) -> None:
    """All pairs of the twelve kinds of finding, in both orders."""
    a, b = finding(*ORDER[weak], reason="a"), finding(*ORDER[strong], reason="b")
    if weak == strong:
        assert (pick([a, b]), pick([b, a])) == (a, b)
    else:
        winner = a if weak > strong else b
        assert pick([a, b]) is pick([b, a]) is winner


def test_a_low_block_outranks_a_grave_ask() -> None:
    """Severity orders within a level, never across."""
    assert pick([finding(ASK, HIGH), finding(BLOCK, LOW)]) == finding(BLOCK, LOW)


def test_of_nothing_nothing_is_picked() -> None:
    """There is no finding to give."""
    assert pick([]) is pick(iter(())) is None


def test_what_is_picked_does_not_depend_on_the_order_but_for_full_ties() -> None:
    """Every order of five findings has the same level and severity on top; the first of a tie gives the reason."""
    kinds = [(BLOCK, LOW), (NOTE, HIGH), (BLOCK, MEDIUM), (ASK, HIGH), (BLOCK, MEDIUM)]
    for order in permutations([finding(*kind, reason=str(n)) for n, kind in enumerate(kinds)]):
        assert pick(order) is next(one for one in order if (one.level, one.severity) == (BLOCK, MEDIUM))


def test_a_finding_is_a_value_with_all_that_can_be_said() -> None:
    """Level, reason and source are needed; the rest has defaults."""
    assert finding(BLOCK, MEDIUM) == Finding(BLOCK, "r", "source")
    said = Finding(ASK, "r", "source", HIGH, "security", 5.0)
    assert (said.target, said.timeout_s, hash(said)) == ("security", 5.0, hash(said))
