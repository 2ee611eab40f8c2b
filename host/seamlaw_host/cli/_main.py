"""The group of all commands, and what is the same for each: how they are found, and how they end."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TextIO

import click

__all__ = ["COMMANDS", "main", "seamlaw"]

COMMANDS = {  # each is the `command` of a module beside this one, imported when it is called
    "replay": "_replay",
    "decide": "_decide",
    "explain": "_explain",
    "repl": "_repl",
    "verify": "_verify_either",
    "refine": "_refine",
    "lint": "_lint",
    "bench": "_bench",
    "ledger": "_ledger",
    "report": "_report",
    "fixtures": "_fixtures",
    "approvals": "_approvals",
    "packs": "_packs",
    "hook": "_hook",
    "mcp": "_mcp",
    "extension": "_extension",
    "starter": "_starter",
}
INTERRUPTED, PIPE_CLOSED = 130, 141  # what a shell tells of SIGINT and SIGPIPE


class Refused(click.ClickException):
    """A mistake in what the command was given: told in one line, exit code 2."""

    exit_code = 2

    def show(self, file: object = None) -> None:  # noqa: ARG002
        """Tell it, so that nothing in it can steer the terminal."""
        from ._screen import printable

        text = "\n".join(map(printable, self.message.split("\n")))
        click.echo(f"seamlaw: {text}", err=True)


class Commands(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"seamlaw_host.cli.{COMMANDS[cmd_name]}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for one that there is not, say what may have been meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, n=1)
            if close:
                ctx.fail(f"No such command {args[0]!r}; did you mean {close[0]}?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; what a caller did wrong, an interrupt and a reader who has left end it quietly."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _say_no_more()
            raise click.exceptions.Exit(PIPE_CLOSED) from None
        except SystemExit as left:  # with the exit code 0, perhaps, which would read as "proceed"
            raise Refused("a policy called sys.exit(); nothing was decided") from left
        except Exception as error:
            refused = _refused(error)
            if refused is None:
                raise
            raise refused from error
        except BaseException as left:  # its text may be an argument, and to go on was not its wish
            raise Refused(f"{type(left).__name__} stopped it; what was not told was not decided") from None


def _refused(error: Exception) -> Refused | None:
    """Tell a mistake of the caller from one of ours, which keeps its traceback."""
    from seamlaw import SeamlawError

    if isinstance(error, OSError):
        return Refused(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    return Refused(str(error)) if isinstance(error, SeamlawError) else None


def _say_no_more() -> None:
    """Let what is still buffered go nowhere, or Python complains when it exits."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


EPILOG = """\b
Try it:
  seamlaw replay examples/sessions/claude_code.hooks.jsonl --policy examples/policies/coding_agent.toml

\b
Exit codes:
  0  done
  1  something in the session could not be read, or there is no call in it; a check failed
  2  usage: a bad option, policy or session
  3  a person must be asked (decide)
  4  denied by policy (decide, replay --fail-on-deny)
"""


@click.group(
    cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="seamlaw", prog_name="seamlaw")
def seamlaw() -> None:
    """Decide what an AI agent may do.

    POLICY is a file of rules (.toml, .json, .yaml) or a Python object (module:name or file.py:name).
    """


def main() -> None:
    """Run the command line; what a terminal's encoding cannot show is escaped."""
    stdout: TextIO | None = sys.stdout
    if stdout is None:  # what Python has for a stream that was closed when it began
        click.echo("seamlaw: standard output is closed; nothing was decided", err=True)
        sys.exit(PIPE_CLOSED)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    seamlaw(prog_name="seamlaw")
