"""A terminal that a person answers at: a line in, in time, or nothing; what was typed before it was asked is no answer.

It is opened by its own path, since the standard streams may carry somebody else's protocol. While a question stands,
Ctrl-C ends the line instead of sending a signal: the signal would go to the main thread, which need not be the one
that asks, and would leave a question behind that takes the next answer.
"""

import os
import select
import termios
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

__all__ = ["NoAnswer", "Terminal", "terminal"]

CTRL_C = b"\x03"
LFLAG, CC = 3, 6  # places in what tcgetattr gives
_ASKING = threading.Lock()  # one question at a time, whoever asks; held while a person thinks, and waited for in time


class NoAnswer(Exception):
    """Why nobody answered; stays in the package."""


class Terminal:
    """An open terminal; `deadline` is of `time.monotonic`."""

    def __init__(self, fd: int, deadline: float | None) -> None:
        self._fd = fd
        self._deadline = deadline

    @property
    def width(self) -> int:
        """Its columns."""
        try:
            return os.get_terminal_size(self._fd).columns or 80
        except OSError:
            return 80

    def write(self, text: str) -> None:
        """Show a text."""
        left = text.encode("utf-8", "backslashreplace")
        while left:
            left = left[os.write(self._fd, left) :]

    def read_line(self, prompt: str) -> str:
        """Ask for a line; raises `NoAnswer` at its end, on Ctrl-C and when time is up."""
        termios.tcflush(self._fd, termios.TCIFLUSH)
        self.write(prompt)
        ready, _, _ = select.select([self._fd], [], [], remaining(self._deadline))
        if not ready:
            self.write("\n")
            raise NoAnswer("nobody answered in time")
        line = os.read(self._fd, 4096)
        if line.endswith(CTRL_C):
            self.write("\n")
            raise NoAnswer("interrupted")
        if not line.endswith(b"\n"):
            self.write("\n")
            raise NoAnswer("the terminal was closed")
        return line.decode("utf-8", "replace").strip(" \t\r\n")  # no more: \x1c counts as a space to Python


def remaining(deadline: float | None) -> float | None:
    """The seconds that are left; none is no limit."""
    return None if deadline is None else max(deadline - time.monotonic(), 0.0)


@contextmanager
def terminal(path: str, timeout_s: float | None) -> Generator[Terminal]:
    """Open a terminal for questions, alone; raises `NoAnswer` where there is none, or it is not ours to read."""
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    if not _ASKING.acquire(timeout=-1 if timeout_s is None else timeout_s):
        raise NoAnswer("nobody answered in time: another question stands")
    try:
        with _opened(path) as fd, _set_for_questions(fd):
            yield Terminal(fd, deadline)
    except (OSError, termios.error):  # it went away
        raise NoAnswer("the terminal was closed") from None
    finally:
        _ASKING.release()


@contextmanager
def _opened(path: str) -> Generator[int]:
    try:
        fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise NoAnswer("there is no terminal to ask at") from None
    try:
        if not os.isatty(fd):
            raise NoAnswer("there is no terminal to ask at")
        if _is_behind(fd):
            raise NoAnswer("the terminal belongs to another program now")
        yield fd
    finally:
        os.close(fd)


def _is_behind(fd: int) -> bool:
    """Whether to read would stop us (SIGTTIN): it is our controlling terminal, and we are in the background."""
    try:
        return os.tcgetpgrp(fd) != os.getpgrp()
    except OSError:  # not our controlling terminal
        return False


@contextmanager
def _set_for_questions(fd: int) -> Generator[None]:
    before = termios.tcgetattr(fd)
    asking = termios.tcgetattr(fd)
    asking[0] |= termios.ICRNL
    asking[LFLAG] |= termios.ICANON | termios.ECHO | termios.ECHOE | termios.ECHOK
    asking[LFLAG] &= ~termios.ISIG
    asking[CC][termios.VEOL] = CTRL_C
    termios.tcsetattr(fd, termios.TCSAFLUSH, asking)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSAFLUSH, before)
