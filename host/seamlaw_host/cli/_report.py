"""`seamlaw report`: what a ledger says."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Unpack

import click

from ._records import json_line
from ._screen import printable
from ._wanted import Wanted, source, wanted

if TYPE_CHECKING:
    from seamlaw_host.ledger import Record
    from seamlaw_host.report import Summary

__all__ = ["command"]

UNREAD = 1
FORMATS = ("text", "json", "csv", "html", "dot", "mermaid", "narrative")
EPILOG = """\b
Examples:
  seamlaw report audit.jsonl
  seamlaw report audit.jsonl --format html -o report.html
  seamlaw report audit.jsonl --format narrative --session s-1
  seamlaw report sqlite:///audit.db --format dot --since 2026-01-01 | dot -Tsvg > graph.svg

\b
Exit codes:
  0  reported
  1  something in the ledger could not be read; the rest is reported
  2  usage: no such file or table, a bad option
"""


@click.command(name="report", epilog=EPILOG)
@source
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="What to write.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write into this file.")
@click.option("--records", type=click.IntRange(0), default=500, show_default=True, help="List so many, in HTML.")
@wanted
def command(ledger: str, form: str, output: str | None, records: int, **only: Unpack[Wanted]) -> None:
    """Report on a LEDGER: a file, or the URL of a database.

    Counts by verdict, tool, agent, session and reason; the tools that nobody was asked about; who delegated to whom.
    csv has a row for each record, and nothing that a spreadsheet takes for a formula. html is one file, without any
    script. dot and mermaid draw agents and tools. narrative tells the story of a session. Nothing is verified here:
    seamlaw ledger verify does that.
    """
    from seamlaw_host.report import Summary

    summary = Summary()
    pieces = _pieces(form, ledger, summary, records, only)
    if output is None:
        for piece in pieces:
            click.echo(piece, nl=False)
    else:
        with click.open_file(output, "w", encoding="utf-8", atomic=True) as file:
            file.writelines(pieces)
    raise click.exceptions.Exit(UNREAD if summary.unread else 0)


def _pieces(form: str, ledger: str, summary: "Summary", most: int, only: Wanted) -> Iterator[str]:
    from seamlaw_host import report

    records = _read(ledger, summary, only)
    records = chain(list(islice(records, 1)), records)  # what cannot be opened is told before anything is written
    if form == "csv":
        yield from report.as_csv(records)
    elif form == "narrative":
        yield from _lines(report.narrated(only["session"], records))
    else:
        yield from _summed(form, ledger, summary, deque(records, maxlen=most))


def _summed(form: str, ledger: str, summary: "Summary", records: "Iterable[Record]") -> Iterator[str]:
    """Write what needs all records to have been read."""
    from seamlaw_host import report

    if form == "html":
        yield from report.as_html(summary, _titled(ledger), records)
    elif form == "json":
        yield from _lines([json_line("report", report.as_data(summary))])
    else:
        written = {"text": report.as_text, "dot": report.as_dot, "mermaid": report.as_mermaid}
        yield from _lines(written[form](summary))


def _titled(ledger: str) -> str:
    """Name the ledger, without what the URL of a database may have in it."""
    scheme, found, _ = ledger.partition("://")
    return f"Ledger {scheme if found else ledger.replace(chr(92), '/').rpartition('/')[2]}"


def _lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"{line}\n" for line in lines)


def _read(ledger: str, summary: "Summary", only: Wanted) -> "Iterator[Record]":
    """Count every record on its way; what cannot be read is told, and counted."""
    from seamlaw_host.ledger import Unread

    from ._wanted import wanted_records

    for found in wanted_records(ledger, **only):
        if isinstance(found, Unread):
            summary.unread += 1
            click.echo(f"seamlaw: {printable(found.place)}: {found.problem}", err=True)
        else:
            summary.add(found[1])
            yield found[1]
