"""Events of a stream, as https://html.spec.whatwg.org/multipage/server-sent-events.html reads them."""

import re
from collections.abc import AsyncGenerator, AsyncIterable

from attrs import frozen

__all__ = ["Event", "events", "framed"]

END = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")  # of a line, and of the empty one behind it
LINE = re.compile(rb"\r\n|\n|\r")
BOM = b"\xef\xbb\xbf"
LARGEST = 256 * 2**20  # bytes


@frozen
class Event:
    """One event: its data, and how it came but for its id."""

    data: bytes
    block: bytes


def framed(line: bytes) -> bytes:
    """An event that is one message."""
    data = b"".join(b"data: " + part + b"\n" for part in LINE.split(line.rstrip(b"\r\n")))
    return b"event: message\n" + data + b"\n"


async def events(pieces: AsyncIterable[bytes]) -> AsyncGenerator[Event]:
    """Give the whole events of a stream, without their ids: a stream that could be resumed would tell twice.

    Raises `ValueError` for one that is too large.
    """
    waiting, searched, begun = bytearray(), 0, False
    async for piece in pieces:
        waiting += piece
        if not begun and len(waiting) >= len(BOM):
            begun = True
            del waiting[: len(BOM) if waiting.startswith(BOM) else 0]
        while found := END.search(waiting, max(searched - 3, 0)):
            block, searched = bytes(waiting[: found.end()]), 0
            del waiting[: found.end()]
            yield _event(block)
        searched = len(waiting)
        if searched > LARGEST:
            raise ValueError(f"an event of more than {LARGEST} bytes")


def _event(block: bytes) -> Event:
    lines = LINE.split(block)
    fields = [(line, *line.partition(b":")) for line in lines]
    data = b"\n".join(value.removeprefix(b" ") for _, name, _, value in fields if name == b"data")
    kept = b"\n".join(line for line, name, _, _ in fields if name != b"id" and line)
    return Event(data, kept + b"\n\n")
