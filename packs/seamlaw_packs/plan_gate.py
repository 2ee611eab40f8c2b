"""Blocks writes, edits and shell calls until the agent has issued a plan since the last message of the user.

A plan is a call of a planning tool; to issue it is enough, in the batch before the write, too. Every new message of
the user, also in the middle of a run, asks for a new one. What is known is known by session and agent of the scope,
and is read from the messages each time that they pass the seam `context`; of whom nothing is known no plan is known,
and after a restart or beyond ten thousand sessions nothing is.

It does not read the plan. It sees neither other tools that write nor other names of these. Sessions and agents that a
host does not name share what is known. Where a host does not bring messages to `context`, a new message is not seen,
and a plan stays one.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from attrs import define, field, frozen

from seamlaw import Block, Globs, Interceptors, Message, Scope, ToolCall, block, gate

from ._sessions import Remembered, key_of
from ._settings import globs_at, whole_number

__all__ = ["PlanGate"]

GUARDED = Globs(
    (
        "write_file",
        "edit_file",
        "replace_in_file",
        "create_file",
        "delete_file",
        "move_file",
        "apply_patch",
        "bash",
        "shell",
        "Write",
        "Edit",
        "MultiEdit",
        "NotebookEdit",
        "Bash",
    )
)
PLANNING = Globs(("think", "todo", "todo_write", "TodoWrite", "plan", "update_plan"))


def _guarded(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("guarded", given)


def _planning(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("planning", given)


def _sessions(given: int) -> int:
    return whole_number("sessions", given, 1)


@frozen
class PlanGate:
    """Blocks calls of `guarded` tools until one of `planning` was called since the last message of the user.

    Both are globs. `sessions`: of how many something is remembered at most. Each bundle of interceptors remembers for
    itself. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "plan_gate"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks writes and shell calls until the agent has issued a plan."
    intercept: ClassVar[tuple[str, ...]] = ("context", "tool_call")

    guarded: Globs = field(default=GUARDED, converter=_guarded)
    planning: Globs = field(default=PLANNING, converter=_planning, kw_only=True)
    sessions: int = field(default=10_000, converter=_sessions, kw_only=True)

    def interceptors(self) -> Interceptors:
        """Give the gate, and one that reads the messages; what they remember begins empty."""
        watch = _Watch(self.guarded, self.planning, Remembered(self.sessions))
        return Interceptors(
            context=[gate(watch.read, name=f"{self.name}.messages")],
            tool_call=[gate(watch.judge, name=self.name)],
        )


@define
class _Watch:
    """What is known of each session: whether it has a plan."""

    guarded: Globs
    planning: Globs
    planned: Remembered[bool]

    def read(self, messages: tuple[Message, ...], scope: Scope) -> None:
        """Find out from the messages whether there is a plan since the user last spoke."""
        self.planned.put(key_of(scope), False)
        self.planned.put(key_of(scope), self.is_planned(messages))

    def is_planned(self, messages: tuple[Message, ...]) -> bool:
        """Whether a planning tool was called after the last message of the user."""
        for message in reversed(messages):
            if _speaks(message):
                return False
            if message.role == "assistant" and any(map(self.planning.admit, _called(message))):
                return True
        return False

    def judge(self, call: ToolCall, scope: Scope) -> Block | None:
        """Block a guarded call without a plan; remember a plan that is issued."""
        if self.guarded.admit(call.name):
            return None if self.planned.get(key_of(scope)) is True else block(self.told())
        if self.planning.admit(call.name):
            self.planned.put(key_of(scope), True)
        return None

    def told(self) -> str:
        """Tell the model what to do."""
        tools = " or ".join(self.planning.patterns)
        return f"there is no plan since the last message of the user: call {tools} with your plan, and then this again"


def _speaks(message: Message) -> bool:
    """Whether a message is of the user, and not a result that some providers send in the user's name."""
    if message.role != "user" or message.call_id is not None:
        return False
    return not (message.content and all(kind == "tool_result" for kind, _ in _blocks(message)))


def _called(message: Message) -> list[str]:
    """Give the names of the tools that a message calls, in either way in which messages have them."""
    names = [call.name for call in message.tool_calls]
    return names + [name for kind, name in _blocks(message) if kind == "tool_use" and isinstance(name, str)]


def _blocks(message: Message) -> list[tuple[object, object]]:
    if not isinstance(message.content, list):
        return [("text", None)]
    blocks = cast("list[Mapping[str, object]]", message.content)
    return [(one.get("type"), one.get("name")) for one in blocks]
