"""`seamlaw extension`: for those who write extensions."""

import click

__all__ = ["command"]

CHECK = """\b
Examples:
  seamlaw extension check -- python git_guard.py
  seamlaw extension check --env TOKEN -- node git_guard.mjs

\b
Exit codes:
  0  it keeps to the protocol, as far as was tried
  1  it does not
  2  usage
"""


@click.group(name="extension")
def command() -> None:
    """Try a program that has interceptors."""


@command.command(name="check", epilog=CHECK)
@click.option("--deadline", "deadline_s", type=float, default=5.0, show_default=True, help="Seconds for each answer.")
@click.option("--env", "pass_env", multiple=True, metavar="NAME", help="Let it have this variable; repeat for more.")
@click.argument("program", metavar="-- COMMAND…", nargs=-1, required=True, type=click.UNPROCESSED)
def check(deadline_s: float, pass_env: tuple[str, ...], program: tuple[str, ...]) -> None:
    """Start an extension, show it made-up values, and tell whether it keeps to the protocol.

    It must say a manifest, answer whatever it is shown in time and in the right shape, print nothing else, end when its
    standard input does, and say the same manifest when it is started again. What it decides is not judged.
    """
    from seamlaw import SEAMS
    from seamlaw_host.extensions import Extension, check_extension

    from ._screen import Screen

    screen, failed = Screen.of_stdout(full=True), 0
    deadlines = dict.fromkeys(SEAMS, deadline_s)
    extension = Extension(program, pass_env=pass_env, deadlines_s=deadlines, start_s=max(10.0, deadline_s))
    for one in check_extension(extension):
        failed += bool(one.problem)
        screen.say(f"failed  {one.claim}: it {one.problem}" if one.problem else f"ok      {one.claim}")
    raise click.exceptions.Exit(1 if failed else 0)
