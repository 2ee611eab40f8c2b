"""After the decision: handlers that answer in place of a tool, and observers that only watch."""

from typing import Any

from ._bundle import Interceptors, checked
from ._decisions import close_unawaited, text_of
from ._outcome import Entry, Fault
from ._seams import TOOL_CALL, Seam
from ._step import scope_of, told
from .values._values import Scope, ToolCall, ToolResult

__all__ = ["handle", "observe"]


def handle(bundle: Interceptors | None, call: ToolCall, scope: Scope | None = None) -> ToolResult | Fault | None:
    """Ask the handlers, in order, to answer in place of the tool: the first that does wins.

    `None` lets the tool run; after a `Fault` (a handler raised, or gave what is no `ToolResult`) it must not.
    Raises `InvalidValue` for what is no `ToolCall`.
    """
    call, who = TOOL_CALL.admit(call), scope_of(scope)
    for handler in bundle.handlers if checked(bundle) and bundle else ():
        if handler.matches(call.name, who.agent):
            try:
                answer = handler.ask((call,), who)
                if type(answer) is ToolResult:
                    return answer
                if answer is None:
                    continue
                close_unawaited(answer)
                problem = f"answered {text_of(type(answer).__name__)}, which is no ToolResult"
            except Exception as error:
                problem = told(error)
            return Fault(f"interceptor error: {handler.name} {problem}", closed=True)
    return None


def observe(
    bundle: Interceptors | None, seam: Seam[Any], value: Any, result: object, *beside: Any, scope: Scope | None = None
) -> tuple[Entry, ...]:
    """Show every observer of a seam the value and its result; each runs, whatever another raises.

    Their answers count for nothing; what they raised comes back as entries.
    """
    who = scope_of(scope)
    offered = (value, *beside)
    tool = seam.tool(offered) if (seam.call_at or 0) < len(offered) else None
    faults: list[Entry] = []
    for watcher in bundle.at(seam) if checked(bundle) and bundle else ():
        if watcher.observe is not None and watcher.matches(tool, who.agent):
            try:
                close_unawaited(watcher.observes.call(watcher.observe, (value, result), who))
            except Exception as error:
                fault = Fault(f"observer error: {watcher.name} {told(error)}", closed=False)
                faults.append(Entry(seam.name, watcher.name, fault))
    return tuple(faults)
