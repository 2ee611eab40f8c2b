"""`seamlaw mcp`: a proxy in front of an MCP server."""

import asyncio
import os
import secrets
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from ._options import load, policies

if TYPE_CHECKING:
    from seamlaw_host.engine import Approvals
    from seamlaw_host.ledger import Ledger

__all__ = ["command"]

EPILOG = """\b
Examples:
  seamlaw mcp --policy policy.toml -- npx @modelcontextprotocol/server-filesystem /srv/files
  seamlaw mcp --policy policy.toml --ledger audit.jsonl --hide-denied -- python server.py
  seamlaw mcp --policy policy.toml --http https://example.com/mcp --listen 127.0.0.1:8808

\b
Exit codes:
  that of the server, or
  2    usage: a bad option or policy, a command that cannot be started
  141  the client has left
  128 and the number of the signal that stopped it
"""


@click.command(name="mcp", epilog=EPILOG, short_help="Stand before an MCP server; pass on only what may run.")
@policies
@click.option("--ledger", metavar="FILE", help="Record each decision here.")
@click.option("--approvals", metavar="URL", help="Where asks wait for `seamlaw approvals`; without it they are denied.")
@click.option("--agent", metavar="NAME", help="Who is calling.")
@click.option("--role", metavar="NAME", help="The caller's role.")
@click.option("--session", metavar="NAME", help="The session it calls in; else one is made up.")
@click.option(
    "--mode",
    type=click.Choice(["enforce", "dry_run", "observe"]),
    default="enforce",
    show_default=True,
    help="Only `enforce` denies and changes; the others decide and record.",
)
@click.option(
    "--default",
    "default",
    type=click.Choice(["allow", "deny"]),
    default="allow",
    show_default=True,
    help="What becomes of a tool that the policy says nothing about.",
)
@click.option("--deadline", "deadline_s", type=float, metavar="SECONDS", help="Deny what takes longer to decide.")
@click.option("--hide-denied", is_flag=True, help="Do not list tools that are denied whatever their arguments are.")
@click.option("--http", "url", metavar="URL", help="Stand before this server of streamable HTTP.")
@click.option("--listen", metavar="HOST:PORT", default="127.0.0.1:8808", show_default=True, help="Where, with --http.")
@click.argument("server", metavar="[-- COMMAND…]", nargs=-1, type=click.UNPROCESSED)
def command(
    sources: tuple[str, ...],
    ledger: str | None,
    approvals: str | None,
    agent: str | None,
    role: str | None,
    session: str | None,
    url: str | None,
    listen: str,
    hide_denied: bool,
    server: tuple[str, ...],
    **options: Any,
) -> None:
    """Stand before an MCP server, and let through only the calls of tools that the policy allows.

    What the server is given is what was decided; what it answers is decided, too. A denial is a result with isError
    and the reason. All else passes as it is. The server's standard error is ours.
    """
    if bool(server) == (url is not None):
        raise click.UsageError("Name the server: either -- COMMAND… or --http URL")
    from seamlaw_host.engine import Engine
    from seamlaw_host.mcp import Caller, proxy_http, proxy_stdio

    stdin, stdout = _taken()
    bundle = load(sources)
    with ExitStack() as closing:
        kept = closing.enter_context(_ledger(ledger)) if ledger is not None else None
        engine = Engine(bundle, ledger=kept, approvals=_approvals(approvals), agent=agent, **options)
        caller = Caller(session or f"mcp-{secrets.token_hex(6)}", role, is_named=session is not None)
        if url is None:
            proxy = proxy_stdio(engine, server, stdin, stdout, caller=caller, hide_denied=hide_denied)
        else:
            proxy = proxy_http(engine, url, listen, caller=caller, hide_denied=hide_denied)
        code = asyncio.run(proxy)
    raise click.exceptions.Exit(code)


def _taken() -> tuple[int, int]:
    """Keep standard input and output for the protocol: what else reads gets nothing, what else prints is moved."""
    sys.stdout.flush()
    stdin, stdout = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return stdin, stdout


def _ledger(path: str) -> "Ledger":
    from seamlaw_host.ledger import JsonlSink, Ledger

    return Ledger([JsonlSink(path)])


def _approvals(url: str | None) -> "Approvals | None":
    if url is None:
        return None
    from seamlaw_host.approvals import Approvals, ApprovalStore, StoreHandler

    return Approvals({"store": StoreHandler(ApprovalStore(url))}, default_target="store://")
