"""What it costs to have a call decided in another process, beside the same gate in this one."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.cases import CALL, Case, built
from benchmarks.conftest import Measure
from seamlaw import Ask, Block, Interceptors, ToolCall, ask, block, gate
from seamlaw_host.bench import calling
from seamlaw_host.extensions import Extension

EXAMPLES = Path(__file__).resolve().parents[1] / "examples/extensions"
COMMANDS = {"python": (sys.executable, "git_guard.py"), "node": (shutil.which("node"), "git_guard.mjs")}
FORCED = re.compile(r"\bgit\b.*\bpush\b.*(--force|-f\b)")


@gate(tools="bash")
def force_push(call: ToolCall) -> Ask | Block | None:
    """What the gate of the examples does."""
    command = call.arguments.get("command")
    if not isinstance(command, str):
        return block("a command is text")
    return ask("a force push rewrites history", target="lead") if FORCED.search(command) else None


@pytest.mark.parametrize("language", COMMANDS)
def test_a_call_decided_by_an_extension(measure: Measure, language: str) -> None:
    """There and back, one at a time."""
    program, script = COMMANDS[language]
    if program is None:
        pytest.skip("no node here")
    here = built(Interceptors(tool_call=[force_push]))
    with Extension([program, str(EXAMPLES / script)], start_s=60, deadlines_s={"tool_call": 60}) as extension:
        there = built(extension.interceptors())
        over = "the same gate in this process"
        measure(Case(f"extension/{language}", calling(there.tool_call, CALL), calling(here.tool_call, CALL), over))
