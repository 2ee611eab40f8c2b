"""Which records of a ledger are meant: the same options for every command that reads one."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Any, TypedDict, TypeVar

import click

from seamlaw_host.ledger import Record, Unread, read_ledger

__all__ = ["Wanted", "source", "wanted", "wanted_records", "when"]

C = TypeVar("C", bound=Callable[..., Any])


class Wanted(TypedDict):
    """What was asked for; `None` for all."""

    verdict: str | None
    tool: str | None
    agent: str | None
    session: str | None
    seam: str | None
    since: float | None
    until: float | None


class Moment(click.ParamType[float]):
    """A date, or a date and time, as ISO 8601 has it; without a time zone it is UTC."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Give the seconds since 1970."""
        try:
            given = datetime.fromisoformat(value)
            return (given if given.tzinfo is not None else given.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            self.fail("is no time such as 2026-01-31 or 2026-01-31T12:00:00Z", param, ctx)


def source(command: C) -> C:
    """Add the argument LEDGER."""
    return click.argument("ledger", metavar="LEDGER")(command)


def wanted(command: C) -> C:
    """Add the options that choose records."""
    moment = Moment()
    for flag, kind, told in (
        ("--until", moment, "Only before this time (ISO 8601; UTC unless it says otherwise)."),
        ("--since", moment, "Only from this time on."),
        ("--seam", None, "Only of this seam."),
        ("--session", None, "Only of this session."),
        ("--agent", None, "Only of this agent."),
        ("--tool", None, "Only of these tools; a glob, such as 'edit_*'."),
        ("--verdict", click.Choice(["proceed", "ask", "block"]), "Only with this verdict."),
    ):
        command = click.option(flag, type=kind, metavar=None if kind else "NAME", help=told)(command)
    return command


def wanted_records(ledger: str, **only: Any) -> Iterator[tuple[str, Record] | Unread]:
    """Read a ledger, and give the records that were asked for, and whatever cannot be read."""
    for found in read_ledger(ledger):
        if isinstance(found, Unread) or _is_wanted(found[1], only):
            yield found


def _is_wanted(record: Record, only: dict[str, Any]) -> bool:
    since, until, tool = only.get("since"), only.get("until"), only.get("tool")
    if any(only.get(name) not in (None, getattr(record, name)) for name in ("verdict", "agent", "session", "seam")):
        return False
    if tool is not None and not (record.tool is not None and fnmatchcase(record.tool, tool)):
        return False
    return (since is None or record.time >= since) and (until is None or record.time < until)


def when(seconds: float) -> str:
    """Write a moment in UTC, to the millisecond; what no calendar has, as seconds."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(" ", "milliseconds").removesuffix("+00:00")
    except (ValueError, OverflowError, OSError):
        return f"{seconds:.3f} s"
