"""The files of one ledger: the one that is written to, those before it, its head, and what was torn off."""

import os
import re
from pathlib import Path

__all__ = ["FLAGS", "head_of", "read_at", "rotated", "rotated_as", "sync_folder", "torn_as", "write_all"]

FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def head_of(path: Path) -> Path:
    """Where the head of a ledger file is kept; it is what a writer locks, too."""
    return path.with_name(path.name + ".head")


def rotated_as(path: Path, number: int) -> Path:
    """What a ledger's file is called once another has taken its place: `audit.000001.jsonl`."""
    return path.with_name(f"{path.stem}.{number:06d}{path.suffix}")


def rotated(path: Path) -> list[Path]:
    """Find the files before this one, the oldest first."""
    name = re.compile(re.escape(path.stem) + r"\.(\d{6,})" + re.escape(path.suffix))
    found = [(int(match[1]), each) for each in path.parent.iterdir() if (match := name.fullmatch(each.name))]
    return [each for _, each in sorted(found)]


def torn_as(path: Path, seq: int) -> Path:
    """Where to move what stands behind the last whole line; never a file that is there."""
    made = path.with_name(f"{path.name}.torn-{seq}")
    return made if not made.exists() else torn_as(path.with_name(path.name + ".again"), seq)


def read_at(fd: int, start: int, end: int) -> bytes:
    """Read a part of a file, or as much of it as there is."""
    pieces: list[bytes] = []
    os.lseek(fd, start, os.SEEK_SET)  # and no pread, which Windows lacks
    while start < end and (piece := os.read(fd, end - start)):
        pieces.append(piece)
        start += len(piece)
    return b"".join(pieces)


def write_all(fd: int, text: bytes) -> None:
    """Write all of a text, however many pieces it takes."""
    view = memoryview(text)
    while view:
        view = view[os.write(fd, view) :]


def sync_folder(folder: Path) -> None:
    """Bring the names of files to the disk; where a folder cannot be opened, the platform does it."""
    try:
        fd = os.open(folder, os.O_RDONLY | FLAGS)
    except OSError:
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
