"""`seamlaw decide` and `seamlaw explain`: one call."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
HOOK = {
    "session_id": "s",
    "hook_event_name": "PreToolUse",
    "tool_name": "rm",
    "tool_input": {"path": "x"},
    "tool_use_id": "t",
}


def call(tool: str) -> str:
    """Write a call in our own shape."""
    return json.dumps({"tool": tool, "arguments": {"command": "ls"}})


@pytest.mark.parametrize(("tool", "code"), [("bash", 0), ("zsh", 0), ("push", 3), ("rm", 4)])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_exit_code_is_the_verdict(run: Run, policy: str, tool: str, code: int, options: list[str]) -> None:
    """0 proceeds, 3 asks, 4 is blocked."""
    assert run("decide", "-p", policy, *options, stdin=call(tool)).exit_code == code


@pytest.mark.parametrize(
    "stdin",
    [
        json.dumps(HOOK),
        json.dumps(HOOK | {"hook_event_name": "PostToolUse", "tool_response": "done"}),
        json.dumps({"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "rm", "arguments": "{}"}}]}),
        json.dumps({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "rm", "input": {}}]}),
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm", "arguments": {}}}),
        json.dumps({"tool": "rm", "arguments": {}}, indent=2),
    ],
)
def test_a_call_is_taken_in_any_shape(run: Run, policy: str, stdin: str) -> None:
    """What a hook is given, a message of a model, a request of MCP; a result beside it is not looked at."""
    result = run("decide", "-p", policy, "--json", stdin=stdin)
    told = json.loads(result.stdout)
    assert (result.exit_code, told["verdict"], told["tool"], told["result"]) == (4, "block", "rm", None)


@pytest.mark.parametrize(
    "stdin",
    [
        "",
        "\n\n",
        "nonsense",
        "{",
        "[]",
        "{}",
        '{"tool": "bash"}',
        '{"tool": "bash", "arguments": []}',
        '{"tool": 1, "arguments": {}}',
        '{"tool": "bash", "arguments": {"x": NaN}}',
        '{"tool": "bash", "arguments": {"x": 1, "x": 2}}',
        '{"tool": "bash", "arguments": {}, "agnet": "a"}',
        call("bash") + "\n" + call("bash"),
        json.dumps({"role": "user", "content": "hello"}),
        json.dumps({**HOOK, "hook_event_name": "BeforeTool"}),
        json.dumps(
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "1", "name": "rm", "input": {}}],
                "tool_calls": [{"id": "2", "function": {"name": "ls", "arguments": "{}"}}],
            }
        ),
    ],
)
def test_what_is_no_single_readable_call_is_never_answered(run: Run, policy: str, stdin: str) -> None:
    """Exit code 2, nothing on standard output, a word on standard error: for both commands."""
    for command in ("decide", "explain"):
        result = run(command, "-p", policy, stdin=stdin)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr


def test_a_policy_that_leaves_the_program_answers_nothing(run: Run, tmp_path: Path) -> None:
    """sys.exit(0) in a policy must not read as "proceed"."""
    (tmp_path / "p.py").write_text("import sys\ndef leave(call): sys.exit(0)\n", "utf-8")
    for command in ("decide", "explain"):
        result = run(command, "-p", f"{tmp_path}/p.py:leave", stdin=call("bash"))
        assert (result.exit_code, result.stdout) == (2, "")
        assert "a policy called sys.exit()" in result.stderr


LEAVES = """\
import asyncio
class Gone(BaseException): pass
kinds = {"a": Gone, "b": GeneratorExit, "c": asyncio.CancelledError}
def leave(call): raise kinds[call.name](call.arguments["key"])
"""


@pytest.mark.parametrize(("tool", "kind"), [("a", "Gone"), ("b", "GeneratorExit"), ("c", "CancelledError")])
@pytest.mark.parametrize("command", ["decide", "explain", "replay"])
def test_what_is_no_exception_is_told_by_its_kind_alone(
    run: Run, tmp_path: Path, command: str, tool: str, kind: str
) -> None:
    """The kernel lets it through; its text may be an argument, and exit code 1 would read as something decided."""
    (tmp_path / "p.py").write_text(LEAVES, "utf-8")
    source = ["-"] if command == "replay" else []
    line = json.dumps({"tool": tool, "arguments": {"key": "S3CRET"}})
    result = run(command, *source, "-p", f"{tmp_path}/p.py:leave", stdin=line)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"seamlaw: {kind} stopped it; what was not told was not decided\n"


def test_what_is_no_exception_may_come_while_a_policy_is_loaded(run: Run, tmp_path: Path) -> None:
    """It is told the same way."""
    (tmp_path / "p.py").write_text("raise BaseException('S3CRET')\n", "utf-8")
    result = run("decide", "-p", f"{tmp_path}/p.py:leave", stdin=call("bash"))
    assert (result.exit_code, "S3CRET" in result.output, "BaseException" in result.stderr) == (2, False, True)


def test_an_interrupt_out_of_a_policy_is_an_interrupt(run: Run, tmp_path: Path) -> None:
    """Exit code 130."""
    (tmp_path / "p.py").write_text("def leave(call): raise KeyboardInterrupt('S3CRET')\n", "utf-8")
    result = run("decide", "-p", f"{tmp_path}/p.py:leave", stdin=call("bash"))
    assert (result.exit_code, result.output) == (130, "")


def test_a_fault_blocks_and_is_told_without_its_text(run: Run, tmp_path: Path) -> None:
    """Where a policy crashed is said, and not with what, which may be an argument."""
    (tmp_path / "p.py").write_text("def crash(call): raise ValueError(call.arguments['command'])\n", "utf-8")
    result = run(
        "decide", "-p", f"{tmp_path}/p.py:crash", stdin=json.dumps({"tool": "a", "arguments": {"command": "S3CRET"}})
    )
    assert result.exit_code == 4
    assert "crash raised ValueError at p.py:1" in result.stdout
    assert result.stdout.count("S3CRET") == 1  # among the arguments


def test_an_explanation_lists_everyone(run: Run, policy: str) -> None:
    """In order, with phases, answers and reasons; whatever the verdict, it ends well."""
    result = run("explain", "-p", policy, "--call", call("bash"))
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
bash
    /command  "ls"

rules that fill
   1  fill
      changed  by fill
  + /timeout  60

rules that judge what the chain left
   2  no-rm: not consulted, it is for tools rm
   3  push: not consulted, it is for tools push
   4  seen
      note     a shell (seen)

PROCEED
    /command  "ls"
  + /timeout  60
    changed  by fill
    note     a shell (seen)
"""
    )
    assert run("explain", "-p", policy, stdin=call("rm")).exit_code == 0


def test_an_explanation_as_json(run: Run, policy: str) -> None:
    """One object, every step with the call before and after."""
    told = json.loads(run("explain", "-p", policy, "--json", "--agent", "main", stdin=call("bash")).stdout)
    assert (told["schema"], told["type"], told["scope"]) == ("seamlaw/1", "explanation", {"agent": "main"})
    fill, no_rm, *_ = told["steps"]
    assert (fill["before"]["arguments"], fill["after"]["arguments"]) == (
        {"command": "ls"},
        {"command": "ls", "timeout": 60},
    )
    assert no_rm["skipped"] == "it is for tools rm"


def test_an_empty_policy_is_told_to_be_one(run: Run, tmp_path: Path) -> None:
    """Nobody was consulted, and that is said."""
    (tmp_path / "p.toml").write_text("rules = []", "utf-8")
    assert "nobody was consulted" in run("explain", "-p", f"{tmp_path}/p.toml", "--call", call("bash")).stdout
