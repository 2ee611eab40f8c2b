"""Anthropic messages: tool_use blocks are calls, tool_result blocks are results.

Tools that the provider runs by itself have blocks of their own (server_tool_use, mcp_tool_use, web_search_tool_result
and so on), which are read alike.
"""

from collections.abc import Mapping
from typing import Any

from ._steps import Call, Result, Steps, answered, key_of, malformed, proposed
from ._strict_json import is_list, is_object, kind, type_of

__all__ = ["has_tool_blocks", "is_tool_block", "read_blocks", "text_of"]


def has_tool_blocks(message: dict[str, Any]) -> bool:
    """Tell whether a block of the content is a call or a result."""
    content = message.get("content")
    return is_list(content) and any(map(is_tool_block, content))


def is_tool_block(block: object) -> bool:
    """Tell whether it is a call or a result."""
    return _ends(block, "tool_use") or _ends(block, "tool_result")


def read_blocks(place: str, message: dict[str, Any], conversation: object, scope: Mapping[str, Any]) -> Steps:
    """Read the blocks of one message; `conversation` keeps the ids of one apart from those of another."""
    content = message.get("content")
    if content is not None and not isinstance(content, str) and not is_list(content):
        yield malformed(place, f"content must be a string or a list, not {kind(content)}")
    for block in content if is_list(content) else []:
        if not is_object(block):
            yield malformed(place, f"a block of content must be an object, not {kind(block)}")
        elif _ends(block, "tool_use"):
            yield _call(place, block, conversation, scope)
        elif _ends(block, "tool_result"):
            yield _result(place, block, conversation)


def _ends(block: object, suffix: str) -> bool:
    return is_object(block) and type_of(block).endswith(suffix)


def _call(place: str, block: dict[str, Any], conversation: object, scope: Mapping[str, Any]) -> Call:
    server = {"domain": block["server_name"]} if "server_name" in block else {}
    return proposed(
        place,
        id=block.get("id"),
        name=block.get("name"),
        arguments=block.get("input"),
        scope={**scope, **server},
        key=key_of(conversation, block.get("id") or ""),
    )


def _result(place: str, block: dict[str, Any], conversation: object) -> Result:
    content = block.get("content")
    error = text_of(content) or "the tool failed" if block.get("is_error") else None
    return answered(place, key_of(conversation, block.get("tool_use_id") or ""), output=content, error=error)


def text_of(content: object) -> str:
    """Join the texts of content that is a text or a list of blocks."""
    if isinstance(content, str):
        return content
    texts = [block.get("text") for block in content if is_object(block)] if is_list(content) else []
    return "\n".join(text for text in texts if isinstance(text, str))
