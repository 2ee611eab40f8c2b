"""`seamlaw ledger`: look into a ledger, and find out whether somebody else has."""

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Unpack

import click

from ._options import as_json, key_option
from ._records import json_line
from ._screen import Screen, fitted, printable
from ._wanted import Wanted, source, wanted

if TYPE_CHECKING:
    from seamlaw_host.ledger import Record, Verified

__all__ = ["command"]

UNREAD = 1
COLUMNS = (("time (UTC)", 19), ("verdict", 7), ("seam", 16), ("tool", 18), ("agent", 12), ("decided by: reason", None))
VERIFY_EPILOG = """\b
Examples:
  seamlaw ledger verify audit.jsonl
  seamlaw ledger verify audit.jsonl --key-env LEDGER_KEY --head 3f5a…   # the head of an earlier verification

\b
Exit codes:
  0  nothing was changed, taken out, put in or moved, as far as the evidence goes
  1  something was; each is told with its line
  2  usage: no such file, no such environment variable
"""
SHOW_EPILOG = """\b
Examples:
  seamlaw ledger show audit.jsonl --verdict block --last 20
  seamlaw ledger show sqlite:///audit.db --session s-1 --json | jq .record.reason

\b
Exit codes:
  0  shown, even if there is nothing
  1  something in the ledger could not be read
  2  usage: no such file or table, a bad option
"""


@click.group(name="ledger")
def command() -> None:
    """Verify a ledger of decisions, and show what is in it."""


@command.command(name="verify", epilog=VERIFY_EPILOG)
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path(dir_okay=False))
@click.option("--head", metavar="HASH", help="A head that this ledger had before, kept elsewhere.")
@click.option("--partial", is_flag=True, help="The oldest files may be elsewhere.")
@key_option("Each checkpoint must be signed with the key in this environment variable.")
@as_json
def verify_command(files: tuple[str, ...], head: str | None, partial: bool, key: bytes | None, as_json: bool) -> None:
    """Find what was changed, taken out, put in or moved in the files of a ledger.

    FILE is the one that is written to: those rotated away from it are found by themselves. What is told is where
    each line that cannot be as it was written stands. The head that is told at the end is worth keeping elsewhere:
    whoever can write to a file and to its .head can write both anew, but not what you keep.
    """
    from seamlaw_host.ledger import ledgers, verify

    screen, wrong = Screen.of_stdout(), False
    for paths in ledgers(files):
        found = verify(*paths, key=key, head=head, partial=partial)
        wrong |= not found.ok
        for line in [json_line("ledger", _verified(found))] if as_json else _verified_lines(screen, found):
            screen.say(line)
    raise click.exceptions.Exit(int(wrong))


def _verified(found: "Verified") -> dict[str, Any]:
    return {
        "ok": found.ok,
        "files": list(found.files),
        "lines": found.lines,
        "records": found.records,
        "head": found.head,
        "problems": [
            {"kind": each.kind, "file": each.file, "line": each.line, "problem": each.told} for each in found.problems
        ],
        "notices": list(found.notices),
    }


def _verified_lines(screen: Screen, found: "Verified") -> Iterator[str]:
    for problem in found.problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        yield f"{printable(place)}: {screen.paint(problem.kind, 'red', bold=True)}: {printable(problem.told)}"
    for notice in found.notices:
        yield screen.paint(printable(notice), dim=True)
    verdict = screen.paint("in order", "green") if found.ok else screen.paint("NOT in order", "red", bold=True)
    names = found.files[-1] if found.files else "nothing"
    more = f" and {len(found.files) - 1} before it" if len(found.files) > 1 else ""
    yield f"{printable(names)}{more}: {verdict}; {found.lines:,} lines, {found.records:,} records"
    yield f"  head {found.head}"


@command.command(name="show", epilog=SHOW_EPILOG)
@source
@wanted
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last so many of these.")
@as_json
def show_command(ledger: str, last: int | None, as_json: bool, **only: Unpack[Wanted]) -> None:
    """List the records of a LEDGER: a file, or the URL of a database.

    Each line is one decision: when, at which seam, about which tool, what was decided, by whom and why.
    """
    from seamlaw_host.ledger import Unread

    from ._wanted import wanted_records

    kept: deque[tuple[str, Record]] = deque(maxlen=last)
    unread = 0
    for found in wanted_records(ledger, **only):
        if isinstance(found, Unread):
            unread += 1
            click.echo(f"seamlaw: {printable(found.place)}: {found.problem}", err=True)
        elif as_json and last is None:
            click.echo(_record_line(*found))
        else:
            kept.append(found)
    if as_json:
        for each in kept:
            click.echo(_record_line(*each))
    else:
        _table(Screen.of_stdout(), [record for _, record in kept])
    raise click.exceptions.Exit(UNREAD if unread else 0)


def _record_line(place: str, record: "Record") -> str:
    import msgspec

    return json_line("record", {"place": place, "record": msgspec.to_builtins(record)})


def _table(screen: Screen, records: "list[Record]") -> None:
    """Write a table that fits the screen; nothing in it can steer the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ._wanted import when

    colours = {"proceed": "green", "ask": "yellow", "block": "red"}
    table = Table(box=None, pad_edge=False, expand=False)
    for name, width in COLUMNS:
        table.add_column(name, max_width=width, no_wrap=width is not None, overflow="ellipsis" if width else "fold")
    for record in records:
        why = f"{record.decided_by}: {record.reason}" if record.decided_by else record.reason or record.error
        why = why or ("" if record.governed else "ungoverned")
        table.add_row(
            when(record.time)[:-4],
            Text(record.verdict, colours[record.verdict]),
            Text(fitted(record.seam, 16)),
            Text(fitted(record.tool or "", 24)),
            Text(fitted(record.agent or "", 16)),
            Text(fitted(why, 200)),
        )
    console = Console(width=screen.width, force_terminal=screen.colour, no_color=not screen.colour, highlight=False)
    console.print(table) if records else console.print("no record")
