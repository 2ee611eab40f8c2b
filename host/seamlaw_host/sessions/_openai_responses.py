"""Items of OpenAI's Responses API: `function_call` and `function_call_output`, joined by call_id and not by id.

Other items whose type ends in `_call` are calls to the provider's own tools. Such a tool is named by the type, and its
arguments are the item's fields but for those that keep the books.
"""

from typing import Any

from ._steps import Call, Key, Steps, answered, key_of, proposed
from ._strict_json import is_list, is_object, type_of

__all__ = ["is_call_item", "is_response_item", "read_response_item"]

NAMED = ("function_call", "custom_tool_call", "mcp_call")  # the others are named by their type
OUTPUTS = ("output", "outputs", "result", "results", "error")
BOOKKEEPING = frozenset(("type", "id", "call_id", "status", "server_label", "namespace", "async_", "caller", *OUTPUTS))
RESPONSE_CONTENT = ("input_text", "output_text")


def is_call_item(item: dict[str, Any]) -> bool:
    """Tell whether it is a call or the output of one."""
    return type_of(item).endswith(("_call", "_call_output"))


def is_response_item(item: dict[str, Any]) -> bool:
    """Tell whether it is an item of this API and of no other."""
    content = item.get("content")
    blocks = content if is_list(content) else []
    texts = any(is_object(block) and block.get("type") in RESPONSE_CONTENT for block in blocks)
    return is_call_item(item) or type_of(item) == "reasoning" or texts


def read_response_item(place: str, item: dict[str, Any], conversation: object) -> Steps:
    """Read one item that is a call or an output; a call to a server's tool holds its own output."""
    if type_of(item).endswith("_call_output"):
        key = key_of(conversation, item.get("call_id") or "")
        yield answered(place, key, output=item.get("output"))
    elif held := {name: item[name] for name in OUTPUTS if item.get(name) is not None}:
        key = key_of(conversation, "held", place)
        yield _call(place, item, key)
        yield answered(place, key, output=held.get("output", None if "error" in held else held), error=_error(item))
    else:
        yield _call(place, item, key_of(conversation, item["call_id"]) if "call_id" in item else None)


def _call(place: str, item: dict[str, Any], key: Key | None) -> Call:
    own_name = type_of(item) in NAMED
    return proposed(
        place,
        id=item.get("call_id", item.get("id")),
        name=item.get("name") if own_name else type_of(item).removesuffix("_call"),
        arguments=_arguments(item),
        scope={"domain": item.get("server_label")},
        key=key,
        encoded=own_name,
    )


def _arguments(item: dict[str, Any]) -> object:
    if type_of(item) == "custom_tool_call":
        return {"input": item.get("input")}
    if type_of(item) in NAMED:
        return item.get("arguments")
    return {name: value for name, value in item.items() if name not in BOOKKEEPING}


def _error(item: dict[str, Any]) -> str | None:
    """Give the text of an item's error, which may be a text or an object with a message."""
    error = item.get("error")
    if error is None:
        return None
    message = error.get("message") if is_object(error) else error
    return message if isinstance(message, str) and message else "the tool failed"
