"""`seamlaw verify`: the laws of the kernel, checked by every layer."""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ._options import as_json
from ._records import json_line
from ._screen import Screen

if TYPE_CHECKING:
    from seamlaw_spec.layers import Evidence

__all__ = ["command"]

LAYERS = ("tested", "confirmed", "proved", "exhausted")
EVERY = 5.0  # seconds between two lines of progress that go into a file
EPILOG = """\b
Examples:
  seamlaw verify
  seamlaw verify --law first_block_wins --law gate_order_is_irrelevant --layer exhausted
  seamlaw verify --deep --json | jq '.laws[] | select(.evidence[] | .holds | not)'

\b
Exit codes:
  0  every law holds by every layer that the law book marks for it
  1  a law does not hold, or a layer that is marked could not show it
  2  usage
"""
Tell = Callable[[int, int, "Evidence"], None]


@click.command(name="verify", epilog=EPILOG)
@click.option("--law", "laws", metavar="NAME", multiple=True, help="Only this law; may be given several times.")
@click.option("--layer", "layers", type=click.Choice(LAYERS), multiple=True, help="Only this layer; likewise.")
@click.option("--deep", is_flag=True, help="More examples, longer chains, larger bounds: for the night.")
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="How many processes check at once.")
@click.option("--record", is_flag=True, help="Record the evidence, if all laws were checked by all layers and hold.")
@as_json
def command(laws: tuple[str, ...], layers: tuple[str, ...], deep: bool, jobs: int, record: bool, as_json: bool) -> None:
    """Check the laws of the kernel.

    Each law is tested on examples, confirmed over all paths of a bounded size, proved without a bound, and run on
    every case up to a size, as the law book marks it. What fails is told with the smallest counterexample, as a test.
    """
    try:
        from seamlaw_spec import report, verify
    except ModuleNotFoundError as missing:
        raise click.UsageError(f"verify needs {missing.name}: pip install 'seamlaw[verify]'") from missing
    _known(laws)
    if record and (laws or layers):
        raise click.UsageError("--record is for a run of all laws by all layers")
    with _progress() as tell:
        found = verify.verify(laws, layers, deep=deep, workers=jobs, fresh=record, tell=tell)
    screen = Screen.of_stdout()
    if as_json:
        screen.say(json_line("verify", report.as_data(found)))
    else:
        for line in (*report.table(found), *report.failures(found)):
            screen.say(line)
    if record and found.ok:
        verify.record(found)
    raise click.exceptions.Exit(0 if found.ok else 1)


def _known(laws: tuple[str, ...]) -> None:
    from seamlaw_spec import LAWS

    for name in laws:
        if name not in LAWS:
            raise click.UsageError(f"no law is called {name}; the laws are {', '.join(LAWS)}")


@contextmanager
def _progress() -> Generator[Tell]:
    """Tell on standard error how far it is: a line that moves on a terminal, now and then a line elsewhere."""
    if not sys.stderr.isatty():
        yield _plain()
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("Starting") as status:

        def tell(done: int, of: int, evidence: "Evidence") -> None:
            if not evidence.holds:
                console.print(f"FAILED {evidence.law}, {evidence.mechanism}", style="red", highlight=False)
            status.update(f"{done} of {of} checks; {evidence.mechanism} {evidence.law}")

        yield tell


def _plain() -> Tell:
    told = time.monotonic()

    def tell(done: int, of: int, evidence: "Evidence") -> None:
        nonlocal told
        if not evidence.holds:
            click.echo(f"FAILED {evidence.law}, {evidence.mechanism}", err=True)
        if time.monotonic() - told >= EVERY or done == of:
            told = time.monotonic()
            click.echo(f"{done} of {of} checks", err=True)

    return tell
