"""`seamlaw packs`: what there is, what it may intercept, how it is configured, and trust."""

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from tests.host.plugins.test_trust import MANIFEST, SOURCE

from seamlaw_host.cli._main import seamlaw
from seamlaw_host.plugins import BUNDLED, PluginManager

Run = Callable[..., Result]


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack in a folder, and a user who trusts nothing yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "hours"
    (folder / "inside").mkdir(parents=True)
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "inside" / "hours.py").write_text(SOURCE)
    (folder / "inside" / "words.py").write_text('SAID = "closed"\n')
    return folder


def test_list(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each installed pack with what it intercepts, as a table and as data; folders with whether they are trusted."""

    def installed(group: str) -> list[EntryPoint]:
        return []

    monkeypatch.setattr("importlib.metadata.entry_points", installed)
    table = run("packs", "list", str(folder))
    assert table.exit_code == 0
    lines = table.stdout.splitlines()
    assert lines[0].split() == ["NAME", "VERSION", "FROM", "INTERCEPTS", "WHAT", "IT", "DOES"]
    assert any(line.startswith("plan_gate") and "context, tool_call" in line for line in lines)
    assert "NOT TRUSTED: Blocks a tool." in lines[-1]
    told = [json.loads(line) for line in run("packs", "list", str(folder), "--json").stdout.splitlines()]
    assert {one["name"] for one in told} >= {*BUNDLED, "hours"}
    assert all(one["intercept"] and one["problem"] is None for one in told)
    assert [one["trusted"] for one in told if one["name"] == "hours"] == [False]


def test_a_pack_that_cannot_be_imported_is_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With why, and exit code 1; the others are there."""

    def installed(group: str) -> list[EntryPoint]:
        return [EntryPoint("broken", "no_such_module_:Pack", group)]

    monkeypatch.setattr("importlib.metadata.entry_points", installed)
    listed = run("packs", "list")
    assert listed.exit_code == 1
    assert "the pack broken cannot be imported: ModuleNotFoundError" in listed.stdout
    assert "confirm" in listed.stdout


def test_show(run: Run) -> None:
    """What it intercepts, and how it is configured; as data, a JSON Schema."""
    shown = run("packs", "show", "confirm").stdout
    assert "intercepts  tool_call" in shown
    assert "  patterns    a table or a list (needed)" in shown
    told: dict[str, Any] = json.loads(run("packs", "show", "confirm", "--json").stdout)
    jsonschema.Draft202012Validator.check_schema(told["schema"])
    assert told["schema"]["required"] == ["patterns"]


def test_show_a_folder(run: Run, folder: Path) -> None:
    """Nothing of it is executed."""
    (folder / "inside" / "__init__.py").write_text("raise SystemExit('executed')\n")
    shown = run("packs", "show", str(folder))
    assert (shown.exit_code, "(not trusted)" in shown.stdout, "tool_call:bash" in shown.stdout) == (0, True, True)
    assert json.loads(run("packs", "show", str(folder), "--json").stdout)["schema"] is None


def test_a_typo(run: Run) -> None:
    """Is told in one line."""
    shown = run("packs", "show", "confrm")
    assert (shown.exit_code, shown.stderr) == (2, "seamlaw: no pack is called confrm; did you mean confirm?\n")


def test_trust(run: Run, folder: Path) -> None:
    """It shows what it intercepts and asks; then it can be loaded, until it is changed or trust is revoked."""
    asked = CliRunner().invoke(seamlaw, ["packs", "trust", str(folder)], input="n\n")
    assert asked.exit_code == 1
    assert "intercepts  tool_call:bash" in asked.stdout
    assert "files       inside/hours.py, inside/words.py, pack.toml" in asked.stdout
    assert "trusted" not in run("packs", "show", str(folder)).stdout.replace("not trusted", "")
    assert CliRunner().invoke(seamlaw, ["packs", "trust", str(folder)], input="y\n").exit_code == 0
    assert "not trusted" not in run("packs", "show", str(folder)).stdout
    PluginManager().load(folder)
    revoked = run("packs", "trust", str(folder), "--revoke")
    assert (revoked.exit_code, revoked.stdout) == (0, "hours is not trusted\n")
    assert "not trusted" in run("packs", "show", str(folder)).stdout
    assert run("packs", "trust", str(folder), "--yes").exit_code == 0
    (folder / "inside" / "words.py").write_text("")
    assert "not trusted" in run("packs", "show", str(folder)).stdout


def test_nothing_of_a_pack_steers_the_terminal(run: Run, folder: Path) -> None:
    """What a manifest says is shown with its control characters escaped."""
    (folder / "pack.toml").write_text(MANIFEST.replace("Blocks a tool.", "\\u001b[2Jx"))
    for command in (["list"], ["show"], ["trust", "--yes"]):
        assert "\x1b" not in run("packs", *command, str(folder)).stdout


def test_a_folder_that_is_no_pack(run: Run, tmp_path: Path) -> None:
    """Is refused by each of them."""
    for command in ("list", "show", "trust"):
        ended = run("packs", command, f"{tmp_path}/")
        assert (ended.exit_code, ended.stdout) == (2, "")
        assert ended.stderr.startswith("seamlaw: ")
