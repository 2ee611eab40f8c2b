"""`seamlaw fixtures`: what was decided becomes a file of tests, which passes and is nothing but data."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.host.ledger.made import Times, call, decided, finished, happened, ledger

from seamlaw import TOOL_CALL, TOOL_RESULT, Scope, ToolCall, ToolResult, block, decide
from seamlaw_host.ledger import JsonlSink, SqlSink
from seamlaw_host.policies import load_policies

Run = Callable[..., Result]
ROOT = Path(__file__).resolve().parents[3]
POLICY = """\
from seamlaw import Interceptors, ask, block, gate, replace, ToolCall
from seamlaw_host.engine import context

@gate(tools="rm", name="no-rm")
def no_rm(call):
    return block("nothing is removed")

@gate(tools="push", name="public")
def public(call):
    return ask("pushing is public", target="slack://ops")

@gate(tools="count", name="twice")
def twice(call):
    return block("only twice") if context().step > 2 else None

def fill(call):
    if call.name == "bash" and "timeout" not in call.arguments:
        return replace(ToolCall(call.id, call.name, {**call.arguments, "timeout": 60}))

@gate(name="secret")
def secret(result, call):
    return block("a secret") if "secret" in repr(result.output) else None

bundle = Interceptors(tool_call=[fill, no_rm, public, twice], tool_result=[secret])
"""


@pytest.fixture(name="source")
def _source(tmp_path: Path) -> str:
    """A policy, as the command line names it."""
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "mine.py").write_text(POLICY)
    return f"{tmp_path / 'policies' / 'mine.py'}:bundle"


def record(made: Any, source: str, *calls: tuple[ToolCall, object], scope: Scope | None = None) -> None:
    """Decide calls as a host does, and append what happened."""
    bundle, who = load_policies(source), scope or Scope(session="s", agent="a", chain=("lead", "a"))
    for number, (proposed, output) in enumerate(calls):
        more: dict[str, Any] = {"scope": who, "attempt": f"{who.session} {number}"}
        if proposed.name == "count":  # what needs an engine: the first two calls of a session pass
            outcome = decided(proposed, block("only twice")) if number > 1 else None
            name = "twice"
        else:
            outcome, name = decide(bundle, TOOL_CALL, proposed, scope=who), None
        if outcome is not None and name is not None:
            from attrs import evolve

            outcome = evolve(outcome, interceptor=name)
        made.append(happened(proposed=proposed, outcome=outcome, **more)._replace(**more))
        if outcome is None or outcome.proceeds:
            ran = proposed if outcome is None else outcome.value
            result = decide(bundle, TOOL_RESULT, ToolResult(output), ran, scope=who)
            made.append(finished(1, output, call=ran, outcome=result, scope=who)._replace(**more))


def passes(path: Path, cwd: Path) -> str:
    """Run the file as pytest does, and give its last line."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ended = subprocess.run([*command, "-c", os.devnull], cwd=cwd, env=env, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return re.sub(r" in .*", "", ended.stdout.splitlines()[-1])


CALLS = (
    (call(1), "fine"),
    (ToolCall("2", "rm", {"path": "/"}), None),
    (ToolCall("3", "push", {}), None),
    (call(4), "a secret"),
    (call(5, timeout=7), {"nested": [1, None, 2.5, True]}),
)


@pytest.mark.parametrize("kind", ["file", "database"])
def test_what_was_decided_passes_as_tests(run: Run, tmp_path: Path, source: str, kind: str) -> None:
    """From any folder: blocked, asked, changed, withheld and let through."""
    place = str(tmp_path / "audit.jsonl") if kind == "file" else f"sqlite:///{tmp_path / 'audit.db'}"
    with ledger(JsonlSink(place) if kind == "file" else SqlSink(place)) as made:
        record(made, source, *CALLS)
    output = tmp_path / "tests" / "test_decisions.py"
    output.parent.mkdir()
    result = run("fixtures", place, "--policy", source, "-o", str(output))
    assert (result.exit_code, result.stderr.strip()) == (
        0,
        "5 cases, 0 skipped, 0 decided otherwise now and expected to fail",
    )
    assert passes(output, ROOT) == "5 passed"
    text = output.read_text("utf-8")
    assert "nothing is removed" in text
    assert "'../policies/mine.py') + ':bundle'" in text


def test_a_policy_that_was_broken_fails_the_tests(run: Run, tmp_path: Path, source: str) -> None:
    """That is what they are for: without its rule for `rm` the policy does not pass them any more."""
    with ledger(JsonlSink(tmp_path / "audit.jsonl")) as made:
        record(made, source, *CALLS)
    output = tmp_path / "test_decisions.py"
    run("fixtures", str(tmp_path / "audit.jsonl"), "-p", source, "-o", str(output))
    policy = tmp_path / "policies" / "mine.py"
    policy.write_text(POLICY.replace('tools="rm"', 'tools="remove"'))
    with pytest.raises(AssertionError, match="1 failed, 4 passed"):
        passes(output, ROOT)


