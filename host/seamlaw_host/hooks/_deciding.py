"""One event with what decides it, and the answer that comes of it."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from seamlaw import Interceptors, Outcome, Scope, Seam, ToolCall, Verdict, decide, digest

from ._agents import HookAgent, Rewritten
from ._event import HookEvent

__all__ = ["Answer", "Hook", "changed", "refused_as"]


@frozen
class Answer:
    """What is said to the agent (`None`: nothing, it goes on as without a hook), and what a ledger is told."""

    said: Mapping[str, Any] | None = None
    outcome: Outcome[Any] | None = None
    scope: Scope = Scope()
    proposed: Any = None
    call: ToolCall | None = None
    executed: bool = False


@frozen
class Hook:
    """An event, who is asked about it, and whom the answer is for."""

    bundle: Interceptors
    agent: HookAgent
    event: HookEvent
    scope: Scope
    rewritten: Rewritten

    def decide(self, seam: Seam[Any], value: Any, *beside: Any) -> Outcome[Any]:
        """Ask the kernel."""
        return decide(self.bundle, seam, seam.admit(value), *beside, scope=self.scope)

    def specific(self, **fields: Any) -> dict[str, Any]:
        """What is said in terms of this event alone."""
        return {"hookSpecificOutput": {"hookEventName": self.event.name, **fields}}


def changed(outcome: Outcome[Any], before: Any) -> bool:
    """Whether another value than the one that came would go on; 1 and `true` are not the same."""
    return outcome.value is not before and digest(outcome.value) != digest(before)


def refused_as(outcome: Outcome[Any]) -> str:
    """How the agent is told that something does not go on; an ask cannot be put to anybody here."""
    if outcome.verdict is Verdict.ASK:
        return outcome.seam.surface(f"somebody must be asked, which a hook cannot do here: {outcome.reason}")
    return outcome.denial
