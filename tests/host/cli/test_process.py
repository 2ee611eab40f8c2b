"""The command line as a process: start, colour, pipes, interrupts."""

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., "subprocess.Popen[bytes]"]
Write = Callable[..., str]
ROOT = Path(__file__).resolve().parents[3]
SESSION = str(ROOT / "examples/sessions/claude_code.hooks.jsonl")
POLICY = str(ROOT / "examples/policies/coding_agent.toml")
TRY = "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
BASH = '{"tool": "bash", "arguments": {"command": "ls"}}'


def output(start: Start, *arguments: str, stdin: bytes = b"", **options: Any) -> tuple[int, str, str]:
    """Run to the end: exit code, standard output, standard error."""
    process = start(*arguments, **options)
    out, err = process.communicate(stdin, timeout=60)
    return process.returncode, out.decode(), err.decode()


def on_a_terminal(start: Start, *arguments: str, which: str = "stdout", **options: Any) -> str:
    """Run with a terminal as one of the streams, and give what it shows."""
    ours, theirs = pty.openpty()
    process = start(*arguments, **{which: theirs}, **options)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # Linux tells the end of a terminal so
        pass
    os.close(ours)
    process.communicate(timeout=60)
    return shown.decode()


def test_the_version_is_told_before_anything_heavy_is_imported(start: Start) -> None:
    """Neither the kernel nor rich is loaded for `--version` and for an unknown command."""
    for arguments in (["--version"], ["nothing"]):
        code = f"import sys; from seamlaw_host.cli import main; sys.argv[1:] = {arguments}\n{TRY}"
        told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr
        assert ("click" in told.split(), "seamlaw.errors" in told.split()) == (True, False)
        assert {"attr", "rich", "ruamel", "msgspec"} & {name.split(".")[0] for name in told.split()} == set()


def test_a_command_imports_neither_rich_nor_yaml_unless_it_needs_them(start: Start) -> None:
    """Deciding one call loads the kernel and click."""
    code = f"import sys; from seamlaw_host.cli import main\nsys.argv[1:] = ['decide', '-p', {POLICY!r}]\n{TRY}"
    told = subprocess.run([sys.executable, "-c", code], input=BASH, capture_output=True, text=True, check=False).stderr
    assert "seamlaw.errors" in told.split()
    assert {"rich", "ruamel", "msgspec", "asyncio"} & {name.split(".")[0] for name in told.split()} == set()


def test_piped_output_has_no_colour_and_the_same_width_everywhere(start: Start) -> None:
    """The terminal's width and type do not matter to a file."""
    _, plain, _ = output(start, "replay", SESSION, "-p", POLICY)
    _, narrow, _ = output(start, "replay", SESSION, "-p", POLICY, env={"COLUMNS": "20", "TERM": "xterm-256color"})
    assert "\x1b" not in plain
    assert plain.rpartition("time")[0] == narrow.rpartition("time")[0]


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_a_terminal_is_coloured_unless_it_shall_not(start: Start, env: dict[str, str], coloured: bool) -> None:
    """NO_COLOR, if not empty, goes before everything."""
    assert ("\x1b[" in on_a_terminal(start, "replay", SESSION, "-p", POLICY, env=env)) is coloured


def test_colour_can_be_forced_into_a_pipe(start: Start) -> None:
    """FORCE_COLOR is respected."""
    assert "\x1b[31m" in output(start, "replay", SESSION, "-p", POLICY, env={"FORCE_COLOR": "1"})[1]


def test_json_is_never_coloured(start: Start) -> None:
    """Not on a terminal either, and not when colour is forced."""
    env = {"FORCE_COLOR": "1", "TERM": "xterm"}
    shown = on_a_terminal(start, "replay", SESSION, "-p", POLICY, "--json", env=env)
    assert [json.loads(line)["schema"] for line in shown.splitlines()] == ["seamlaw/1"] * 17


def long_session(folder: Path, calls: int = 20_000) -> str:
    """Write a session that takes a while."""
    path = folder / "long.jsonl"
    path.write_text((BASH + "\n") * calls, "utf-8")
    return str(path)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_reader_who_leaves_ends_it_quietly(start: Start, tmp_path: Path, options: list[str]) -> None:
    """As under `| head`: no traceback, no word, and the exit code of a closed pipe."""
    process = start("replay", long_session(tmp_path), "-p", POLICY, *options)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.close()
    assert process.stdout.readline()
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), told) == (141, b"")