def test_what_was_redacted_is_skipped_and_what_differs_is_expected_to_fail(
    run: Run, tmp_path: Path, source: str
) -> None:
    """The file passes all the same, and says of each why."""
    with ledger(JsonlSink(tmp_path / "audit.jsonl"), redactor=Times("hunter2")) as made:
        record(made, source, *CALLS, (call(6, token="hunter2"), "fine"), (call(7), object()))
        other = ToolCall("8", "rm", {"path": "/tmp"})
        made.append(happened(8, proposed=other))
        made.append(happened(9, decided(ToolCall("9", "rm", {"path": "/"}), block("another reason")), proposed=other))
    output = tmp_path / "test_decisions.py"
    result = run("fixtures", str(tmp_path / "audit.jsonl"), "-p", source, "-o", str(output))
    assert "9 cases, 2 skipped, 2 decided otherwise now" in result.stderr
    text = output.read_text("utf-8")
    assert passes(output, ROOT) == "5 passed, 2 skipped, 2 xfailed"
    assert "skip(reason='its call is redacted')" in text
    assert "skip(reason='Python objects in its result are not recorded')" in text
    assert "xfail(strict=True, reason='verdict was proceed, is block')" in text
    assert "hunter2" not in text


def test_digests_alone_make_skipped_cases(run: Run, tmp_path: Path, source: str) -> None:
    """Each names its tool, and why nothing can be decided."""
    with ledger(JsonlSink(tmp_path / "audit.jsonl"), inputs="digests", key=b"k") as made:
        record(made, source, *CALLS)
    output = tmp_path / "test_decisions.py"
    assert run("fixtures", str(tmp_path / "audit.jsonl"), "-p", source, "-o", str(output)).exit_code == 0
    assert re.fullmatch(r"\d skipped", passes(output, ROOT))
    assert "only the digest of its call is recorded" in output.read_text("utf-8")


def test_what_a_policy_asked_about_its_circumstances_is_in_the_case(run: Run, tmp_path: Path, source: str) -> None:
    """A case stands by itself: what was read of the state is told with it, and nothing else of it."""
    with ledger(JsonlSink(tmp_path / "audit.jsonl")) as made:
        record(made, source, *[(ToolCall(str(at), "count", {"at": at}), at) for at in range(3)])
    output = tmp_path / "test_decisions.py"
    run("fixtures", str(tmp_path / "audit.jsonl"), "-p", source, "-o", str(output))
    text = output.read_text("utf-8")
    assert passes(output, ROOT) == "3 passed"
    assert "'state': {'step': 3}" in text


def test_two_that_are_the_same_are_one_case(run: Run, tmp_path: Path, source: str) -> None:
    """And there are at most as many as was said."""
    with ledger(JsonlSink(tmp_path / "audit.jsonl")) as made:
        for _ in range(5):
            record(made, source, *CALLS)
    told = run("fixtures", str(tmp_path / "audit.jsonl"), "-p", source).stderr
    assert told.startswith("5 cases, ")
    told = run("fixtures", str(tmp_path / "audit.jsonl"), "-p", source, "--most", "2").stderr
    assert told.startswith("2 cases, ")
    assert "more were left out" in told


EVIL = '"""\'\'\'); __import__("os").abort()  # {HERE} \\ \n\r\x00 \u2028 \U0001f40d %s {}'


def test_nothing_in_a_record_becomes_code(run: Run, tmp_path: Path, source: str) -> None:
    """Hostile text in every place of a call is a literal in the file, and the file passes."""
    scope = Scope(session=EVIL, agent=EVIL, role=EVIL, trust=EVIL, domain=EVIL, chain=(EVIL, EVIL))
    with ledger(JsonlSink(tmp_path / "audit.jsonl"), redactor=Times("hunter2")) as made:
        record(made, source, (ToolCall(EVIL, EVIL, {EVIL: [EVIL]}), {EVIL: EVIL}), scope=scope)
        record(made, source, (ToolCall(EVIL, EVIL, {EVIL: "hunter2"}), EVIL), scope=scope)
    output = tmp_path / "test_decisions.py"
    run("fixtures", str(tmp_path / "audit.jsonl"), "-p", source, "-o", str(output))
    assert passes(output, ROOT) == "1 passed, 1 skipped"
    tree = ast.parse(output.read_text("utf-8"))
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert called == {
        "Path",
        "Judge",
        "load_policies",
        "str",
        "pytest.param",
        "pytest.mark.parametrize",
        "pytest.mark.skip",
        "decided_again",
    }


def test_what_cannot_be_read_is_told_and_the_rest_is_written(run: Run, tmp_path: Path, source: str) -> None:
    """A bad line costs that line, and the exit code; what is no ledger is refused."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path)) as made:
        record(made, source, *CALLS)
    path.write_bytes(path.read_bytes() + b"hunter2\n")
    result = run("fixtures", str(path), "-p", source)
    assert result.exit_code == 1
    assert "hunter2" not in result.output + result.stderr
    assert "5 cases" in result.stderr
    assert run("fixtures", str(tmp_path / "none"), "-p", source).exit_code == 2
    assert run("fixtures", str(path), "-p", str(tmp_path / "none.toml")).exit_code == 2
