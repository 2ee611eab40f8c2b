"""What plainly holds a call is read or told, whatever form it has and wherever it stands."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw_host.sessions import Event, Malformed, Recorded

Read = Callable[..., tuple[str, list[Event]]]

USE: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "bash", "input": {"command": "rm"}}
CALL: dict[str, Any] = {"id": "b", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
ITEM: dict[str, Any] = {"type": "function_call", "call_id": "c", "name": "cat", "arguments": "{}"}
OLDER: dict[str, Any] = {"name": "pwd", "arguments": "{}"}
TEXT = {"role": "user", "content": "go"}
OPENED = {"role": "assistant", "tool_calls": [CALL]}
HOOK: dict[str, Any] = {"session_id": "s", "tool_name": "bash", "tool_input": {"command": "rm"}}
SENT: dict[str, Any] = {"type": "assistant", "sessionId": "s", "message": {"role": "assistant", "content": [USE]}}
RPC: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "bash", "arguments": {}}}


def tools(events: list[Event]) -> list[str | None]:
    """Name the tools of the calls that are read."""
    return [event.call.name for event in events if isinstance(event, Recorded)]


def told(events: list[Event]) -> list[str | None]:
    """Name the tools of what is told instead."""
    return [event.tool for event in events if isinstance(event, Malformed)]


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ({"role": "assistant", "content": [USE], "tool_calls": [CALL]}, ["bash", "ls"]),
        ({"tool_calls": [CALL], "content": [USE], "role": "assistant"}, ["bash", "ls"]),
        ({"role": "assistant", "content": [USE], "function_call": OLDER}, ["bash", "pwd"]),
        ({"role": "assistant", "content": [USE], "tool_calls": [CALL], "function_call": OLDER}, ["bash", "ls", "pwd"]),
        ({**ITEM, "content": [USE], "tool_calls": [CALL]}, ["cat", "bash", "ls"]),
        ({**ITEM, "role": "assistant", "content": [USE]}, ["cat", "bash"]),
        ({"type": "message", "content": [USE]}, ["bash"]),
    ],
)
def test_every_form_in_a_message_is_read(read: Read, message: object, names: list[str]) -> None:
    """Items, then blocks, then tool_calls, whatever the order of the keys; wrapped or not."""
    for records in ([message] * 2, [{"messages": [TEXT, message]}] * 2, [{"choices": [{"message": message}]}] * 2):
        _, events = read(records)
        assert (tools(events), told(events)) == (names * 2, [])


def test_results_of_both_forms_find_their_calls(read: Read) -> None:
    """Each by its id."""
    both = {"role": "assistant", "content": [USE], "tool_calls": [CALL]}
    done = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}
    _, events = read([both, {"role": "tool", "tool_call_id": "b", "content": "y"}, done])
    assert [event.result_place for event in events if isinstance(event, Recorded)] == ["line 3", "line 2"]


@pytest.mark.parametrize("content", ["no answer", None, {"a": 1}, 5])
def test_content_beside_tool_calls_is_nobodys_business(read: Read, content: object) -> None:
    """Servers write all kinds of it."""
    _, events = read([{"role": "assistant", "content": content, "tool_calls": [CALL]}])
    assert (tools(events), told(events)) == (["ls"], [])


OTHER_FORMS: list[tuple[Any, list[str | None]]] = [
    ({"type": "mcp_approval_request", "name": "rm", "arguments": "{}", "server_label": "s"}, ["rm"]),
    ({"type": "response.completed", "response": {"output": [{"type": "reasoning"}, ITEM]}}, ["cat"]),
    ({"type": "response.output_item.done", "item": ITEM}, ["cat"]),
    ({"type": "response_item", "payload": ITEM}, ["cat"]),
    ({"type": "response_item", "payload": {"type": "web_search_call", "action": {}}}, ["web_search"]),
    ({"type": "x", "messages": [TEXT, {"role": "assistant", "content": [USE, USE]}]}, ["bash", "bash"]),
    ({"type": "ai", "content": "", "tool_calls": [{"name": "rm", "args": {}, "id": "1"}]}, ["rm"]),
    ({"type": "ai", "data": {"tool_calls": [CALL]}}, ["ls"]),
    ({"role": "model", "parts": [{"functionCall": {"name": "rm", "args": {}}}]}, ["rm"]),
    ({"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "rm", "input": {}}}]}, ["rm"]),
    ({"role": "assistant", "content": [{"type": "tool-call", "toolName": "rm", "args": {}}]}, ["rm"]),
    ({"role": "assistant", "content": [{"type": "toolCall", "name": "rm", "arguments": {}}]}, ["rm"]),
    ({"role": "assistant", "content": [{"type": "function_call", "name": 5}]}, [None]),
    ({"role": "assistant", "toolCalls": ["x"]}, [None]),
    ({"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}}]}, ["ls"]),
    ({"choices": [{"message": TEXT, "toolCalls": [CALL]}]}, ["ls"]),
    ({"messages": [TEXT], "response": {"choices": [{"message": {"tool_calls": [CALL]}}]}}, ["ls"]),
    ({"tool": "rm", "arguments": {}}, ["rm"]),
    (HOOK, ["bash"]),
    (RPC, ["bash"]),
    ({"role": "tool", "tool_call_id": "b", "tool_calls": "x"}, [None]),
]


@pytest.mark.parametrize(("record", "names"), OTHER_FORMS)
def test_a_call_in_another_form_is_told_among_messages(read: Read, record: object, names: list[str | None]) -> None:
    """With the name of its tool; nothing of it is quoted."""
    _, events = read([OPENED, record, TEXT])
    assert (tools(events), told(events)) == (["ls"], names)
    assert not [event for event in events if isinstance(event, Malformed) and event.place[:6] != "line 2"]


NO_CALLS: list[Any] = [
    {"type": "reasoning", "summary": []},
    {"type": "mcp_list_tools", "tools": [{"name": "rm", "input_schema": {}}]},
    {"type": "mcp_approval_response", "approval_request_id": "m", "approve": True},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]},
    {"role": "user", "content": [{"type": "text", "text": json.dumps(USE)}, {"type": "image", "source": {}}]},
    {"role": "tool", "tool_call_id": "b", "content": [{"tool": "rm", "arguments": {}}]},
    {"role": "user", "content": [{"toolResult": {"content": [{"tool": "rm", "arguments": {}}]}}]},
    {"role": "user", "content": [{"type": "tool-result", "output": {"tool": "rm", "arguments": {}}}]},
    {"role": "assistant", "content": "x", "tool_calls": [], "function_call": None},
    {"messages": [TEXT], "tools": [{"type": "function", "function": {"name": "rm", "parameters": {}}}]},
]


@pytest.mark.parametrize("record", NO_CALLS)
def test_what_is_no_call_is_passed_over(read: Read, record: object) -> None:
    """Texts, results and the definitions of tools are data, whatever they look like."""
    _, events = read([OPENED, record])
    assert (tools(events), told(events)) == (["ls"], [])


def test_arguments_are_not_looked_into(read: Read) -> None:
    """What a call is given may look like another call."""
    inner: dict[str, Any] = {"messages": [{"tool": "rm", "arguments": {}}], "tool_calls": [CALL]}
    _, events = read([{"role": "assistant", "content": [{**USE, "input": inner}]}, {"type": "x_call", **inner}])
    assert told(events) == []


@pytest.mark.parametrize("event", ["BeforeTool", "preToolUse", "PreToolUseV2", ""])
def test_a_hook_event_of_an_unknown_name_with_a_call_is_told(read: Read, event: str) -> None:
    """Other agents' hooks look alike."""
    shape, events = read([{**HOOK, "hook_event_name": event}])
    assert (shape, told(events)) == ("claude-code hooks", ["bash"])


