"""`seamlaw hook` as a process: it answers its agent, and whatever goes wrong blocks."""

import fcntl
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seamlaw_host.ledger import read_ledger, verify
from seamlaw_host.policies import load_policy
from seamlaw_host.policies._hash import hash_of

ROOT = Path(__file__).resolve().parents[3]
POLICY = str(ROOT / "examples/policies/coding_agent.toml")
HOOK = [sys.executable, "-m", "seamlaw_host", "hook", "claude-code"]
CALL: dict[str, Any] = {
    "session_id": "s-1",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "rm -rf /"},
    "tool_use_id": "t-1",
}
Ran = subprocess.CompletedProcess[bytes]


def hook(given: bytes | dict[str, Any], *arguments: str, policy: str = POLICY, **options: Any) -> Ran:
    """Run a hook to its end."""
    event = given if isinstance(given, bytes) else json.dumps(given).encode()
    command = [*HOOK, "--policy", policy, *arguments]
    return subprocess.run(command, input=event, capture_output=True, check=False, **options)


def blocks(ran: Ran, why: str) -> None:
    """The agent is told by the exit code, and why on standard error alone."""
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"seamlaw: ")
    assert why in ran.stderr.decode()
    assert b"Traceback" not in ran.stderr


def test_what_is_decided_is_answered_in_json() -> None:
    """With exit code 0, which is what the agent reads JSON with."""
    ran = hook(CALL)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_what_may_run_is_left_to_the_agent() -> None:
    """Not a byte is said."""
    ran = hook({**CALL, "tool_name": "Read", "tool_input": {"file_path": "/tmp/demo/a"}})
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"[]", "no object"),
        (b"\xff{}", "not UTF-8"),
        (b'{"hook_event_name": 7}', "no text hook_event_name"),
        (b'{"hook_event_name": "PreToolUse", "hook_event_name": "SessionStart"}', "given twice"),
        (json.dumps(CALL).replace("rm -rf /", 'x", "command": "y').encode(), "given twice"),
        (json.dumps(CALL | {"tool_input": {"n": float("nan")}}).encode(), "NaN is no JSON"),
        (json.dumps(CALL | {"tool_input": {"n": 0}}).replace("0}", "1e999}").encode(), "cannot be carried"),
        (json.dumps(CALL | {"tool_input": "rm -rf /"}).encode(), "tool_input is no object"),
        (json.dumps(CALL | {"tool_input": {"command": "\ud800"}}).encode(), "cannot be carried"),
        (json.dumps({**CALL, "tool_name": None}).encode(), "no text tool_name"),
        (json.dumps({**CALL, "session_id": []}).encode(), "no text session_id"),
        (json.dumps({**CALL, "hook_event_name": "PreToolUseV2"}).encode(), "not known"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_an_event_that_cannot_be_read_blocks(given: bytes, why: str) -> None:
    """Whatever it may have been."""
    blocks(hook(given), why)


CODE = """
import os, subprocess, sys, time
from seamlaw import Interceptors, gate
def crash(call): raise KeyError("s3cret")
def leave(call): sys.exit(0)
def stop(call): raise KeyboardInterrupt
def slow(call): time.sleep(60)
def noisy(call):
    print("{")
    os.write(1, b"{")
    subprocess.run(["echo", "{"])
def made(): raise SystemExit(0)
count = 7
"""


@pytest.fixture
def code(tmp_path: Path) -> Callable[[str], str]:
    """A policy in Python, by the name of its object."""
    (tmp_path / "rules.py").write_text(CODE, "utf-8")
    return lambda name: f"{tmp_path}/rules.py:{name}"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("leave", "SystemExit was raised"),
        ("stop", "KeyboardInterrupt was raised"),
        ("made", "SystemExit"),
        ("count", "rules.py:count"),
        ("nothing", "rules.py:nothing"),
    ],
)
def test_a_policy_that_cannot_answer_blocks(code: Callable[[str], str], name: str, why: str) -> None:
    """Also one that exits, with the code 0 that would read as "go on"."""
    blocks(hook(CALL, policy=code(name)), why)


@pytest.mark.parametrize("text", [None, "", "[[rules]]\nrefuse = 1", "rules = ["])
def test_a_policy_that_is_not_there_or_no_policy_blocks(tmp_path: Path, text: str | None) -> None:
    """Nothing passes because of a typing error."""
    if text is not None:
        (tmp_path / "p.toml").write_text(text, "utf-8")
    blocks(hook(CALL, policy=f"{tmp_path}/p.toml"), "p.toml")


def test_modules_in_the_folder_of_the_agent_are_no_policy(tmp_path: Path) -> None:
    """The agent writes there: it would be the author of its own policy."""
    (tmp_path / "my_rules.py").write_text("def rule(call): return None\n", "utf-8")
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}  # as it is for the script `seamlaw`
    blocks(hook(CALL, policy="my_rules:rule", cwd=tmp_path, env=environment), "my_rules")


