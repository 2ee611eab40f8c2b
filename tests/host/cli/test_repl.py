"""`seamlaw repl`: calls are typed, and decided."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from seamlaw_host.cli._repl import PROMPT

Run = Callable[..., Result]
POLICY = """
[[rules]]
name = "no-rm"
refuse = "nothing is removed"
tools = ["bash"]
when = [{ at = "/command", contains = "rm " }]

[[rules]]
name = "late"
ask = "it takes long"
tools = ["bash"]
when = [{ at = "/timeout", greater = 100 }]
"""


@pytest.fixture(name="policy")
def _policy(tmp_path: Path) -> str:
    """A file of rules."""
    path = tmp_path / "policy.toml"
    path.write_text(POLICY)
    return str(path)


@pytest.fixture(name="typed")
def _typed(run: Run, policy: str) -> Callable[..., Result]:
    """Type lines."""

    def typing(*lines: str, more: Sequence[str] = ()) -> Result:
        return run("repl", "-p", policy, *more, stdin="".join(f"{line}\n" for line in lines))

    return typing


Typed = Callable[..., Result]


def told(result: Result) -> list[dict[str, Any]]:
    """What was written as JSON."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "verdict", "arguments"),
    [
        ("bash command=ls", "proceed", {"command": "ls"}),
        ('bash command="rm -rf /"', "block", {"command": "rm -rf /"}),
        ("bash timeout:=600", "ask", {"timeout": 600}),
        ("bash 'list:=[1, {\"a\": null}]' empty=", "proceed", {"list": [1, {"a": None}], "empty": ""}),
        ("bash a=b=c", "proceed", {"a": "b=c"}),
        ('{"tool": "bash", "arguments": {"command": "rm x"}}', "block", {"command": "rm x"}),
        ("other", "proceed", {}),
    ],
)
def test_a_call_is_decided(typed: Typed, line: str, verdict: str, arguments: dict[str, Any]) -> None:
    """In short, or as JSON."""
    result = typed(line, more=["--json"])
    (said,) = told(result)
    assert (said["verdict"], said["arguments"]) == (verdict, arguments)
    assert result.exit_code == 0


def test_it_says_what_decide_says(run: Run, typed: Typed, policy: str) -> None:
    """The same lines, for the same call."""
    call = '{"tool": "bash", "arguments": {"command": "rm -rf /"}}'
    assert typed(call).stdout == run("decide", "-p", policy, stdin=call).stdout
    explained = run("explain", "-p", policy, "--call", call).stdout
    assert typed(f":explain {call}").stdout == explained
    assert typed('bash command="rm -rf /"', ":explain").stdout.endswith(explained)


def test_who_is_calling_can_be_said(typed: Typed) -> None:
    """From then on, until nobody is; the command line says who it is at first."""
    lines = (":who", "bash", ":agent coder", ":role senior", "bash", ":agent", ":session s-1", "bash", ":who")
    said = told(typed(*lines, more=["--json", "--agent", "lead"]))
    calls = [one["scope"] for one in said if one["type"] == "call"]
    assert [(one.get("agent"), one.get("role"), one.get("session")) for one in calls] == [
        ("lead", None, None),
        ("coder", "senior", None),
        (None, "senior", "s-1"),
    ]
    assert typed(":who").stdout == "nobody is named\n"
    assert typed(":role senior", ":agent a", ":who").stdout.splitlines()[-1] == "agent a, role senior"


