"""`seamlaw hook`, as the list of commands knows it; `_hook_process` is what an agent really starts."""

import click

from ._hook_process import hook

__all__ = ["command"]


@click.command(
    name="hook", context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> None:
    """Decide the hook events of Claude Code or Codex."""
    hook(arguments)
