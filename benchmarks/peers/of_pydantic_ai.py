"""Pydantic AI: hooks before a tool executes; async ones, since it runs others in a thread."""

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.capabilities import Hooks
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RunUsage

from ._peer import TOOL, Peer, text

DEFINITION = ToolDefinition(name=TOOL)


def hook(forbidden: str) -> Any:
    async def check(ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        if forbidden in args["command"]:
            raise ModelRetry("forbidden")
        return args

    return check


def build(count: int) -> Callable[[Any], Awaitable[bool]]:
    hooks: Any = Hooks()
    for number in range(count):
        hooks.on.before_tool_execute(hook(text(number)))
    context: Any = RunContext(deps=None, model=TestModel(), usage=RunUsage())

    async def decide(call: Any) -> bool:
        try:
            await hooks.before_tool_execute(context, call=call, tool_def=DEFINITION, args=call.args)
        except ModelRetry:
            return False
        return True

    return decide


def part(arguments: dict[str, object]) -> Any:
    return ToolCallPart(TOOL, arguments, "call-1")


PEERS = (Peer("pydantic-ai hooks", build, "pydantic-ai-slim", part, is_async=True, does="awaits the checks"),)
