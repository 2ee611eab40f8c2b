"""`seamlaw replay`: what it prints, and how it ends."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
Write = Callable[..., str]

RM = '{"tool": "rm", "arguments": {"path": "x"}}'
PUSH = '{"tool": "push", "arguments": {}}'
BASH = '{"tool": "bash", "arguments": {"command": "ls"}, "agent": "main"}'
ZSH = '{"tool": "zsh", "arguments": {}}'
BROKEN = '{"tool": "bash", "arguments": {'
NO_CALL = '{"tool": "bash", "arguments": 7}'


def objects(result: Result) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_call_is_told_with_verdict_change_and_reason(run: Run, policy: str, session: Write) -> None:
    """The whole output for one call of each kind, and the summary."""
    result = run("replay", session(BASH, PUSH, RM, ZSH, BROKEN, NO_CALL), "--policy", policy)
    told, _, time = result.stdout.rpartition("  time        ")
    assert (
        told
        == """\
line 1  bash  PROCEED  changed  agent main
    /command  "ls"
  + /timeout  60
    changed  by fill
    note     a shell (seen)

line 2  push  ASK
  → ask      pushing is public (push); of the owner, within 60 s

line 3  rm  BLOCK
    /path  "x"
  → block    nothing is removed (no-rm)

line 4  zsh  PROCEED
  no rule or interceptor is for this tool

line 5  MALFORMED
    no JSON: Expecting property name enclosed in double quotes at line 2, column 1

line 6  bash  MALFORMED
    a call that cannot be read, /arguments: must be an object, not int

4 calls (seamlaw): 2 proceed, 1 ask, 1 block
  changed     1 call, 0 results
  withheld    0 of 0 recorded results
  noted       1 note, 0 faults
  malformed   2 could not be read, 1 of them known to be calls
  ungoverned  zsh (1)
"""
    )
    assert " µs a call, the slowest " in time
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("lines", "options", "code"),
    [
        ([BASH, PUSH, RM], [], 0),
        ([BASH, PUSH, RM], ["--fail-on-deny"], 4),
        ([BASH, PUSH], ["--fail-on-deny"], 0),
        ([BASH, PUSH], ["--fail-on-deny", "--asks", "deny"], 4),
        ([BASH, PUSH], ["--asks", "deny"], 0),
        ([BASH, BROKEN], [], 1),
        ([BASH, NO_CALL], [], 1),
        ([BASH, BROKEN], ["--fail-on-deny"], 1),  # it may have been no call
        ([BASH, NO_CALL], ["--fail-on-deny"], 4),  # it was one, and nobody decided it
        ([BASH, RM, BROKEN], ["--fail-on-deny"], 4),
        ([BASH, RM, BROKEN], [], 1),
    ],
)
def test_the_exit_code_says_what_happened(
    run: Run, policy: str, session: Write, lines: list[str], options: list[str], code: int
) -> None:
    """1 for what could not be read, 4 for what was denied if that was asked for, which goes first."""
    path = session(*lines)
    assert run("replay", path, "-p", policy, *options).exit_code == code
    assert run("replay", path, "-p", policy, *options, "--json").exit_code == code


NO_CALLS = [
    '{"role": "user", "content": "hello"}',
    '{"session_id": "s", "hook_event_name": "Stop"}',
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
    '{"type": "system", "session_id": "s"}',
]


@pytest.mark.parametrize("line", NO_CALLS)
@pytest.mark.parametrize("options", [[], ["--fail-on-deny"], ["--json"]])
def test_a_session_without_a_call_is_no_success(
    run: Run, policy: str, session: Write, line: str, options: list[str]
) -> None:
    """It says so on standard error, and the summary does not praise the policy."""
    result = run("replay", session(line), "-p", policy, *options)
    assert result.exit_code == 1
    assert result.stderr == "seamlaw: not one call was found that could be read, so nothing was decided\n"
    assert "every call met" not in result.stdout


def test_what_was_known_to_be_a_call_is_denied_where_none_could_be_read(run: Run, policy: str, session: Write) -> None:
    """A session read with the wrong shape fails either way."""
    line = '{"session_id": "s", "hook_event_name": "BeforeTool", "tool_name": "rm", "tool_input": {}}'
    result = run("replay", session(line), "-p", policy, "--fail-on-deny")
    assert (result.exit_code, "line 1  rm  MALFORMED" in result.stdout) == (4, True)
    assert run("replay", session(line), "-p", policy).exit_code == 1


PRINTS = """\
import sys
from seamlaw import Interceptors
print("loading")
held = sys.stdout
def chatty(call):
    print("deciding")
    held.write("still deciding")
def of_result(result): print("a result")
bundle = Interceptors(tool_call=[chatty], tool_result=[of_result])
def makes():
    print("making")
    return bundle
