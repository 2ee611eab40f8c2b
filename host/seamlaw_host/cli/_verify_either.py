"""`seamlaw verify`: of the kernel, or, where a policy is named, of that."""

from typing import Any, NoReturn

import click

from ._verify import command as verify_kernel
from ._verify_policy import command as verify_policy
from ._verify_policy import is_policy

__all__ = ["command"]


class Either(click.Command):
    """Two commands of one name, told apart by whether a policy is named."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Hand over to the one that is meant."""
        if not any(map(is_policy, args)) and {"-h", "--help"} & set(args):
            _help(info_name, parent)
        meant = verify_policy if any(map(is_policy, args)) else verify_kernel
        return meant.make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the one that was meant."""
        return ctx.command.invoke(ctx)

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002
        """What the list of commands says."""
        return "Check the laws of the kernel, or (verify POLICY) those that a policy must keep."


def _help(info_name: str | None, parent: click.Context | None) -> NoReturn:
    """Show the help of both."""
    for one in (verify_kernel, verify_policy):
        click.echo(one.get_help(click.Context(one, parent, info_name)) + "\n")
    raise click.exceptions.Exit


command = Either("verify")
