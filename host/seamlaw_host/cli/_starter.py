"""`seamlaw starter`: policies to begin with."""

import click

__all__ = ["command"]

EPILOG = """\b
Examples:
  seamlaw starter                                  # what there is
  seamlaw starter coding_agent > policy.toml       # then change what it says to change
  seamlaw replay session.jsonl --policy policy.toml

\b
Exit codes:
  0  printed
  2  usage: there is no such starter
"""


@click.command(name="starter", epilog=EPILOG, short_help="Print a policy to begin with, or say which there are.")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print a policy to begin with, for one kind of agent; without a NAME, say which there are.

    It is a TOML file of packs and rules. Each says in its first lines what must be changed before use.
    """
    from seamlaw_packs.starters import starter, starters

    if name is None:
        for each in starters():
            click.echo(f"{each:15} {_first_line(starter(each))}")
    else:
        click.echo(starter(name), nl=False)


def _first_line(text: str) -> str:
    return text.splitlines()[0].removeprefix("# ")
