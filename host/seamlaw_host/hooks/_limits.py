"""Limits that a hook would not keep: each hook is a process of its own, and memory ends with it."""

import sys

from seamlaw import CONTEXT, TOOL_RESULT, Interceptors

__all__ = ["counts_in_memory"]


def counts_in_memory(bundle: Interceptors) -> list[str]:
    """Name the limits that count in memory, and so would never be reached."""
    state = sys.modules.get("seamlaw_host.state")
    if state is None:  # nothing of it was imported, so nothing of it is in the policy
        return []
    everyone = [one for seam in (CONTEXT, TOOL_RESULT) for one in bundle.at(seam)] + [*bundle.tool_call]
    return [one.name for one in everyone if _in_memory(one.function, state.MemoryState)]


def _in_memory(function: object, kind: type) -> bool:
    owner = getattr(function, "__self__", None)
    return isinstance(getattr(owner, "state", None), kind)
