"""Decide a recorded call as a host would have: the call first, then, if it may run, its recorded result."""

import time

from attrs import evolve, frozen

from seamlaw import (
    TOOL_CALL,
    Interceptors,
    Kind,
    Outcome,
    Scope,
    ToolCall,
    ToolResult,
    Verdict,
    plan,
)
from seamlaw_host.sessions import Recorded

from ._changes import compared
from ._recorded import as_recorded

__all__ = ["Judge", "Judged"]


@frozen
class Judged:
    """A recorded call with what was decided of it.

    `result` is `None` where none is recorded, and where the call was blocked, for then it would not have come.
    `governed`: whether any rule or interceptor is for this tool and agent. `nanoseconds` is what both decisions took.
    `unreliable` says why a decision on what a ledger has may not be what it would have been on what was seen, and
    `asked` which parts of the state that it has were asked for.
    """

    recorded: Recorded
    call: Outcome[ToolCall]
    result: Outcome[ToolResult] | None
    governed: bool
    nanoseconds: int
    unreliable: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()

    @property
    def changed(self) -> bool:
        """Whether the call goes on as another one."""
        before, after = self.recorded.call, self.call.value
        return before.name != after.name or _differ(before.arguments, after.arguments)

    @property
    def result_changed(self) -> bool:
        """Whether the model is shown another result; a withheld one is not counted."""
        if self.result is None or self.result.verdict is Verdict.BLOCK or self.result.value is self.recorded.result:
            return False
        return any(entry.kind is Kind.REPLACE for entry in self.result.log)


class Judge:
    """A bundle, ready to judge; `session`, `agent` and `role` go before what is recorded of who is calling."""

    def __init__(
        self,
        bundle: Interceptors | None,
        *,
        session: str | None = None,
        agent: str | None = None,
        role: str | None = None,
    ) -> None:
        self._plan = plan(bundle)
        self._asked = bundle.ordered(TOOL_CALL) if bundle else ()
        said = {"session": session, "agent": agent, "role": role}
        self._scope = {key: value for key, value in said.items() if value is not None}

    def scope_of(self, recorded: Recorded) -> Scope:
        """Who is calling."""
        return evolve(recorded.scope, **self._scope) if self._scope else recorded.scope

    def judge(self, recorded: Recorded) -> Judged:
        """Decide one call, and its result."""
        if (was := recorded.was) is None:
            return self._judged(recorded)
        with as_recorded(recorded, self.scope_of(recorded)) as past:
            judged = self._judged(recorded)
        return evolve(judged, unreliable=(*was.unreliable, *past.missed), asked=frozenset(past.asked))

    def _judged(self, recorded: Recorded) -> Judged:
        scope, call = self.scope_of(recorded), recorded.call
        begun = time.perf_counter_ns()
        said = self._plan.tool_call(call, scope=scope) if self._plan else None
        outcome: Outcome[ToolCall] = Outcome(TOOL_CALL, Verdict.PROCEED, call) if said is None else said
        result = None
        if self._plan and recorded.result is not None and outcome.verdict is not Verdict.BLOCK:
            result = self._plan.tool_result(recorded.result, outcome.value, scope=scope)
        took = time.perf_counter_ns() - begun
        return Judged(evolve(recorded, scope=scope), outcome, result, self.governs(outcome, call, scope), took)

    def governs(self, outcome: Outcome[ToolCall], call: ToolCall, scope: Scope) -> bool:
        """Whether anyone is asked about this tool and this agent; one who answered was."""
        return bool(outcome.log) or any(
            asked.function is not None and asked.matches(call.name, scope.agent) for asked in self._asked
        )


def _differ(before: object, after: object) -> bool:
    return before is not after and any(leaf.changed for leaf in compared(before, after))
