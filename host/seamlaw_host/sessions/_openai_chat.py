"""OpenAI chat messages: tool_calls, whose arguments are the text of an object, and messages with the role tool.

The older function_call and its role function are read too; they have no ids, so a result is that of the oldest open
call of its function.
"""

from typing import Any

from ._steps import Call, Steps, answered, key_of, malformed, proposed
from ._strict_json import is_list, is_object, kind

__all__ = ["CALLS", "has_tool_calls", "read_chat_message"]

CALLS = ("tool_calls", "function_call")
RESULT_ROLES = ("tool", "function")


def has_tool_calls(message: dict[str, Any]) -> bool:
    """Tell whether a message holds calls or a result; servers write null for what there is not."""
    role, calls, call = (message.get(key) for key in ("role", "tool_calls", "function_call"))
    return role in RESULT_ROLES or bool(calls) or call is not None


def read_chat_message(place: str, message: dict[str, Any], conversation: object) -> Steps:
    """Read one message."""
    agent = message.get("name") if isinstance(message.get("name"), str) else None
    calls = message.get("tool_calls")
    if message.get("role") == "tool":
        key = key_of(conversation, message.get("tool_call_id") or "")
        yield answered(place, key, output=message.get("content"))
    elif message.get("role") == "function":
        yield answered(place, key_of(conversation, "function", agent), output=message.get("content"))
    if calls is not None and not is_list(calls):
        yield malformed(place, f"tool_calls must be a list, not {kind(calls)}")
    for call in calls if is_list(calls) else []:
        yield _tool_call(place, call, conversation, agent)
    if message.get("function_call") is not None:
        yield _function_call(place, message["function_call"], conversation, agent)


def _tool_call(place: str, call: Any, conversation: object, agent: str | None) -> Call:
    if not is_object(call):
        return malformed(place, f"a tool call must be an object, not {kind(call)}")
    function, custom = call.get("function"), call.get("custom")
    if is_object(function):
        name, arguments = function.get("name"), function.get("arguments")
    elif is_object(custom):
        name, arguments = custom.get("name"), {"input": custom.get("input")}
    else:
        return malformed(place, "a tool call without its function", call.get("name"))
    return proposed(
        place,
        id=call.get("id"),
        name=name,
        arguments=arguments,
        scope={"agent": agent},
        key=key_of(conversation, call.get("id") or ""),
        encoded=True,
    )


def _function_call(place: str, call: Any, conversation: object, agent: str | None) -> Call:
    if not is_object(call):
        return malformed(place, f"function_call must be an object, not {kind(call)}")
    return proposed(
        place,
        name=call.get("name"),
        arguments=call.get("arguments"),
        scope={"agent": agent},
        key=key_of(conversation, "function", call.get("name")),
        encoded=True,
    )
