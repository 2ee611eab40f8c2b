"""Before a public server from npm, `@modelcontextprotocol/server-filesystem`: the version is pinned."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

PACKAGE = "@modelcontextprotocol/server-filesystem@2026.8.31"
HOW = (
    f"{PACKAGE} is not here: npm install --prefix {Path.home()}/.cache/seamlaw-npm {PACKAGE}, "
    "or SEAMLAW_FILESYSTEM_SERVER=path/of/mcp-server-filesystem; it needs node 18 or newer"
)


def found() -> str | None:
    """The server, where it is installed."""
    named = os.environ.get("SEAMLAW_FILESYSTEM_SERVER", "")
    installed = Path.home() / ".cache/seamlaw-npm/node_modules/.bin/mcp-server-filesystem"
    return next(
        (place for place in (named, str(installed)) if place and Path(place).exists() and shutil.which("node")), None
    )


POLICY = """
[[rules]]
refuse = "nothing is written outside of notes"
tools  = ["write_file", "create_directory", "edit_file"]
unless = [{ at = "/path", under = "FOLDER/notes" }]

[[rules]]
refuse = "nothing is moved"
tools  = ["move_file"]

[[rules]]
default = { tool = "read_text_file", at = "/head", value = 1 }
"""


@pytest.mark.skipif(found() is None and not os.environ.get("CI"), reason=HOW)
def test_the_filesystem_server_does_only_what_it_may(tmp_path: Path) -> None:
    """It reads, with a limit that the policy puts in, writes in one folder, and moves nothing."""
    assert found(), HOW
    folder = tmp_path / "files"
    (folder / "notes").mkdir(parents=True)
    (folder / "a.txt").write_text("one\ntwo\n", "utf-8")
    (tmp_path / "p.toml").write_text(POLICY.replace("FOLDER", str(folder)), "utf-8")
    ledger = tmp_path / "audit.jsonl"
    proxy = ["-m", "seamlaw_host", "mcp", "-p", f"{tmp_path}/p.toml", "--ledger", str(ledger), "--hide-denied"]
    args = [*proxy, "--", str(found()), str(folder)]

    async def said(client: Client, tool: str, **arguments: Any) -> str:
        answer: Any = await client.call_tool(tool, arguments)
        return str(answer.content[0].text)

    async def work() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=args)) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert "write_file" in names
            assert "move_file" not in names
            assert await said(client, "read_text_file", path=f"{folder}/a.txt") == "one"
            for path in ("b.txt", "notes/../b.txt", "notes2/b.txt"):
                refused = await said(client, "write_file", path=f"{folder}/{path}", content="x")
                assert refused == "Blocked by interceptor: nothing is written outside of notes"
            await said(client, "write_file", path=f"{folder}/notes/b.txt", content="x")
            moved = await said(client, "move_file", source=f"{folder}/a.txt", destination=f"{folder}/notes/a.txt")
            assert moved == "Blocked by interceptor: nothing is moved"

    asyncio.run(asyncio.wait_for(work(), 60))
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.txt")) == ["a.txt", "notes/b.txt"]
    command = [sys.executable, "-m", "seamlaw_host", "ledger", "verify", str(ledger)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
