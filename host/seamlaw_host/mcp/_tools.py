"""The tools that a server lists: which a client is shown, and what their arguments are called."""

from typing import Any

from seamlaw import TOOL_CALL, Rule, Scope
from seamlaw_host.engine import Engine

from ._json import is_list, is_object

__all__ = ["Tools", "shown"]

MOST = 10_000  # tools; their names come from a server


class Tools:
    """What the arguments of each tool are called, as far as the server has said so."""

    def __init__(self) -> None:
        self._names: dict[str, frozenset[str]] = {}

    def learn(self, message: dict[str, Any]) -> None:
        """Take an answer to tools/list."""
        for tool in _listed(message):
            schema = tool.get("inputSchema")
            names = schema.get("properties") if is_object(schema) else None
            if is_object(names) and len(self._names) < MOST:
                self._names[str(tool.get("name"))] = frozenset(names)

    def misspelt(self, tool: str, arguments: dict[str, Any]) -> bool:
        """Whether an argument differs from a known one in case alone: a reader that tells no case would take it."""
        known = self._names.get(tool, frozenset())
        folded = {name.casefold() for name in known}
        return any(name not in known and name.casefold() in folded for name in arguments)


def _listed(message: dict[str, Any]) -> list[dict[str, Any]]:
    result = message.get("result")
    tools = result.get("tools") if is_object(result) else None
    return [tool for tool in tools if is_object(tool)] if is_list(tools) else []


def never_runs(engine: Engine, tool: str, scope: Scope) -> bool:
    """Whether no call of this tool could ever be allowed, as far as that can be known without arguments."""
    bundle = engine.effective
    everyone = [] if bundle is None else [one for one in bundle.ordered(TOOL_CALL) if one.matches(tool, scope.agent)]
    if not everyone:
        return engine.default == "deny"
    if any(not one.is_gate for one in everyone):  # it may be renamed
        return False
    return any(_always_refuses(one.function) for one in everyone)


def _always_refuses(function: object) -> bool:
    return (
        isinstance(function, Rule) and function.verb == "refuse" and not function.only.when and not function.only.unless
    )


def shown(engine: Engine, message: dict[str, Any], scope: Scope) -> dict[str, Any] | None:
    """An answer to tools/list without the tools that never run; `None` where all are left as they were."""
    result = message.get("result")
    tools = result.get("tools") if is_object(result) else None
    if not engine.enforces or not is_object(result) or not is_list(tools):
        return None
    left = [tool for tool in tools if not (is_object(tool) and never_runs(engine, str(tool.get("name")), scope))]
    return None if len(left) == len(tools) else {**message, "result": {**result, "tools": left}}
