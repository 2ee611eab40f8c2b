"""Extensions that are scripted, and the values that tell them what to do."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from seamlaw import MemoryItem, Message, ProviderRequest, Seam, ToolCall, ToolResult
from seamlaw_host.extensions import Extension

SCRIPTED = str(Path(__file__).with_name("scripted.py"))
LONG, SHORT = 60.0, 0.2  # deadlines: where an answer comes, and where none does
PATIENT: dict[str, float] = dict.fromkeys(("context", "provider_request", "tool_call", "tool_result", "memory"), LONG)
OTHER = ToolCall("other", "bash", {})


def declared(name: str, seam: str = "tool_call", mode: str = "gate", **more: Any) -> dict[str, Any]:
    """Declare an interceptor."""
    return {"name": name, "seam": seam, "mode": mode, **more}


def manifest(*interceptors: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Make a manifest; one gate at `tool_call` unless others are given."""
    listed = list(interceptors) or [declared("judge")]
    base = {"type": "manifest", "protocol": 1, "name": "scripted", "version": "1", "interceptors": listed}
    return {**base, "exact_integers": True, **more}


def written(folder: Path, *interceptors: dict[str, Any], before: Any = (), after: Any = (), **more: Any) -> Path:
    """Write the script of an extension."""
    path = folder / "script.json"
    script = {"manifest": manifest(*interceptors, **more), "before": list(before), "after": list(after)}
    path.write_text(json.dumps(script), "utf-8")
    return path


def scripted(path: Path, **options: Any) -> Extension:
    """Make the extension of a script, with deadlines that are not reached unless others are given."""
    deadlines = {**PATIENT, **options.pop("deadlines_s", {})}
    return Extension([sys.executable, SCRIPTED, str(path)], deadlines_s=deadlines, start_s=LONG, **options)


def call(*steps: Any, **more: Any) -> ToolCall:
    """Make a call that has this done."""
    return ToolCall("call-1", "bash", {"do": [list(step) for step in steps], **more})


def value_for(seam: Seam[Any], *steps: Any) -> tuple[Any, ...]:
    """Make what a seam carries, and what stands beside it, that has this done."""
    if seam.name == "tool_call":
        return (call(*steps),)
    if seam.name == "tool_result":
        return ToolResult({"do": [list(step) for step in steps]}), OTHER
    told = [list(step) for step in steps]
    messages = (Message("user", json.dumps(told)),)
    if seam.name == "provider_request":
        return (ProviderRequest("model", messages),)
    return ((MemoryItem(told),),) if seam.name == "memory" else (messages,)


def eventually(claim: Callable[[], bool], what: str) -> None:
    """Wait until it is so; fails after a minute."""
    until = time.monotonic() + 60
    while not claim():
        assert time.monotonic() < until, what
        time.sleep(0.01)
