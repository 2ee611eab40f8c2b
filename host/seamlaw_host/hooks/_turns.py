"""Events that are about no tool: a prompt, the end of a turn, the context before it is compacted."""

from typing import Any

from seamlaw import CONTEXT, Message, freeze

from ._deciding import Answer, Hook, changed, refused_as
from ._seams import AGENT_STOP, COMPACTION

__all__ = ["pre_compact", "stop", "user_prompt_submit"]


def user_prompt_submit(hook: Hook) -> Answer:
    """Block a prompt, also one that the policy would rewrite: no hook can."""
    messages = (Message("user", hook.event.text("prompt")),)
    outcome = hook.decide(CONTEXT, messages)
    refused: str | None = None
    if not outcome.proceeds:
        refused = refused_as(outcome)
    elif changed(outcome, messages):
        refused = CONTEXT.surface("the policy changes this prompt, which a hook cannot do: change it and send it again")
    said = None if refused is None else {"decision": "block", "reason": refused}
    return Answer(said, outcome, hook.scope, messages)


def stop(hook: Hook) -> Answer:
    """Keep an agent going, once: one that goes on because of a hook may stop."""
    event = freeze(dict(hook.event.fields))
    outcome = hook.decide(AGENT_STOP, event)
    goes_on = not outcome.proceeds and event.get("stop_hook_active") is not True
    said = {"decision": "block", "reason": refused_as(outcome)} if goes_on else None
    return Answer(said, outcome, hook.scope, event)


def pre_compact(hook: Hook) -> Answer:
    """Keep the context as it is."""
    event = freeze(dict(hook.event.fields))
    outcome = hook.decide(COMPACTION, event)
    said: dict[str, Any] | None = None
    if not outcome.proceeds:
        reason = refused_as(outcome)
        said = {"decision": "block", "reason": reason} if hook.agent.asks else {"continue": False, "stopReason": reason}
    return Answer(said, outcome, hook.scope, event)
