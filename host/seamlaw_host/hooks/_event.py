"""One event, as it came: JSON of one meaning, or nothing."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from attrs import frozen

from seamlaw import InvalidValue, Scope, ToolCall
from seamlaw_host.errors import HostError

__all__ = ["HookEvent", "UnreadableEvent", "read_event"]


class UnreadableEvent(HostError, ValueError):
    """An event that cannot be read; the text names the place, and no value."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):  # the agent may read another of the two
        raise UnreadableEvent("the event has an object with a key given twice")
    return made


def _no_constant(name: str) -> NoReturn:
    raise UnreadableEvent(f"{name} is no JSON")


def read_event(given: bytes) -> "HookEvent":
    """Read what came on standard input; raises `UnreadableEvent`."""
    try:
        found: object = json.loads(given.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
    except UnreadableEvent:
        raise
    except UnicodeDecodeError:
        raise UnreadableEvent("the event is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise UnreadableEvent(f"the event is no JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError):
        raise UnreadableEvent("the event is nested too deeply, or has a number with too many digits") from None
    if not isinstance(found, dict):
        raise UnreadableEvent("the event is no object")
    event = HookEvent(cast("dict[str, Any]", found))
    event.text("hook_event_name")
    return event


@frozen
class HookEvent:
    """The fields of an event, each checked when it is asked for."""

    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Which event this is."""
        return self.text("hook_event_name")

    def text(self, key: str) -> str:
        """Give a field that must be a text; raises `UnreadableEvent`."""
        found = self.fields.get(key)
        if not isinstance(found, str):
            raise UnreadableEvent(f"the event has no text {key}")
        return found

    def optional(self, key: str) -> str | None:
        """Give a field that may be absent or null; raises `UnreadableEvent` where it is anything but a text."""
        return None if self.fields.get(key) is None else self.text(key)

    def must_have(self, key: str) -> Any:
        """Give a field of any kind; raises `UnreadableEvent`."""
        if key not in self.fields:
            raise UnreadableEvent(f"the event has no {key}")
        return self.fields[key]

    def call(self) -> ToolCall:
        """The call that the event is about; raises `UnreadableEvent`."""
        arguments = self.must_have("tool_input")
        if not isinstance(arguments, dict):
            raise UnreadableEvent("tool_input is no object")
        try:
            return ToolCall(
                self.optional("tool_use_id") or "hook", self.text("tool_name"), cast("dict[str, Any]", arguments)
            )
        except InvalidValue as error:
            raise UnreadableEvent(f"the call cannot be carried: {error}") from None

    def scope(self, agent: str | None, role: str | None) -> Scope:
        """Who is calling; the agent is the one named, else the one of the event."""
        server: object = self.fields.get("mcp_server")
        domain = cast("dict[str, object]", server).get("name") if isinstance(server, dict) else None
        return Scope(
            session=self.optional("session_id"),
            agent=agent or self.optional("agent_type") or self.optional("agent_id"),
            role=role,
            domain=domain if isinstance(domain, str) else None,
        )
