"""The settings that make an agent call the hook, and what a hook cannot enforce of a policy."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from seamlaw import MEMORY, PROVIDER_REQUEST, Interceptors, Seam

from ._agents import HookAgent
from ._seams import AGENT_STOP, COMPACTION

__all__ = ["absolute", "settings", "unenforced"]

TIMEOUT_S = 60  # the agent's; the hook itself gives up, and blocks, before
# Codes other than 2 do not block, such as that of a shell which finds no such command.
OR_BLOCK = "{ [ $? = 2 ] || echo 'seamlaw hook could not run, so this is blocked' >&2; exit 2; }"


def settings(agent: HookAgent, bundle: Interceptors, arguments: Sequence[str], *, recorded: bool) -> dict[str, Any]:
    """What goes into the agent's settings file, for the events that this policy is about."""
    command = shlex.join([*_program(), "hook", agent.name, *arguments])
    events = {"PreToolUse": f"{command} || {OR_BLOCK}"}
    if bundle.tool_result or recorded:
        events["PostToolUse"] = f"{command} || {OR_BLOCK}"
        if agent.rewrites_results:
            events["PostToolUseFailure"] = command
    if bundle.context:
        events["UserPromptSubmit"] = f"{command} || {OR_BLOCK}"
    if bundle.at(AGENT_STOP):
        events |= dict.fromkeys(("Stop", "SubagentStop"), command)
    if bundle.at(COMPACTION):
        events["PreCompact"] = command
    events["SessionStart"] = command
    return {"hooks": {name: [{"hooks": [_handler(told)]}] for name, told in events.items()}}


def _handler(command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": TIMEOUT_S}


def _program() -> list[str]:
    """How to start this very program from anywhere: never with modules that stand in an agent's folder."""
    script = Path(sys.executable).with_name("seamlaw")
    return [str(script)] if script.exists() else [sys.executable, "-P", "-m", "seamlaw_host"]


def absolute(policies: Iterable[str]) -> list[str]:
    """The same policies, named so that they are found from any folder."""
    return [_absolute(policy) for policy in policies]


def _absolute(policy: str) -> str:
    where, colon, name = policy.partition(".py:")
    if colon:
        return f"{Path(where).resolve()}.py:{name}"
    return policy if ":" in policy else str(Path(policy).resolve())


def unenforced(bundle: Interceptors, agent: HookAgent) -> list[str]:
    """What of a policy no hook of this agent can do, for those who rely on it."""
    told: list[str] = []
    if bundle.handlers:
        told.append("handlers cannot answer in the place of a tool: calls of these tools are denied")
    if bundle.context:
        told.append("at the seam context only the user's prompt is seen; one that would be changed is blocked")
    if bundle.tool_result and agent.rewrites_results:
        told.append(
            "results are rewritten from Claude Code 2.1.121 on (of MCP: before), and in the tool's own shape only; "
            "what a failed tool said cannot be: a block there stops the agent"
        )
    elif bundle.tool_result:
        told.append("a result that is rewritten is told as the reason of a block, which stands in its place")
    others: list[Seam[Any]] = [PROVIDER_REQUEST, MEMORY, *(seam for seam, _ in bundle.seams)]
    never = [seam.name for seam in others if seam not in (AGENT_STOP, COMPACTION) and bundle.at(seam)]
    if never:
        told.append(f"nobody is asked at {', '.join(never)}: no hook is there")
    return told
