"""What comes of comparing two policies."""

from enum import Enum
from typing import Any

from attrs import frozen

from seamlaw import TOOL_CALL, Interceptors, Level, Scope, ToolCall, decide, pick
from seamlaw_spec.kit._parts import STRICTNESS

__all__ = ["Refinement", "Verdict", "loosened", "strictness"]


class Verdict(Enum):
    """Whether the new policy is as strict as the old one on every call."""

    REFINES = "refines"
    DOES_NOT = "does not"
    UNKNOWN = "unknown"


@frozen
class Refinement:
    """The verdict, how it was found, and the call that shows that it does not, as the kernel decides it."""

    verdict: Verdict
    how: str
    call: ToolCall | None = None
    scope: Scope = Scope()
    old: str = ""
    new: str = ""

    def data(self) -> dict[str, Any]:
        """The refinement as data, for `--json`."""
        told: dict[str, Any] = {"verdict": self.verdict.value, "how": self.how}
        if self.call is not None:
            call = {"tool": self.call.name, "arguments": self.call.arguments, "agent": self.scope.agent}
            told |= {"call": call, "old": self.old, "new": self.new}
        return told


def strictness(bundle: Interceptors, call: ToolCall, scope: Scope) -> int:
    """How strict the kernel is with a call: 3 where it blocks, 2 where it asks."""
    worst = pick(decide(bundle, TOOL_CALL, call, scope=scope).log)
    return STRICTNESS.index(worst.level if worst else Level.ALLOW)


def loosened(
    old: Interceptors, new: Interceptors, call: ToolCall, scope: Scope, how: str, blocks_only: bool
) -> Refinement | None:
    """That the new policy is looser on a call, decided by the kernel; `None` if it is not."""
    least = 3 if blocks_only else 2
    before, after = strictness(old, call, scope), strictness(new, call, scope)
    if before < least or after >= before:
        return None
    told = [STRICTNESS[level].value if level > 1 else "proceed" for level in (before, after)]
    return Refinement(Verdict.DOES_NOT, how, call, scope, *told)
