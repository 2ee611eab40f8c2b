"""Lines of a pipe, whole, each without its end; never more of one than is allowed."""

import os
from collections.abc import Iterator

from .errors import Garbage

__all__ = ["lines_of"]

PIECE = 65_536


def lines_of(fd: int, longest: int) -> Iterator[bytes]:
    """Give the lines until the pipe ends.

    Raises `Garbage` for one that is too long, and where the pipe ends inside of one.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := os.read(fd, PIECE):
        first, *others = piece.split(b"\n")
        pieces.append(first)
        size += len(first)
        for other in others:
            _bounded(size, longest)
            yield b"".join(pieces).removesuffix(b"\r")
            pieces, size = [other], len(other)
        _bounded(size, longest)
    if size:
        raise Garbage("ended in the middle of a line")


def _bounded(size: int, longest: int) -> None:
    if size > longest:
        raise Garbage(f"said a line of more than {longest} bytes")
