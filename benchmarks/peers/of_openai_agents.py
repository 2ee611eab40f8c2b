"""OpenAI Agents: input guardrails of a tool, run as its runner runs them."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from agents import Agent, FunctionTool, ToolGuardrailFunctionOutput, tool_input_guardrail
from agents.run_internal.tool_execution import _execute_tool_input_guardrails
from agents.tool_context import ToolContext

from ._peer import TOOL, Peer, text

AGENT: Any = Agent("main")


def guardrail(forbidden: str) -> Any:
    @tool_input_guardrail
    def check(data: Any) -> ToolGuardrailFunctionOutput:
        if forbidden in json.loads(data.context.tool_arguments)["command"]:
            return ToolGuardrailFunctionOutput.reject_content("forbidden")
        return ToolGuardrailFunctionOutput.allow()

    return check


async def done(context: Any, arguments: str) -> str:
    return "done"


def build(count: int) -> Callable[[Any], Awaitable[bool]]:
    tool = FunctionTool(
        name=TOOL,
        description="",
        params_json_schema={"type": "object", "properties": {}},
        on_invoke_tool=done,
        strict_json_schema=False,
        tool_input_guardrails=[guardrail(text(number)) for number in range(count)],
    )

    async def decide(context: Any) -> bool:
        denial = await _execute_tool_input_guardrails(
            func_tool=tool, tool_context=context, agent=AGENT, tool_input_guardrail_results=[]
        )
        return denial is None

    return decide


def context(arguments: dict[str, object]) -> Any:
    return ToolContext(context=None, tool_name=TOOL, tool_call_id="call-1", tool_arguments=json.dumps(arguments))


PEERS = (
    Peer(
        "openai-agents guardrails",
        build,
        "openai-agents",
        context,
        is_async=True,
        does="decides; each check is given the arguments as text, and parses them",
    ),
)
