"""Claude Code's three recordings: what the samples do not show."""

from collections.abc import Callable
from typing import Any

import pytest

from seamlaw_host.sessions import Event, Malformed, Recorded

Read = Callable[..., tuple[str, list[Event]]]


def hook(event: str, command: str = "ls", **more: Any) -> dict[str, Any]:
    """Write an event as version 1 did; `more` adds to it."""
    named = {"session_id": "s", "transcript_path": "/t", "hook_event_name": event, "tool_name": "Bash"}
    return {**named, "tool_input": {"command": command}, **more}


def pairs(events: list[Event]) -> list[tuple[str, str | None]]:
    """Give the places of calls and results."""
    return [(event.place, event.result_place if isinstance(event, Recorded) else "malformed") for event in events]


def test_parallel_calls_are_joined_by_id(read: Read) -> None:
    """Whatever the order of their results, and with equal inputs."""
    before = [hook("PreToolUse", tool_use_id=id) for id in ("a", "b")]
    after = [hook("PostToolUse", tool_use_id=id, tool_response=id) for id in ("b", "a")]
    _, events = read(before + after)
    assert pairs(events) == [("line 1", "line 4"), ("line 2", "line 3")]


def test_without_ids_the_oldest_equal_call_has_the_result(read: Read) -> None:
    """Session, tool and input are compared, types included; the order of keys is not."""
    lines = [
        hook("PreToolUse", "ls"),
        hook("PreToolUse", "ls", session_id="other"),
        hook("PreToolUse", tool_input={"a": 1, "b": 2}),
        hook("PreToolUse", tool_input={"b": 2, "a": True}),
        hook("PreToolUse", "ls"),
        hook("PostToolUse", tool_input={"b": 2, "a": 1}, tool_response={}),
        hook("PostToolUse", "ls", tool_response="first"),
        hook("PostToolUse", "ls", tool_response="second"),
    ]
    _, events = read(lines)
    joined = [("line 1", "line 7"), ("line 2", None), ("line 3", "line 6"), ("line 4", None), ("line 5", "line 8")]
    assert pairs(events) == joined


def test_a_result_whose_call_was_not_recorded_is_a_call(read: Read) -> None:
    """A hook may be set for PostToolUse alone; the event has all that a call has."""
    lines = [hook("PostToolUse", tool_use_id="a", tool_response="x"), hook("PostToolUseFailure", error="no")]
    _, (first, second) = read(lines)
    assert isinstance(first, Recorded)
    assert isinstance(second, Recorded)
    assert (first.call.id, first.call.name, first.call.arguments) == ("a", "Bash", {"command": "ls"})
    assert (first.result and first.result.output, second.result and second.result.error) == ("x", "no")
    assert pairs([first, second]) == [("line 1", "line 1"), ("line 2", "line 2")]


@pytest.mark.parametrize("error", [None, ""])
def test_a_failure_without_a_text_is_an_error_still(read: Read, error: object) -> None:
    """And an id that is null is none."""
    lines = [hook(event, tool_use_id=None, error=error) for event in ("PreToolUse", "PreToolUse", "PostToolUseFailure")]
    _, events = read(lines)
    assert pairs(events) == [("line 1", "line 3"), ("line 2", None)]
    assert isinstance(events[0], Recorded)
    assert events[0].result is not None
    assert events[0].result.error == "the tool failed"


def test_such_a_call_is_kept_when_its_result_cannot_be_read(read: Read) -> None:
    """Both are told."""
    _, events = read([hook("PostToolUse", tool_response="\ud800")])
    assert pairs(events) == [("line 1", "line 1"), ("line 1", "malformed")]


def test_other_events_are_no_calls(read: Read) -> None:
    """Permission requests repeat a call; the rest is about no tool."""
    _, events = read([hook(event) for event in ("PermissionRequest", "Stop", "SubagentStop", "Notification")])
    assert events == []


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"tool_input": "hunter2"}, "a call that cannot be read, /arguments: must be an object"),
        ({"tool_input": None}, "a call that cannot be read, /arguments: must be an object"),
        ({"session_id": 5}, "a call that cannot be read, /session: must be a string"),
        ({"agent_type": ["hunter2"]}, "a call that cannot be read, /agent: must be a string"),
        ({"tool_use_id": 7}, "a call that cannot be read, /id: must be a string"),
    ],
)
def test_a_malformed_call_is_told_with_its_tool_and_once(read: Read, more: dict[str, Any], problem: str) -> None:
    """It does not vanish, and its result is not told as another call."""
    _, events = read([hook("PreToolUse", **more), hook("PostToolUse", **more, tool_response="x")])
    (event,) = events
    assert isinstance(event, Malformed)
    assert (event.tool, event.problem.startswith(problem)) == ("Bash", True)
    assert "hunter2" not in event.problem


@pytest.mark.parametrize("name", [None, 5, "\ud800"])
def test_a_name_that_is_no_text_is_not_given_as_one(read: Read, name: object) -> None:
    """The call is told all the same."""
    _, (event,) = read([hook("PreToolUse", tool_name=name)])
    assert isinstance(event, Malformed)
    assert (event.tool, event.problem.startswith("a call that cannot be read, /name:")) == (None, True)


def transcript(kind: str, *blocks: Any, **more: Any) -> dict[str, Any]:
    """Write a transcript's record."""
    return {"type": kind, "sessionId": "s", "message": {"role": kind, "content": list(blocks)}, **more}


USE: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
DONE = {"type": "tool_result", "tool_use_id": "a", "content": "x"}


def test_only_records_of_sent_messages_hold_calls(read: Read) -> None:
    """Logs of requests repeat messages under other types."""
    lines = [transcript(kind, USE) for kind in ("assistant", "api-request-blob", "progress", "stream_event")]
    assert pairs(read(lines)[1]) == [("line 1", None)]


def test_ids_of_two_sessions_are_kept_apart(read: Read) -> None:
    """A log may hold several sessions."""
    lines = [transcript("assistant", USE), transcript("user", DONE, sessionId="t"), transcript("user", DONE)]
    assert pairs(read(lines)[1]) == [("line 1", "line 3"), ("line 2", "malformed")]


@pytest.mark.parametrize("message", [None, 5, []])
def test_a_message_that_is_none_is_malformed(read: Read, message: object) -> None:
    """A record of a sent message holds one."""
    _, events = read([transcript("assistant", USE), {"type": "user", "sessionId": "s", "message": message}])
    assert events[1:] == [Malformed("line 2", "a record without its message")]
