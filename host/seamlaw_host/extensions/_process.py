"""One run of an extension's program: a thread writes, one reads, one drains standard error; none waits for another.

It is a process group of its own, so that what it started ends with it. It is asked to end by the end of its standard
input, then told to, then killed; whoever forks leaves it to the parent.
"""

import atexit
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import IO, cast

from seamlaw_packs._fork import tell_when_forked
from seamlaw_packs._hidden import Hidden

from ._lines import lines_of
from ._protocol import LONGEST_LINE
from ._stderr import LOG, drain
from .errors import Garbage

__all__ = ["GRACE_S", "Process"]

GRACE_S = 1.0  # to end by itself, and once more when told to
TO_DIE_S = 5.0
BLOCKED_MS = 50
GROUPS = hasattr(os, "killpg")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_STARTING = Lock()  # a fork waits, so that it copies no pipe that nobody knows yet
_LIVE: Hidden[set["Process"]] = Hidden(set())  # no part of any policy
_EXITING = Event()


class Process:
    """A program that runs; once begun, `hear` gets each line that it says, and `over` why it ended, in one thread.

    What `hear` raises as `Garbage` ends it. Raises `OSError` if it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        cwd: str | None,
        env: Mapping[str, str],
        hear: Callable[[bytes], None],
        over: Callable[[str], None],
    ) -> None:
        pipe = subprocess.PIPE
        with _STARTING:
            if _EXITING.is_set():
                raise OSError("Python is about to exit")
            self._popen = subprocess.Popen(  # noqa: S603
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, cwd=cwd, env=env, start_new_session=GROUPS
            )
            _LIVE.value.add(self)
            tell_when_forked(self)
        self.pid = self._popen.pid
        self.done = Event()
        self._name, self._hear, self._over = name, hear, over
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self.stopping = False
        self._reaped = False
        self._signals = Lock()

    def begin(self) -> None:
        """Hear it, and write to it; raises `OSError` if that cannot be."""
        try:
            for run in (self._read, self._write, self._drain):
                Thread(target=run, daemon=True, name=f"extension {self._name}").start()
        except RuntimeError:  # there can be no more
            self.kill()
            self._reap()
            self.done.set()
            raise OSError("no thread can be started") from None

    @property
    def waiting(self) -> int:
        """How many messages are not written yet."""
        return self._outgoing.qsize()

    @property
    def exit_code(self) -> int | None:
        """What it has ended with, once that is done; below zero is the signal that ended it."""
        return self._popen.returncode

    def send(self, line: bytes) -> None:
        """Have a line written, in order; never waits."""
        self._outgoing.put(line)

    def stop(self) -> None:
        """Let it end; never waits, and may be called wherever an object is let go of."""
        self.stopping = True
        self._outgoing.put(None)

    def kill(self) -> None:
        """End it now, with all that it started."""
        self._signal(KILL)

    def forked(self) -> None:
        """In a child: close what was inherited, and leave the process to the parent."""
        _LIVE.value.discard(self)
        self._signals, self._reaped = Lock(), True
        self._popen.returncode = 0  # or Popen would complain that it still runs
        for file in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with suppress(OSError):
                cast("IO[bytes]", file).close()

    # Each thread closes its own pipe: a number that another thread still used could be somebody else's by then.

    def _read(self) -> None:
        out = cast("IO[bytes]", self._popen.stdout)
        problem = "ended"
        try:
            for line in lines_of(out.fileno(), LONGEST_LINE):
                self._hear(line)
        except Garbage as garbage:
            problem = str(garbage)
        except Exception as error:
            problem = f"could not be heard: {type(error).__name__}"
        finally:
            self.kill()
            try:
                self._over(problem)
            finally:
                self._reap()
                out.close()
                self._outgoing.put(None)
                _LIVE.value.discard(self)
                self.done.set()

    def _write(self) -> None:
        file = cast("IO[bytes]", self._popen.stdin)
        with suppress(OSError):  # a system that cannot keeps a thread waiting, nobody else
            os.set_blocking(file.fileno(), False)
        with suppress(OSError):  # it has gone, as its reader will notice
            while (line := self._outgoing.get()) is not None:
                self._write_line(file.fileno(), line)
        with suppress(OSError):
            file.close()
        for number in (signal.SIGTERM, KILL):
            if self.done.wait(GRACE_S):
                return
            self._signal(number)

    def _write_line(self, fd: int, line: bytes) -> None:
        view = memoryview(line)
        while view and not self.stopping:
            try:
                view = view[os.write(fd, view) :]
            except BlockingIOError:
                ready = select.poll()
                ready.register(fd, select.POLLOUT)
                ready.poll(BLOCKED_MS)

    def _drain(self) -> None:
        err = cast("IO[bytes]", self._popen.stderr)
        drain(err.fileno(), self._name)
        with suppress(OSError):
            err.close()

    def _signal(self, number: int) -> None:
        with self._signals:
            if self._reaped:  # the number may be that of another process by now
                return
            with suppress(OSError):
                if GROUPS:
                    os.killpg(self.pid, number)
                else:
                    self._popen.send_signal(number)

    def _reap(self) -> None:
        with self._signals:
            if self._reaped:
                return
            try:
                self._popen.wait(TO_DIE_S)
                self._reaped = True
            except subprocess.TimeoutExpired:
                LOG.error("extension %s: process %d does not end", self._name, self.pid)


def _end_all() -> None:
    """At exit: nothing stays behind, and nothing new begins."""
    with _STARTING:
        _EXITING.set()
        live = list(_LIVE.value)
    for process in live:
        process.stop()
    until = time.monotonic() + 3 * GRACE_S
    for process in live:
        process.done.wait(max(0.0, until - time.monotonic()))


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_STARTING.acquire, after_in_parent=_STARTING.release, after_in_child=_STARTING.release)
