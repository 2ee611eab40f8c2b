"""`seamlaw lint`: what is likely a mistake in a policy."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ._lint_host import about_host
from ._options import as_json
from ._records import json_line
from ._screen import Screen, printable
from ._verify_policy import progress, subject

if TYPE_CHECKING:
    from seamlaw_spec.lint import Finding

__all__ = ["command"]

EPILOG = """\b
Examples:
  seamlaw lint policy.toml
  seamlaw lint policy.toml --tools bash,read_file,write_file --strict
  seamlaw lint policies.py:bundle --handlers cli,slack --roles junior,senior

\b
Exit codes:
  0  nothing but notes; without --strict, warnings too
  1  an error; with --strict also a warning, or a question that is not decided
  2  usage: a bad option, no such policy
"""


@click.command(name="lint", epilog=EPILOG)
@click.argument("policy")
@click.option("--tools", metavar="NAMES", default="", help="The tools that there are, with commas between.")
@click.option("--handlers", metavar="SCHEMES", default="", help="Who can be asked: cli,slack and so on.")
@click.option("--roles", metavar="NAMES", default="", help="The roles that callers may have.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=5.0, show_default=True, help="A question.")
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@as_json
def command(policy: str, tools: str, handlers: str, roles: str, seconds: float, strict: bool, as_json: bool) -> None:
    """Find what is likely a mistake in a policy.

    Of rules z3 is asked: which never act, which are covered by another, which stand in each other's way, which
    defaults fill in nothing that runs. Of interceptors: who stands where it has nothing to say, who can be slipped
    past, who is not installed. An empty policy is an error. Of the host, as far as it is named: which tools nobody is
    asked about, which asks reach nobody, which policies need to know who is calling.
    """
    from seamlaw_spec.lint import lint

    with progress() as told:
        told("Looking")
        found = lint(subject(policy), tools=_names(tools), timeout_ms=int(seconds * 1000))
        host = about_host(subject(policy), tools=_names(tools), handlers=_schemes(handlers), roles=_names(roles))
        levels = ("error", "warning", "note")
        found = tuple(sorted((*found, *host), key=lambda finding: levels.index(finding.level.value)))
    screen = Screen.of_stdout()
    data = {"policy": policy, "findings": [finding.data() for finding in found]}
    for line in [json_line("lint", data)] if as_json else _lines(found):
        screen.say(line if as_json else printable(line))
    raise click.exceptions.Exit(int(any(_fails(finding, strict) for finding in found)))


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _schemes(text: str) -> list[str]:
    return [name.removesuffix("://") for name in _names(text)]


def _fails(finding: "Finding", strict: bool) -> bool:
    level = finding.level.value
    return level == "error" or (strict and (level == "warning" or finding.kind == "unknown"))


def _lines(found: "tuple[Finding, ...]") -> Iterator[str]:
    if not found:
        yield "nothing found"
    for finding in found:
        yield f"{finding.level.value:<8} {finding.kind}: {finding.about}: {finding.problem}"
        if finding.witness is not None:
            from seamlaw_spec.kit._report import in_code

            yield f"         {in_code(finding.witness.call)}"
