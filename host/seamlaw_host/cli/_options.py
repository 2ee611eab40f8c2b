"""Options that several commands have, and how their values are read."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, redirect_stdout
from typing import Any, TextIO, TypedDict, TypeVar

import click

from seamlaw import Interceptors
from seamlaw_host.policies import load_policies

__all__ = ["CallerOptions", "as_json", "aside", "caller", "full", "load", "policies"]

C = TypeVar("C", bound=Callable[..., Any])


class CallerOptions(TypedDict):
    """Who is calling, where the command line says so."""

    session: str | None
    agent: str | None
    role: str | None


def policies(command: C) -> C:
    """Add --policy."""
    return click.option(
        "--policy",
        "-p",
        "sources",
        metavar="POLICY",
        multiple=True,
        required=True,
        help="A .toml, .json or .yaml file, module:name or file.py:name. Several are merged in order; none undoes "
        "what another blocks, but all judge the call that the rewriters and defaults of all have made.",
    )(command)


def caller(command: C) -> C:
    """Add --session, --agent and --role."""
    for name, told in (
        ("role", "The caller's role, whatever is recorded."),
        ("agent", "The agent that calls, whatever is recorded."),
        ("session", "The session it calls in, whatever is recorded."),
    ):
        command = click.option(f"--{name}", metavar="NAME", help=told)(command)
    return command


def as_json(command: C) -> C:
    """Add --json."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Write JSON (schema seamlaw/1), an object a line, integers exactly."
    )(command)


def full(command: C) -> C:
    """Add --full."""
    return click.option("--full", is_flag=True, help="Show values whole, however long.")(command)


def load(sources: tuple[str, ...]) -> Interceptors:
    """Load and merge the policies; modules in the current folder are found."""
    with aside():
        return load_policies(*sources, here=True)


def aside() -> "AbstractContextManager[TextIO | None]":
    """Let what a policy prints go to standard error: standard output is ours alone."""
    return redirect_stdout(sys.stderr)
