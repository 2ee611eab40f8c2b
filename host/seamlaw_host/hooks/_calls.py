"""Events before a tool runs: whatever is not plainly allowed here denies the call."""

from typing import Any

from seamlaw import TOOL_CALL, Outcome, ToolCall, Verdict, thaw

from ._deciding import Answer, Hook, changed

__all__ = ["permission_request", "pre_tool_use"]

REACHED = ("cli",)  # schemes of targets that a prompt of the agent reaches: whoever sits in front of it


def pre_tool_use(hook: Hook) -> Answer:
    """Deny, ask the user, put other arguments in the place of these, or say nothing."""
    call = hook.event.call()
    outcome = hook.decide(TOOL_CALL, call)
    refused = _refused(hook, call, outcome) or _refused_ask(hook, outcome)
    said: dict[str, Any] | None = None
    if refused is not None:
        said = hook.specific(permissionDecision="deny", permissionDecisionReason=refused)
    elif outcome.verdict is Verdict.ASK:
        said = hook.specific(
            permissionDecision="ask", permissionDecisionReason=_question(outcome), **_updated(outcome, call)
        )
    elif changed(outcome, call):
        said = hook.specific(**_rewriting(hook), **_updated(outcome, call))
    return Answer(said, outcome, hook.scope, call, call)


def permission_request(hook: Hook) -> Answer:
    """Deny, or leave it to the user, whom the agent is about to ask by itself."""
    call = hook.event.call()
    outcome = hook.decide(TOOL_CALL, call)
    refused = _refused(hook, call, outcome) or _unreachable(outcome)
    if refused is None and changed(outcome, call):
        refused = TOOL_CALL.surface("the policy changes this call, which a hook can do only before permission is asked")
    said = None if refused is None else hook.specific(decision={"behavior": "deny", "message": refused})
    return Answer(said, outcome, hook.scope, call, call)


def _refused(hook: Hook, call: ToolCall, outcome: Outcome[ToolCall]) -> str | None:
    """Why a call is denied, whoever may be asked; `None` where it is not."""
    after = outcome.value
    if outcome.verdict is Verdict.BLOCK:
        return outcome.denial
    if any(handler.matches(after.name, hook.scope.agent) for handler in hook.bundle.handlers):
        return TOOL_CALL.surface("the policy answers in the place of this tool, which a hook cannot do")
    if after.name != call.name:
        return TOOL_CALL.surface("the policy renames this call, which a hook cannot do")
    return None


def _refused_ask(hook: Hook, outcome: Outcome[ToolCall]) -> str | None:
    if outcome.verdict is Verdict.ASK and not hook.agent.asks:
        return TOOL_CALL.surface(f"somebody must be asked, which hooks of this agent cannot do: {outcome.reason}")
    return _unreachable(outcome)


def _unreachable(outcome: Outcome[ToolCall]) -> str | None:
    """Refuse an ask whose target is a URI of somebody else than the one in front of the agent."""
    for ask in outcome.asks:
        scheme, found, _ = (ask.target or "").partition("://")
        if found and scheme.lower() not in REACHED:
            return TOOL_CALL.surface(f"somebody must be asked whom a hook does not reach: {ask.reason}")
    return None


def _question(outcome: Outcome[ToolCall]) -> str:
    """What is asked, and whom the policy names."""
    asks = ((ask.reason or "may this run?", ask.target) for ask in outcome.asks)
    return "; ".join(f"{reason} (for {target})" if target else reason for reason, target in asks)


def _updated(outcome: Outcome[ToolCall], call: ToolCall) -> dict[str, Any]:
    return {"updatedInput": thaw(outcome.value.arguments)} if changed(outcome, call) else {}


def _rewriting(hook: Hook) -> dict[str, Any]:
    # To "allow" skips what the user's own permissions would ask, which loosens nothing only where they ask nothing.
    unasked = hook.event.fields.get("permission_mode") == "bypassPermissions"
    if hook.agent.allows_silently or hook.rewritten == "allow" or unasked:
        return {"permissionDecision": "allow"}
    if hook.rewritten == "check":
        return {}
    return {"permissionDecision": "ask", "permissionDecisionReason": "the policy has changed what would run"}