"""


@pytest.mark.parametrize("command", ["replay", "decide", "explain"])
def test_what_a_policy_prints_is_not_among_the_output(run: Run, tmp_path: Path, session: Write, command: str) -> None:
    """It goes to standard error, whether it is printed while loading or while deciding."""
    (tmp_path / "p.py").write_text(PRINTS, "utf-8")
    line = '{"tool": "a", "arguments": {}, "result": {"output": 1}}'
    source = [session(line)] if command == "replay" else []
    result = run(command, *source, "-p", f"{tmp_path}/p.py:makes", "--json", stdin=line)
    assert (result.exit_code, [each["schema"] for each in objects(result)]) == (0, ["seamlaw/1"] * (1 + len(source)))
    assert all(said in result.stderr for said in ("loading", "making", "deciding", "still deciding"))
    assert ("a result" in result.stderr) is (command == "replay")


def test_a_result_is_decided_and_told(run: Run, tmp_path: Path, session: Write) -> None:
    """Withheld with the reason, or changed with the difference; the result of a blocked call is not spoken of."""
    (tmp_path / "results.py").write_text(
        "from seamlaw import Interceptors, ToolResult, block, replace\n"
        "def hide(result, call):\n"
        "    if call.name == 'a': return block('it is secret')\n"
        "    if call.name == 'b': return replace(ToolResult('*' * len(result.output)))\n"
        "def no_c(call): return block('no') if call.name == 'c' else None\n"
        "bundle = Interceptors(tool_call=[no_c], tool_result=[hide])\n",
        "utf-8",
    )
    lines = [f'{{"tool": "{name}", "arguments": {{}}, "result": {{"output": "k3y"}}}}' for name in "abcd"]
    result = run("replay", session(*lines), "-p", f"{tmp_path}/results.py:bundle")
    a, b, c, d, summary = result.stdout.split("\n\n")
    assert a == "line 1  a  PROCEED\n    result withheld\n  → block    it is secret (hide)"
    assert b == 'line 2  b  PROCEED\n    result changed\n  - /output  "k3y"\n  + /output  "***"\n    changed  by hide'
    assert c == "line 3  c  BLOCK\n  → block    no (no_c)"
    assert d == "line 4  d  PROCEED"
    assert "  withheld    1 of 4 recorded results\n" in summary
    withheld, changed, blocked, _, _ = objects(
        run("replay", session(*lines), "-p", f"{tmp_path}/results.py:bundle", "--json")
    )
    assert withheld["result"]["withheld"] == "[tool result withheld by interceptor: it is secret]"
    assert withheld["result"]["effective"] is None
    assert (changed["result"]["changed"], changed["result"]["effective"]["output"]) == (True, "***")
    assert blocked["result"] is None


def test_json_has_an_object_for_each_event_and_the_summary_last(run: Run, policy: str, session: Write) -> None:
    """Each names the schema; what was proposed and what would run stand beside each other."""
    told = objects(run("replay", session(BASH, PUSH, NO_CALL), "-p", policy, "--json"))
    assert [(each["schema"], each["type"]) for each in told] == [
        ("seamlaw/1", kind) for kind in ("call", "call", "malformed", "summary")
    ]
    bash, push, malformed, summary = told
    assert isinstance(bash.pop("microseconds"), float)
    assert bash == {
        "schema": "seamlaw/1",
        "type": "call",
        "place": "line 1",
        "id": "",
        "tool": "bash",
        "arguments": {"command": "ls"},
        "scope": {"agent": "main"},
        "verdict": "proceed",
        "reason": None,
        "decided_by": None,
        "asks": [],
        "log": [
            {"interceptor": "fill", "kind": "replace", "reason": None, "severity": "low", "gate": False},
            {"interceptor": "seen", "kind": "note", "reason": "a shell", "severity": "low", "gate": True},
        ],
        "effective": {"tool": "bash", "arguments": {"command": "ls", "timeout": 60}},
        "changed": ["/timeout"],
        "governed": True,
        "result": None,
    }
    (asked,) = push["asks"]
    assert len(asked.pop("digest")) == 64
    assert asked == {
        "interceptor": "push",
        "reason": "pushing is public",
        "target": "the owner",
        "timeout_s": 60,
        "severity": "medium",
    }
    assert (malformed["place"], malformed["tool"]) == ("line 3", "bash")
    assert summary["verdicts"] == {"proceed": 1, "ask": 1, "block": 0}


def test_the_json_fields_are_those_that_are_documented(run: Run, policy: str, session: Write) -> None:
    """docs/command-line.md names every field of every object."""
    page = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text("utf-8")
    for each in objects(run("replay", session(BASH, NO_CALL), "-p", policy, "--json")):
        assert [key for key in each if f"`{key}`" not in page and f'"{key}"' not in page] == []
    (told,) = objects(run("explain", "-p", policy, "--call", BASH, "--json"))
    assert [key for key in (*told, *told["steps"][0]) if f"`{key}`" not in page and f'"{key}"' not in page] == []


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 2**53 + 1, 2**64 + 1, 10**300])
def test_integers_keep_every_digit(run: Run, policy: str, session: Write, number: int) -> None:
    """In both outputs, however large."""
    path = session(f'{{"tool": "bash", "arguments": {{"id": {number}}}}}')
    (call, _) = objects(run("replay", path, "-p", policy, "--json"))
    assert call["effective"]["arguments"]["id"] == number
    assert f"  {number}\n" in run("replay", path, "-p", policy, "--full").stdout


def test_long_values_are_cut_so_that_the_change_shows(run: Run, tmp_path: Path, session: Write) -> None:
    """Lines fit; the first difference is among what is shown; `--full` shows all."""
    (tmp_path / "rewrite.py").write_text(
        "from seamlaw import ToolCall, replace\n"
        "def rewrite(call): return replace(ToolCall(call.id, call.name, {'text': 'a' * 500 + 'NEW' + 'b' * 500}))\n",
        "utf-8",
    )
    path = session(json.dumps({"tool": "t", "arguments": {"text": "a" * 500 + "OLD" + "b" * 500}}))
    command = ("replay", path, "-p", f"{tmp_path}/rewrite.py:rewrite")
    told = run(*command).stdout
    assert max(map(len, told.splitlines())) <= 100
    assert "OLD" in told
    assert "NEW" in told
    assert "a" * 500 + "NEW" + "b" * 500 in run(*command, "--full").stdout


def test_many_arguments_are_counted_and_changed_ones_are_shown(run: Run, policy: str, session: Write) -> None:
    """A dozen lines and the changes."""
    path = session(json.dumps({"tool": "bash", "arguments": {f"k{n:02}": n for n in range(40)}}))
    told = run("replay", path, "-p", policy).stdout
    assert ("/k11 " in told, "/k12 " in told, "+ /timeout" in told) == (True, False, True)
    assert "… and 28 more" in told


def test_the_scope_can_be_said(run: Run, tmp_path: Path, session: Write) -> None:
    """`--agent`, `--role` and `--session` go before what is recorded."""
    (tmp_path / "p.toml").write_text('[[rules]]\nrefuse = "no"\nagents = ["other"]', "utf-8")
    command = ("replay", session(BASH), "-p", f"{tmp_path}/p.toml", "--json")
    assert objects(run(*command))[0]["verdict"] == "proceed"
    told = objects(run(*command, "--agent", "other", "--role", "guest", "--session", "s"))[0]
    assert told["verdict"] == "block"
    assert told["scope"] == {"session": "s", "agent": "other", "role": "guest"}


def test_standard_input_is_a_session_too(run: Run, policy: str) -> None:
    """`-` reads it."""
    assert "1 call (seamlaw)" in run("replay", "-", "-p", policy, stdin=RM + "\n").stdout


def test_several_policies_are_merged(run: Run, policy: str, tmp_path: Path, session: Write) -> None:
    """Each `--policy` adds its rules."""
    (tmp_path / "p.json").write_text('{"rules": [{"refuse": "no shells", "tools": ["*sh"]}]}', "utf-8")
    result = run("replay", session(BASH, RM), "-p", policy, "-p", f"{tmp_path}/p.json")
    assert "no shells (p.json:1)" in result.stdout
    assert "nothing is removed (no-rm)" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["replay", "{session}"], "Missing option '--policy'"),
        (["replay", "{folder}/none.jsonl", "-p", "{policy}"], "does not exist"),
        (["replay", "{folder}", "-p", "{policy}"], "is a directory"),
        (["replay", "{session}", "-p", "{folder}/none.toml"], "none.toml: No such file or directory"),
        (["replay", "{session}", "-p", "policy"], "policy: no known kind of policy"),
        (["replay", "{session}", "-p", "{policy}", "--shape", "none"], "No shape has the name that was asked for"),
        (["replay", "{policy}", "-p", "{policy}"], "No known session"),
        (["replay", "{session}", "-p", "{policy}", "--asks", "maybe"], "'maybe' is not one of"),
        (["replay", "{session}", "-p", "{policy}", "--jsn"], "No such option"),
        (["repaly"], "No such command"),
    ],
)  # fmt: skip
def test_a_mistake_of_the_caller_is_exit_code_2(
    run: Run, policy: str, session: Write, tmp_path: Path, arguments: list[str], told: str
) -> None:
    """It is told on standard error, and nothing is decided."""
    path = session(RM)
    result = run(*(a.format(session=path, folder=tmp_path, policy=policy) for a in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


@pytest.mark.slow
def test_a_long_session_is_played_in_constant_memory(run: Run, policy: str, tmp_path: Path) -> None:
    """Ten times the calls need no more memory: 10,000 lines of half a kilobyte, each with its result."""
    from seamlaw_host.cli._replay import _played
    from seamlaw_host.cli._screen import Screen
    from seamlaw_host.policies import load_policy
    from seamlaw_host.replay import Judge, Tally
    from seamlaw_host.sessions import read_session

    judge = Judge(load_policy(policy))

    def peak(calls: int) -> int:
        path = tmp_path / f"{calls}.jsonl"
        with path.open("w") as file:
            for number in range(calls):
                said = {"command": f"echo {number}", "text": "x" * 400}
                file.write(json.dumps({"tool": "bash", "arguments": said, "result": {"output": number}}) + "\n")
        tally = Tally()
        tracemalloc.start()
        for _ in _played(read_session(path), judge, tally, Screen()):
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert tally.calls == calls
        return most

    peak(10)  # what is imported and remembered once
    assert peak(10_000) < peak(1_000) + 200_000
