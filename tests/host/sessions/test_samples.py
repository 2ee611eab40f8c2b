"""Every genuine recording is read whole: what is expected was counted in the raw file, without a parser."""

import re
from collections import Counter
from pathlib import Path

import pytest

from seamlaw_host.sessions import Event, Malformed, Recorded, read_session

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

# shape, calls, calls with a result, results that are errors
EXPECTED = {
    "anthropic_messages.json": ("anthropic messages", 10, 10, 2),
    "anthropic_messages.jsonl": ("anthropic messages", 10, 10, 2),
    "anthropic_messages.wrapped.json": ("anthropic messages", 10, 10, 2),
    "claude_code.hooks.jsonl": ("claude-code hooks", 16, 14, 1),
    "claude_code.stream.jsonl": ("claude-code stream", 17, 17, 4),
    "claude_code.subagent.jsonl": ("claude-code transcript", 1, 1, 0),
    "claude_code.transcript.jsonl": ("claude-code transcript", 16, 16, 4),
    "claude_code_1.hooks.jsonl": ("claude-code hooks", 16, 13, 0),
    "claude_code_1.stream.jsonl": ("claude-code stream", 17, 17, 4),
    "claude_code_1.transcript.jsonl": ("claude-code transcript", 17, 17, 4),
    "claude_code_guarded.hooks.jsonl": ("claude-code hooks", 4, 2, 0),
    "claude_code_guarded.stream.jsonl": ("claude-code stream", 4, 4, 2),
    "claude_code_guarded.transcript.jsonl": ("claude-code transcript", 4, 4, 2),
    "mcp_filesystem.envelope.jsonl": ("mcp", 8, 8, 2),
    "mcp_filesystem.jsonl": ("mcp", 8, 8, 2),
    "mcp_python.envelope.jsonl": ("mcp", 7, 7, 3),
    "mcp_python.jsonl": ("mcp", 7, 7, 3),
    "mcp_python_2026.envelope.jsonl": ("mcp", 7, 7, 3),
    "openai_chat.json": ("openai chat", 10, 10, 0),
    "openai_chat.jsonl": ("openai chat", 10, 10, 0),
    "openai_chat.wrapped.json": ("openai chat", 10, 10, 0),
    "openai_responses.json": ("openai responses", 10, 10, 0),
}


def events(name: str) -> list[Event]:
    """Read a sample."""
    return list(read_session(SAMPLES / name).events)


def calls(name: str) -> list[Recorded]:
    """Read a sample's calls."""
    return [event for event in events(name) if isinstance(event, Recorded)]


