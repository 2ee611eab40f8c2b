"""The command `seamlaw`. Nothing but click is imported before it is known which command is meant."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; a hook begins without what the other commands need, since an agent waits for it."""
    if sys.argv[1:2] == ["hook"]:
        from ._hook_process import hook

        hook(sys.argv[2:])
    from ._main import main as run

    run()
