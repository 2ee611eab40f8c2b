"""Which interceptors are consulted: those whose filter matches the value that they would see."""

from fnmatch import fnmatchcase

from seamlaw import TOOL_CALL, Interceptor, Interceptors, Replace, Scope, ToolCall, decide, gate, plan, rewriter
from seamlaw_spec._law import law
from seamlaw_spec.filter_domains import Flood, Listener, Name

__all__ = ["consulted_iff_it_matches", "the_index_is_the_scan"]


@law(by="HE")
def consulted_iff_it_matches(listeners: list[Listener], called: Name, agent: Name | None) -> bool:
    """An interceptor is consulted iff a glob of its tools matches the name that the call has when its turn comes.

    A rename re-opens the question for those that follow, gates included. Its agents must match too; an agent that
    is not known is matched by every glob.
    """
    seen = list[tuple[int, str]]()
    everyone = [_recording(at, listener, seen) for at, listener in enumerate(listeners)]
    bundle, call, scope = _bundle(everyone), ToolCall("1", called.text), Scope(agent=agent.text if agent else None)
    expected = _scan(listeners, called, agent)
    outcome = decide(bundle, TOOL_CALL, call, scope=scope)
    by_deciding, seen[:] = seen.copy(), []
    made = plan(bundle)
    planned = made.tool_call(call, scope=scope) if made else None
    return by_deciding == expected == seen and (outcome if outcome.log else None) == planned


def _scan(listeners: list[Listener], called: Name, agent: Name | None) -> list[tuple[int, str]]:
    """Who is consulted, and about what, found by trying each in order."""
    name, consulted = called.text, list[tuple[int, str]]()
    for gates in (False, True):
        for at, listener in enumerate(listeners):
            known = agent is None or _admits(listener.agents, agent.text)
            if listener.is_gate is gates and known and _admits(listener.tools, name):
                consulted.append((at, name))
                name = name if listener.renames is None or gates else listener.renames.text
    return consulted


def _admits(globs: tuple[str, ...], name: str) -> bool:
    return not globs or any(fnmatchcase(name, glob) for glob in globs)


def _bundle(everyone: list[Interceptor]) -> Interceptors:
    return Interceptors(tool_call=tuple(everyone))


def _recording(at: int, listener: Listener, seen: list[tuple[int, str]]) -> Interceptor:
    def answer(call: ToolCall) -> Replace | None:
        seen.append((at, call.name))
        if listener.renames is None or listener.is_gate:
            return None
        return Replace(ToolCall(call.id, listener.renames.text, call.arguments))

    make = gate if listener.is_gate else rewriter
    return make(answer, name=f"i{at}", tools=listener.tools, agents=listener.agents)


@law(by="HE")
def the_index_is_the_scan(flood: Flood) -> bool:
    """A plan, which looks tools up, consults whom a scan of all filters would, in the same order.

    However many names come, however often each comes again, and whatever a call is renamed to on its way.
    """
    seen = list[tuple[int, str]]()
    made = plan(_bundle([_recording(at, listener, seen) for at, listener in enumerate(flood.listeners)]))
    if made is None:
        return not flood.listeners
    for tool, agent in flood.calls:
        seen.clear()
        outcome = made.tool_call(ToolCall("1", tool), scope=Scope(agent=agent))
        if seen != _scan(list(flood.listeners), Name(tool), None if agent is None else Name(agent)):
            return False
        consulted = [flood.listeners[at] for at, _ in seen]
        if (outcome is None) is any(one.renames is not None and not one.is_gate for one in consulted):
            return False
    return True
