"""Values to measure a policy on, where no session is given: calls of the tools that it names, and ordinary others."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from attrs import field, frozen

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    Condition,
    Interceptors,
    MemoryItem,
    Message,
    Operation,
    ProviderRequest,
    Scope,
    Seam,
    ToolCall,
    ToolResult,
)
from seamlaw_host.sessions import Recorded

__all__ = ["Given", "of_session", "samples"]

MOST = 64  # tools that are tried
UNNAMED = "a_tool_that_no_filter_names"
TEXT = "git status --short src"
ARGUMENTS: dict[str, Any] = {  # what tools commonly take: code may look for any of them
    "command": TEXT,
    "path": "/srv/workspace/notes.txt",
    "file_path": "/srv/workspace/notes.txt",
    "url": "https://example.org/",
    "query": "how to tidy",
    "content": "A line of text.\n" * 20,
}
OF_KIND: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "number": 1,
    "string": TEXT,
    "array": [],
    "object": {},
}


@frozen
class Given:
    """What is brought to a seam: the value, what stands beside it, and who is calling."""

    value: Any
    beside: tuple[Any, ...] = ()
    scope: Scope = field(factory=Scope)


def of_session(events: Iterable[Recorded]) -> dict[Seam[Any], list[Given]]:
    """The calls of a session, and their results."""
    recorded = list(events)
    return {
        TOOL_CALL: [Given(event.call, (), event.scope) for event in recorded],
        TOOL_RESULT: [
            Given(event.result, (event.call,), event.scope) for event in recorded if event.result is not None
        ],
    }


def samples(bundle: Interceptors) -> dict[Seam[Any], list[Given]]:
    """A value or several for each seam of the table."""
    calls = [ToolCall("call-1", tool, arguments_for(bundle, tool)) for tool in tools_of(bundle)]
    messages = (Message("system", "You are a coding agent."), Message("user", "Tidy the greeting."))
    request = ProviderRequest("a-model", messages, tools=[{"name": "bash"}], kwargs={"temperature": 0})
    result = ToolResult("On branch main\nnothing to commit\n" * 8)
    return {
        CONTEXT: [Given(messages)],
        PROVIDER_REQUEST: [Given(request)],
        TOOL_CALL: [Given(call) for call in calls],
        TOOL_RESULT: [Given(result, (call,)) for call in calls],
        MEMORY: [Given((MemoryItem("The user prefers tabs."),))],
    }


def tools_of(bundle: Interceptors) -> list[str]:
    """Names of tools that the filters of a bundle let through, in order, and one that none of them names."""
    asked = (*bundle.ordered(TOOL_CALL), *bundle.ordered(TOOL_RESULT))
    named = dict.fromkeys(
        name
        for interceptor in asked
        for pattern in interceptor.tools.patterns
        if interceptor.tools.admit(name := concrete(pattern))
    )
    return [*list(named)[:MOST], UNNAMED]


def concrete(pattern: str) -> str:
    """A name that a glob lets through; it may fail to, for a set that leaves something out."""
    name = re.sub(r"\[!([^\]]*)\]", lambda outside: min(set("abcxyz_0") - set(outside[1]), default="~"), pattern)
    name = re.sub(r"\[([^\]])[^\]]*\]", r"\1", name)
    return name.replace("*", "x").replace("?", "x")


def arguments_for(bundle: Interceptors, tool: str) -> dict[str, Any]:
    """Arguments that the rules for a tool have something to say about; most of the rules let them pass."""
    made: dict[str, Any] = dict(ARGUMENTS)
    for condition, holds in _conditions(bundle, tool):
        if condition.at and not any(key.isdigit() for key in condition.at):
            _put(made, condition.at, _example(condition.test, holds=holds))
    return made


def _conditions(bundle: Interceptors, tool: str) -> Iterator[tuple[Condition, bool]]:
    """The conditions of the rules for a tool; those of `unless` last, for they let a call pass if they hold."""
    filters = [only for rule in bundle.rules if (only := getattr(rule, "only", None)) and only.tools.admit(tool)]
    for only in filters:
        yield from ((condition, False) for condition in only.when)
    for only in filters:
        yield from ((condition, True) for condition in only.unless)


def _put(inside: dict[str, Any], at: tuple[str, ...], value: object) -> None:
    *above, last = at
    for key in above:
        found = inside.setdefault(key, {})
        if not isinstance(found, dict):
            return
        inside = cast("dict[str, Any]", found)
    inside[last] = value


def _example(test: Operation, *, holds: bool) -> Any:  # noqa: C901 - a table of the operators
    """A value that a test is for; if it is to hold, one for which it likely does."""
    operand = test.operand
    match test.operator:
        case "not":
            return _example(operand, holds=not holds)
        case "equals" | "contains" if holds:
            return operand
        case "one_of" if holds:
            return operand[0]
        case "starts_with" | "ends_with" if holds:
            return operand
        case "under" if holds:
            return f"{operand.rstrip('/')}/notes.txt"
        case "under":
            return "/elsewhere/notes.txt"
        case "less" | "greater":
            return operand + (1 if (test.operator == "greater") is holds else -1)
        case "equals":
            return _other(operand)
        case "one_of":
            return _other(operand[0])
        case "type_is":
            return OF_KIND[operand]
        case "any":
            return [_example(operand, holds=holds)]
        case _:
            return TEXT


def _other(value: object) -> object:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"not {value}" if isinstance(value, str) else value