def test_every_sample_is_expected() -> None:
    """A sample that is added is read by these tests."""
    assert sorted(path.name for path in SAMPLES.glob("*.json*")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_is_read_whole(name: str) -> None:
    """Shape, calls, joined results and errors are as counted, and nothing is malformed."""
    session = read_session(SAMPLES / name)
    read = list(session.events)
    recorded = [event for event in read if isinstance(event, Recorded)]
    results = [event.result for event in recorded if event.result is not None]
    errors = [result for result in results if result.error is not None]
    assert [event for event in read if isinstance(event, Malformed)] == []
    assert (session.shape, len(recorded), len(results), len(errors)) == EXPECTED[name]


@pytest.mark.parametrize("name", [name for name in EXPECTED if "hooks" not in name and "mcp" not in name])
def test_the_calls_are_those_a_search_for_ids_finds(name: str) -> None:
    """The ids of the calls, in order, are those the raw text has beside a tool's name."""
    text = (SAMPLES / name).read_text("utf-8")
    if "openai_responses" in name:
        found = re.findall(r'"call_id": "(\w+)",\s*"name"', text)
    elif "openai" in name:
        found = re.findall(r'"id": "(call_\w+)"', text)
    else:
        found = re.findall(r'"id": ?"(toolu_\w+)",\s*(?="(?:name|caller)")', text)
    assert [recorded.call.id for recorded in calls(name)] == [id for id in found if id]


@pytest.mark.parametrize("name", [name for name in EXPECTED if "hooks" not in name and "mcp" not in name])
def test_every_result_in_the_text_is_joined_to_the_call_with_its_id(name: str) -> None:
    """Each id that a result names has one call, and that call has a result, from a later place."""
    text = (SAMPLES / name).read_text("utf-8")
    named = re.findall(r'"(?:tool_use_id|tool_call_id)": ?"(\w+)"', text)
    named += re.findall(r'"function_call_output",\s*"call_id": "(\w+)"', text)
    joined = {recorded.call.id for recorded in calls(name) if recorded.result is not None}
    assert set(named) == joined
    for recorded in calls(name):
        assert recorded.result_place is not None
        assert number(recorded.place) < number(recorded.result_place)


def number(place: str) -> int:
    """Take the number out of a place."""
    return int(place.split()[-1])


@pytest.mark.parametrize("name", [name for name in EXPECTED if "hooks" in name])
def test_hooks_are_counted_by_their_names(name: str) -> None:
    """A PreToolUse is a call, in its place; a PostToolUse or its failure is a result; PermissionRequest is neither."""
    lines = (SAMPLES / name).read_text("utf-8").splitlines()
    before = [f"line {at}" for at, line in enumerate(lines, 1) if '"hook_event_name": "PreToolUse"' in line]
    after = [f"line {at}" for at, line in enumerate(lines, 1) if '"hook_event_name": "PostToolUse' in line]
    assert [recorded.place for recorded in calls(name)] == before
    assert sorted(recorded.result_place or "" for recorded in calls(name) if recorded.result) == sorted(after)


@pytest.mark.parametrize("name", [name for name in EXPECTED if "mcp" in name])
def test_mcp_calls_are_counted_by_their_method(name: str) -> None:
    """Each tools/call is a call with its JSON-RPC id as text, and the next line with that id is its result."""
    lines = enumerate((SAMPLES / name).read_text("utf-8").splitlines(), 1)
    numbered = [(f"line {at}", match[1], line) for at, line in lines if (match := re.search(r'"id": (\d+)', line))]
    asked = {id: place for place, id, line in numbered if '"method": "tools/call"' in line}
    answers = {id: place for place, id, line in numbered if id in asked and '"method"' not in line}
    found = [(one.place, one.call.id, one.result_place) for one in calls(name)]
    assert found == [(place, id, answers[id]) for id, place in asked.items()]


def test_the_three_views_of_one_session_agree() -> None:
    """Hooks, transcripts and stream of one run have the same calls, but for the one no hook ran for."""
    hooks, stream = calls("claude_code.hooks.jsonl"), calls("claude_code.stream.jsonl")
    transcripts = calls("claude_code.transcript.jsonl") + calls("claude_code.subagent.jsonl")
    assert Counter(one.call.id for one in transcripts) == Counter(one.call.id for one in stream)
    unhooked = {one.call.id: one for one in stream}.keys() - {one.call.id for one in hooks}
    assert [one.call.arguments["old_string"] for one in stream if one.call.id in unhooked] == ["no such text"]


def test_one_conversation_reads_alike_in_each_of_its_files() -> None:
    """A list, a request and lines hold the same calls and results."""
    for stem in ("openai_chat", "anthropic_messages"):
        listed, wrapped, lined = (calls(f"{stem}{end}") for end in (".json", ".wrapped.json", ".jsonl"))
        first = [(one.call, one.result) for one in listed]
        assert [(one.call, one.result) for one in wrapped] == first
        assert [(one.call, one.result) for one in lined] == first
    bare, enveloped = calls("mcp_filesystem.jsonl"), calls("mcp_filesystem.envelope.jsonl")
    assert bare == enveloped


def test_providers_forms_of_one_task_hold_the_same_calls() -> None:
    """Names and arguments are the same in chat messages, response items and Anthropic's messages."""
    chat, items, blocks = (
        [(one.call.name, one.call.arguments) for one in calls(name)]
        for name in ("openai_chat.json", "openai_responses.json", "anthropic_messages.json")
    )
    assert chat == items == blocks


def test_a_subagents_calls_are_its_own() -> None:
    """The sub-agent's call is scoped to it, by its type where the client tells, in every view."""
    for name in ("hooks", "stream", "subagent"):
        agents = [one.scope.agent for one in calls(f"claude_code.{name}.jsonl") if one.scope.agent]
        assert agents == ["general-purpose"]
    older = calls("claude_code_1.transcript.jsonl") + calls("claude_code_1.stream.jsonl")
    assert [one.scope.agent for one in older if one.scope.agent] == ["subagent", "subagent"]


def test_a_rewritten_call_is_kept_as_proposed() -> None:
    """Where a hook changed the input, the call has the old and the result's metadata the new one."""
    rewritten = [one for one in calls("claude_code_guarded.hooks.jsonl") if one.result and one.result.metadata]
    ran = [
        (one.call.arguments["command"], one.result.metadata.get("executed_arguments"))
        for one in rewritten
        if one.result
    ]
    assert ran == [
        ("git status --short", None),
        ("git log --oneline", {"command": "git log --oneline -n 5", "description": "Show history"}),
    ]


def test_scopes_name_session_and_server() -> None:
    """Claude Code's sessions and MCP servers are told."""
    (session,) = {one.scope.session for one in calls("claude_code.hooks.jsonl")}
    assert session == "b882f69c-a6ca-4fa7-b50c-0e21c66ee3dc"
    assert {one.scope.domain for one in calls("mcp_filesystem.jsonl")} == {"secure-filesystem-server"}
    assert {one.scope.domain for one in calls("mcp_python_2026.envelope.jsonl")} == {"workbench"}
    files = [one.call.name for one in calls("claude_code.hooks.jsonl") if one.scope.domain == "files"]
    assert files == ["mcp__files__read_text_file"]
