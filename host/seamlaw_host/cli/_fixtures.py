"""`seamlaw fixtures`: recorded decisions, as tests of a policy."""

import os
from collections.abc import Iterator
from pathlib import Path

import click

from ._options import aside, load, policies
from ._screen import printable

__all__ = ["command"]

UNREAD = 1
EPILOG = """\b
Examples:
  seamlaw fixtures audit.jsonl --policy policy.toml -o tests/test_decisions.py
  seamlaw fixtures sqlite:///audit.db -p rules.toml -p gates.py:bundle | less

\b
Exit codes:
  0  written
  1  written, but something in the ledger could not be read
  2  usage: a bad option or policy, no such file, no ledger
"""


@click.command(name="fixtures", epilog=EPILOG, short_help="Turn recorded decisions into a file of pytest tests.")
@click.argument("ledger", metavar="LEDGER")
@policies
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write into this file.")
@click.option("--most", type=click.IntRange(1), default=1_000, show_default=True, help="Write at most so many cases.")
def command(ledger: str, sources: tuple[str, ...], output: Path | None, most: int) -> None:
    """Turn the decisions of a LEDGER into a file of pytest tests that passes.

    Each case is a call as it was proposed, who made it, and what was decided. It is skipped where a part of it was not
    recorded as it was (redacted, or a Python object), and expected to fail where the policy decides otherwise now.
    """
    from seamlaw_host.replay import Fixtures, Judge
    from seamlaw_host.sessions import Malformed, Recorded
    from seamlaw_host.sessions._ledger import LEDGER
    from seamlaw_host.sessions._read import read_session

    unread = 0

    def events() -> Iterator[Recorded | Malformed]:
        nonlocal unread
        for event in read_session(ledger, shape=LEDGER).events:
            if isinstance(event, Malformed) and event.tool is None:
                unread += 1
                click.echo(f"seamlaw: {printable(event.place)}: {printable(event.problem)}", err=True)
            with aside():
                yield event

    made = Fixtures(Judge(load(sources)), most)
    text = "".join(made.written(events(), [_expression(source, output) for source in sources]))
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, "utf-8")
    click.echo(_told(made.cases, made.skipped, made.differing, made.left_out), err=True)
    raise click.exceptions.Exit(UNREAD if unread else 0)


def _told(cases: int, skipped: int, differing: int, left_out: int) -> str:
    more = f"; {left_out} more were left out (--most)" if left_out else ""
    return f"{cases} cases, {skipped} skipped, {differing} decided otherwise now and expected to fail{more}"


def _expression(source: str, output: Path | None) -> str:
    """Write how a policy is loaded: a file by its place beside the tests, so that they run from any folder."""
    path, colon, name = source.rpartition(":") if not Path(source).exists() else (source, "", "")
    if output is None or not Path(path).exists():
        return repr(source)
    relative = os.path.relpath(path, output.parent).replace(os.sep, "/")
    return f"str(HERE / {relative!r})" + (f" + {colon + name!r}" if colon else "")
