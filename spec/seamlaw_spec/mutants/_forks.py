"""A process of its own for each question: whatever happens there, the one that asks goes on."""

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from time import process_time

__all__ = ["NO_TIME", "at_most", "in_fork", "in_silence", "without_the_kernel"]

NO_TIME = (signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL)
WAITING = 20  # times as long by the clock as by the processor: only for what waits forever


def in_fork(run: Callable[[Callable[[str], None]], None]) -> tuple[list[str], int]:
    """Run something in a fork: gives the lines that it said, by the function it is given, and the signal it died of."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)

        def say(line: str) -> None:
            told = (line + "\n").encode()
            while told:
                told = told[os.write(writing, told) :]

        try:
            run(say)
        except BaseException as error:
            say(f"raised {type(error).__name__}: {error}".replace("\n", " "))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    _, status = os.waitpid(child, 0)
    return lines, os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def at_most(seconds: float) -> None:
    """End this process if it takes so many more seconds of the processor, or waits for far longer."""
    import resource  # there is none on Windows

    last = int(process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (last, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    signal.alarm(WAITING * (int(seconds) + 1))


@contextmanager
def in_silence() -> Generator[None]:
    """Let nothing be printed, by whatever way."""
    kept = [os.dup(number) for number in (1, 2)]
    with Path(os.devnull).open("w") as nothing:
        for number in (1, 2):
            os.dup2(nothing.fileno(), number)
    try:
        yield
    finally:
        for number, was in zip((1, 2), kept, strict=True):
            os.dup2(was, number)


def without_the_kernel() -> None:
    """Forget the kernel and the law book, so that they are loaded anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("seamlaw", "seamlaw_spec")]:
        del sys.modules[name]
