"""Events after a tool ran: its result is withheld or rewritten as far as the agent lets a hook do it."""

import json
from typing import Any

from seamlaw import TOOL_RESULT, ToolResult, thaw

from ._deciding import Answer, Hook, changed, refused_as
from ._shape import NoShape, same_shape, withheld

__all__ = ["post_tool_use", "post_tool_use_failure"]


def post_tool_use(hook: Hook) -> Answer:
    """Withhold a result, put another in its place, or say nothing."""
    call, result = hook.event.call(), ToolResult(hook.event.must_have("tool_response"))
    outcome = hook.decide(TOOL_RESULT, result, call)
    said: dict[str, Any] | None = None
    if not outcome.proceeds:
        said = _withholding(hook, refused_as(outcome), result)
    elif changed(outcome, result):
        said = _replacing(hook, result, outcome.value)
    return Answer(said, outcome, hook.scope, result, call, executed=True)


def post_tool_use_failure(hook: Hook) -> Answer:
    """Stop the agent on a block: what a failed tool said cannot be replaced; a replacement is told to the user."""
    call, result = hook.event.call(), ToolResult(error=hook.event.optional("error") or "the tool failed")
    outcome = hook.decide(TOOL_RESULT, result, call)
    said: dict[str, Any] | None = None
    if not outcome.proceeds:
        said = {"continue": False, "stopReason": refused_as(outcome)}
    elif changed(outcome, result):
        said = {"systemMessage": "seamlaw: the policy changes what this failed tool said, and no hook can"}
    return Answer(said, outcome, hook.scope, result, call, executed=True)


def _replacing(hook: Hook, before: ToolResult, after: ToolResult) -> dict[str, Any]:
    shown: Any = thaw(after.output)
    if not hook.agent.rewrites_results:  # there the reason of a block stands in the place of the result
        told = after.error or (shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False))
        return {"decision": "block", "reason": told if told.strip() else "(the policy left nothing of the result)"}
    if after.error is not None or not same_shape(before.output, shown):
        why = "the policy put something in its place that is not in the shape of this tool's results"
        return _withholding(hook, TOOL_RESULT.surface(why), before)
    return hook.specific(**_output(hook, shown))


def _withholding(hook: Hook, placeholder: str, result: ToolResult) -> dict[str, Any]:
    blocked: dict[str, Any] = {"decision": "block", "reason": placeholder}
    if not hook.agent.rewrites_results:
        return blocked
    try:
        return blocked | hook.specific(**_output(hook, withheld(result.output, placeholder)))
    except NoShape:  # what the agent would show after all: rather nothing goes on
        return {"continue": False, "stopReason": placeholder}


def _output(hook: Hook, shown: Any) -> dict[str, Any]:
    """What the model is to see; Claude Code before 2.1.121 knows the second alone, for tools of MCP."""
    of_mcp = hook.event.text("tool_name").startswith("mcp__")
    return {"updatedToolOutput": shown, **({"updatedMCPToolOutput": shown} if of_mcp else {})}
