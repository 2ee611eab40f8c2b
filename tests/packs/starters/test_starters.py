"""Each starter loads as it is, and decides the calls of its agent as its file says."""

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from seamlaw import TOOL_CALL, Interceptors, Scope, ToolCall, decide
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.policies import load_policy
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.starters import starter, starters

HERE = Path(__file__).parent
CASES = {name: tomllib.loads((HERE / f"{name}.toml").read_text("utf-8")) for name in starters()}
VERDICTS = ("proceed", "ask", "block")
ROLE = "support"


@pytest.fixture(name="home", autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home with the folders that the starters name, so that the machine of the test does not matter."""
    for folder in ("project/src", "reports/charts"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def loaded(name: str, folder: Path) -> Interceptors | None:
    """The policy, from the file that a user would have."""
    file = folder / f"{name}.toml"
    file.write_text(CliRunner().invoke(seamlaw, ["starter", name]).stdout, "utf-8")
    return load_policy(str(file))


def decided(bundle: Interceptors | None, tool: str, arguments: dict[str, Any], role: str) -> tuple[str, str]:
    """The verdict, and why; a call that crashes a gate is no answer."""
    scope = Scope(session="s-1", role=None if role == "nobody" else role)
    outcome = decide(bundle, TOOL_CALL, ToolCall("1", tool, arguments), scope=scope)
    assert not any("interceptor error" in entry.reason for entry in outcome.log), outcome.log
    return outcome.verdict.value, outcome.reason


def test_every_starter_has_its_calls() -> None:
    """The files here are those of the starters, each has calls for each verdict that it knows, and enough of them."""
    assert {file.stem for file in HERE.glob("*.toml")} == set(starters()) == set(CASES)
    for name, cases in CASES.items():
        assert set(cases) == set(VERDICTS), name
        assert len(cases["proceed"]) >= 6, name
        assert len(cases["block"]) >= 10, name


@pytest.mark.parametrize(("name", "verdict"), list(product(CASES, VERDICTS)))
def test_what_a_starter_decides(name: str, verdict: str, tmp_path: Path) -> None:
    """Real work proceeds, what is costly asks, and what must not be is blocked: every call of the file."""
    bundle = loaded(name, tmp_path)
    wrong = [
        (tool, arguments, *found)
        for tool, arguments, *role in CASES[name][verdict]
        if (found := decided(bundle, tool, arguments, *role or [ROLE]))[0] != verdict
    ]
    assert wrong == []


def test_a_starter_that_is_not_there_is_refused_with_those_that_are() -> None:
    """In Python and on the command line."""
    with pytest.raises(InvalidPack, match="starter: must be one of coding_agent, data_agent, support_agent"):
        starter("../secrets")
    ran = CliRunner().invoke(seamlaw, ["starter", "coding"])
    assert ran.exit_code == 2
    assert "must be one of" in ran.output


def test_the_list_of_starters_says_what_each_is_for() -> None:
    """One line each."""
    listed = CliRunner().invoke(seamlaw, ["starter"]).stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(starters())
    assert all("A policy to begin with for a " in line for line in listed)
