"""A policy file with packs, as every command that takes a policy reads it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.host.mcp.wire import call, line

Run = Callable[..., Result]
SERVER = str(Path(__file__).parents[1] / "mcp" / "scripted_server.py")
POLICY = """\
[packs.tool_aliases]
aliases = { bash = ["sh"] }

[packs.input_limit]
limit = 50

[packs.publishing]
use = "confirm"
patterns = ["publish"]
target = "cli://lead"

[[rules]]
refuse = "nothing is removed"
tools = ["bash"]
when = [{ at = "/command", contains = "rm" }]
"""
REMOVES = '{"tool": "sh", "arguments": {"command": "rm x"}}'
LARGE = json.dumps({"tool": "bash", "arguments": {"command": "x" * 60}})
PUBLISHES = '{"tool": "bash", "arguments": {"command": "publish"}}'
LISTS = '{"tool": "sh", "arguments": {"command": "ls"}}'


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> str:
    """Write the policy."""
    path = tmp_path / "packs.toml"
    path.write_text(POLICY, "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [(REMOVES, 4, "nothing is removed"), (LARGE, 4, "Input too large"), (PUBLISHES, 3, "publish"), (LISTS, 0, "bash")],
)
def test_decide(run: Run, file: str, given: str, code: int, told: str) -> None:
    """The packs and the rules of the file decide."""
    decided = run("decide", "-p", file, stdin=given)
    assert (decided.exit_code, told in decided.stdout) == (code, True)


def test_explain(run: Run, file: str) -> None:
    """All are consulted in the order of the file: the rewriters, the rules, the gates."""
    told = run("explain", "-p", file, "--call", REMOVES).stdout
    order = [told.index(name) for name in ("tool_aliases", "packs.toml:12", "input_limit", "publishing")]
    assert order == sorted(order)


def test_replay(run: Run, file: str, session: Callable[..., str]) -> None:
    """Each call of a session is decided by them."""
    played = run("replay", session(LISTS, REMOVES, LARGE), "-p", file, "--json", "--fail-on-deny")
    verdicts = [record["verdict"] for record in map(json.loads, played.stdout.splitlines()) if record["type"] == "call"]
    assert (verdicts, played.exit_code) == (["proceed", "block", "block"], 4)


def test_repl(run: Run, file: str) -> None:
    """Calls are tried against them, and a mistake that is reloaded is told with its place."""
    told = run("repl", "-p", file, "--json", stdin=f"{REMOVES}\n{LISTS}\n").stdout
    assert [json.loads(record)["verdict"] for record in told.splitlines()] == ["block", "proceed"]


def test_bench(run: Run, file: str) -> None:
    """Their cost is measured."""
    measured = run("bench", file, "--seconds", "0.05")
    assert measured.exit_code == 0, measured.output
    assert "input_limit" in measured.stdout


def test_verify(run: Run, file: str) -> None:
    """The laws are checked of each of their interceptors, and hold."""
    options = ("--only", "answers_a_decision", "--only", "never_raises", "--examples", "5", "--json")
    report = json.loads(run("verify", file, *options).stdout)
    assert report["holds"]
    assert {one["part"] for one in report["parts"]} >= {
        "tool_call: tool_aliases",
        "tool_call: input_limit",
        "tool_call: publishing",
        "tool_call: packs.toml:12",
    }


@pytest.mark.slow
def test_lint(run: Run, file: str) -> None:
    """Mistakes that concern packs are found: an ask that reaches nobody."""
    found = json.loads(run("lint", file, "--handlers", "slack", "--json").stdout)["findings"]
    assert ("missing handler", "tool_call: publishing") in [(one["kind"], one["about"]) for one in found]


def test_refine(run: Run, file: str, tmp_path: Path) -> None:
    """A file with a looser pack does not refine; a call shows it."""
    looser = tmp_path / "looser.toml"
    looser.write_text(POLICY.replace("limit = 50", "limit = 5000"), "utf-8")
    refined = run("refine", file, str(looser), "--examples", "100", "--seconds", "1", "--json")
    assert (refined.exit_code, json.loads(refined.stdout)["verdict"]) != (0, "refines")


def test_hook(file: str) -> None:
    """A hook denies what a pack denies, and blocks where a pack cannot be made."""
    event: dict[str, Any] = {
        "session_id": "s-1",
        "hook_event_name": "PreToolUse",
        "tool_name": "bash",
        "tool_input": {"command": "x" * 60},
        "tool_use_id": "t-1",
    }
    command = [sys.executable, "-m", "seamlaw_host", "hook", "claude-code", "--policy", file]
    ran = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, check=False)
    assert json.loads(ran.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    Path(file).write_text(POLICY.replace("limit = 50", "limit = 0"), "utf-8")
    ran = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert "packs.toml:5: packs.input_limit.limit: must be a whole number, at least 2" in ran.stderr.decode()


def test_mcp(file: str, tmp_path: Path) -> None:
    """The proxy denies what a pack denies, and the server never hears of it."""
    lines = tmp_path / "lines"
    command = [sys.executable, "-m", "seamlaw_host", "mcp", "--policy", file, "--", sys.executable, SERVER, str(lines)]
    given = line(call(1, "echo", text="x" * 60))
    ran = subprocess.run(command, input=given, capture_output=True, check=False, timeout=60)
    assert b"Input too large" in ran.stdout
    assert not lines.exists() or b"xxx" not in lines.read_bytes()


@pytest.mark.parametrize("command", [["decide", "-p"], ["verify"], ["lint"], ["bench"]])
def test_a_mistake_is_told_in_one_line(run: Run, file: str, command: list[str]) -> None:
    """Each command ends with 2, the file, the line and the key, and decides nothing."""
    Path(file).write_text(POLICY.replace("limit = 50", "limits = 50"), "utf-8")
    ended = run(*command, file)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr == f"seamlaw: {file}:5: packs.input_limit.limits: unknown key; did you mean limit?\n"
