"""How `seamlaw hook` begins: before anything is imported that could fail, since a failure must block.

A Python that cannot even import what decides ends with exit code 1, which to an agent blocks nothing.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

__all__ = ["hook"]

BLOCK = 2


def hook(arguments: Sequence[str]) -> NoReturn:
    """Run the hook, and exit."""
    try:
        from seamlaw_host.hooks._run import main

        code = main(arguments)
    except SystemExit:  # of argparse: 0 for --help, else 2
        raise
    except BaseException as error:
        print(f"seamlaw: {type(error).__name__} was raised, so this is blocked", file=sys.stderr)  # noqa: T201
        sys.exit(BLOCK)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """Exit, without taking everything apart where no code of others can have asked for a last word."""
    if "seamlaw_host.policies._objects" in sys.modules:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(code)
