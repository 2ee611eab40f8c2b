"""The floors: a loop over the checks, written by hand."""

from collections.abc import Awaitable, Callable
from typing import Any

from ._peer import Peer, text


def checks(count: int) -> list[Callable[[Any], bool | None]]:
    """Plain functions of the arguments."""

    def made(forbidden: str) -> Callable[[Any], bool | None]:
        return lambda arguments: False if forbidden in arguments["command"] else None

    return [made(text(number)) for number in range(count)]


def loop(count: int) -> Callable[[Any], bool]:
    """The loop that somebody writes who wants nothing else."""
    functions = checks(count)

    def decide(arguments: Any) -> bool:
        for function in functions:  # noqa: SIM110 - all() with a generator would be slower
            if function(arguments) is not None:
                return False
        return True

    return decide


def loop_async(count: int) -> Callable[[Any], Awaitable[bool]]:
    """The same, where each check is async."""

    def made(forbidden: str) -> Callable[[Any], Awaitable[bool | None]]:
        async def check(arguments: Any) -> bool | None:
            return False if forbidden in arguments["command"] else None

        return check

    functions = [made(text(number)) for number in range(count)]

    async def decide(arguments: Any) -> bool:
        for function in functions:
            if await function(arguments) is not None:
                return False
        return True

    return decide


PEERS = (
    Peer("bare loop", loop, does="calls the checks"),
    Peer("async loop", loop_async, is_async=True, does="awaits the checks"),
)
