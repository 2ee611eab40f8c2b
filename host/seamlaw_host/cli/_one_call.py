"""One call, from standard input or the command line, in any shape a session can have."""

import io
import sys
from typing import TextIO

import click

from seamlaw_host.sessions import Malformed, Recorded, read_session

__all__ = ["read_call"]


def read_call(text: str | None = None, *, shape: str | None = None) -> Recorded:
    """Read exactly one call; anything else is a usage error, so that it is never taken for an answer."""
    stdin: TextIO | None = sys.stdin
    if text is None and stdin is None:
        raise click.UsageError("Standard input is closed, so there is no call")
    if text is None and stdin is not None and stdin.isatty():
        click.echo("Reading one call from standard input; Ctrl-D ends it", err=True)
    source = None if text is None else io.StringIO(text)
    found: list[Recorded] = []
    for event in read_session("-", stdin=source, shape=shape).events:
        if isinstance(event, Malformed):
            raise click.UsageError(f"The call cannot be read, {event.place}: {event.problem}")
        found.append(event)
        if len(found) > 1:
            raise click.UsageError("There is more than one call; seamlaw replay takes many")
    if not found:
        raise click.UsageError('There is no call; it can be {"tool": "bash", "arguments": {"command": "ls"}}')
    return found[0]
