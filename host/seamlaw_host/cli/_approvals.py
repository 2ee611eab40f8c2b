"""`seamlaw approvals`: what waits for somebody's word, and the word itself."""

import getpass
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from ._options import as_json
from ._records import json_line
from ._screen import Screen, fitted, printable

if TYPE_CHECKING:
    from seamlaw_host.approvals import Approval, ApprovalStore, State

__all__ = ["command"]

C = TypeVar("C", bound=Callable[..., Any])
STATES = ("pending", "granted", "denied", "used", "expired")
COLOURS = {"pending": "yellow", "granted": "green", "denied": "red", "used": "cyan", "expired": "bright_black"}
NOT_DONE = 1
EXITS = """\b
Exit codes:
  0  done
  1  no approval of that id, or it can no longer be answered, or not by this person
  2  usage: a bad option, or a store that is not there
"""
EPILOG = """\b
Examples:
  seamlaw approvals list
  seamlaw approvals show 3f9a51c20b7e
  seamlaw approvals grant 3f9a51c20b7e --reason "agreed in the meeting"
  SEAMLAW_APPROVALS=postgresql://ops@db/approvals seamlaw approvals list --all --json
"""


def _store(command: C) -> C:
    """Add --store."""
    return click.option(
        "--store",
        "url",
        metavar="URL",
        envvar="SEAMLAW_APPROVALS",
        default="sqlite:///seamlaw-approvals.db",
        show_default=True,
        help="Where the approvals are kept: sqlite:///FILE or postgresql://…; or in SEAMLAW_APPROVALS.",
    )(command)


def _by(command: C) -> C:
    """Add --by and --reason."""
    command = click.option("--reason", metavar="TEXT", default="", help="Kept with the answer.")(command)
    return click.option(
        "--by", metavar="NAME", default=getpass.getuser, help="Who answers; the login name unless given."
    )(command)


@click.group(name="approvals", epilog=EPILOG)
def command() -> None:
    """List, show, grant and deny the calls that wait for approval.

    Nothing is run here: a call that was granted proceeds when its agent makes it again, once. Whoever can write to
    the store can grant; --by is a name, and no proof of who says it.
    """


@command.command(name="list", epilog=EXITS)
@_store
@click.option("--all", "every", is_flag=True, help="Those that are answered, used or expired, too.")
@click.option("--state", "states", type=click.Choice(STATES), multiple=True, help="Only those in this state.")
@as_json
def list_command(url: str, every: bool, states: tuple[str, ...], as_json: bool) -> None:
    """List what waits."""
    wanted: tuple[Any, ...] = states or (() if every else ("pending",))
    found = _opened(url).list(*cast("tuple[State, ...]", wanted))
    if as_json:
        for one in found:
            click.echo(json_line("approval", _record(one)))
    else:
        _table(Screen.of_stdout(), found, "nothing waits" if wanted == ("pending",) else "no approval")


@command.command(name="show", epilog=EXITS)
@click.argument("id")
@_store
@as_json
def show_command(id: str, url: str, as_json: bool) -> None:
    """Show one whole: exactly what would run, but for the secrets that were taken out."""
    _tell(_done(lambda: _opened(url).get(id)), as_json)


@command.command(name="grant", epilog=EXITS)
@click.argument("id")
@_by
@_store
@as_json
def grant_command(id: str, by: str, reason: str, url: str, as_json: bool) -> None:
    """Let a call proceed, once, when it is made again."""
    _tell(_done(lambda: _opened(url).grant(id, by=by, reason=reason)), as_json)


@command.command(name="deny", epilog=EXITS)
@click.argument("id")
@_by
@_store
@as_json
def deny_command(id: str, by: str, reason: str, url: str, as_json: bool) -> None:
    """Deny a call: whatever others say, it does not proceed until the approval has expired."""
    _tell(_done(lambda: _opened(url).deny(id, by=by, reason=reason)), as_json)


def _opened(url: str) -> "ApprovalStore":
    from seamlaw_host.approvals import ApprovalStore

    return ApprovalStore(url, create=False)


def _done(ask: "Callable[[], Approval]") -> "Approval":
    """Do it, or end with 1, saying why not."""
    from seamlaw_host.approvals import NotAnApprover, NotOpen, UnknownApproval

    try:
        return ask()
    except (NotAnApprover, NotOpen, UnknownApproval) as refused:
        click.echo(f"seamlaw: {printable(str(refused))}", err=True)
        raise click.exceptions.Exit(NOT_DONE) from None


def _record(found: "Approval") -> dict[str, Any]:
    import attrs

    return attrs.asdict(found)


def _tell(found: "Approval", as_json: bool) -> None:
    screen = Screen.of_stdout()
    for line in [json_line("approval", _record(found))] if as_json else _lines(screen, found):
        screen.say(line)


def _lines(screen: Screen, found: "Approval") -> Iterator[str]:
    state = screen.paint(found.state.upper(), COLOURS[found.state], bold=True)
    yield f"{found.id}  {state}  {len(found.granted_by)} of {found.needed} granted"
    caller = "  ".join(f"{name} {value}" for name in ("agent", "session") if (value := getattr(found, name)))
    for label, text in (
        ("tool", found.tool or f"(at the seam {found.seam})"),
        ("reason", found.message),
        ("asked by", found.interceptor),
        ("caller", caller or "not named"),
        ("target", found.target),
        ("created", _when(found.created)),
        ("expires", _when(found.expires)),
        ("approvers", "anybody" if found.approvers is None else ", ".join(found.approvers)),
        *(("used", _when(used)) for used in (found.used,) if used is not None),
    ):
        yield f"  {label:<10} {printable(text)}"
    for vote in found.votes:
        said = screen.paint("granted", "green") if vote.granted else screen.paint("denied", "red")
        yield f"  {printable(vote.by)} {said} it, {_when(vote.at)}" + (vote.reason and f": {printable(vote.reason)}")
    yield "What would run, with the secrets taken out:"
    yield from (f"  {line}" for line in found.shown.splitlines())
    yield "The digest of what would run, with nothing taken out:"
    yield f"  {found.digest}"


def _when(time: float) -> str:
    return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _table(screen: Screen, found: "list[Approval]", nothing: str) -> None:
    """Write a table that fits the screen; nothing in it can steer the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for name in ("id", "state", "granted", "expires (UTC)"):
        table.add_column(name, no_wrap=True)
    for name, most in (("tool", 24), ("agent", 16), ("reason", None)):
        table.add_column(name, max_width=most, overflow="fold")
    for one in found:
        table.add_row(
            Text(one.id),
            Text(one.state, COLOURS[one.state]),
            Text(f"{len(one.granted_by)}/{one.needed}"),
            Text(_when(one.expires)[:-7]),
            Text(fitted(one.tool or one.seam, 60)),
            Text(fitted(one.agent, 40)),
            Text(fitted(one.message, 200)),
        )
    console = Console(width=screen.width, force_terminal=screen.colour, no_color=not screen.colour, highlight=False)
    console.print(table) if found else console.print(nothing)
