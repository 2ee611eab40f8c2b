"""A proxy in front of a server that speaks over standard input and output, and is started and stopped with us."""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import IO, cast

from seamlaw_host.engine import Engine

from ._exchange import Caller, Exchange, say
from ._pipes import Writer, lines

__all__ = ["CLIENT_GONE", "SIGNALS", "proxy_stdio"]

GRACE_S, PAUSE_S = 5.0, 0.02
CLIENT_GONE = 141  # what a shell tells of SIGPIPE
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


async def proxy_stdio(
    engine: Engine, command: Sequence[str], stdin: int, stdout: int, *, caller: Caller, hide_denied: bool = False
) -> int:
    """Run a server between these two pipes until either side has ended; gives the exit code.

    Both are closed. Raises `OSError` if the server cannot be started.
    """
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)  # noqa: S603
    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    _on_signals(process, stopped)
    to_client, to_server = Writer(stdout), Writer(_detached(process.stdin))
    exchange = Exchange(engine, to_client, to_server, caller=caller, hide_denied=hide_denied)
    reading = asyncio.create_task(_pump(lines(stdin), exchange.from_client))
    hearing = asyncio.create_task(_pump(lines(_detached(process.stdout)), exchange.from_server))
    try:
        await asyncio.wait((reading, hearing, stopped), return_when=asyncio.FIRST_COMPLETED)
        if reading.done() and not hearing.done() and not stopped.done():
            await _without_client(reading, hearing, stopped, exchange, to_server)
        if hearing.done():
            await exchange.server_gone()
        return await _ended(process, reading, hearing, stopped)
    finally:
        to_server.close()
        to_client.close()
        for task in (reading, hearing):
            task.cancel()
        with suppress(OSError):
            process.kill()


def _detached(stream: IO[bytes] | None) -> int:
    """The number of a pipe that nobody else will close."""
    file = cast("IO[bytes]", stream)
    fd = os.dup(file.fileno())
    file.close()
    return fd


async def _pump(found: AsyncIterator[bytes], take: Callable[[bytes], Awaitable[None]]) -> None:
    async for line in found:
        await take(line)


async def _without_client(
    reading: "asyncio.Task[None]",
    hearing: "asyncio.Task[None]",
    stopped: "asyncio.Future[int]",
    exchange: Exchange,
    to_server: Writer,
) -> None:
    """The client says no more: let the server finish what it was asked, and end."""
    if reading.exception() is not None:
        return
    handing = asyncio.create_task(exchange.handed_on())
    await asyncio.wait((handing, hearing, stopped), return_when=asyncio.FIRST_COMPLETED)
    handing.cancel()
    to_server.close()
    open_ = asyncio.create_task(exchange.answered())
    await asyncio.wait((open_, hearing, stopped), return_when=asyncio.FIRST_COMPLETED)
    open_.cancel()
    await asyncio.wait((hearing, stopped), timeout=GRACE_S, return_when=asyncio.FIRST_COMPLETED)


async def _ended(
    process: "subprocess.Popen[bytes]",
    reading: "asyncio.Task[None]",
    hearing: "asyncio.Task[None]",
    stopped: "asyncio.Future[int]",
) -> int:
    problems = [task.exception() for task in (reading, hearing) if task.done() and not task.cancelled()]
    left = any(isinstance(problem, OSError) for problem in problems)
    for problem in problems:
        if problem is not None and not isinstance(problem, OSError):
            say(f"stopped: {problem if isinstance(problem, ValueError) else type(problem).__name__}")
    code = await _stop(process, waits=not any(problems) and not stopped.done() and hearing.done())
    if stopped.done():
        return 128 + stopped.result()
    if any(problems):
        return CLIENT_GONE if left else 1
    return code if code >= 0 else 128 - code


async def _stop(process: "subprocess.Popen[bytes]", *, waits: bool) -> int:
    """Wait for the server to end by itself, and end it if it does not."""
    ends = [process.terminate, process.kill]
    if not waits:
        ends.pop(0)()
    while (code := await _polled(process)) is None and ends:
        ends.pop(0)()
    return -signal.SIGTERM if code is None else code


async def _polled(process: "subprocess.Popen[bytes]") -> int | None:
    for _ in range(int(GRACE_S / PAUSE_S)):
        if process.poll() is not None:
            break
        await asyncio.sleep(PAUSE_S)
    return process.returncode


def _on_signals(process: "subprocess.Popen[bytes]", stopped: "asyncio.Future[int]") -> None:
    """What stops us is passed on to the server."""

    def stop(number: int) -> None:
        with suppress(OSError):
            process.send_signal(number)
        if not stopped.done():
            stopped.set_result(number)

    for number in SIGNALS:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            asyncio.get_running_loop().add_signal_handler(number, stop, int(number))
