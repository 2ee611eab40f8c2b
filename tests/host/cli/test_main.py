"""The group of all commands."""

from collections.abc import Callable

import pytest
from click.testing import Result

from seamlaw_host.cli._main import COMMANDS

Run = Callable[..., Result]


@pytest.mark.parametrize(("typed", "meant"), [("explian", "explain"), ("packes", "packs"), ("startr", "starter")])
def test_a_misspelt_command_is_told_what_it_may_have_meant(run: Run, typed: str, meant: str) -> None:
    """And nothing is done."""
    ran = run(typed)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert f"did you mean {meant}?" in ran.stderr


def test_a_command_that_is_like_none_is_refused_without_a_guess(run: Run) -> None:
    """Nothing that is close is nothing to say."""
    ran = run("zzzz")
    assert ran.exit_code == 2
    assert "No such command 'zzzz'." in ran.stderr


def test_what_each_command_does_is_said_as_a_whole(run: Run) -> None:
    """On a screen of eighty columns too, no line of the list is cut short; nor of those in a group."""
    for listed in (run("--help"), run("packs", "--help")):
        assert not [line for line in listed.stdout.splitlines() if line.startswith("  ") and line.endswith("...")]
    assert all(f"\n  {name} " in run("--help").stdout for name in COMMANDS)
