"""Hooks of coding agents: an event comes as JSON, and what is decided goes out in the words of the agent."""

from ._agents import AGENTS as AGENTS
from ._agents import CLAUDE_CODE as CLAUDE_CODE
from ._agents import CODEX as CODEX
from ._agents import HookAgent as HookAgent
from ._answer import answer as answer
from ._deciding import Answer as Answer
from ._event import UnreadableEvent as UnreadableEvent
from ._seams import AGENT_STOP as AGENT_STOP
from ._seams import COMPACTION as COMPACTION

__all__ = [
    "AGENTS",
    "AGENT_STOP",
    "CLAUDE_CODE",
    "CODEX",
    "COMPACTION",
    "Answer",
    "HookAgent",
    "UnreadableEvent",
    "answer",
]
