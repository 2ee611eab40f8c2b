"""One tools/call: read, decided, written anew, and its answer judged. Whatever is in doubt is denied."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias, cast

from attrs import frozen

from seamlaw import TOOL_CALL, TOOL_RESULT, InvalidValue, ToolCall, ToolResult, thaw
from seamlaw_host.engine import Engine

from ._json import doubled, encoded, is_list, is_object, misspelt
from ._messages import denial
from ._tools import Tools

__all__ = ["Answered", "Forward", "Refused", "decide", "read_call"]

PARAMS = frozenset({"name", "arguments", "_meta", "task"})


class Refused(Exception):
    """A call that cannot be read in one way alone; its text says why, and stays in the package's hands."""


@frozen
class Answered:
    """What a server answered: the message, and the very bytes."""

    message: dict[str, Any]
    line: bytes


Forward: TypeAlias = Callable[[dict[str, Any], bytes], Awaitable[Answered]]


def read_call(request: dict[str, Any], tools: Tools) -> ToolCall:
    """Read a call; raises `Refused`."""
    params = request.get("params")
    if not is_object(params):
        raise Refused("params is no object")
    if misspelt(params, PARAMS):
        raise Refused("a key differs from name or arguments in case alone")
    if "task" in params:
        raise Refused("the result of a task could not be decided: call the tool without one")
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str):
        raise Refused("the name of the tool is no text")
    if arguments is not None and not is_object(arguments):
        raise Refused("arguments is no object")
    if doubled(arguments):
        raise Refused("two keys of the arguments differ in case alone")
    if tools.misspelt(name, arguments or {}):
        raise Refused("an argument differs from one of the tool in case alone")
    try:
        return ToolCall(str(request["id"]), name, arguments or {})
    except InvalidValue as problem:
        raise Refused(str(problem)) from None


def _rewritten(request: dict[str, Any], decided: ToolCall) -> dict[str, Any]:
    """The request with what was decided, and nothing that is not of the protocol beside it."""
    params = {key: value for key, value in request["params"].items() if key not in ("name", "arguments")}
    params["name"] = decided.name
    if decided.arguments or "arguments" in request["params"]:
        params["arguments"] = thaw(decided.arguments)
    return {"jsonrpc": "2.0", "id": request["id"], "method": "tools/call", "params": params}


async def decide(engine: Engine, tools: Tools, request: dict[str, Any], forward: Forward) -> bytes:
    """Decide a call, have the server run it, judge what it answers, and give the line that the client gets.

    The bytes are the server's own where nothing was changed. Nothing is raised but what is no `Exception`.
    """
    kept: list[Answered] = []

    async def run(decided: ToolCall) -> object:
        message = _rewritten(request, decided)
        answered = await forward(message, encoded(message) + b"\n")
        kept.append(answered)
        return answered.message.get("result", {"error": answered.message.get("error")})

    try:
        ran = await engine.aenforce(read_call(request, tools), lambda call: partial(run, call))
    except Refused as refused:
        return denial(request, TOOL_CALL.surface(str(refused)))
    except Exception as problem:
        return denial(request, TOOL_CALL.surface(f"it could not be decided: {type(problem).__name__}"))
    if ran.blocked is not None:
        return denial(request, ran.blocked.denial)
    if ran.error is not None and not kept:
        return denial(request, TOOL_RESULT.surface(f"the server gave no answer: {type(ran.error).__name__}"))
    if ran.result is None or ran.obtained is None:
        return denial(request, TOOL_RESULT.surface("there is none"))
    if kept and ran.result is ran.obtained and ran.obtained.error is None:
        return kept[0].line
    return _answer(request, ran.result)


def _answer(request: dict[str, Any], result: ToolResult) -> bytes:
    """A result that the server did not write: of a handler, or changed."""
    if result.error is not None:
        return denial(request, result.error)
    output = cast("object", thaw(result.output))
    if is_object(output) and is_object(output.get("error")) and "content" not in output:
        return encoded({"jsonrpc": "2.0", "id": request["id"], "error": output["error"]}) + b"\n"
    try:
        made = {"jsonrpc": "2.0", "id": request["id"], "result": _content(output)}
        return encoded(made) + b"\n"
    except (TypeError, ValueError):  # a handler may give a Python object
        return denial(request, TOOL_RESULT.surface("what was put in its place is no JSON"))


def _content(output: object) -> object:
    """A result as the protocol has it, from whatever stands in its place."""
    if is_object(output) and is_list(output.get("content")):
        return output
    if is_list(output) and output and all(is_object(block) and "type" in block for block in output):
        return {"content": output, "isError": False}
    text = output if isinstance(output, str) else encoded(output).decode()
    return {"content": [{"type": "text", "text": text}], "isError": False}
