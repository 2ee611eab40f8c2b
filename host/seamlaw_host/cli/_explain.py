"""`seamlaw explain`: who would be consulted about a call, in order, and what each answers."""

from collections.abc import Iterator
from typing import Unpack

import click

from seamlaw_host.replay import Explanation, Judge, Step, explain

from ._one_call import read_call
from ._options import CallerOptions, as_json, aside, caller, full, load, policies
from ._records import explanation_record, json_line
from ._render import COLOURS, call_lines, change_lines, entry_line, log_lines
from ._screen import Screen, fitted

__all__ = ["command", "explained_lines"]

PHASES = {
    "fill": "rules that fill",
    "chain": "chain: each sees what the one before left",
    "rule": "rules that judge what the chain left",
    "gate": "gates: each judges what the chain left",
    "handler": "handlers: may answer in place of the tool",
}
EPILOG = """\b
Examples:
  seamlaw explain -p policy.toml --call '{"tool": "bash", "arguments": {"command": "git push -f"}}'
  seamlaw explain -p policy.toml < call.json

\b
Exit codes:
  0  explained, whatever the verdict
  2  usage, also: no call, or more than one, or one that cannot be read
"""


@click.command(name="explain", epilog=EPILOG)
@policies
@click.option("--call", "text", metavar="JSON", help="The call; it is read from standard input unless given.")
@click.option("--shape", metavar="NAME", help="The shape of the call; it is recognised unless named.")
@caller
@as_json
@full
def command(
    sources: tuple[str, ...],
    text: str | None,
    shape: str | None,
    as_json: bool,
    full: bool,
    **who: Unpack[CallerOptions],
) -> None:
    """Show who is consulted about a call, and why.

    Tells everyone whom the policy could consult, in order, and what each answers: for those not consulted why, for
    rules how each condition came out, for what changes the call how.
    """
    bundle = load(sources)
    recorded = read_call(text, shape=shape)
    with aside():
        explained = explain(bundle, recorded.call, Judge(bundle, **who).scope_of(recorded))
    screen = Screen.of_stdout(full=full)
    if as_json:
        screen.say(json_line("explanation", explanation_record(explained)))
        return
    for line in explained_lines(screen, explained):
        screen.say(line)


def explained_lines(screen: Screen, explained: Explanation) -> Iterator[str]:
    """Show a call, everyone who could be consulted about it, and what came of it."""
    outcome, phase = explained.outcome, ""
    yield screen.paint(fitted(explained.call.name, 60), bold=True)
    yield from call_lines(screen, explained.call, explained.call)
    for number, step in enumerate(explained.steps, 1):
        if step.phase != phase:
            phase = step.phase
            yield f"\n{PHASES[phase]}"
        yield from _step_lines(screen, number, step)
    yield ""
    verdict = screen.paint(outcome.verdict.value.upper(), COLOURS[outcome.verdict], bold=True)
    yield verdict if explained.steps else f"{verdict}  the policy is empty: nobody was consulted"
    yield from call_lines(screen, explained.call, outcome.value)
    yield from log_lines(screen, outcome)


def _came_out(held: bool | str) -> str:
    if isinstance(held, str):
        return f"cannot be known, {fitted(held, 200)}"
    return "holds" if held else "does not hold"


def _step_lines(screen: Screen, number: int, step: Step) -> Iterator[str]:
    name = fitted(step.interceptor, 60)
    if step.skipped:
        yield screen.paint(f"  {number:>2}  {name}: not consulted, {fitted(step.skipped, 200)}", dim=True)
        return
    said = "" if step.answers else ": nothing to say"
    yield f"  {number:>2}  {screen.paint(name, bold=bool(step.answers))}{said}"
    for told, held in step.conditions:
        yield "      " + screen.paint(f"{fitted(told, 120)}: {_came_out(held)}", dim=True)
    for entry in step.answers:
        yield "  " + entry_line(screen, entry)
    yield from change_lines(screen, step.before, step.after)
