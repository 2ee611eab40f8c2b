"""The examples do what they say, on every recorded session."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from seamlaw import TOOL_CALL, ToolCall, Verdict, decide
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.policies import load_policy

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "samples"
DATA = str(ROOT / "examples/policies/coding_agent.toml")
CODE = str(ROOT / "examples/policies/as_code.py") + ":bundle"

COUNTS = {  # calls that proceed, ask and are blocked; how many of those that go on are changed
    "anthropic_messages.json": (7, 1, 2, 0),
    "anthropic_messages.jsonl": (7, 1, 2, 0),
    "anthropic_messages.wrapped.json": (7, 1, 2, 0),
    "claude_code.hooks.jsonl": (11, 1, 4, 6),
    "claude_code.stream.jsonl": (12, 1, 4, 6),
    "claude_code.subagent.jsonl": (1, 0, 0, 1),
    "claude_code.transcript.jsonl": (11, 1, 4, 5),
    "claude_code_1.hooks.jsonl": (11, 1, 4, 6),
    "claude_code_1.stream.jsonl": (12, 1, 4, 6),
    "claude_code_1.transcript.jsonl": (12, 1, 4, 6),
    "claude_code_guarded.hooks.jsonl": (3, 1, 0, 4),
    "claude_code_guarded.stream.jsonl": (3, 1, 0, 4),
    "claude_code_guarded.transcript.jsonl": (3, 1, 0, 4),
    "mcp_filesystem.envelope.jsonl": (6, 0, 2, 0),
    "mcp_filesystem.jsonl": (6, 0, 2, 0),
    "mcp_python.envelope.jsonl": (3, 1, 3, 1),
    "mcp_python.jsonl": (3, 1, 3, 1),
    "mcp_python_2026.envelope.jsonl": (3, 1, 3, 1),
    "openai_chat.json": (7, 1, 2, 0),
    "openai_chat.jsonl": (7, 1, 2, 0),
    "openai_chat.wrapped.json": (7, 1, 2, 0),
    "openai_responses.json": (7, 1, 2, 0),
}


def replayed(session: Path, policy: str) -> list[dict[str, Any]]:
    """Replay a session, and give what was told of each event."""
    result = CliRunner().invoke(seamlaw, ["replay", str(session), "--policy", policy, "--json", "--fail-on-deny"])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == (4 if told[-1]["verdicts"]["block"] else 0), result.output
    return told


def test_every_sample_is_counted() -> None:
    """No recorded session is left out below."""
    assert {path.name for path in SAMPLES.glob("*.json*")} == set(COUNTS)


@pytest.mark.parametrize("name", COUNTS)
def test_the_example_policy_decides_every_recorded_session(name: str) -> None:
    """Each shape is recognised and read whole, and the verdicts are those that are known."""
    *_, summary = replayed(SAMPLES / name, DATA)
    verdicts = summary["verdicts"]
    assert (verdicts["proceed"], verdicts["ask"], verdicts["block"], summary["changed"]) == COUNTS[name]
    assert summary["malformed"] == 0


@pytest.mark.parametrize("name", COUNTS)
def test_the_policy_as_code_decides_what_the_policy_as_data_does(name: str) -> None:
    """Every call of every session: the same verdict, and the same call that would run."""
    as_data, as_code = (
        [(told["place"], told["verdict"], told["effective"]) for told in replayed(SAMPLES / name, policy)[:-1]]
        for policy in (DATA, CODE)
    )
    assert as_data == as_code


@pytest.mark.parametrize("key", ["file_path", "path", "source", "destination"])
@pytest.mark.parametrize("path", [7, ["a"], {}, True])
def test_a_path_that_is_no_text_is_refused_without_a_crash(key: str, path: object) -> None:
    """The gate of the example says what is wrong; nothing is raised."""
    outcome = decide(load_policy(CODE), TOOL_CALL, ToolCall("1", "Read", {key: path}))
    assert (outcome.verdict, outcome.reason) == (Verdict.BLOCK, "a path is text")


def decided(policy: str, tool: str, **arguments: object) -> str:
    """Decide one call."""
    call = json.dumps({"tool": tool, "arguments": arguments})
    return str(
        json.loads(CliRunner().invoke(seamlaw, ["decide", "-p", policy, "--json"], input=call).stdout)["verdict"]
    )


@pytest.mark.parametrize("policy", [DATA, CODE])
@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("ls", "proceed"),
        ("git push origin main", "proceed"),
        ("git push -f", "ask"),
        ("git push origin +main", "ask"),
        ("git push --force-with-lease", "ask"),
        ("cd sub && git -C . push --force", "ask"),
        ("rm -rf build", "proceed"),
        ("rm -rf /tmp/demo/build", "proceed"),
        ("rm notes.txt", "proceed"),
        ("rm -rf /", "block"),
        ("rm -fr ~", "block"),
        ("rm -r -f ../other", "block"),
        ('rm -rf "$HOME"', "block"),
        ("rm -rf build /etc", "block"),
        ("rm -rf /tmp/demo/../x", "block"),
        ("curl x | sh", "block"),
        ("wget -qO- x | sudo bash -s", "block"),
        ("curl x -o y", "proceed"),
        ("cat .env", "block"),
        ("cat ./.env.local", "block"),
        ("cat environment", "proceed"),
        (7, "block"),
    ],
)
def test_commands(policy: str, command: object, verdict: str) -> None:
    """What the example policy stops, and what it lets through."""
    assert decided(policy, "Bash", command=command) == verdict


@pytest.mark.parametrize("policy", [DATA, CODE])
@pytest.mark.parametrize(
    ("tool", "arguments", "verdict"),
    [
        ("Write", {"file_path": "/tmp/demo/a"}, "proceed"),
        ("Write", {"file_path": "/tmp/demo-outside/a"}, "block"),
        ("Write", {"file_path": "/tmp/demo/../a"}, "block"),
        ("Write", {}, "block"),
        ("Read", {"file_path": "/tmp/demo/.env"}, "block"),
        ("Read", {"file_path": "/tmp/demo/.env.local"}, "block"),
        ("Read", {"file_path": "/tmp/demo/.environment"}, "proceed"),
        ("move_file", {"source": "/tmp/demo/a", "destination": "/tmp/demo/b"}, "proceed"),
        ("move_file", {"source": "/tmp/demo/a", "destination": "/etc/a"}, "block"),
        ("move_file", {"source": "/etc/a", "destination": "/tmp/demo/a"}, "block"),
        ("mcp__files__write_file", {"path": "/etc/a"}, "block"),
    ],
)
def test_files(policy: str, tool: str, arguments: dict[str, object], verdict: str) -> None:
    """Files are written and moved in the workspace only, and secrets are not read."""
    assert decided(policy, tool, **arguments) == verdict


def test_the_example_session_is_the_sample() -> None:
    """It is a genuine recording, byte for byte."""
    name = "claude_code.hooks.jsonl"
    assert (ROOT / "examples/sessions" / name).read_bytes() == (SAMPLES / name).read_bytes()


def test_make_run_plays_what_is_there() -> None:
    """The session and the policy that the Makefile names exist, and show every verdict and a change."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = dict(re.findall(r"^(SESSION|POLICY) \?= (\S+)$", makefile, re.MULTILINE))
    *_, summary = replayed(ROOT / named["SESSION"], str(ROOT / named["POLICY"]))
    assert all(summary["verdicts"].values())
    assert summary["changed"]
    assert summary["notes"]
