"""OpenAI's messages and items: what the samples do not show."""

from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import ToolCall
from seamlaw_host.sessions import Event, Malformed, Recorded

Read = Callable[..., tuple[str, list[Event]]]


def assistant(*calls: Any, **more: Any) -> dict[str, Any]:
    """Write OpenAI's message with these tool calls."""
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **more}


def function(arguments: object, **more: Any) -> dict[str, Any]:
    """Write OpenAI's tool call."""
    return {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}, **more}


TOOL = {"role": "tool", "tool_call_id": "c", "content": "done"}


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("{}", {}),
        ("", {}),
        (" \n", {}),
        (None, {}),
        ('{"n": 9007199254740993}', {"n": 2**53 + 1}),
        ({"a": 1}, {"a": 1}),
    ],
)
def test_arguments_are_the_text_of_an_object(read: Read, arguments: object, meant: dict[str, Any]) -> None:
    """No text means no arguments; what is an object already is taken as it is."""
    _, (event,) = read([assistant(function(arguments)), TOOL])
    assert isinstance(event, Recorded)
    assert (event.call, event.result and event.result.output) == (ToolCall("c", "f", meant), "done")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            '{"secret": "hunter2',
            "whose arguments cannot be read, no JSON: Unterminated string starting at at column 12",
        ),
        ('{"a": "hunter2", "a": 1}', "whose arguments cannot be read, the key a is given twice in one object"),
        ('{"a": NaN}', "whose arguments cannot be read, NaN is no JSON"),
        ('["hunter2"]', "that cannot be read, /arguments: must be an object"),
        ("null", "that cannot be read, /arguments: must be an object"),
        ("{} hunter2", "whose arguments cannot be read, no JSON: Extra data"),
        (["hunter2"], "whose arguments cannot be read, they must be the text of an object, not a list"),
        (5, "whose arguments cannot be read, they must be the text of an object, not a number"),
        ('{"a": {"b": "\\ud800"}}', "that cannot be read, /arguments/a/b: a lone surrogate is no text"),
    ],
)
def test_a_call_with_bad_arguments_does_not_vanish(read: Read, arguments: object, problem: str) -> None:
    """It is malformed, names its tool, quotes nothing, and takes its result with it; its neighbour is read."""
    lines = [assistant(function(arguments), function("{}", id="d")), TOOL, {**TOOL, "tool_call_id": "d"}]
    _, (bad, good) = read(lines)
    assert isinstance(bad, Malformed)
    assert isinstance(good, Recorded)
    assert (bad.place, bad.tool, good.result_place) == ("line 1", "f", "line 3")
    assert bad.problem.startswith("a call " + problem)
    assert "hunter2" not in bad.problem


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (assistant(5), "a tool call must be an object, not a number"),
        (assistant({"id": "c"}), "a tool call without its function"),
        ({"role": "assistant", "tool_calls": "x"}, "tool_calls must be a list, not a string"),
        ({"role": "assistant", "function_call": "x"}, "function_call must be an object, not a string"),
        ({"role": "assistant", "content": 5}, "content must be a string or a list, not a number"),
        ({"role": "user", "content": ["x"]}, "a block of content must be an object, not a string"),
        ({"content": "x"}, "a message without a role or a type"),
    ],
)
def test_a_malformed_message_is_told(read: Read, message: object, problem: str) -> None:
    """By what is wrong with it."""
    _, events = read([assistant(function("{}")), message])
    assert events == [events[0], Malformed("line 2", problem)]


def test_custom_tools_take_text(read: Read) -> None:
    """Their input is an argument of that name."""
    custom = {"id": "c", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    item = {"type": "custom_tool_call", "call_id": "c", "name": "sql", "input": "select 1"}
    output = {"type": "custom_tool_call_output", "call_id": "c", "output": "1"}
    for lines in ([assistant(custom), TOOL], [item, output]):
        _, (event,) = read(lines)
        assert isinstance(event, Recorded)
        assert event.call == ToolCall("c", "sql", {"input": "select 1"})
        assert event.result_place == "line 2"


def test_the_older_function_call_is_read(read: Read) -> None:
    """It has no id: the result of a function is that of its oldest open call."""
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"a": 1}'}}
    _, (event,) = read([call, {"role": "function", "name": "f", "content": "x"}])
    assert isinstance(event, Recorded)
    assert (event.call, event.result and event.result.output) == (ToolCall("", "f", {"a": 1}), "x")


