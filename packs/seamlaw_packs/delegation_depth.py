"""Blocks agents that delegate too deep, or in a circle.

The depth is read from the chain of the scope, which names the agents from the first to the acting one: a first agent
acts at depth 0. At the limit no agent may delegate, and beyond it none may call anything. An agent that stands in the
chain twice may not call anything either.

It believes the scope: a host that does not say who delegated to whom shows every agent as the first. Where nobody is
named at all, delegating is blocked. It knows the delegate tools by the names it is given, and not what they start.
"""

from collections.abc import Iterable
from typing import ClassVar

from attrs import field, frozen

from seamlaw import Block, Globs, Interceptors, Scope, ToolCall, block, gate

from ._settings import flag, globs_at, whole_number

__all__ = ["DelegationDepth"]


def _limit(given: int) -> int:
    return whole_number("limit", given, 0)


def _delegates(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("delegates", given)


def _circles(given: bool) -> bool:
    return flag("circles", given)


@frozen
class DelegationDepth:
    """Blocks calls of `delegates` (globs) at a depth of `limit`, and every call beyond it.

    `circles`: whether an agent may be delegated to that delegated itself, further up. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "delegation_depth"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks agents that delegate too deep, or in a circle."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    limit: int = field(default=2, converter=_limit)
    delegates: Globs = field(default=Globs(("delegate", "spawn_*", "task", "Task")), converter=_delegates, kw_only=True)
    circles: bool = field(default=False, converter=_circles, kw_only=True)

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name)])

    def judge(self, call: ToolCall, scope: Scope) -> Block | None:
        """Block a call from too deep, and one that would lead there."""
        chain = scope.chain or ((scope.agent,) if scope.agent else ())
        depth = max(len(chain) - 1, 0)
        if depth > self.limit:
            return block(f"delegated {depth} deep, and the limit is {self.limit}")
        if not self.circles and len(set(chain)) < len(chain):
            return block("delegated in a circle: an agent stands in the chain twice")
        if not self.delegates.admit(call.name):
            return None
        if not chain:
            return block("nobody knows who delegates: the scope names no agent")
        return block(f"no delegating beyond a depth of {self.limit}") if depth == self.limit else None