@pytest.mark.parametrize("event", ["PermissionRequest", "PermissionDenied", "PostToolBatch"])
def test_a_hook_event_that_repeats_a_call_says_nothing(read: Read, event: str) -> None:
    """PreToolUse has told it; and an event that holds no call says nothing, whatever its name."""
    _, events = read(
        [{**HOOK, "hook_event_name": event, "tool_calls": [HOOK]}, {"session_id": "s", "hook_event_name": "New"}]
    )
    assert events == []


@pytest.mark.parametrize(
    ("record", "shape", "names"),
    [
        (SENT, "openai chat", ["bash"]),
        (SENT, "anthropic messages", ["bash"]),
        (SENT, "claude-code hooks", ["bash"]),
        (SENT, "mcp", ["bash"]),
        (SENT, "seamlaw", ["bash"]),
        (OPENED, "claude-code stream", ["ls"]),
        (OPENED, "seamlaw", ["ls"]),
        (ITEM, "claude-code transcript", ["cat"]),
        ({"type": "response.completed", "response": {"output": [ITEM]}}, "claude-code stream", ["cat"]),
        (
            {**SENT, "message": {"role": "assistant", "content": [USE], "tool_calls": [CALL]}},
            "claude-code stream",
            ["ls"],
        ),
        ({**HOOK, "hook_event_name": "PreToolUse"}, "claude-code transcript", ["bash"]),
        ({"tool": "rm", "arguments": {}}, "mcp", ["rm"]),
        (RPC, "claude-code hooks", ["bash"]),
        (RPC, "seamlaw", ["bash"]),
        ({**RPC, "jsonrpc": "1.0"}, "mcp", ["bash"]),
        ({"jsonrpc": "2.0", "tool": "rm", "arguments": {}}, "mcp", ["rm"]),
    ],
)
def test_a_session_read_with_another_shape_tells_its_calls(
    read: Read, record: object, shape: str, names: list[str]
) -> None:
    """They are known to be calls, so they count as undecided."""
    assert told(read([record], shape)[1]) == names


def test_what_is_no_object_in_a_batch_is_told(read: Read) -> None:
    """In an envelope as on a line."""
    _, events = read([{"direction": ">", "message": [RPC, json.dumps(RPC), 5]}])
    problems = [event.problem for event in events if isinstance(event, Malformed)]
    assert tools(events) == ["bash"]
    assert problems == [f"a message of a batch must be an object, not {kind}" for kind in ("a string", "a number")]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_call_beside_a_documents_messages_is_told(read: Read, indent: int | None) -> None:
    """A log of request and response may wrap but one of them."""
    document = {"messages": [OPENED], "response": {"output": [ITEM]}}
    _, events = read(json.dumps(document, indent=indent).encode())
    assert (tools(events), told(events)) == (["ls"], ["cat"])


def test_a_document_that_breaks_behind_its_first_list_says_so(read: Read) -> None:
    """The second list is lost."""
    text = json.dumps({"input": [ITEM], "output": [{**ITEM, "call_id": "d"}]}, indent=1)
    _, events = read(text[:-20].encode())
    assert (tools(events), told(events)) == (["cat"], [None])
