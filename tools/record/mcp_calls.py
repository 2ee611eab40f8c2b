"""Record MCP sessions: the JSON-RPC lines between the official Python client and two stdio servers.

    pip install -r tools/record/requirements.txt
    python tools/record/mcp_calls.py          (needs git, node and npm)

One server is made with the official Python SDK (`mcp_server.py`), in both generations of the protocol; the
other is `@modelcontextprotocol/server-filesystem` from npm. `tee.py` stands between.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ListRootsResult, Root

from places import DEMO, HOME, OUTSIDE, fresh, lines, npm_bin, read_lines, save, workspace

HERE = Path(__file__).parent
FILES_VERSION = "2026.8.31"
Step = tuple[str, dict[str, Any] | None]

WORKBENCH: list[Step] = [
    ("read_file", {"path": f"{DEMO}/README.md"}),
    ("run_command", {"command": "git status --short", "timeout_s": 10}),
    ("run_command", {"command": "git push --force origin main"}),
    ("read_file", {"path": f"{DEMO}/.env"}),
    ("read_file", {"path": 7}),
    ("run_command", {"command": f"rm -rf {OUTSIDE}"}),
    ("no_such_tool", {}),
]
FILES: list[Step] = [
    ("list_directory", {"path": str(DEMO)}),
    ("read_text_file", {"path": f"{DEMO}/README.md", "head": 2}),
    ("write_file", {"path": f"{DEMO}/CHANGES.md", "content": "# Changes\n"}),
    (
        "edit_file",
        {"path": f"{DEMO}/CHANGES.md", "edits": [{"oldText": "# Changes", "newText": "# Changes ✓"}]},
    ),
    ("list_allowed_directories", None),
    ("read_text_file", {"path": f"{DEMO}/.env"}),
    ("write_file", {"path": f"{OUTSIDE}/notes.txt", "content": "left here\n"}),
    ("move_file", {"source": f"{DEMO}/missing.txt", "destination": f"{DEMO}/found.txt"}),
]


async def roots(context: Any) -> ListRootsResult:
    """What the client answers when a server asks which folders are open to it."""
    return ListRootsResult(roots=[Root(uri=f"file://{DEMO}", name="demo")])  # type: ignore[arg-type]


async def on_progress(progress: float, total: float | None, message: str | None) -> None:
    """A progress callback: asking for progress makes the server send it."""


async def call(client: Client, name: str, args: dict[str, Any] | None) -> None:
    """One call."""
    await client.call_tool(name, args, progress_callback=on_progress)


async def refused(client: Client) -> None:
    """A request that a server without prompts answers with a protocol error."""
    with suppress(MCPError):
        await client.list_prompts()


async def play(log: Path, command: list[str], steps: list[Step], mode: Any) -> None:
    """One session: the tools, two calls at once, then the others."""
    line = [str(HERE / "tee.py"), str(log), *command]
    server = StdioServerParameters(command=sys.executable, args=line, cwd=DEMO)
    async with Client(server, mode=mode, list_roots_callback=roots, log_level="info") as client:
        await client.list_tools()
        await asyncio.gather(*(call(client, *step) for step in steps[:2]))
        for step in steps[2:]:
            await call(client, *step)
        await refused(client)


def record(name: str, command: list[str], steps: list[Step], mode: str, *, raw: bool = True) -> None:
    """Record one session: in the envelope, and as bare messages too unless told otherwise."""
    workspace()
    fresh(HOME)
    log = HOME / "mcp.jsonl"
    asyncio.run(play(log, command, steps, mode))
    save(f"{name}.envelope.jsonl", log.read_text())
    if raw:
        save(f"{name}.jsonl", lines(entry["message"] for entry in read_lines(log)))


def main() -> None:
    own = [sys.executable, str(HERE / "mcp_server.py")]
    files = npm_bin("@modelcontextprotocol/server-filesystem", FILES_VERSION, "mcp-server-filesystem")
    record("mcp_python", own, WORKBENCH, "legacy")
    record("mcp_python_2026", own, WORKBENCH, "auto", raw=False)
    record("mcp_filesystem", [files, str(DEMO)], FILES, "legacy")


if __name__ == "__main__":
    main()