def test_a_policy_can_be_read_anew(run: Run, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was typed last is decided again; a policy that cannot be read leaves the one that was."""
    lines = ["bash command='rm x'", ":reload", ":again"]
    path = Path(policy)

    def typing() -> Any:
        yield lines[0]
        path.write_text("[[rules]]\nnonsense = 1\n")
        yield lines[1]
        yield lines[2]
        path.write_text('[[rules]]\nnote = "seen"\n')
        yield lines[1]
        yield lines[2]

    monkeypatch.setattr("seamlaw_host.cli._repl._typed", typing)
    result = run("repl", "-p", policy, "--json")
    assert [one["verdict"] for one in told(result)] == ["block", "block", "proceed"]
    assert result.stderr.startswith("seamlaw: line 2: the policy is as it was: ")
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("bash ls", "NAME=TEXT"),
        ("bash a=1 a=2", "given twice"),
        ("bash a=1 a:=2", "given twice"),
        ("bash a:={", "no JSON"),
        ("bash a:=NaN", "cannot be read"),
        ('bash "open', "words"),
        ('{"tool": "bash"', "cannot be read"),
        ('{"tool": "bash", "arguments": {}} {"tool": "bash", "arguments": {}}', "line 1"),
        (":nope", "there is no :nope"),
        (":again", "there is no call yet"),
        (":explain", "there is no call yet"),
    ],
)
def test_a_line_that_is_not_understood_is_told_and_the_rest_decided(typed: Typed, line: str, problem: str) -> None:
    """With its number; the exit code says that there was one."""
    result = typed(line, "bash command=ls", more=["--json"])
    assert [one["verdict"] for one in told(result)] == ["proceed"]
    assert result.stderr.startswith("seamlaw: line 1: ")
    assert problem in result.stderr
    assert result.exit_code == 1


def test_nothing_typed_can_steer_the_terminal(typed: Typed) -> None:
    """What is quoted of a line is made visible."""
    result = typed(":\x1b[2J", "bash \x1b[2Ja=1 \x1b[2Ja=1", ":agent \x1b[2J")
    assert "\x1b" not in result.stdout + result.stderr


def test_empty_lines_and_remarks_say_nothing_and_quit_ends_it(typed: Typed) -> None:
    """What comes after it is not read."""
    result = typed("", "  ", "# a remark", ":quit", "bash")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    assert ":reload" in typed(":help").stdout


def test_what_a_policy_prints_goes_aside(run: Run, tmp_path: Path) -> None:
    """Standard output has the answers alone; a policy that crashes blocks, and the next line is decided."""
    path = tmp_path / "loud.py"
    path.write_text("def bundle(call):\n    print('loud')\n    return 1 / int(call.name == 'bash')\n")
    result = run("repl", "-p", f"{path}:bundle", "--json", stdin="other\nother\n")
    assert [one["verdict"] for one in told(result)] == ["block", "block"]
    assert "loud" in result.stderr


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals here")
def test_at_a_terminal_it_prompts_and_an_end_of_file_ends_it(policy: str) -> None:
    """A real pseudo-terminal; what was typed is answered behind a prompt."""
    theirs, ours = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "seamlaw_host", "repl", "-p", policy],
        stdin=ours,
        stdout=ours,
        stderr=ours,
        env={**os.environ, "TERM": "dumb", "NO_COLOR": "1"},
    )
    os.close(ours)
    seen = _until(theirs, b"seamlaw> ")
    os.write(theirs, b"bash command='rm x'\n")
    seen += _until(theirs, b"seamlaw> ")
    os.write(theirs, b"\x04")
    assert process.wait(20) == 0
    os.close(theirs)
    assert b"nothing is removed" in seen


def _until(terminal: int, wanted: bytes) -> bytes:
    seen, end = b"", time.monotonic() + 20
    while wanted not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 4096)
    assert wanted in seen
    return seen


def test_the_page_shows_what_is_answered(run: Run) -> None:
    """What `docs/command-line.md` shows of a session at a terminal."""
    root = Path(__file__).parents[3]
    shown = (root / "docs/command-line.md").read_text("utf-8").partition("$ seamlaw repl -p ")[2].partition("```")[0]
    policy, _, transcript = shown.partition("\n")
    lines = [line.removeprefix(PROMPT) for line in transcript.splitlines() if line.startswith(PROMPT)]
    answers = [line for line in transcript.splitlines() if not line.startswith(PROMPT)]
    assert len(lines) == 3
    assert run("repl", "-p", str(root / policy), stdin="\n".join(lines)).stdout.splitlines() == answers
