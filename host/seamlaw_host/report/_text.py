"""A summary for a terminal."""

from collections.abc import Iterable, Iterator

from seamlaw_host.cli._screen import fitted

from ._summary import Counts, Summary
from ._words import moment, plural

__all__ = ["as_text"]

ROWS = 15
NAME = 28


def as_text(summary: Summary, *, rows: int = ROWS) -> Iterator[str]:
    """Give a summary as lines; of each table the first `rows`."""
    total = summary.total
    yield f"{plural(summary.records, 'record')}, {moment(summary.first)} to {moment(summary.last)}"
    yield f"  calls       {total.calls:,}: {total.proceed:,} proceed, {total.ask:,} ask, {total.block:,} block"
    yield f"  executed    {total.executed:,}, {total.seconds:,.3f} s; {plural(total.withheld, 'result')} withheld"
    yield f"  changed     {plural(total.changed, 'call')}"
    yield f"  asks        {_counted(summary.asks, ('granted', 'refused', 'unanswered'))}"
    yield f"  findings    {_counted(summary.findings, ('note', 'replace', 'ask', 'block', 'fault'))}"
    yield f"  failed      {plural(total.failed, 'record')} with an error"
    yield f"  undo        {_counted(summary.undone, ('undone', 'failed'))}"
    yield f"  modes       {_counted(summary.modes, tuple(summary.modes))}; policies: {len(summary.policies)}"
    if summary.incomplete:
        yield f"  redacted    {plural(summary.incomplete, 'record')}, in part or wholly"
    if summary.lost or summary.unread:
        yield f"  incomplete  {plural(summary.lost, 'gap')}, {plural(summary.unread, 'line')} unreadable"
    yield ""
    yield from _ungoverned(summary)
    yield from _table("tool", _sorted(summary.tools), rows)
    yield from _table("agent", _sorted(summary.agents), rows)
    yield from _table("session", ((name, each.counts) for name, each in summary.sessions.items()), rows)
    yield from _reasons(summary, rows)
    yield from _delegations(summary, rows)


def _counted(found: "dict[str, int]", names: Iterable[str]) -> str:
    return ", ".join(f"{found.get(name, 0):,} {fitted(name, NAME)}" for name in names) or "none"


def _sorted(found: dict[str, Counts]) -> list[tuple[str, Counts]]:
    return sorted(found.items(), key=lambda each: (-each[1].calls, each[0]))


def _ungoverned(summary: Summary) -> Iterator[str]:
    found = summary.ungoverned
    if not found:
        yield "ungoverned: no tool"
    else:
        listed = ", ".join(f"{fitted(tool, NAME)} ({count:,})" for tool, count in list(found.items())[:ROWS])
        more = f", and {len(found) - ROWS} more" if len(found) > ROWS else ""
        yield f"ungoverned: {listed}{more}"
    yield ""


def _table(name: str, found: Iterable[tuple[str, Counts]], rows: int) -> Iterator[str]:
    listed = list(found)
    columns = ("calls", "proceed", "ask", "block", "ungov.", "changed", "withheld", "failed")
    yield name.ljust(NAME) + "".join(column.rjust(9) for column in columns)
    for each, counts in listed[:rows]:
        numbers = (
            counts.calls,
            counts.proceed,
            counts.ask,
            counts.block,
            counts.ungoverned,
            counts.changed,
            counts.withheld,
            counts.failed,
        )
        yield fitted(each, NAME - 7)[: NAME - 1].ljust(NAME) + "".join(f"{number:,}".rjust(9) for number in numbers)
    yield from [f"… and {len(listed) - rows} more"] if len(listed) > rows else []
    yield ""


def _reasons(summary: Summary, rows: int) -> Iterator[str]:
    yield "reasons"
    for (verdict, by, reason), count in summary.reasons.most_common(rows):
        yield f"  {count:>6,}  {verdict:<6} {fitted(by, NAME)}: {fitted(reason, 100)}"
    if not summary.reasons:
        yield "  nothing was blocked or asked"
    yield ""


def _delegations(summary: Summary, rows: int) -> Iterator[str]:
    yield "delegations"
    for (above, below), count in summary.delegations.most_common(rows):
        yield f"  {fitted(above, NAME)} -> {fitted(below, NAME)}: {plural(count, 'call')}"
    if not summary.delegations:
        yield "  none"
