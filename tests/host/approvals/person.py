"""A person at a real pseudo-terminal, who waits for a prompt and types."""

import os
import pty
import re
import select
import termios
import threading
import time
from collections.abc import Sequence
from typing import Self

Turn = tuple[str, bytes]  # what to wait for, what to type then
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # colours and weights: what rich writes for us


class Person:
    """Opens a terminal and plays a script on it; `path` is what a program opens, `shown` all that it wrote."""

    def __init__(self, *script: Turn, early: bytes = b"") -> None:
        self.master, self.slave = pty.openpty()
        self.path = os.ttyname(self.slave)
        self.before = termios.tcgetattr(self.slave)
        self.script: Sequence[Turn] = script
        self.bytes = b""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play)
        if early:
            os.write(self.master, early)

    @property
    def shown(self) -> str:
        """What stands on the screen, without colours."""
        return ESCAPES.sub("", self.bytes.decode()).replace("\r\n", "\n")

    @property
    def is_as_before(self) -> bool:
        """Whether the terminal is set as it was."""
        return termios.tcgetattr(self.slave) == self.before

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self.master)
        os.close(self.slave)

    def _play(self) -> None:
        for awaited, typed in self.script:
            start = len(self.bytes)
            while awaited.encode() not in self.bytes[start:] and not self._stop.is_set():
                self._read()
            if not self._stop.is_set():
                os.write(self.master, typed)
        while not self._stop.is_set():
            self._read()
        until = time.monotonic() + 0.05
        while time.monotonic() < until:
            self._read()

    def _read(self) -> None:
        if select.select([self.master], [], [], 0.01)[0]:
            self.bytes += os.read(self.master, 65536)
