"""Conversations with a model, in whatever provider's form each message has.

OpenAI's chat and responses and Anthropic's messages are told apart message by message, since some look alike until a
call comes. A gateway may write several forms into one message: all are read, in one order, and what stands in two of
them is two calls, for nothing says which of them runs. A record that wraps messages is a conversation of its own, whose
ids have nothing to do with those of the next.
"""

from typing import Any

from ._anthropic import has_tool_blocks, is_tool_block, read_blocks
from ._items import unwrapped, unwrapped_rest
from ._openai_chat import CALLS, has_tool_calls, read_chat_message
from ._openai_responses import is_call_item, is_response_item, read_response_item
from ._steps import Steps, malformed
from ._strict_json import is_list, is_object, kind
from ._unread import refused, unread

__all__ = ["guessed_shape", "is_message", "read_message"]


def is_message(record: dict[str, Any]) -> bool:
    """Tell a message, or a record that wraps messages, from all else."""
    wrapped = unwrapped(record)
    if wrapped is not None:
        return any(is_object(message) and _is_one(message) for message in wrapped)
    return _is_one(record)


def _is_one(record: dict[str, Any]) -> bool:
    return isinstance(record.get("role"), str) or is_response_item(record)


def guessed_shape(record: dict[str, Any]) -> str | None:
    """Name the form of a message that is only one provider's; `None` where it could be anyone's."""
    wrapped = unwrapped(record)
    if wrapped is not None:
        return next((shape for message in wrapped if is_object(message) and (shape := _shape(message))), None)
    return _shape(record)


def _shape(message: dict[str, Any]) -> str | None:
    if has_tool_calls(message):
        return "openai chat"
    if is_response_item(message):
        return "openai responses"
    return "anthropic messages" if has_tool_blocks(message) else None


def read_message(place: str, record: dict[str, Any], conversation: str | None = None) -> Steps:
    """Read one message, or all that a record wraps."""
    wrapped = unwrapped(record)
    if wrapped is None:
        yield from _read_one(place, record, conversation)
        return
    for number, message in enumerate(wrapped, 1):
        within = f"{place}, message {number}"
        if is_object(message):
            yield from _read_one(within, message, place)
        else:
            yield malformed(within, f"a message must be an object, not {kind(message)}")
    yield from unread(place, unwrapped_rest(record))


def _read_one(place: str, message: dict[str, Any], conversation: str | None) -> Steps:
    item, calls, blocks = is_call_item(message), has_tool_calls(message), has_tool_blocks(message)
    has_role = isinstance(message.get("role"), str)
    if not (item or calls or blocks or has_role or isinstance(message.get("type"), str)):
        yield from refused(place, "a message without a role or a type", message)
        return
    if item:
        yield from read_response_item(place, message, conversation)
    if blocks or (has_role and not item and not calls):
        yield from read_blocks(place, message, conversation, {})
    if calls:
        yield from read_chat_message(place, message, conversation)
    if not item:  # whose fields are arguments
        yield from unread(place, _rest(message))


def _rest(message: dict[str, Any]) -> dict[str, Any]:
    """Give what the readers above leave of a message."""
    content = message.get("content")
    blocks = [block for block in content if not is_tool_block(block)] if is_list(content) else []
    return {**{key: value for key, value in message.items() if key not in CALLS}, "content": blocks}
