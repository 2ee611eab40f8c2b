"""Anthropic's messages: what the samples do not show."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw_host.sessions import Event, Malformed, Recorded

Read = Callable[..., tuple[str, list[Event]]]


def blocks(role: str, *content: Any) -> dict[str, Any]:
    """Write Anthropic's message."""
    return {"role": role, "content": list(content)}


USE: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "f", "input": {"n": 1}}


@pytest.mark.parametrize(
    ("content", "is_error", "error"),
    [
        ("no", True, "no"),
        ([{"type": "text", "text": "no"}, {"type": "image"}, {"type": "text", "text": "way"}], True, "no\nway"),
        ("", True, "the tool failed"),
        (None, True, "the tool failed"),
        ("fine", False, None),
        ("fine", None, None),
    ],
)
def test_an_error_has_its_text(read: Read, content: object, is_error: object, error: str | None) -> None:
    """And keeps its output; an error without a text is an error still."""
    done = {"type": "tool_result", "tool_use_id": "a", "content": content, "is_error": is_error}
    _, (event,) = read([blocks("assistant", USE), blocks("user", done)])
    assert isinstance(event, Recorded)
    assert event.result is not None
    assert (event.result.output, event.result.error) == (content, error)


def test_tools_that_the_provider_runs_are_calls(read: Read) -> None:
    """Their results stand in the same message; a connected server is the domain."""
    use: dict[str, Any] = {"type": "mcp_tool_use", "id": "m", "name": "f", "input": {}, "server_name": "files"}
    done: dict[str, Any] = {"type": "mcp_tool_result", "tool_use_id": "m", "content": []}
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}}
    _, events = read([blocks("assistant", use, done, search)])
    found = [(e.call.name, e.scope.domain, e.result_place) for e in events if isinstance(e, Recorded)]
    assert found == [("f", "files", "line 1"), ("web_search", None, None)]


@pytest.mark.parametrize("given", ["text", None, ["x"]])
def test_an_input_that_is_no_object_is_malformed(read: Read, given: object) -> None:
    """With the tool's name; the other blocks are read."""
    _, (bad, good) = read([blocks("assistant", {**USE, "input": given}, {**USE, "id": "b"})])
    assert isinstance(bad, Malformed)
    assert isinstance(good, Recorded)
    assert bad.tool == "f"


def test_a_whole_document_of_each_kind_is_read(read: Read) -> None:
    """Indented or not; messages are counted from the first."""
    for indent in (None, 2):
        request = {"model": "m", "system": "s", "messages": [blocks("user"), blocks("assistant", USE)]}
        shape, events = read(json.dumps(request, indent=indent).encode())
        assert (shape, [event.place for event in events]) == ("anthropic messages", ["message 2"])
