"""`seamlaw decide`: one call in, one outcome out."""

from typing import Unpack

import click
from attrs import evolve

from seamlaw import Verdict
from seamlaw_host.replay import Judge

from ._one_call import read_call
from ._options import CallerOptions, as_json, aside, caller, full, load, policies
from ._records import call_record, json_line
from ._render import judged_lines
from ._screen import Screen

__all__ = ["EXIT_CODES", "command"]

EXIT_CODES = {Verdict.PROCEED: 0, Verdict.ASK: 3, Verdict.BLOCK: 4}
EPILOG = """\b
Examples:
  echo '{"tool": "bash", "arguments": {"command": "rm -rf /"}}' | seamlaw decide --policy policy.toml
  seamlaw decide -p policy.toml --json < call.json | jq .effective.arguments

\b
Exit codes:
  0  proceed, with the effective arguments
  2  usage, also: no call, or more than one, or one that cannot be read; nothing was decided
  3  a person must be asked
  4  blocked
  Only 0 lets the call run.
"""


@click.command(name="decide", epilog=EPILOG)
@policies
@click.option("--shape", metavar="NAME", help="The shape of the call; it is recognised unless named.")
@caller
@as_json
@full
def command(
    sources: tuple[str, ...], shape: str | None, as_json: bool, full: bool, **who: Unpack[CallerOptions]
) -> None:
    """Decide one call, read from standard input.

    The call is {"tool": …, "arguments": {…}}, or one in any shape that seamlaw replay reads, such as the event that
    Claude Code gives a PreToolUse hook. Only the call is decided: a result beside it is not looked at.

    It is no hook command by itself: to Claude Code only exit code 2 blocks, so a hook must turn 3 and 4 into 2.
    """
    judge = Judge(load(sources), **who)
    call = evolve(read_call(shape=shape), result=None, result_place=None)
    with aside():
        judged = judge.judge(call)
    screen = Screen.of_stdout(full=full)
    if as_json:
        screen.say(json_line("call", call_record(judged)))
    else:
        for line in judged_lines(screen, judged):
            screen.say(line)
    raise click.exceptions.Exit(EXIT_CODES[judged.call.verdict])
