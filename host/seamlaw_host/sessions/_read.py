"""Open a recording, recognise its shape, and read it as it is asked for."""

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

from ._events import Session
from ._items import Item, items
from ._join import joined
from ._ledger import LEDGER, ledger_steps
from ._lines import Line, lines
from ._shapes import Reader, recognised, shape_named
from ._steps import Steps, malformed
from ._strict_json import Unreadable, is_object, kind

__all__ = ["read_session"]

AHEAD = 200  # records


def read_session(path: Path | str, *, stdin: TextIO | None = None, shape: str | None = None) -> Session:
    """Read a recorded session from a file, a ledger's database, or from standard input if `path` is "-".

    The shape is recognised unless named. `events` is read as it goes, once: JSON lines are streamed, a JSON document is
    held. The file is closed when the events end or are dropped. Raises `UnknownShape`, which lists the known ones, and
    `OSError` if the file cannot be read; what is wrong inside it is told by `Malformed` events.
    """
    if str(path) != "-" and "://" in str(path):
        return Session(LEDGER, joined(ledger_steps(str(path))))
    found = items(_source(path, stdin))
    ahead = list(islice(found, AHEAD))
    chosen = recognised(ahead, more=len(ahead) == AHEAD) if shape is None else shape_named(shape)
    if chosen.name == LEDGER and str(path) != "-":
        return Session(LEDGER, joined(ledger_steps(path)))
    return Session(chosen.name, joined(_steps(chain(ahead, found), chosen.reader())))


def _source(path: Path | str, stdin: TextIO | None) -> Iterator[Line]:
    if str(path) == "-":
        stream: TextIO | None = stdin or sys.stdin
        if stream is None:  # what Python has for a stream that was closed when it began
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard input")
        yield from lines(_reads_bytes(stream))
    else:
        with Path(path).open("rb") as file:
            yield from lines(file.readline)


def _reads_bytes(stream: TextIO) -> Callable[[int], bytes]:
    """Read the bytes beneath a text stream, so that what is no UTF-8 costs its line alone."""
    if hasattr(stream, "buffer"):
        return stream.buffer.readline
    return lambda size: stream.readline(size).encode(errors="surrogatepass")


def _steps(found: Iterable[Item], read: Reader) -> Steps:
    for item in found:
        if isinstance(item.value, Unreadable):
            yield malformed(item.place, item.value.problem)
        elif is_object(item.value):
            yield from read(item.place, item.value)
        else:
            yield malformed(item.place, f"a record must be an object, not {kind(item.value)}")
