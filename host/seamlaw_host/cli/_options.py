"""Options that several commands have, and how their values are read."""

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, redirect_stdout
from typing import Any, TextIO, TypedDict, TypeVar

import click

from seamlaw import Interceptors
from seamlaw_host.policies import load_policies

__all__ = ["CallerOptions", "as_json", "aside", "caller", "full", "key_option", "load", "policies"]

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


def key_option(told: str) -> Callable[[C], C]:
    """Add --key-env, which gives the key itself: none is ever typed where others may read it."""

    def from_environment(_: click.Context, __: click.Parameter, name: str | None) -> bytes | None:
        if name is None:
            return None
        found = os.environ.get(name)
        if not found:
            raise click.UsageError(f"the environment variable {name} is not set")
        return found.encode()

    return click.option("--key-env", "key", metavar="NAME", callback=from_environment, help=told)


def load(sources: tuple[str, ...]) -> Interceptors:
    """Load and merge the policies; modules in the current folder are found."""
    with aside():
        return load_policies(*sources, here=True)


def aside() -> "AbstractContextManager[TextIO | None]":
    """Let what a policy prints go to standard error: standard output is ours alone."""
    return redirect_stdout(sys.stderr)
