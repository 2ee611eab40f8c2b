"""Calls in forms that the reader of a record does not take: they are found, so that none is passed over in silence.

What holds a call in such a form is malformed, with the name of its tool where that is plain. Only what wraps messages
is looked into: arguments, results and definitions of tools are data, whatever they look like.
"""

from collections.abc import Iterator
from typing import Any

from ._steps import Steps, malformed
from ._strict_json import is_list, is_object, type_of

__all__ = ["calls_in", "refused", "unread"]

WRAPS = (
    "request", "message", "messages", "input", "response", "output", "choices", "delta", "item", "items", "payload",
    "data", "event", "content", "parts",
)  # fmt: skip
CALLS = ("tool_use", "tooluse", "_call", "toolcall", "functioncall", "approval_request")
RESULTS = ("tool_result", "toolresult", "_output")
RESULT_ROLES = ("tool", "function")
NAMES = ("name", "tool_name", "toolName", "tool")
ONE, MANY = ("function_call", "functionCall", "tool_call", "toolCall", "toolUse"), ("tool_calls", "toolCalls")
NO_NAMES = ("tool", "function", "custom_tool", "mcp")  # of a type without its `_call`


def unread(place: str, value: object, *, deep: bool = True) -> Steps:
    """Report each call in what nobody reads."""
    for name in calls_in(value, deep=deep):
        yield malformed(place, "a call in a form that is not read here", name)


def refused(place: str, problem: str, record: dict[str, Any]) -> Steps:
    """Report a record that is none of its shape, with each call in it."""
    names = list(calls_in(record))
    for name in names:
        yield malformed(place, f"{problem}, with a call in a form that is not read here", name)
    if not names:
        yield malformed(place, problem)


def calls_in(value: object, *, deep: bool = True) -> Iterator[object]:
    """Give what each call has for its tool's name, in order; what wraps messages is looked into if `deep`."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if is_list(one):
            waiting += reversed(one)
        elif is_object(one):
            found = _is_call(one)
            yield from [_named(one)] if found else _held(one)
            if deep and not found:
                waiting += reversed([one[key] for key in WRAPS if key in one and not _is_result(one, key)])


def _kind(value: dict[str, Any]) -> str:
    return type_of(value).replace("-", "_").lower()


def _is_call(value: dict[str, Any]) -> bool:
    pairs = (("tool_name", "tool_input"), ("tool", "arguments"))
    asked = value.get("method") == "tools/call" or any(a in value and b in value for a, b in pairs)
    return asked or _kind(value).endswith(CALLS)


def _is_result(value: dict[str, Any], key: str) -> bool:
    return _kind(value).endswith(RESULTS) or (key in ("content", "parts") and value.get("role") in RESULT_ROLES)


def _named(call: object) -> object:
    if not is_object(call):
        return None
    inner = next((call[key] for key in ("function", "custom", "params") if is_object(call.get(key))), call)
    own = _kind(call).removesuffix("_call")
    named = next((each[key] for each in (call, inner) for key in NAMES if isinstance(each.get(key), str)), None)
    return named or (own if _kind(call).endswith("_call") and own not in NO_NAMES else None)


def _held(value: dict[str, Any]) -> Iterator[object]:
    for key in MANY:
        many = value.get(key)
        yield from map(_named, many if is_list(many) else [many] if many else [])
    for key in ONE:
        if value.get(key):
            yield _named(value[key])
