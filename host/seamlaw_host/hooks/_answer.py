"""What a hook answers to an event: the kernel decides, the agent enforces."""

from collections.abc import Callable, Mapping

from seamlaw import Interceptors, InvalidValue

from ._agents import HookAgent, Rewritten
from ._calls import permission_request, pre_tool_use
from ._deciding import Answer, Hook
from ._event import HookEvent, UnreadableEvent
from ._results import post_tool_use, post_tool_use_failure
from ._turns import pre_compact, stop, user_prompt_submit

__all__ = ["DECIDED", "answer", "fails_closed"]

DECIDED: Mapping[str, Callable[[Hook], Answer]] = {
    "PreToolUse": pre_tool_use,
    "PermissionRequest": permission_request,
    "PostToolUse": post_tool_use,
    "PostToolUseFailure": post_tool_use_failure,
    "UserPromptSubmit": user_prompt_submit,
    "Stop": stop,
    "SubagentStop": stop,
    "PreCompact": pre_compact,
}
# Here nothing can be decided. An event that is in neither list is refused: it may be one where something can.
SILENT = frozenset(
    """
    SessionStart SessionEnd Setup InstructionsLoaded Notification SubagentStart TaskCreated TaskCompleted TeammateIdle
    StopFailure PostCompact ConfigChange CwdChanged FileChanged WorktreeCreate WorktreeRemove Elicitation
    ElicitationResult PermissionDenied PostToolBatch
    """.split()
)
OPEN = SILENT | {"Stop", "SubagentStop", "PreCompact"}  # what a block prevents here harms nobody


def fails_closed(event: HookEvent | None) -> bool:
    """Whether a failure must block; of an event that could not be read nobody knows what it is."""
    return event is None or event.name not in OPEN


def answer(
    bundle: Interceptors,
    agent: HookAgent,
    event: HookEvent,
    *,
    name: str | None = None,
    role: str | None = None,
    rewritten: Rewritten = "ask",
) -> Answer:
    """Decide one event; `name` and `role` are the caller's. Raises `UnreadableEvent`: then it must be blocked.

    `rewritten`: how Claude Code goes on with a call that was changed. `ask` shows it to the user, `allow` asks nobody,
    `check` leaves it to the user's own permissions, where an old version runs what was there before the change.
    """
    decides = DECIDED.get(event.name)
    if decides is None:
        if event.name in SILENT:
            return Answer()
        raise UnreadableEvent("it is not known what a hook can do about this event")
    try:
        return decides(Hook(bundle, agent, event, event.scope(name, role), rewritten))
    except InvalidValue as error:
        raise UnreadableEvent(f"the event cannot be carried: {error}") from None
