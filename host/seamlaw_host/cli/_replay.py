"""`seamlaw replay`: play a recorded session through a policy."""

from collections.abc import Iterator
from typing import Any, Unpack

import click

from seamlaw_host.replay import Judge, Judged, Tally, differences
from seamlaw_host.sessions import Malformed, Session, read_session

from ._options import CallerOptions, as_json, aside, caller, full, load, policies
from ._progress import progress
from ._records import call_record, json_line, malformed_record, summary_record
from ._render import judged_lines
from ._screen import Screen, printable
from ._summary import summary_lines

__all__ = ["command"]

MALFORMED, DENIED = 1, 4
EPILOG = """\b
Examples:
  seamlaw replay session.jsonl --policy policy.toml
  seamlaw replay - --policy policy.toml --fail-on-deny < session.jsonl
  seamlaw replay session.jsonl -p base.toml -p team.py:bundle --json | jq 'select(.verdict == "block")'

\b
Exit codes:
  0  every call was decided, and there was one
  1  something in the session could not be read (it is told with its place, and the rest is decided),
     or not one call was found in it; with --fail-on-change: a call of a ledger is decided otherwise now
  2  usage: a bad option or policy, no such file, a session in no known shape
  4  with --fail-on-deny: a call was blocked, or could not be read and so not decided
     (withheld results do not count; calls that ask count with --asks deny)
"""


class SessionFile(click.Path):
    """A file, or the URL of a database."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Look for the file; a URL is looked at when it is opened."""
        return value if isinstance(value, str) and "://" in value else super().convert(value, param, ctx)


@click.command(name="replay", epilog=EPILOG)
@click.argument("session_file", metavar="SESSION", type=SessionFile(exists=True, dir_okay=False, allow_dash=True))
@policies
@click.option("--changes", is_flag=True, help="Of a ledger, show only the calls that are decided otherwise now.")
@click.option("--fail-on-change", is_flag=True, help="Exit 1 if a call of a ledger is decided otherwise now.")
@click.option("--fail-on-deny", is_flag=True, help="Exit 4 if a call was denied.")
@click.option(
    "--asks",
    type=click.Choice(["pass", "deny"]),
    default="pass",
    help="Whether --fail-on-deny takes a call that asks a person for denied.",
    show_default=True,
)
@click.option("--shape", metavar="NAME", help="The shape of the session; it is recognised unless named.")
@caller
@as_json
@full
def command(
    session_file: str,
    sources: tuple[str, ...],
    changes: bool,
    fail_on_change: bool,
    fail_on_deny: bool,
    asks: str,
    shape: str | None,
    as_json: bool,
    full: bool,
    **who: Unpack[CallerOptions],
) -> None:
    """Play a recorded SESSION through a policy.

    Tells for each call: verdict, effective arguments (what changed, as a diff), who decided and why; and, where the
    session has the result, what becomes of it. Nothing is executed. SESSION is a file, or - for standard input:
    Claude Code hook events, transcripts or stream-json, OpenAI or Anthropic messages, MCP JSON-RPC, Seamlaw's
    own JSON lines, or a ledger (also the URL of a database): then it tells what is decided otherwise now, and where
    that is not sure, for a part of a call was redacted.
    """
    judge = Judge(load(sources), **who)
    session = read_session(session_file, shape=shape)
    tally = Tally()
    screen = Screen.of_stdout(full=full)
    for line in _played(session, judge, tally, None if as_json else screen, changes=changes):
        screen.say(line)
    if not tally.calls:
        click.echo("seamlaw: not one call was found that could be read, so nothing was decided", err=True)
    if fail_on_deny and tally.denied(asks=asks == "deny"):
        raise click.exceptions.Exit(DENIED)
    if tally.malformed or not tally.calls or (fail_on_change and tally.differing):
        raise click.exceptions.Exit(MALFORMED)


def _played(
    session: Session, judge: Judge, tally: Tally, screen: Screen | None, *, changes: bool = False
) -> Iterator[str]:
    """Decide each event as it comes, and give the lines that tell of it; without a screen, JSON."""
    with progress(tally) as tick:
        for event in session.events:
            if isinstance(event, Malformed):
                tally.add_malformed(event)
                yield _malformed_line(event, screen)
            else:
                with aside():
                    judged = judge.judge(event)
                tally.add(judged)
                if not changes or differences(judged):
                    yield _told(judged, screen)
            tick()
    if screen is None:
        yield json_line("summary", summary_record(session.shape, tally))
    else:
        yield "\n".join(summary_lines(screen, session.shape, tally))


def _told(judged: Judged, screen: Screen | None) -> str:
    if screen is None:
        return json_line("call", call_record(judged))
    return "\n".join(judged_lines(screen, judged)) + "\n"


def _malformed_line(event: Malformed, screen: Screen | None) -> str:
    if screen is None:
        return json_line("malformed", malformed_record(event))
    tool = f"  {screen.paint(printable(event.tool), bold=True)}" if event.tool is not None else ""
    place = screen.paint(printable(event.place), dim=True)
    return f"{place}{tool}  {screen.paint('MALFORMED', 'red', bold=True)}\n    {printable(event.problem)}\n"
