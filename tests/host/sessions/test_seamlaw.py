"""Our own shape: one call a line, and no key that is not known."""

from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import Scope, ToolCall, ToolResult
from seamlaw_host.sessions import Event, Malformed, Recorded

Read = Callable[..., tuple[str, list[Event]]]

CALL: dict[str, Any] = {"tool": "bash", "arguments": {"command": "ls"}}


def test_a_call_has_all_that_it_says(read: Read) -> None:
    """Scope, id and result."""
    scope: dict[str, Any] = {
        "session": "s",
        "agent": "a",
        "role": "r",
        "trust": "t",
        "chain": ["b", "a"],
        "domain": "d",
    }
    result: dict[str, Any] = {"output": {"n": 1}, "error": "no", "metadata": {"m": 1}}
    _, (event,) = read([{**CALL, "id": "i", **scope, "result": result}])
    call = ToolCall("i", "bash", {"command": "ls"})
    assert event == Recorded("line 1", call, Scope(**scope), ToolResult(**result), "line 1")


@pytest.mark.parametrize("more", [{}, {"result": None}, {"id": None, "agent": None}])
def test_what_is_not_known_may_be_left_out_or_null(read: Read, more: dict[str, Any]) -> None:
    """A tool and its arguments are enough."""
    assert read([{**CALL, **more}])[1] == [Recorded("line 1", ToolCall("", "bash", {"command": "ls"}))]


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({**CALL, "agnet": "hunter2"}, "the key agnet is not known; did you mean agent?"),
        ({**CALL, "xyzzy": 1}, "the key xyzzy is not known; known are tool, arguments, id, session,"),
        ({**CALL, "hunter2 " * 9: 1}, "the key (no plain name) is not known; known are tool,"),
        ({"tool": "bash", "argument": {}}, "the key arguments is missing"),
        ({**CALL, "arguments": []}, "a call that cannot be read, /arguments: must be an object"),
        ({**CALL, "id": 5}, "a call that cannot be read, /id: must be a string"),
        ({**CALL, "chain": "ab"}, "a call that cannot be read, /chain"),
        ({**CALL, "chain": [1]}, "a call that cannot be read, /chain"),
        ({**CALL, "trust": {}}, "a call that cannot be read, /trust: must be a string"),
    ],
)
def test_a_record_that_says_something_else_is_refused_with_its_tool(
    read: Read, record: dict[str, Any], problem: str
) -> None:
    """A key that is misspelt would be a call with another scope."""
    _, (good, bad) = read([CALL, record])
    assert isinstance(good, Recorded)
    assert isinstance(bad, Malformed)
    assert (bad.tool, bad.problem[: len(problem)]) == ("bash", problem)
    assert "hunter2" not in bad.problem


@pytest.mark.parametrize(
    ("result", "problem"),
    [
        ("hunter2", "/result: must be an object, not a string"),
        ({"outptu": "hunter2"}, "/result: the key outptu is not known; did you mean output?"),
        ({"error": 5}, "a result that cannot be read, /error: must be a string"),
        ({"output": "\ud800"}, "a result that cannot be read, the value: a lone surrogate"),
        ({"metadata": [1]}, "a result that cannot be read, /metadata: must be an object"),
    ],
)
def test_a_bad_result_costs_the_result(read: Read, result: object, problem: str) -> None:
    """The call is given without it."""
    _, (call, bad) = read([{**CALL, "result": result}])
    assert isinstance(call, Recorded)
    assert isinstance(bad, Malformed)
    assert (call.result, bad.problem[: len(problem)]) == (None, problem)


def test_a_record_without_a_tool_is_told(read: Read) -> None:
    """It names none."""
    _, (_, bad) = read([CALL, {"arguments": {}}])
    assert bad == Malformed("line 2", "the key tool is missing")


def test_a_document_with_a_list_of_calls_is_read(read: Read) -> None:
    """Indented as well."""
    _, events = read(b'[\n {"tool": "f", "arguments": {}},\n {"tool": "f",\n  "arguments": {}}\n]\n')
    assert [event.place for event in events] == ["message 1", "message 2"]
