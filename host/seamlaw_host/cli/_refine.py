"""`seamlaw refine`: whether a new policy stops what the old one stopped."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ._options import as_json
from ._records import json_line
from ._screen import Screen, printable
from ._verify_policy import progress, subject

if TYPE_CHECKING:
    from seamlaw_spec.refine import Refinement

__all__ = ["command"]

EPILOG = """\b
Examples:
  seamlaw refine policy.old.toml policy.toml
  seamlaw refine gates_v1:bundle gates_v2:bundle --seconds 120

\b
Exit codes:
  0  refines: with no call is the new policy looser
  1  it does not, and a call shows so; or it is not known
  2  usage: a bad option, no such policy
"""


@click.command(name="refine", epilog=EPILOG, short_help="Tell whether a new policy stops what the old one stopped.")
@click.argument("old")
@click.argument("new")
@click.option("--blocks-only", is_flag=True, help="Let asks go: compare only what is blocked.")
@click.option(
    "--examples", type=click.IntRange(1), default=1000, show_default=True, help="Calls that code is tried on."
)
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="For a solver."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Other calls for another seed.")
@as_json
def command(old: str, new: str, blocks_only: bool, examples: int, seconds: float, seed: int, as_json: bool) -> None:
    """Tell whether NEW blocks whatever OLD blocked, and asks at least where OLD asked.

    Both are policies as seamlaw verify takes them, compared at the seam tool_call. Rules as data are decided by z3,
    for every call. Code is tried on calls made around the constants of both, and followed by CrossHair over all paths
    of a name and a few texts. A call that shows a difference is decided by the kernel before it is told.
    """
    from seamlaw_spec.refine import Verdict, refine

    with progress() as told:
        told("Comparing")
        found = refine(
            subject(old), subject(new), blocks_only=blocks_only, examples=examples, seconds=seconds, seed=seed
        )
    screen = Screen.of_stdout()
    for line in [json_line("refinement", found.data())] if as_json else _lines(found, old, new):
        screen.say(line if as_json else printable(line))
    raise click.exceptions.Exit(int(found.verdict is not Verdict.REFINES))


def _lines(found: "Refinement", old: str, new: str) -> Iterator[str]:
    yield f"{found.verdict.value}: {found.how}"
    if found.call is not None:
        from seamlaw_spec.kit._report import in_code

        agent = f", called by {found.scope.agent}" if found.scope.agent is not None else ""
        yield f"  {in_code(found.call)}{agent}"
        yield f"  {old}: {found.old}"
        yield f"  {new}: {found.new}"
