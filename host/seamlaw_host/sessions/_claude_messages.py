"""Claude Code's transcripts and its stream-json output: records that wrap Anthropic messages.

They differ in the spelling of their keys. Records of other types are many, some repeat a message that was sent, and
they are passed over, unless they are no records of Claude Code's and hold a call. Each block of an answer is a record
of its own.
"""

from typing import Any

from ._anthropic import is_tool_block, read_blocks
from ._steps import Steps, malformed
from ._strict_json import is_list, is_object
from ._unread import refused, unread

__all__ = ["is_stream_record", "is_transcript_record", "read_claude_record"]

AGENT = ("agent_type", "attributionAgent", "subagent_type", "agentId", "agent_id")
OF_A_SUBAGENT = ("isSidechain", "parent_tool_use_id")


def is_transcript_record(record: dict[str, Any]) -> bool:
    """Tell a transcript's record by its camel case."""
    return isinstance(record.get("type"), str) and isinstance(record.get("sessionId"), str)


def is_stream_record(record: dict[str, Any]) -> bool:
    """Tell a printed record by its snake case."""
    typed = isinstance(record.get("type"), str) and isinstance(record.get("session_id"), str)
    return typed and "hook_event_name" not in record


def read_claude_record(place: str, record: dict[str, Any]) -> Steps:
    """Read the message of one record, if it has one that was sent."""
    match record.get("type"), record.get("message"):
        case (("user" | "assistant"), message):
            if not is_object(message):
                yield malformed(place, "a record without its message")
                return
            session = record.get("sessionId", record.get("session_id"))
            yield from read_blocks(place, message, session, {"session": session, "agent": _agent(record)})
            yield from unread(place, _rest(message))
        case str(), _:
            is_ours = is_transcript_record(record) or is_stream_record(record)
            yield from unread(place, record, deep=not is_ours)
        case _:
            yield from refused(place, "a record without a type", record)


def _rest(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    blocks = [block for block in content if not is_tool_block(block)] if is_list(content) else []
    return {**message, "content": blocks}


def _agent(record: dict[str, Any]) -> object:
    """Name the sub-agent by its type, which policies know, before its id, which is drawn anew each time."""
    named = next((record[key] for key in AGENT if record.get(key)), None)
    return named or ("subagent" if any(record.get(key) for key in OF_A_SUBAGENT) else None)
