"""Each call has a line before it runs, and one after; none has a secret, and without a line there is no call."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.redaction.made import TOKENS
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Scope, ToolCall, ToolResult, canonical, decide, observe
from seamlaw_packs.audit_log import AuditLog
from seamlaw_packs.errors import InvalidPack

SCOPE = Scope(session="s-1", agent="coder", role="worker", chain=("lead", "coder"))
CALL = ToolCall("7", "bash", {"command": "ls"})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def audited(call: ToolCall, *results: ToolResult, scope: Scope | None = SCOPE, **options: Any) -> list[dict[str, Any]]:
    """Decide a call, and end it; give the lines."""
    lines = list[str]()
    bundle = AuditLog(write=lines.append, clock=lambda: 0.0, **options).interceptors()
    assert decide(bundle, TOOL_CALL, call, scope=scope).log == ()
    for result in results:
        assert observe(bundle, TOOL_CALL, call, result, scope=scope) == ()
    return [json.loads(line) for line in lines]


def test_a_call_has_a_line_before_and_one_after() -> None:
    """With who called, what, and what came of it."""
    who = {"session": "s-1", "agent": "coder", "role": "worker", "chain": ["lead", "coder"]}
    at = {"at": "1970-01-01T00:00:00.000+00:00", "id": "7", "tool": "bash", **who}
    assert audited(CALL, ToolResult("a.py"), ToolResult(error="no")) == [
        {**at, "event": "call", "arguments": {"command": "ls"}},
        {**at, "event": "ok", "output": "a.py"},
        {**at, "event": "failed", "error": "no"},
    ]
    assert audited(CALL, scope=None)[0].keys() == {"at", "event", "id", "tool", "arguments"}


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4), JSON)
def test_whatever_is_called_and_given_back_is_one_line_each(arguments: dict[str, Any], output: object) -> None:
    """A line has no line feed in it, and reads as the canonical JSON of what was called."""
    lines = list[str]()
    bundle = AuditLog(write=lines.append).interceptors()
    call = ToolCall("1", "t", arguments)
    decide(bundle, TOOL_CALL, call)
    assert observe(bundle, TOOL_CALL, call, ToolResult(output)) == ()
    assert [line.count("\n") for line in lines] == [0, 0]
    read = [json.loads(canonical(value) or "") for value in (arguments, output)]
    assert [json.loads(lines[0])["arguments"], json.loads(lines[1])["output"]] == read


@pytest.mark.parametrize("token", [token for _, token in TOKENS])
def test_no_line_has_a_secret(token: str) -> None:
    """In arguments, keys, outputs, errors, and in the id, the name and the scope."""
    call = ToolCall(token, f"tool {token}", {"a": [token], "k": {token: 1}})
    scope = Scope(session=token, agent=token, chain=(token,))
    lines = audited(call, ToolResult({"x": token}), ToolResult(error=f"failed: {token}"), scope=scope)
    assert token not in json.dumps(lines)
    assert len(lines) == 3


def test_what_is_long_or_no_json_is_only_named() -> None:
    """By its number of characters, or its class."""
    lines = audited(ToolCall("1", "t", {"x": "y" * 50}), ToolResult("z" * 50), ToolResult(Path("a")), longest=20)
    assert [line.get("arguments", line.get("output")) for line in lines] == [
        "[58 characters]",
        "[52 characters]",
        f"[{type(Path('a')).__name__}]",
    ]


def test_without_a_line_there_is_no_call(tmp_path: Path) -> None:
    """A full disk, a folder that is not there, a function that raises: the call is blocked, and nothing is quoted."""

    def full(line: str) -> None:
        raise OSError("no space left")

    for pack in (AuditLog(tmp_path / "missing" / "log"), AuditLog(tmp_path), AuditLog(write=full)):
        outcome = decide(pack.interceptors(), TOOL_CALL, CALL)
        assert not outcome.proceeds
        assert "audit_log raised" in outcome.reason


def test_a_line_that_is_written_in_part_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a line is no record."""

    def in_part(file: int, raw: bytes) -> int:
        return len(raw) - 1

    monkeypatch.setattr(os, "write", in_part)
    assert not decide(AuditLog(tmp_path / "log").interceptors(), TOOL_CALL, CALL).proceeds


def test_a_result_stands_though_its_line_cannot_be_written() -> None:
    """A limit: an observer only watches; what it raised is told to the host."""
    lines = list[str]()

    def once(line: str) -> None:
        if lines:
            raise OSError("full")
        lines.append(line)

    bundle = AuditLog(write=once).interceptors()
    assert decide(bundle, TOOL_CALL, CALL).proceeds
    (fault,) = observe(bundle, TOOL_CALL, CALL, ToolResult("x"))
    assert fault.interceptor == "audit_log"


def test_many_threads_write_whole_lines_to_a_file_of_the_owner(tmp_path: Path) -> None:
    """Also after it was moved away."""
    path = tmp_path / "audit.jsonl"
    bundle = AuditLog(path).interceptors()

    def run(number: int) -> None:
        decide(bundle, TOOL_CALL, ToolCall(str(number), "t", {"x": "y" * 5_000}))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(run, range(200)))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert sorted(int(line["id"]) for line in lines) == list(range(200))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.rename(tmp_path / "audit.1.jsonl")
    decide(bundle, TOOL_CALL, CALL)
    assert len(path.read_text("utf-8").splitlines()) == 1


def test_only_the_tools_that_are_named_are_written() -> None:
    """And unless some are, all."""
    assert audited(CALL, ToolResult("x"), tools="read_*") == []


def test_a_call_that_another_gate_blocks_has_a_line_too() -> None:
    """A limit: it says what was asked for, and not what was decided."""
    assert [line["event"] for line in audited(CALL)] == ["call"]


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({}, "path"),
        ({"path": "a", "write": print}, "path"),
        ({"path": ""}, "path"),
        ({"path": 7}, "path"),
        ({"write": 7}, "write"),
        ({"path": "a", "tools": []}, "tools"),
        ({"path": "a", "longest": -1}, "longest"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        AuditLog(**options)
    assert raised.value.place == place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green; the gate never says anything, as it should."""
    assert broken(lambda: AuditLog(write=lambda line: None)) == ["tool_call: audit_log never said anything"]
