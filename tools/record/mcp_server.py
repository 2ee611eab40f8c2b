"""A small MCP server over stdio, made with the official SDK: the toy tools, with a log line and progress."""

from __future__ import annotations

from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

import toy

server = MCPServer("workbench", version="1.0.0", instructions="Tools for one project.")


@server.tool()
def list_files(path: str) -> list[str]:
    """List a folder."""
    return toy.run("list_files", {"path": path}).splitlines()


@server.tool()
def read_file(path: str) -> str:
    """Read a text file."""
    return Path(path).read_text()


@server.tool()
async def run_command(command: str, ctx: Context, timeout_s: int = 30) -> str:
    """Run a shell command in the workspace."""
    await ctx.info(f"running for at most {timeout_s} s")
    await ctx.report_progress(1, 2, "started")
    return toy.shell(command)


if __name__ == "__main__":
    server.run("stdio")
