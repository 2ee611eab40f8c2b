"""MCP's JSON-RPC: two sides that number their requests alike."""

from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import ToolCall
from seamlaw_host.sessions import Event, Malformed, Recorded

Read = Callable[..., tuple[str, list[Event]]]


def message(**more: Any) -> dict[str, Any]:
    """Write a JSON-RPC message."""
    return {"jsonrpc": "2.0", **more}


def call(id: object, **params: Any) -> dict[str, Any]:
    """Write a tools/call."""
    return message(id=id, method="tools/call", params={"name": "f", "arguments": {}, **params})


def done(id: object, text: str = "x", **more: Any) -> dict[str, Any]:
    """Write the answer to one."""
    return message(id=id, result={"content": [{"type": "text", "text": text}], **more})


def pairs(events: list[Event]) -> list[tuple[str, str | None]]:
    """Give the places of calls and results."""
    return [(event.place, event.result_place if isinstance(event, Recorded) else "malformed") for event in events]


@pytest.mark.parametrize(("id", "text"), [(0, "0"), (7, "7"), ("7", "7"), ("", ""), (2**60, str(2**60))])
def test_ids_are_numbers_or_texts(read: Read, id: object, text: str) -> None:
    """0 and the empty text are ids like others."""
    _, (event,) = read([call(id), done(id)])
    assert isinstance(event, Recorded)
    assert (event.call, event.result_place) == (ToolCall(text, "f"), "line 2")


def test_a_number_and_its_text_are_two_ids(read: Read) -> None:
    """As JSON-RPC has it."""
    assert pairs(read([call(1), call("1"), done("1"), done(1)])[1]) == [("line 1", "line 4"), ("line 2", "line 3")]


def test_a_call_without_arguments_has_none(read: Read) -> None:
    """The key may be absent."""
    _, (event,) = read([message(id=1, method="tools/call", params={"name": "f"})])
    assert isinstance(event, Recorded)
    assert event.call.arguments == {}


@pytest.mark.parametrize(
    ("bad", "tool"),
    [
        (call(1, arguments=["x"]), "f"),
        (call(1, arguments=None), "f"),
        (call([1]), "f"),
        (call(1, name=5), None),
        (message(id=1, method="tools/call"), None),
        (message(id=1, method="tools/call", params=[]), None),
    ],
)
def test_a_malformed_call_does_not_vanish(read: Read, bad: object, tool: str | None) -> None:
    """It is told in its place, with its tool's name where there is one."""
    _, (event, good) = read([bad, call(2)])
    assert isinstance(event, Malformed)
    assert isinstance(good, Recorded)
    assert (event.place, event.tool) == ("line 1", tool)


@pytest.mark.parametrize(
    ("answer", "output", "error", "metadata"),
    [
        (done(1), [{"type": "text", "text": "x"}], None, {}),
        (done(1, isError=True), [{"type": "text", "text": "x"}], "x", {}),
        (done(1, "", isError=True), [{"type": "text", "text": ""}], "the tool failed", {}),
        (
            done(1, structuredContent={"n": 1}),
            [{"type": "text", "text": "x"}],
            None,
            {"structuredContent": {"n": 1}},
        ),
        (message(id=1, result={"toolResult": 5}), {"toolResult": 5}, None, {}),
        (message(id=1, result=5), 5, None, {}),
        (message(id=1, error={"code": -1, "message": "no"}), None, "no", {"code": -1, "message": "no"}),
        (message(id=1, error=None), None, "the tool failed", {}),
    ],
)
def test_an_answer_is_a_result(read: Read, answer: object, output: object, error: object, metadata: object) -> None:
    """Content is the output, the rest is beside it; both kinds of error are errors."""
    _, (event,) = read([call(1), answer])
    assert isinstance(event, Recorded)
    assert event.result is not None
    assert (event.result.output, event.result.error, event.result.metadata) == (output, error, metadata)


def test_answers_to_other_requests_are_nobodys_business(read: Read) -> None:
    """Only what a tools/call waits for is read; a null id answers nothing."""
    lines = [
        message(id=1, method="tools/list"),
        message(id=1, result={"tools": []}),
        message(id=None, error={"code": 1}),
    ]
    assert read([*lines, message(id=2, result={"x": "\ud800"})])[1] == []


def test_a_bare_log_tells_the_servers_requests_by_their_answers(read: Read) -> None:
    """The server asked with the id that an open call has: the client's answer is not the call's result."""
    asked = [message(id=1, method="roots/list"), message(id=1, result={"roots": [{}]})]
    assert pairs(read([call(1), *asked, done(1)])[1]) == [("line 1", "line 4")]
    assert pairs(read([call(1), asked[0], done(1), asked[1]])[1]) == [("line 1", "line 3")]


def enveloped(direction: object, inner: object) -> dict[str, Any]:
    """Put a message into an envelope."""
    return {"direction": direction, "message": inner, "time": 1}


def test_an_envelope_tells_the_two_sides_apart(read: Read) -> None:
    """What the calling side answers is never a call's result, whatever it looks like."""
    lines = [enveloped("out", call(1)), enveloped("out", done(1, "sampled")), enveloped("in", done(1))]
    assert pairs(read(lines)[1]) == [("line 1", "line 3")]


def test_batches_are_read_message_by_message(read: Read) -> None:
    """Bare on a line, and in an envelope."""
    _, events = read([[call(1), call(2)], [done(2), done(1)]])
    assert pairs(events) == [
        ("line 1, message 1", "line 2, message 2"),
        ("line 1, message 2", "line 2, message 1"),
    ]
    _, events = read([enveloped(">", [call(1), call(2)]), enveloped("<", [done(2), done(1)])])
    assert pairs(events) == [("line 1", "line 2"), ("line 1", "line 2")]


def test_a_call_that_expects_no_answer_is_a_call(read: Read) -> None:
    """A notification waits for nothing."""
    lines = [message(method="tools/call", params={"name": "f"}), call(1), done(1)]
    assert pairs(read(lines)[1]) == [("line 1", None), ("line 2", "line 3")]


def test_the_server_is_the_domain_from_when_it_is_known(read: Read) -> None:
    """By the handshake, or by what each result says of it."""
    info = {"name": "files", "version": "1"}
    for result in ({"serverInfo": info}, {"_meta": {"io.modelcontextprotocol/serverInfo": info}}):
        _, events = read([call(1), message(id=0, result=result), call(2)])
        assert [event.scope.domain for event in events if isinstance(event, Recorded)] == [None, "files"]


@pytest.mark.parametrize(
    "bad", [{"jsonrpc": "1.0", "method": "tools/call"}, {"a": 1}, message(id=1), message(method=5)]
)
def test_what_is_no_message_is_told(read: Read, bad: object) -> None:
    """In a log of messages."""
    _, events = read([call(1), bad])
    assert pairs(events) == [("line 1", None), ("line 2", "malformed")]