def test_what_a_policy_prints_does_not_spoil_the_answer(code: Callable[[str], str]) -> None:
    """Nor what a program says that it starts: one stray line, and the agent would take JSON for text, and go on."""
    ran = hook(CALL, "--policy", POLICY, policy=code("noisy"))
    assert json.loads(ran.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert ran.stderr.count(b"{") == 3


def test_a_gate_that_takes_too_long_blocks(code: Callable[[str], str]) -> None:
    """Before the agent loses patience, and goes on."""
    begun = time.monotonic()
    blocks(hook(CALL, "--deadline", "0.4", policy=code("slow")), "longer than its deadline")
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("argument", ["--no-such-option", "--deadline=nan", "--deadline=inf", "--rewritten=never"])
def test_a_mistake_in_the_settings_blocks(argument: str) -> None:
    """With the code 2 that says so to an agent."""
    ran = hook(CALL, argument)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert subprocess.run(HOOK, input=b"{}", capture_output=True, check=False).returncode == 2
    assert subprocess.run([*HOOK[:-1], "copilot"], input=b"{}", capture_output=True, check=False).returncode == 2


@pytest.mark.parametrize("broken", ["seamlaw", "attrs", "seamlaw_host.policies", "json"])
def test_an_installation_that_does_not_work_blocks(broken: str) -> None:
    """What cannot be imported cannot decide."""
    lines = f"import sys; sys.modules[{broken!r}] = None; sys.argv[1:] = {[*HOOK[3:], '-p', POLICY]}"
    code = f"{lines}\nfrom seamlaw_host.cli import main\nmain()"
    blocks(subprocess.run([sys.executable, "-c", code], input=b"{}", capture_output=True, check=False), "was raised")


@pytest.mark.parametrize("closing", ["<&-", ">&-"])
def test_a_stream_that_is_closed_blocks(closing: str) -> None:
    """There is no event, or nobody to answer."""
    line = f"{' '.join(HOOK)} -p {POLICY} {closing}"
    ran = subprocess.run(["/bin/sh", "-c", line], input=json.dumps(CALL).encode(), capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"closed" in ran.stderr


def test_a_reader_who_has_left_is_no_permission() -> None:
    """The answer went nowhere."""
    ours, theirs = os.pipe()
    os.close(ours)
    command = [*HOOK, "--policy", POLICY]
    ran = subprocess.run(command, input=json.dumps(CALL).encode(), stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    assert ran.returncode == 2


def test_where_a_block_would_protect_nobody_a_failure_does_not_block() -> None:
    """An agent that could not stop would go on for ever."""
    ran = hook({"hook_event_name": "Stop", "session_id": "s-1"}, policy="/nowhere/p.toml")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert b"/nowhere/p.toml" in ran.stderr


def test_limits_that_count_in_memory_are_refused(tmp_path: Path) -> None:
    """Each hook is a process of its own: such a limit would never be reached."""
    code = "from seamlaw_host.state import *\nlimit = rate_limit(MemoryState(), 1, 60.0, name='once a minute')\n"
    (tmp_path / "limit.py").write_text(code, "utf-8")
    blocks(hook(CALL, policy=f"{tmp_path}/limit.py:limit"), "once a minute counts in memory")
    (tmp_path / "limit.toml").write_text("[packs.rate_limit]\nlimit = 1\nper_s = 60\n", "utf-8")
    blocks(hook(CALL, policy=f"{tmp_path}/limit.toml"), 'a RedisState, or state = "redis://…"')


# With a ledger


def test_each_decision_is_recorded_before_it_is_told(tmp_path: Path) -> None:
    """A call and its result, with who decided; several hooks at once share the file."""
    ledger = tmp_path / "audit.jsonl"
    events = [CALL, {**CALL, "tool_input": {"command": "ls"}}]
    events.append({**events[1], "hook_event_name": "PostToolUse", "tool_response": {"stdout": "a"}, "duration_ms": 5})
    command = [*HOOK, "--policy", POLICY, "--ledger", str(ledger)]
    ran = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in events]
    for process, event in zip(ran, events, strict=True):
        process.communicate(json.dumps(event).encode(), timeout=60)
    assert [process.returncode for process in ran] == [0, 0, 0]
    found_in: Any = list(read_ledger(ledger))
    records: Any = sorted((found[1] for found in found_in), key=lambda record: (record.seam, record.verdict))
    assert [(record.seam, record.verdict, record.executed) for record in records] == [
        ("tool_call", "block", False),
        ("tool_call", "proceed", False),
        ("tool_result", "proceed", True),
    ]
    assert {(record.session, record.tool, record.attempt) for record in records} == {("s-1", "Bash", "s-1/t-1")}
    assert {record.policy_hash for record in records} == {hash_of(load_policy(POLICY))}
    assert verify(ledger).ok


def test_what_cannot_be_recorded_is_blocked(tmp_path: Path) -> None:
    """No folder for the ledger, another thing in its place, or somebody else who writes to it."""
    blocks(hook(CALL, "--ledger", "/proc/nowhere/audit.jsonl"), "/proc/nowhere")
    (tmp_path / "notes.txt").write_text("hello\n", "utf-8")
    blocks(hook(CALL, "--ledger", str(tmp_path / "notes.txt")), "notes.txt")
    with (tmp_path / "audit.jsonl.head").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        blocks(hook(CALL, "--ledger", f"{tmp_path}/audit.jsonl", "--deadline", "1"), "")


# Set up


def installed(agent: str, *arguments: str) -> dict[str, Any]:
    """The settings that are printed."""
    command = [*HOOK[:-1], agent, "-p", POLICY, "--install", *arguments]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    hooks: dict[str, Any] = json.loads(ran.stdout)["hooks"]
    return hooks


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_the_settings_that_are_printed_work(agent: str, tmp_path: Path) -> None:
    """The command in them denies what the policy denies, from any folder."""
    hooks = installed(agent, "--ledger", f"{tmp_path}/a.jsonl", "--role", "a b")
    assert {"PreToolUse", "PostToolUse", "SessionStart"} <= hooks.keys()
    (group,) = hooks["PreToolUse"]
    (handler,) = group["hooks"]
    ran = subprocess.run(
        ["/bin/sh", "-c", handler["command"]],
        input=json.dumps(CALL).encode(),
        capture_output=True,
        cwd="/",
        check=False,
    )
    assert (ran.returncode, json.loads(ran.stdout)["hookSpecificOutput"]["permissionDecision"]) == (0, "deny")
    assert (tmp_path / "a.jsonl").exists()


def test_a_program_that_is_gone_blocks_too() -> None:
    """A shell ends with 127 then, which alone would let the call run; and the reason is told, which Codex needs."""
    command = installed("codex")["PreToolUse"][0]["hooks"][0]["command"]
    gone = "/nowhere/" + command[1:]
    ran = subprocess.run(["/bin/sh", "-c", gone], input=b"{}", capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"seamlaw hook could not run" in ran.stderr


def test_only_events_that_the_policy_is_about_are_asked_for() -> None:
    """Each costs a start; and where a block protects nobody, a failure is not turned into one."""
    hooks = installed("claude-code")
    assert set(hooks) == {"PreToolUse", "SessionStart"}
    assert "exit 2" not in hooks["SessionStart"][0]["hooks"][0]["command"]


def test_at_the_start_of_a_session_the_user_is_told_what_is_not_enforced(tmp_path: Path) -> None:
    """Where they see it, and not only who installed it."""
    (tmp_path / "p.py").write_text("from seamlaw import *\np = Interceptors(memory=[lambda items: None])\n", "utf-8")
    start = {"hook_event_name": "SessionStart", "session_id": "s-1"}
    ran = hook(start, policy=f"{tmp_path}/p.py:p")
    assert "nobody is asked at memory" in json.loads(ran.stdout)["systemMessage"]
    assert hook(start).stdout == b""


# What it costs


def cost_ms(command: list[str]) -> float:
    """The least processor time of a few runs: whatever else the machine does only adds to it."""
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, input=json.dumps(CALL).encode(), capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best * 1000


def test_it_starts_in_under_150_ms() -> None:
    """Decided and done, policy and all; on a slow machine in no more than 15 bare starts of Python."""
    bare = cost_ms([sys.executable, "-c", "pass"])
    assert cost_ms([*HOOK, "--policy", POLICY]) < max(150.0, 15 * bare)


def test_it_imports_nothing_that_it_does_not_need() -> None:
    """Neither what the other commands need, nor the ledger, nor what loads policies in Python."""
    code = f"import sys; sys.argv[1:] = {[*HOOK[3:], '-p', POLICY]}\nfrom seamlaw_host.hooks._run import main\n"
    told = subprocess.run(
        [sys.executable, "-c", f"{code}main(sys.argv[2:])\nprint(*sys.modules, file=sys.stderr)"],
        input=json.dumps(CALL).encode(),
        capture_output=True,
        check=True,
    ).stderr.decode()
    loaded = {name.split(".")[0] for name in told.split()}
    assert "seamlaw" in loaded
    assert not {"click", "rich", "msgspec", "asyncio", "seamlaw_spec", "seamlaw_packs", "ruamel"} & loaded
    assert "seamlaw_host.ledger" not in told.split()
