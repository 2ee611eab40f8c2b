"""LangChain: middlewares that wrap the call of a tool, nested as its agent nests them."""

from collections.abc import Callable
from typing import Any

from langchain.agents.factory import _chain_tool_call_wrappers
from langchain.agents.middleware import wrap_tool_call
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from ._peer import TOOL, Peer, text

DONE = ToolMessage("done", tool_call_id="call-1")
DENIED = ToolMessage("forbidden", tool_call_id="call-1", status="error")


def middleware(forbidden: str) -> Any:
    @wrap_tool_call
    def check(request: Any, handler: Callable[[Any], Any]) -> Any:
        return DENIED if forbidden in request.tool_call["args"]["command"] else handler(request)

    return check


def execute(request: Any) -> Any:
    """The tool."""
    return DONE


def build(count: int) -> Callable[[Any], bool]:
    run = _chain_tool_call_wrappers([middleware(text(number)).wrap_tool_call for number in range(count)])
    assert run is not None
    return lambda request: run(request, execute) is DONE


def request(arguments: dict[str, object]) -> ToolCallRequest:
    call = {"name": TOOL, "args": arguments, "id": "call-1", "type": "tool_call"}
    return ToolCallRequest(tool_call=call, tool=None, state={}, runtime=None)


PEERS = (
    Peer("langchain wrap_tool_call", build, "langchain", request, does="nests the checks around the tool, runs it"),
)