def test_calls_without_ids_are_answered_in_order(read: Read) -> None:
    """Some servers give none, or the same to all."""
    lines = [
        assistant(function("{}", id=None), function("{}", id="")),
        {"role": "tool", "content": "1"},
        {"role": "tool"},
    ]
    _, events = read(lines)
    assert [event.result_place for event in events if isinstance(event, Recorded)] == ["line 2", "line 3"]


def test_an_assistants_name_is_its_agent(read: Read) -> None:
    """Frameworks with several agents name the speaker."""
    _, (event,) = read([assistant(function("{}"), name="planner")])
    assert isinstance(event, Recorded)
    assert event.scope.agent == "planner"


def test_each_wrapped_conversation_has_its_own_ids(read: Read) -> None:
    """Training examples, one a line, may use the same ids; an answer in the next line is no answer."""
    lines = [
        {"messages": [assistant(function("{}"))]},
        {"messages": [assistant(function("{}")), TOOL, 5]},
        {"messages": [TOOL]},
    ]
    _, events = read(lines)
    assert [(type(event), event.place) for event in events] == [
        (Recorded, "line 1, message 1"),
        (Recorded, "line 2, message 1"),
        (Malformed, "line 2, message 3"),
        (Malformed, "line 3, message 1"),
    ]
    assert [event.result_place for event in events if isinstance(event, Recorded)] == [None, "line 2, message 2"]


def test_request_and_response_on_one_line_are_one_conversation(read: Read) -> None:
    """Input comes before output."""
    call = {"type": "function_call", "call_id": "c", "id": "fc", "name": "f", "arguments": "{}"}
    _, events = read([{"output": [call], "input": [{"role": "user", "content": "go"}]}] * 2)
    assert [event.place for event in events] == ["line 1, message 2", "line 2, message 2"]


def test_items_are_joined_by_call_id(read: Read) -> None:
    """And not by the item's own id."""
    call = {"type": "function_call", "id": "x", "name": "f", "arguments": "{}"}
    lines: list[Any] = [{**call, "call_id": "y"}, {"type": "function_call_output", "call_id": "y", "output": "1"}]
    lines += [{"type": "reasoning", "summary": ["x"]}, {"type": "function_call_output", "call_id": "x", "output": "2"}]
    _, events = read(lines)
    assert [type(event) for event in events] == [Recorded, Malformed]


@pytest.mark.parametrize(
    ("item", "call", "domain", "result"),
    [
        (
            {
                "type": "mcp_call",
                "id": "m",
                "name": "f",
                "arguments": '{"a": 1}',
                "server_label": "files",
                "output": "x",
            },
            ToolCall("m", "f", {"a": 1}),
            "files",
            ("x", None),
        ),
        (
            {"type": "mcp_call", "id": "m", "name": "f", "arguments": "{}", "output": None, "error": {"message": "no"}},
            ToolCall("m", "f", {}),
            None,
            (None, "no"),
        ),
        (
            {"type": "mcp_call", "name": "f", "arguments": "", "error": 5},
            ToolCall("", "f"),
            None,
            (None, "the tool failed"),
        ),
        (
            {"type": "web_search_call", "id": "w", "status": "completed", "action": {"type": "search", "query": "q"}},
            ToolCall("w", "web_search", {"action": {"type": "search", "query": "q"}}),
            None,
            None,
        ),
        (
            {"type": "code_interpreter_call", "id": "w", "code": "1", "outputs": [{"logs": "1"}]},
            ToolCall("w", "code_interpreter", {"code": "1"}),
            None,
            ({"outputs": [{"logs": "1"}]}, None),
        ),
    ],
)
def test_calls_to_the_providers_own_tools_are_calls(
    read: Read, item: object, call: ToolCall, domain: str | None, result: object
) -> None:
    """With the output that the item itself holds."""
    _, (event,) = read([item])
    assert isinstance(event, Recorded)
    found = event.result and (event.result.output, event.result.error)
    assert (event.call, event.scope.domain, found) == (call, domain, result)


def test_a_shell_call_waits_for_its_output(read: Read) -> None:
    """Tools that the client runs for the provider's item are answered by call_id."""
    call = {"type": "local_shell_call", "id": "l", "call_id": "c", "action": {"command": ["ls"]}}
    _, (event,) = read([call, {"type": "local_shell_call_output", "call_id": "c", "output": "x"}])
    assert isinstance(event, Recorded)
    assert (event.call.name, event.result and event.result.output) == ("local_shell", "x")
