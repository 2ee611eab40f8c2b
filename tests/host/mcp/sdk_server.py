"""A server made with the official SDK, over either transport: `python sdk_server.py stdio LOG` or `… http LOG`.

It appends the name of every tool that ran to LOG, and with `http` writes its port there first.
"""

import asyncio
import os
import socket
import sys
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

LOG = Path(sys.argv[2]) if __name__ == "__main__" else Path()
server = MCPServer("workbench", version="1.0.0")


def ran(name: str) -> None:
    """Note that a tool ran."""
    with LOG.open("a", encoding="utf-8") as file:
        file.write(f"{name}\n")


@server.tool()
def echo(text: str) -> str:
    """Give the text back."""
    ran("echo")
    return text


@server.tool()
def remove(path: str) -> str:
    """Remove something."""
    ran("remove")
    return f"removed {path}"


@server.tool()
def big(size: int) -> str:
    """Give back so many bytes."""
    ran("big")
    return "x" * size


@server.tool()
def fail(text: str) -> str:
    """Raise."""
    ran("fail")
    raise ValueError(text)


@server.tool()
def crash() -> str:
    """End the whole server."""
    ran("crash")
    os._exit(7)


@server.tool()
async def slow(steps: int, ctx: Context) -> str:
    """Tell of its progress, and take its time."""
    ran("slow")
    for step in range(steps):
        await ctx.report_progress(step, steps, f"step {step}")
        await asyncio.sleep(0.02)
    return "done"


@server.resource("note://one")
def note() -> str:
    """A resource, which is nobody's business here."""
    return "a note"


def serve_http() -> None:
    """Serve on a free port, which is written to the log."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    LOG.write_text(f"{port}\n", "utf-8")
    server.run("streamable-http", host="127.0.0.1", port=port, json_response=sys.argv[1] == "json")


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        serve_http()
