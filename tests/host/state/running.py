"""What the engine does around a state: decide a call, run the tool, and tell the meters how it ended."""

import asyncio
from collections.abc import Callable
from typing import Any

from seamlaw import TOOL_CALL, Interceptors, Outcome, Scope, ToolCall, ToolResult, Verdict, decide
from seamlaw_host.errors import Blocked
from seamlaw_host.state import Attempt, Ending, attempting

Tool = Callable[[ToolCall], object]


def pay(amount: object, tool: str = "pay") -> ToolCall:
    """A call that costs something."""
    return ToolCall("the same id for all", tool, {"amount": amount})


class Run:
    """One call, from its decision to its end, in steps that others can come between."""

    def __init__(self, bundle: Interceptors, call: ToolCall, scope: Scope | None = None) -> None:
        self.attempt = Attempt()
        self.call = call
        token = attempting.set(self.attempt)
        try:
            self.outcome: Outcome[ToolCall] = decide(bundle, TOOL_CALL, call, scope=scope or Scope())
        finally:
            attempting.reset(token)
        self.starts = self.outcome.verdict is Verdict.PROCEED
        self.problems: tuple[Exception, ...] = ()
        if not self.starts:
            self.end(executed=False)

    def end(self, result: object = None, error: BaseException | None = None, *, executed: bool = True) -> None:
        """Tell the meters."""
        given = None if error is not None or not executed else ToolResult(result)
        self.problems = self.attempt.finished(Ending(executed, self.call, given, error))


def run(bundle: Interceptors, call: ToolCall, tool: Tool, scope: Scope | None = None) -> object:
    """Run a tool, if it may; raises `Blocked`, or what the tool raises."""
    one = Run(bundle, call, scope)
    if not one.starts:
        raise Blocked(one.outcome.denial, one.outcome)
    try:
        result = tool(call)
    except BaseException as error:
        one.end(error=error)
        raise
    one.end(result)
    return result


async def run_async(bundle: Interceptors, call: ToolCall, tool: Callable[[ToolCall], Any]) -> object:
    """As `run`, with a tool that is awaited."""
    one = Run(bundle, call)
    if not one.starts:
        raise Blocked(one.outcome.denial, one.outcome)
    try:
        await asyncio.sleep(0)
        result = await tool(call)
    except BaseException as error:
        one.end(error=error)
        raise
    one.end(result)
    return result
