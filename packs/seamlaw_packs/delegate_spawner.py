"""Makes calls of certain tools calls of the delegate tool, so that an agent of its own does what they ask.

The call keeps its id and gets one argument, the task: the text of `task`, else of `prompt`, else what was called, as
text. A call of the delegate tool itself stays as it is. Rules and gates are shown the call of the delegate tool.

The host must have that tool. Where a request to the model lists tools, and this is not among them, the request gets a
note of high severity; the call itself is never dropped, and fails as a call of a tool that does not exist. Besides the
task, arguments are lost where there is a task.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from attrs import field, frozen

from seamlaw import (
    Globs,
    Interceptors,
    Note,
    ProviderRequest,
    Replace,
    ToolCall,
    canonical,
    gate,
    note,
    replace,
    rewriter,
)

from ._settings import globs_at, text_at

__all__ = ["DelegateSpawner"]


def _tools(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("tools", given)


def _delegate(given: str) -> str:
    return text_at("delegate", given)


def _argument(given: str) -> str:
    return text_at("argument", given)


@frozen
class DelegateSpawner:
    """Makes calls of `tools` (globs) calls of `delegate`, with one `argument`: the task. Raises `InvalidPack`."""

    name: ClassVar[str] = "delegate_spawner"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Makes calls of certain tools calls of the delegate tool."
    intercept: ClassVar[tuple[str, ...]] = ("provider_request", "tool_call")

    tools: Globs = field(default=Globs("spawn_*"), converter=_tools)
    delegate: str = field(default="delegate", converter=_delegate, kw_only=True)
    argument: str = field(default="task", converter=_argument, kw_only=True)

    def interceptors(self) -> Interceptors:
        """Give the rewriter, and a watcher of requests that do not offer the delegate tool."""
        return Interceptors(
            provider_request=[gate(self.watch, name=f"{self.name}.tools")],
            tool_call=[rewriter(self.spawn, name=self.name, tools=self.tools.patterns)],
        )

    def spawn(self, call: ToolCall) -> Replace | None:
        """Delegate a call."""
        if call.name == self.delegate or not self.tools.admit(call.name):
            return None
        return replace(ToolCall(call.id, self.delegate, {self.argument: task_of(call)}))

    def watch(self, request: ProviderRequest) -> Note | None:
        """Say that the delegate tool is missing, where tools are listed and one would be delegated."""
        names = [name for tool in request.tools if (name := _name(tool)) is not None]
        if self.delegate in names or not any(map(self.tools.admit, names)):
            return None
        return note(f"tools are delegated to {self.delegate}, which is not offered", severity="high")


def task_of(call: ToolCall) -> str:
    """Give the task of a call: what it says, or else the call as text."""
    for name in ("task", "prompt"):
        said = call.arguments.get(name)
        if isinstance(said, str) and said.strip():
            return said
    return f"{call.name} {canonical(call.arguments)}"


def _name(tool: object) -> str | None:
    """Give the name of a tool in a request: at its top, or under `function`."""
    if not isinstance(tool, dict):
        return None
    described = cast("Mapping[str, object]", tool)
    name = described.get("name")
    if isinstance(name, str):
        return name
    return _name(described.get("function"))
