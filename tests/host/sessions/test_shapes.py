"""A recording is recognised by what it holds, not by its first line; what is unknown is refused usefully."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw_host.errors import HostError
from seamlaw_host.sessions import SHAPES, Event, Malformed, Recorded, UnknownShape, read_session

Read = Callable[..., tuple[str, list[Event]]]

TEXT = {"role": "user", "content": "Hello"}
ANSWER = {"role": "assistant", "content": [{"type": "text", "text": "Hi"}], "tool_calls": None}
OPENAI = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}
ANTHROPIC: dict[str, Any] = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}],
}
OWN: dict[str, Any] = {"tool": "f", "arguments": {}}
ITEM = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}


@pytest.mark.parametrize(
    ("records", "shape"),
    [
        ([TEXT] * 100 + [OPENAI], "openai chat"),
        ([TEXT] * 100 + [ANTHROPIC], "anthropic messages"),
        ([TEXT, ANSWER, ITEM], "openai responses"),
        ([TEXT, {"role": "tool", "tool_call_id": "c", "content": ""}], "openai chat"),
        ([{"messages": [TEXT, OPENAI]}] * 2, "openai chat"),
        ([{"messages": [TEXT, ANTHROPIC]}] * 2, "anthropic messages"),
        ([{"model": "m", "input": [TEXT, ITEM]}], "openai responses"),
        ([{"object": "response", "output": [ITEM]}], "openai responses"),
        ([{"choices": [{"index": 0, "message": OPENAI}]}], "openai chat"),
        ([TEXT, ANSWER], "openai chat"),
        (
            [{"type": "summary", "leafUuid": "u"}, {"type": "user", "sessionId": "s", "message": TEXT}],
            "claude-code transcript",
        ),
        ([{"type": "system", "session_id": "s"}], "claude-code stream"),
        ([{"hook_event_name": "Stop", "session_id": "s"}], "claude-code hooks"),
        ([{"jsonrpc": "2.0", "method": "ping", "id": 0}], "mcp"),
        ([{"direction": ">", "message": {"jsonrpc": "2.0", "method": "ping"}}], "mcp"),
        ([[{"jsonrpc": "2.0", "method": "ping"}]] * 2, "mcp"),
        ([OWN], "seamlaw"),
        ([[OWN]], "seamlaw"),
        ([5, "x", None, OWN], "seamlaw"),
    ],
)
def test_a_shape_is_recognised(read: Read, records: list[Any], shape: str) -> None:
    """By the first record that can only be of one shape."""
    assert read(records)[0] == shape


def test_the_name_of_the_guess_loses_no_call(read: Read) -> None:
    """A provider's form that only comes up later, or beside another, is read all the same."""
    _, events = read([OPENAI, ANTHROPIC, {**OPENAI, **ITEM}, *[TEXT] * 300, ITEM])
    assert [type(event) for event in events] == [Recorded] * 5


def test_a_line_that_has_both_providers_calls_has_two(read: Read) -> None:
    """It is called OpenAI's, and nothing says which of the two would run."""
    shape, events = read([{**ANTHROPIC, **OPENAI}])
    assert (shape, [type(event) for event in events]) == ("openai chat", [Recorded] * 2)


@pytest.mark.parametrize("shape", [shape.name for shape in SHAPES])
def test_a_named_shape_is_not_doubted(read: Read, shape: str) -> None:
    """What does not fit it is malformed, unless it is a kind of record that says nothing."""
    named, events = read(b'{"unrelated": "hunter2"}\n[1]\n', shape)
    assert named == shape
    assert [type(event) for event in events] == [Malformed, Malformed]
    assert not any("hunter2" in str(event) for event in events)


def test_an_unknown_name_is_refused(read: Read) -> None:
    """The message lists the names that there are."""
    with pytest.raises(UnknownShape, match=r"No shape has the name[^$]*openai chat"):
        read([TEXT], "openai")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (b'{"password": "hunter2", "user name": 1}', "the first object has the keys password, (no plain name)"),
        (b"{}\n{}\n", "the first object has no keys"),
        (b'"hunter2"\n5\n', "there is no object; line 1 is a string"),
        (b"hunter2", "there is no object; line 1 cannot be read (no JSON: Expecting value at column 1)"),
        (b"5\n" * 500, "there is no object at its beginning; line 1 is a number"),
        (b'{"messages": ["hunter2"]}', "there is no object; message 1 is a string"),
        (b'{"a": 1, "messages" "hunter2"}', "line 1 cannot be read (no JSON: Expecting ':' delimiter"),
        (b'{"a": 1, "messages": "hunter2"', "line 1 cannot be read (no JSON: Expecting ',' delimiter"),
        (b'{"a": hunter2, "messages": []}', "line 1 cannot be read (no JSON: Expecting value"),
    ],
)
def test_what_is_in_no_known_shape_is_refused(read: Read, source: bytes, found: str) -> None:
    """The message says what is there by types and keys, and what each shape is recognised by; it quotes no value."""
    with pytest.raises(UnknownShape) as refusal:
        read(source)
    message = str(refusal.value)
    assert found in message
    assert "hunter2" not in message
    assert all(f"\n  {shape.name}: {shape.recognised_by}" in message for shape in SHAPES)
    assert refusal.value.known == tuple((shape.name, shape.recognised_by) for shape in SHAPES)
    assert isinstance(refusal.value, HostError)


def test_only_so_many_keys_are_listed() -> None:
    """A wide object makes no wide message."""
    wide = "{" + ", ".join(f'"key{at}": 1' for at in range(1000)) + "}"
    with pytest.raises(UnknownShape, match="key11 and more"):
        read_session("-", stdin=io.StringIO(wide))
