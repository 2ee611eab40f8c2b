"""The shapes of recorded sessions: one literal table, and how a recording finds its row.

A recording is of the first shape that one of its first records can only be. Claude Code's transcripts begin with
records that tell nothing, and providers' messages look alike until a tool is called, so one record is not enough.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import frozen

from seamlaw_host.errors import UnknownShape

from ._claude_hooks import is_hook_event, read_hook_event
from ._claude_messages import is_stream_record, is_transcript_record, read_claude_record
from ._conversation import guessed_shape, is_message, read_message
from ._items import Item
from ._ledger import LEDGER, LedgerReader, is_ledger_line
from ._mcp import McpReader, is_mcp_record
from ._seamlaw import is_own_record, read_own_record
from ._steps import Steps
from ._strict_json import Unreadable, is_object, kind, shown

__all__ = ["SHAPES", "Shape", "recognised", "shape_named"]

Reader = Callable[[str, dict[str, Any]], Steps]


@frozen
class Shape:
    """A shape that can be read: its name, what it is recognised by, and what makes a reader of its records."""

    name: str
    recognised_by: str
    is_one: Callable[[dict[str, Any]], bool]
    reader: Callable[[], Reader]


def _guessed(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda record: guessed_shape(record) == name


SHAPES = (
    Shape(
        "claude-code hooks",
        "objects with hook_event_name and session_id, as hooks get them on standard input",
        is_hook_event,
        lambda: read_hook_event,
    ),
    Shape(
        "claude-code transcript",
        "objects with type and sessionId, as in ~/.claude/projects",
        is_transcript_record,
        lambda: read_claude_record,
    ),
    Shape(
        "claude-code stream",
        "objects with type and session_id, as printed with --output-format stream-json",
        is_stream_record,
        lambda: read_claude_record,
    ),
    Shape(
        "mcp",
        'JSON-RPC messages with "jsonrpc": "2.0", bare or as {"direction", "message"}',
        is_mcp_record,
        McpReader,
    ),
    Shape(
        LEDGER,
        'lines of a ledger, {"type": "record", "seq": …, "prev": …, "record": {…}}',
        is_ledger_line,
        LedgerReader,
    ),
    Shape(
        "seamlaw",
        'objects with tool and arguments, {"tool": …, "arguments": {…}}',
        is_own_record,
        lambda: read_own_record,
    ),
    Shape(
        "openai chat",
        "messages with role, and tool_calls, function_call or the role tool",
        _guessed("openai chat"),
        lambda: read_message,
    ),
    Shape(
        "openai responses",
        "items with type function_call and function_call_output, or other calls",
        _guessed("openai responses"),
        lambda: read_message,
    ),
    Shape(
        "anthropic messages",
        "messages with role, and content blocks with type tool_use or tool_result",
        _guessed("anthropic messages"),
        lambda: read_message,
    ),
)
UNDECIDED = "openai chat"  # messages without any call; all providers' messages have one reader


def shape_named(name: str) -> Shape:
    """Find a shape by its name."""
    for shape in SHAPES:
        if shape.name == name:
            return shape
    raise _unknown("No shape has the name that was asked for")


def recognised(ahead: Sequence[Item], *, more: bool) -> Shape:
    """Recognise the shape by the first records of a recording; `more` if these are not all."""
    records = [item.value for item in ahead if is_object(item.value)]
    for record in records:
        for shape in SHAPES:
            if shape.is_one(record):
                return shape
    if any(map(is_message, records)):
        return shape_named(UNDECIDED)
    raise _unknown(_found(ahead, records, more))


def _unknown(found: str) -> UnknownShape:
    return UnknownShape(found, ((shape.name, shape.recognised_by) for shape in SHAPES))


def _found(ahead: Sequence[Item], records: Sequence[dict[str, Any]], more: bool) -> str:
    """Say what there is instead, by types and keys alone."""
    if not ahead:
        return "The session is empty"
    if records:
        return f"No known session: the first object has {_keys(records[0])}"
    value = ahead[0].value
    first = f"cannot be read ({value.problem})" if isinstance(value, Unreadable) else f"is {kind(value)}"
    return f"No known session: there is no object{' at its beginning' if more else ''}; {ahead[0].place} {first}"


def _keys(record: Iterable[str]) -> str:
    keys = [shown(key) for key in record]
    listed = ", ".join(keys[:12]) + (" and more" if len(keys) > 12 else "")
    return f"the keys {listed}" if keys else "no keys"