def test_an_interrupt_ends_it_quietly(start: Start, policy: str) -> None:
    """Ctrl-C: no traceback, and the exit code of an interrupt."""
    process = start("replay", "-", "-p", policy)
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(300):  # more than is looked at to recognise the shape
        process.stdin.write(BASH.encode() + b"\n")
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, b"")


@pytest.mark.parametrize(
    ("command", "closing", "code", "told"),
    [
        (["decide"], "<&-", 2, "Standard input is closed, so there is no call"),
        (["explain"], "<&-", 2, "Standard input is closed, so there is no call"),
        (["replay", "-"], "<&-", 2, "seamlaw: standard input: Bad file descriptor\n"),
        (["decide"], ">&-", 141, "seamlaw: standard output is closed; nothing was decided\n"),
        (["replay", SESSION], ">&-", 141, "seamlaw: standard output is closed; nothing was decided\n"),
        (["replay", SESSION], "2>&-", 0, ""),
    ],
)
def test_a_stream_that_is_closed_is_no_traceback(command: list[str], closing: str, code: int, told: str) -> None:
    """It is said which, where there is a stream to say it on."""
    line = shlex.join([sys.executable, "-m", "seamlaw_host", *command, "-p", POLICY])
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{line} {closing}"], input=BASH, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, "Traceback" in ran.stderr) == (code, False)
    assert told in ran.stderr


def test_what_is_decided_is_told_while_the_session_is_still_being_read(start: Start, policy: str) -> None:
    """A call whose result is in is printed before the next one comes."""
    process = start("replay", "-", "-p", policy, "--json")
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(300):
        process.stdin.write(BASH.encode() + b"\n")
    process.stdin.flush()
    told = [json.loads(process.stdout.readline())["type"] for _ in range(100)]
    assert told == ["call"] * 100
    assert process.poll() is None
    process.communicate(timeout=60)


def test_progress_is_told_on_a_terminal_beside_a_pipe(start: Start, policy: str, tmp_path: Path) -> None:
    """On standard error alone, and only if somebody watches it."""
    path = long_session(tmp_path, 5_000)
    env = {"TERM": "xterm", "COLUMNS": "80"}
    with (tmp_path / "out").open("w") as out:
        shown = on_a_terminal(start, "replay", path, "-p", policy, which="stderr", stdout=out, env=env)
    assert " calls, 0 blocked" in shown
    assert "\x1b" not in (tmp_path / "out").read_text("utf-8")
    assert output(start, "replay", path, "-p", policy)[2] == ""


def test_what_an_encoding_lacks_is_escaped(start: Start, tmp_path: Path) -> None:
    """A character that cannot be written is no reason to stop."""
    (tmp_path / "p.toml").write_text('[[rules]]\nrefuse = "zu groß ✓"\n', "utf-8")
    process = start("decide", "-p", f"{tmp_path}/p.toml", env={"PYTHONIOENCODING": "latin-1"})
    told, _ = process.communicate(BASH.encode(), timeout=60)
    assert process.returncode == 4
    assert "zu groß \\u2713" in told.decode("latin-1")


def test_a_module_in_the_current_folder_is_a_policy(start: Start, tmp_path: Path) -> None:
    """`module:name` finds what stands beside the user."""
    (tmp_path / "my_team.py").write_text("from seamlaw import block\ndef no(call): return block('no')\n", "utf-8")
    assert output(start, "decide", "-p", "my_team:no", stdin=BASH.encode(), cwd=tmp_path)[0] == 4


def test_deciding_one_call_starts_quickly(start: Start) -> None:
    """Well under a second, on a slow machine too: a hook waits for it."""
    best = min(_timed(start) for _ in range(3))
    assert best < 1.5


def _timed(start: Start) -> float:
    begun = time.perf_counter()
    assert output(start, "decide", "-p", POLICY, stdin=BASH.encode())[0] == 0
    return time.perf_counter() - begun


@pytest.mark.parametrize("command", [[], ["replay"], ["decide"], ["explain"]])
def test_help_says_what_it_does_with_an_example_and_the_exit_codes(start: Start, command: list[str]) -> None:
    """For the whole and for each command, on lines that fit."""
    code, told, _ = output(start, *command, "--help")
    assert code == 0
    assert "  seamlaw replay " in told or f"seamlaw {' '.join(command)} " in told
    assert "Exit codes:" in told
    assert max(map(len, told.splitlines())) <= 120
