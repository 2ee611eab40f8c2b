"""A report as one HTML file: no script, nothing loaded, every word of a record escaped.

`printable` shows what could hide or turn the order of reading, `escape` leaves no markup, and the content security
policy of the page forbids scripts, should both have failed.
"""

from collections.abc import Iterable, Iterator
from html import escape

from seamlaw_host.cli._screen import fitted
from seamlaw_host.ledger import Record

from ._graph import edges
from ._summary import Counts, Summary
from ._svg import as_svg
from ._words import about, moment, plural, shown

__all__ = ["as_html"]

ROWS = 50
STYLE = """\
:root { color-scheme: light dark; --line: #8884; --block: #c0392b; --ask: #b9770e; --proceed: #1e8449; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.cards { display: flex; flex-wrap: wrap; gap: .75rem; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem; min-width: 7rem; }
.card b { display: block; font-size: 1.4rem; }
.bar { display: flex; height: .9rem; border-radius: .45rem; overflow: hidden; margin: 1rem 0; }
.proceed { color: var(--proceed); } .ask { color: var(--ask); } .block { color: var(--block); }
.bar i { display: block; background: currentColor; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid var(--line); } td { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td.w { white-space: nowrap; overflow-wrap: normal; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
code { font-size: .85em; } .dim { opacity: .65; } svg { max-width: 100%; height: auto; }
.warn { border-left: 4px solid var(--block); padding: .25rem .75rem; }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
COLUMNS = ("calls", "proceed", "ask", "block", "ungoverned", "changed", "withheld", "failed")


def as_html(summary: Summary, title: str, records: Iterable[Record] = ()) -> Iterator[str]:
    """Give the page in pieces; `records` are listed at its end."""
    yield "<!doctype html>\n"
    yield '<html lang="en"><head><meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{_text(title)}</title><style>\n{STYLE}</style></head><body>\n"
    yield f"<h1>{_text(title)}</h1>\n"
    yield f"<p class=dim>{plural(summary.records, 'record')}, {moment(summary.first)} to {moment(summary.last)}</p>\n"
    yield from _overview(summary)
    yield from _table("Tools", "tool", _sorted(summary.tools))
    yield from _table("Agents", "agent", _sorted(summary.agents))
    yield from _reasons(summary)
    yield "<h2>Who delegated to whom, and used which tool</h2>\n"
    yield as_svg(edges(summary))
    yield from _table("Sessions", "session", [(name, each.counts) for name, each in summary.sessions.items()])
    yield from _records(records)
    yield "</body></html>\n"


def _text(text: str, width: int = 300) -> str:
    return escape(fitted(text, width), quote=True)


def _overview(summary: Summary) -> Iterator[str]:
    total, asks = summary.total, summary.asks
    cards = (
        (total.calls, "calls"),
        (total.block, "blocked"),
        (total.ask, "to be asked"),
        (total.changed, "changed"),
        (total.withheld, "results withheld"),
        (total.ungoverned, "ungoverned"),
        (asks["granted"], "asks granted"),
        (asks["refused"] + asks["unanswered"], "asks refused or unanswered"),
        (total.failed, "with an error"),
    )
    yield '<div class="cards">'
    yield "".join(f'<div class="card"><b>{number:,}</b>{told}</div>' for number, told in cards) + "</div>\n"
    if total.calls:
        parts = {"proceed": total.proceed, "ask": total.ask, "block": total.block}
        percent = {name: 100 * part / total.calls for name, part in parts.items()}
        widths = "".join(f'<i class="{name}" style="width:{part:.2f}%"></i>' for name, part in percent.items())
        yield f'<div class="bar" role="img" aria-label="verdicts">{widths}</div>\n'
    if summary.ungoverned:
        listed = ", ".join(f"{_text(tool, 80)} ({count:,})" for tool, count in list(summary.ungoverned.items())[:ROWS])
        yield f'<p class="warn">Nobody was asked about these tools: {listed}</p>\n'
    if summary.lost or summary.unread:
        told = f"{plural(summary.lost, 'gap')} in the ledger, {plural(summary.unread, 'line')} unreadable"
        yield f'<p class="warn">{told}</p>\n'


def _sorted(found: dict[str, Counts]) -> list[tuple[str, Counts]]:
    return sorted(found.items(), key=lambda each: (-each[1].calls, each[0]))


def _table(title: str, name: str, found: list[tuple[str, Counts]]) -> Iterator[str]:
    heads = "".join(f'<th class="n">{column}</th>' for column in COLUMNS)
    yield f"<h2>{title}</h2>\n<table><tr><th>{name}</th>{heads}</tr>\n"
    for each, counts in found[:ROWS]:
        cells = "".join(_cell(column, getattr(counts, column)) for column in COLUMNS)
        yield f"<tr><td>{_text(each, 120)}</td>{cells}</tr>\n"
    yield "</table>\n"
    if len(found) > ROWS:
        yield f"<p class=dim>… and {len(found) - ROWS:,} more</p>\n"


def _cell(column: str, number: int) -> str:
    colour = f" {column}" if number and column in ("block", "ask") else ""
    return f'<td class="n{colour}">{number:,}</td>'


def _reasons(summary: Summary) -> Iterator[str]:
    yield "<h2>Reasons</h2>\n<table><tr><th class=n>times</th><th>verdict</th><th>decided by</th><th>reason</th></tr>\n"
    for (verdict, by, reason), count in summary.reasons.most_common(ROWS):
        yield f'<tr><td class="n">{count:,}</td><td class="{_text(verdict)}">{_text(verdict)}</td>'
        yield f"<td>{_text(by, 120)}</td><td>{_text(reason)}</td></tr>\n"
    yield "</table>\n"


def _records(records: Iterable[Record]) -> Iterator[str]:
    yield "<h2>Records</h2>\n<table><tr><th>time</th><th>seam</th><th>tool</th><th>agent</th><th>verdict</th>"
    yield "<th>value, who and why</th></tr>\n"
    for record in records:
        found = "".join(
            f"<br>{_text(one.interceptor, 120)} <span class=dim>{one.kind}</span> {_text(one.reason)}"
            for one in record.findings
        )
        kept = f"<br><span class=dim>{_text(about(record))}</span>" if about(record) else ""
        error = f"<br><span class=block>{_text(record.error)}</span>" if record.error else ""
        value = f"<code>{_text(shown(record.proposed, 400), 500)}</code>"
        yield f'<tr><td class="w dim">{moment(record.time)}</td><td class="w">{_text(record.seam, 30)}</td>'
        yield f"<td>{_text(record.tool or '', 120)}</td><td>{_text(record.agent or '', 120)}</td>"
        yield f'<td class="w {record.verdict}">{record.verdict}</td><td>{value}{found}{error}{kept}</td></tr>\n'
    yield "</table>\n"
