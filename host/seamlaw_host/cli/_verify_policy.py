"""`seamlaw verify POLICY`: the laws that a policy of one's own must keep."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from seamlaw_host.policies._load import read_policy

from ._options import as_json
from ._records import json_line
from ._screen import Screen, printable

if TYPE_CHECKING:
    from seamlaw_spec.kit import Report, Subject

__all__ = ["command", "is_policy", "progress", "subject"]

FILES = (".toml", ".json", ".yaml", ".yml")
EPILOG = """\b
Examples:
  seamlaw verify my_policies:bundle
  seamlaw verify gates.py:no_secrets --only never_raises --examples 1000
  seamlaw verify policy.toml --strict --json | jq '.checks[] | select(.holds | not)'

\b
Exit codes:
  0  every law holds on every value that was tried (hints are told, and change nothing)
  1  a law is broken; with --strict also: a hint, or a part that never said anything
  2  usage: a bad option, no such policy
"""


def is_policy(argument: str) -> bool:
    """Whether an argument names a policy, or tries to: no law and no layer has such a character."""
    return not argument.startswith("-") and any(sign in argument for sign in ":./")


@click.command(name="verify", epilog=EPILOG)
@click.argument("policy")
@click.option("--only", metavar="LAW", multiple=True, help="Only this law; may be given several times.")
@click.option("--skip", metavar="LAW", multiple=True, help="Not this law; likewise.")
@click.option("--examples", type=click.IntRange(1), default=200, show_default=True, help="Values for each part.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other values for another seed.")
@click.option("--secret", "secrets", metavar="TEXT", multiple=True, help="A text that must not leak.")
@click.option("--secret-env", "hidden", metavar="NAME", multiple=True, help="The same, from an environment variable.")
@click.option(
    "--budget", type=click.FloatRange(0, min_open=True), default=0.1, show_default=True, help="Seconds a call."
)
@click.option("--strategies", metavar="MODULE:NAME", help="A mapping of seams to Hypothesis strategies of your own.")
@click.option("--strict", is_flag=True, help="Let hints fail too.")
@click.option("--full", is_flag=True, help="Tell every check, and write hints as tests too.")
@as_json
def command(
    policy: str,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    examples: int,
    seed: int,
    secrets: tuple[str, ...],
    hidden: tuple[str, ...],
    budget: float,
    strategies: str | None,
    strict: bool,
    full: bool,
    as_json: bool,
) -> None:
    """Check the laws that a policy of your own must keep.

    POLICY is a file of rules, or module:name or file.py:name of a bundle, a pack, a Policy, an interceptor, or a
    function of nothing that makes one: then each trace gets a fresh instance. Values are made around the constants in
    its code; what breaks a law is told with the smallest value found, as a test to paste.
    """
    from seamlaw_spec.kit import as_data, as_lines, check

    masked = tuple(_from_environment(name) for name in hidden)
    with progress() as told:
        report = check(
            subject(policy),
            only=only,
            skip=skip,
            examples=examples,
            strategies=_strategies(strategies),
            secrets=(*secrets, *masked),
            budget_s=budget,
            seed=seed,
            told=told,
        )
    screen = Screen.of_stdout(full=full)
    lines = [json_line("policy_laws", as_data(report))] if as_json else as_lines(report, full=full)
    for line in lines:
        for secret in masked:
            line = line.replace(secret, "***")  # noqa: PLW2901 - as often as there are secrets
        screen.say(line if as_json else printable(line))
    raise click.exceptions.Exit(_exit_code(report, strict))


def _exit_code(report: "Report", strict: bool) -> int:
    levels = ("law", "hint") if strict else ("law",)
    return int(bool(report.broken(*levels)) or (strict and bool(report.silent)))


def subject(policy: str) -> "Subject":
    """Find a policy: in files as every command reads them, in Python as it is, for a factory is called again."""
    from seamlaw_spec.kit import Subject, subject_of

    if Path(policy).suffix.lower() not in FILES:
        return subject_of(policy)
    loaded, imports = read_policy(policy), "from seamlaw_host.policies import load_policy"
    bundle = loaded.bundle()
    fresh = (lambda: bundle) if loaded.packs is None else loaded.bundle  # a pack remembers what it was shown
    return Subject(policy, fresh, f"load_policy({policy!r})", is_factory=loaded.packs is not None, imports=imports)


def _from_environment(name: str) -> str:
    found = os.environ.get(name)
    if not found:
        raise click.UsageError(f"the environment variable {name} is not set")
    return found


def _strategies(source: str | None) -> Mapping[str, Any]:
    from seamlaw_spec.kit._named import find

    found = find(source).found if source else dict[str, Any]()
    if not isinstance(found, Mapping):
        raise click.UsageError(f"{source} is no mapping of the names of seams to strategies")
    return cast("Mapping[str, Any]", found)


@contextmanager
def progress() -> Generator[Callable[[str], None]]:
    """Give what is told how far it is: a line that moves, where somebody watches standard error."""
    import sys

    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("Starting") as status:
        yield lambda text: status.update(printable(text))
