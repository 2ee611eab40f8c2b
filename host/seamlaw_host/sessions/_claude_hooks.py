"""Claude Code's hook events: PreToolUse is a call; PostToolUse and PostToolUseFailure are results.

Version 1 gives a call no id: its result is that of the oldest open call of the same session, tool and input. A hook may
change the input, so a result may come with another input than its call: the call is given as proposed, and the
result's metadata has what ran as `executed_arguments`. A result whose call was not recorded (a hook may be set for one
event alone) is a call as well, since its event holds the whole call.
"""

import json
from typing import Any

from attrs import evolve

from ._events import Malformed
from ._steps import Call, Key, Result, Steps, answered, key_of, proposed
from ._strict_json import is_object
from ._unread import refused, unread

__all__ = ["is_hook_event", "read_hook_event"]

REPEAT_A_CALL = ("PermissionRequest", "PermissionDenied", "PostToolBatch")
ABOUT_NO_TOOL = tuple(
    """
    SessionStart Setup InstructionsLoaded UserPromptSubmit Notification SubagentStart SubagentStop TaskCreated
    TaskCompleted TeammateIdle Stop StopFailure PreCompact PostCompact ConfigChange CwdChanged FileChanged
    WorktreeCreate WorktreeRemove Elicitation ElicitationResult SessionEnd
    """.split()
)
BESIDE_THE_RESULT = ("duration_ms", "is_interrupt")


def is_hook_event(record: dict[str, Any]) -> bool:
    """Tell a hook's input from other records."""
    return isinstance(record.get("hook_event_name"), str) and "session_id" in record


def read_hook_event(place: str, record: dict[str, Any]) -> Steps:
    """Read one event; those that are about no tool say nothing, unless their name is unknown and they hold a call."""
    match record.get("hook_event_name"):
        case "PreToolUse":
            yield _call(place, record)
        case "PostToolUse":
            result = answered(place, None, output=record.get("tool_response"), metadata=_metadata(record))
            yield _joined(_call(place, record), result)
        case "PostToolUseFailure":
            error = record.get("error") or "the tool failed"
            result = answered(place, None, error=error, metadata=_metadata(record))
            yield _joined(_call(place, record), result)
        case str(event):
            yield from () if event in REPEAT_A_CALL + ABOUT_NO_TOOL else unread(place, record)
        case _:
            yield from refused(place, "a record without hook_event_name", record)


def _call(place: str, record: dict[str, Any]) -> Call:
    server = record.get("mcp_server")
    call = proposed(
        place,
        id=record.get("tool_use_id"),
        name=record.get("tool_name"),
        arguments=record.get("tool_input"),
        scope={
            "session": record.get("session_id"),
            "agent": record.get("agent_type") or record.get("agent_id"),
            "domain": server.get("name") if is_object(server) else None,
        },
    )
    return evolve(call, key=_key(call, record), renews=record.get("tool_use_id") is not None)


def _key(call: Call, record: dict[str, Any]) -> Key | None:
    if record.get("tool_use_id") is not None or isinstance(call.event, Malformed):
        return key_of(record.get("session_id"), record.get("tool_use_id"))
    arguments = json.dumps(call.event.call.arguments, sort_keys=True)
    return key_of(record.get("session_id"), record.get("tool_name"), arguments)


def _joined(call: Call, result: Result) -> Result:
    """Say which call a result is of, and what it is worth without one."""
    if isinstance(call.event, Malformed):
        return evolve(result, key=call.key, orphan=call.event)
    orphan = evolve(call.event, result=result.result, result_place=result.place)
    return evolve(result, key=call.key, orphan=orphan, executed=call.event.call.arguments)


def _metadata(record: dict[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in BESIDE_THE_RESULT if key in record}
