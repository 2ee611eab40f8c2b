"""What a peer is, and the policy that all are given.

The policy: a command must not contain any of N texts, one check for each; `command(0)` contains none, so that every
check is asked. It is written as each library wants it; where it takes Python, the check is the same test of one text.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from attrs import frozen

__all__ = ["COMMAND", "TOOL", "Decide", "Peer", "arguments", "text"]

TOOL = "bash"
COMMAND = "git -C /srv/workspace/project log --oneline --since=yesterday"
Decide = Callable[[Any], bool] | Callable[[Any], Awaitable[bool]]


def text(number: int) -> str:
    """What check `number` forbids."""
    return f"forbidden-{number:03}"


def arguments(forbidden: int | None = None) -> dict[str, object]:
    """The arguments of a call that passes, or of one that contains what one of the checks forbids."""
    return {
        "command": COMMAND if forbidden is None else f"{COMMAND} {text(forbidden)}",
        "timeout": 60,
        "cwd": "/srv/workspace",
    }


@frozen
class Peer:
    """One way to decide a call.

    `build` makes N checks ready, and gives a function that says whether a call may run; `given` makes what that takes
    of the arguments, which is what a host has at hand anyway and is not measured. `does` says what is done beyond
    deciding, so that one can see what is compared.
    """

    name: str
    build: Callable[[int], Decide]
    package: str = ""
    given: Callable[[dict[str, object]], Any] = lambda arguments: arguments
    is_async: bool = False
    records: bool = False
    does: str = ""
