"""The agents whose hooks are spoken, and where they differ: one row each."""

from typing import Literal

from attrs import frozen

__all__ = ["AGENTS", "CLAUDE_CODE", "CODEX", "HookAgent", "Rewritten"]

Rewritten = Literal["ask", "allow", "check"]


@frozen
class HookAgent:
    """What one agent's hooks can do.

    `asks`: `permissionDecision: "ask"` is understood. `rewrites_results`: `updatedToolOutput` is. `allows_silently`:
    a rewritten input must come with `permissionDecision: "allow"`, which there grants nothing else.
    """

    name: str
    asks: bool
    rewrites_results: bool
    allows_silently: bool
    settings_file: str


CLAUDE_CODE = HookAgent(
    "claude-code",
    asks=True,
    rewrites_results=True,
    allows_silently=False,
    settings_file="~/.claude/settings.json",
)
# Codex takes "ask", an "allow" that rewrites nothing, and every field it does not know as a failure of the hook, and
# goes on then (codex-rs/hooks/src/engine/output_parser.rs): what it does not know must never be said to it.
CODEX = HookAgent(
    "codex",
    asks=False,
    rewrites_results=False,
    allows_silently=True,
    settings_file="~/.codex/hooks.json",
)
AGENTS = {agent.name: agent for agent in (CLAUDE_CODE, CODEX)}
