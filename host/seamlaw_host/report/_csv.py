"""Records as CSV, one a row, that a spreadsheet cannot take for formulas.

A cell that begins with one of the characters that make a formula gets an apostrophe before it, as OWASP says:
https://owasp.org/www-community/attacks/CSV_Injection
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator

from seamlaw_host.cli._screen import printable
from seamlaw_host.ledger import Record

from ._words import moment

__all__ = ["as_csv"]

FULL_WIDTH = "\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
FORMULA = (*"=+-@\t\r\n", *FULL_WIDTH)
TEXTS = (
    *("seam", "mode", "session", "agent", "role", "trust", "domain", "attempt", "call_id", "tool", "verdict"),
    *("decided_by", "reason", "undo", "error", "policy_hash", "proposed_digest", "effective_digest"),
)
FLAGS = ("governed", "changed", "executed")
COLUMNS = (
    "id",
    "time",
    "when",
    *TEXTS,
    *FLAGS,
    "duration_s",
    "chain",
    "findings",
    "asks",
    "proposed",
    "effective",
    "kept",
)


def as_csv(records: Iterable[Record]) -> Iterator[str]:
    """Give a line with the names of the columns, then one for each record, each with its line end."""
    yield _line(COLUMNS)
    for record in records:
        texts = [getattr(record, name) or "" for name in TEXTS]
        flags = ["true" if getattr(record, name) else "false" for name in FLAGS]
        findings = [f"{one.kind} by {one.interceptor}: {one.reason}" for one in record.findings]
        asks = [f"{one.reason} ({one.target}): {_came(one.granted)}" for one in record.asks]
        yield _line(
            [
                record.id,
                repr(record.time),
                moment(record.time),
                *texts,
                *flags,
                "" if record.duration_s is None else repr(record.duration_s),
                " > ".join(record.chain),
                "; ".join(findings),
                "; ".join(asks),
                _json(record.proposed),
                _json(record.effective),
                record.kept.proposed,
            ]
        )


def _came(granted: bool | None) -> str:
    return "unanswered" if granted is None else "granted" if granted else "refused"


def _json(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([_cell(cell) for cell in cells])
    return out.getvalue()


def _cell(text: str) -> str:
    """Take a cell for what it is: text, every character of it visible, and no formula."""
    text = printable(text)
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text
