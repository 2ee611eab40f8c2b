"""Lines over pipes, whole and as they are: a thread for each, so that neither side ever waits for the other's pipe."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread

__all__ = ["Writer", "lines"]

PIECE = 65_536
LARGEST = 256 * 2**20  # bytes of a line
WAITING = 64  # lines that are read ahead


async def lines(fd: int) -> AsyncGenerator[bytes]:
    """Give the lines of a pipe, each with its line feed, until it ends; a last one may have none.

    Raises `ValueError` for one that is too large.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)

    def put(line: bytes | None) -> None:
        asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()

    Thread(target=_read, args=(fd, put), daemon=True).start()
    while (line := await queue.get()) is not None:
        if len(line) > LARGEST:
            raise ValueError(f"a line of more than {LARGEST} bytes")
        yield line


def _read(fd: int, put: Callable[[bytes | None], None]) -> None:
    pieces: list[bytes] = []
    size = 0
    with suppress(OSError, RuntimeError, CancelledError):  # it was closed, or nobody listens any more
        while (piece := os.read(fd, PIECE)) and size <= LARGEST:
            first, *others = piece.split(b"\n")
            pieces.append(first)
            size += len(first)
            for other in others:
                put(b"".join(pieces) + b"\n")
                pieces, size = [other], len(other)
        if size:
            put(b"".join(pieces))
    with suppress(OSError, RuntimeError, CancelledError):
        put(None)


class Writer:
    """Writes to a pipe, in order, whole pieces."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._queue: SimpleQueue[tuple[bytes, asyncio.Future[None]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        Thread(target=self._run, daemon=True).start()

    async def __call__(self, data: bytes) -> None:
        """Write; raises `OSError` if the other side has gone."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put((data, done))
        await done

    def close(self) -> None:
        """Let the other side see the end, after all that waits was written."""
        self._queue.put(None)

    def _run(self) -> None:
        gone: OSError | None = None
        while (given := self._queue.get()) is not None:
            data, done = given
            try:
                if gone is not None:
                    raise gone
                view = memoryview(data)
                while view:
                    view = view[os.write(self._fd, view) :]
                found = None
            except OSError as error:
                gone = found = error
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(_tell, done, found)
        with suppress(OSError):
            os.close(self._fd)


def _tell(done: "asyncio.Future[None]", problem: OSError | None) -> None:
    if done.done():
        return
    if problem is None:
        done.set_result(None)
    else:
        done.set_exception(problem)
