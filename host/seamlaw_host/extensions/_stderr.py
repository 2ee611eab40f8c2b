"""What an extension says on standard error: read always, so that it never waits; logged, but not without bounds."""

import logging
import os
import time
from contextlib import suppress

__all__ = ["LOG", "drain"]

LOG = logging.getLogger("seamlaw.extensions")
PIECE = 65_536
SEARCHED, SHOWN = 4_096, 500  # bytes of a line, characters of it: no secret that is cut in two is shown
LINES, WINDOW_S = 100, 60.0  # lines that are logged in a minute; the rest is counted


class Drain:
    """Logs lines, of which nothing is trusted: control characters are escaped, secrets are taken out."""

    def __init__(self, name: str) -> None:
        from seamlaw_packs.redaction import Redactor

        self._name = name
        self._redactor = Redactor()
        self._line = b""
        self._until = 0.0
        self._left = 0
        self._dropped = 0

    def take(self, piece: bytes, now: float) -> None:
        """Take what was read."""
        first, *others = piece.split(b"\n")
        self._line += first[: SEARCHED - len(self._line)]
        for other in others:
            self._log(self._line, now)
            self._line = other[:SEARCHED]

    def end(self, now: float) -> None:
        """Take what is left, and tell how much was not logged."""
        self._log(self._line, now)
        self._line = b""
        self._tell_dropped()

    def _log(self, line: bytes, now: float) -> None:
        if not line.strip():
            return
        if now >= self._until:
            self._tell_dropped()
            self._until, self._left = now + WINDOW_S, LINES
        if not self._left:
            self._dropped += 1
            return
        self._left -= 1
        text = self._redactor.text(line.decode("utf-8", "replace").rstrip("\r"))[:SHOWN]
        LOG.info("extension %s: %s", self._name, "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))

    def _tell_dropped(self) -> None:
        if self._dropped:
            LOG.warning("extension %s: %d more lines were not logged", self._name, self._dropped)
            self._dropped = 0


def drain(fd: int, name: str) -> None:
    """Read and log until it ends; what goes wrong with the log stops no reading."""
    made: Drain | None = None
    with suppress(OSError):
        while piece := os.read(fd, PIECE):
            with suppress(Exception):
                made = made or Drain(name)
                made.take(piece, time.monotonic())
    if made is not None:
        with suppress(Exception):
            made.end(time.monotonic())
