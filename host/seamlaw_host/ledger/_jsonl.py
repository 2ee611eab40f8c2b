"""The file sink: JSON lines in a hash chain, which an end of the process at any moment leaves whole but for its end.

A batch is written whole or not at all. Whatever is found at the start that should not be there, or is not there and
should, is written down in a line of its own, `recovered`: what stands behind the last whole line is moved aside.
"""

import logging
import os
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

from attrs import evolve, frozen

from ._chain import FORMAT, NOTHING, Head, Line, Type, hash_of, mac_of, written
from ._errors import LedgerForked, NoLedger
from ._files import FLAGS, head_of, read_at, rotated, rotated_as, sync_folder, torn_as, write_all
from ._fork import tell_when_forked
from ._lock import locked, unlocked
from ._record import Record
from ._tail import Tail, first_line, tail_of

__all__ = ["JsonlSink"]

_LOG = logging.getLogger("seamlaw.ledger")
SPREAD = 8 * 2**20  # bytes between two checkpoints at most, so that a start never reads far


@frozen
class _File:
    """The open file, as far as all that was written to it is known to be whole."""

    fd: int
    place: tuple[int, int]  # device and inode
    size: int
    head: Head
    since: int = 0  # lines since the last checkpoint
    since_bytes: int = 0
    begun: float = 0.0
    last: frozenset[str] = frozenset()  # the records of the last batch


class JsonlSink:
    """A file of JSON lines, each with the SHA-256 of the one before; opened, and locked, at once.

    Every `checkpoint_every` lines, and at the end, a checkpoint says how many records there are; with a `key` it is
    signed (HMAC-SHA256). A file of `rotate_bytes`, or of an age of `rotate_s` seconds, is renamed to
    `NAME.000001.jsonl` and so on, and the next goes on with its chain. Raises `LedgerLocked` if another ledger writes
    to the file, `NoLedger` if something else stands in it.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        checkpoint_every: int = 1_000,
        key: bytes | None = None,
        rotate_bytes: int | None = None,
        rotate_s: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = Path(path)
        self._checkpoint_every = checkpoint_every
        self._key = key
        self._rotate_bytes = rotate_bytes
        self._rotate_s = rotate_s
        self._clock = clock
        self._mutex = RLock()  # guards the file; a ledger that writes from one thread at a time never waits for it
        self._file: _File | None = None
        self._state: str = "open"
        self._not_rotated = False
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock: int = locked(head_of(self.path), self.path)
        try:
            self._file = self._opened()
        except BaseException:
            os.close(self._lock)
            raise
        tell_when_forked(self)

    def write(self, records: Sequence[Record], *, durable: bool) -> None:
        """Append records, all or none; if `durable`, they are on the disk when this returns.

        Those of the last batch that come again are left out, so that whoever was interrupted may write again.
        """
        with self._mutex:
            self._must_be_open()
            file = self._in_place()
            if records and records[0].id in file.last:
                records = [record for record in records if record.id not in file.last]
            if not records:
                return
            if self._is_due(file):
                file = self._rotated(file, durable)
            lines = _Lines(file.head)
            for record in records:
                lines.add("record", record)
                if self._checkpoint_is_due(file.since + lines.since, file.since_bytes + lines.since_bytes, lines):
                    self._checkpoint(lines)
            self._put(file, lines, durable, frozenset(record.id for record in records))

    def close(self) -> None:
        """Write a last checkpoint, bring all to the disk, and let another writer in."""
        with self._mutex:
            if self._state != "open":
                return
            try:
                file = self._in_place()
                lines = _Lines(file.head)
                if file.since:
                    self._checkpoint(lines)
                self._put(file, lines, True, file.last)
            finally:
                self._let_go("closed")

    def forked(self) -> None:
        """Leave the file to the parent."""
        self._mutex = RLock()
        if self._state == "open":
            self._let_go("forked")

    def _let_go(self, state: str) -> None:
        self._state, file, self._file = state, self._file, None
        if file is not None:
            with suppress(OSError):
                os.close(file.fd)
        with suppress(OSError):
            (os.close if state == "forked" else unlocked)(self._lock)  # the lock is the parent's to give up

    def _must_be_open(self) -> None:
        if self._state == "forked":
            raise LedgerForked(
                f"{self.path} belongs to the process this one was forked from: open a ledger of its own in the child"
            )
        if self._state == "closed":
            raise ValueError(f"{self.path} is closed")

    def _in_place(self) -> _File:
        """Give the open file, opened anew where somebody has moved it, cut it or written to it."""
        file = self._file
        if file is not None:
            with suppress(FileNotFoundError):
                found = self.path.stat()
                if (found.st_dev, found.st_ino) == file.place and found.st_size == file.size:
                    return file
            self._file = None
            os.close(file.fd)
        self._file = self._opened(file)
        return self._file

    def _opened(self, before: _File | None = None) -> _File:
        """Open the file, begin it or find its end, and write down what is not as it should be."""
        fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | FLAGS, 0o600)
        try:
            status = os.fstat(fd)
            known, trouble = self._known(before)
            tail = tail_of(fd, status.st_size) if status.st_size else None
            if tail is None:
                text = read_at(fd, 0, status.st_size)
                if text and not _is_begun(text):
                    raise NoLedger(f"{self.path} is no ledger: there is another file of that name")
                head, lines, begun = self._begun(known)
                file = _File(fd, (status.st_dev, status.st_ino), 0, head, begun=begun)
                wrong = self._wrong(head, None, text, trouble)
            else:
                file, wrong = self._continued(fd, status, tail, known, trouble)
                lines = _Lines(file.head)
            if wrong:
                self._move_aside(fd, file.size, wrong, lines.head.seq)
                lines.add("recovered", {"at": self._clock(), "records": lines.head.records, **wrong})
            self._file = file
            made = self._put(file, lines, bool(lines.text), before.last if before else frozenset())
            sync_folder(self.path.parent)
        except BaseException:
            self._file = None
            os.close(fd)
            raise
        return made

    def _known(self, before: _File | None) -> tuple[Head | None, str]:
        """Find where the ledger is known to have ended, and what is wrong with what tells so."""
        if before is not None:
            return before.head, ""
        text = read_at(self._lock, 0, 4096)
        if text:
            try:
                head, mac = Head.decoded(text)
            except ValueError:
                return self._rotated_head(), "cannot be read"
            signed = self._key is None or head.is_signed(mac, self._key)
            return head, "" if signed else "is not signed with this key"
        return self._rotated_head(), ""

    def _rotated_head(self) -> Head | None:
        """Find where the last of the rotated files ended."""
        for path in rotated(self.path)[-1:]:
            fd = os.open(path, os.O_RDONLY | FLAGS)
            try:
                tail = tail_of(fd, os.fstat(fd).st_size)
                return None if tail is None else _head(path, first_line(fd), tail)[0]
            finally:
                os.close(fd)
        return None

    def _begun(self, known: Head | None) -> tuple[Head, "_Lines", float]:
        """Write the first line of a file: of a new ledger, or of one that ended elsewhere."""
        at = self._clock()
        new = Head(secrets.token_hex(8), 1, -1, NOTHING, 0)
        head = new if known is None else evolve(known, file=known.file + 1)
        lines = _Lines(head)
        body = {"schema": FORMAT, "ledger": head.ledger, "file": head.file, "at": at, "records": head.records}
        lines.add("genesis" if known is None else "continued", body)
        return head, lines, at

    def _continued(
        self, fd: int, status: os.stat_result, tail: Tail, known: Head | None, trouble: str
    ) -> tuple[_File, dict[str, Any]]:
        """Go on behind the last whole line."""
        first = first_line(fd)
        head, begun = _head(self.path, first, tail)
        if known is not None and known.ledger != head.ledger:
            raise NoLedger(f"{self.path} and {head_of(self.path).name} are of different ledgers")
        place = status.st_dev, status.st_ino
        file = _File(fd, place, tail.size, head, tail.since, tail.since_bytes, begun)
        return file, self._wrong(head, known, tail.torn, trouble)

    def _wrong(self, head: Head, known: Head | None, torn: bytes, trouble: str) -> dict[str, Any]:
        """Say what is not as it should be."""
        wrong: dict[str, Any] = {}
        if torn:
            wrong |= {"torn": torn, "torn_bytes": len(torn), "torn_sha256": hash_of(torn)}
        if trouble:
            wrong["head"] = trouble
        if known is not None and known.seq > head.seq:
            wrong |= {"missing": known.seq - head.seq, "missing_records": known.records - head.records}
        if known is not None and (known.seq > head.seq or (known.seq == head.seq and known.hash != head.hash)):
            wrong["expected"] = {"seq": known.seq, "hash": known.hash}
        return wrong

    def _move_aside(self, fd: int, size: int, wrong: dict[str, Any], seq: int) -> None:
        """Keep what stands behind the last whole line in a file of its own."""
        torn: bytes = wrong.pop("torn", b"")
        if not torn:
            return
        target = torn_as(self.path, seq + 1)
        made = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS, 0o600)
        try:
            write_all(made, torn)
            os.fsync(made)
        finally:
            os.close(made)
        os.ftruncate(fd, size)
        wrong["moved_to"] = target.name
        _LOG.warning("%s did not end with a whole line: %d bytes were moved to %s", self.path, len(torn), target.name)

    def _put(self, file: _File, lines: "_Lines", durable: bool, last: frozenset[str]) -> _File:
        """Append lines whole, or not at all."""
        text = bytes(lines.text)
        told = lines.told
        made = evolve(
            file,
            size=file.size + len(text),
            head=lines.head,
            since=lines.since if told else file.since + lines.since,
            since_bytes=lines.since_bytes if told else file.since_bytes + lines.since_bytes,
            last=last,
        )
        try:
            write_all(file.fd, text)
            if durable:
                os.fsync(file.fd)
            self._file = made
        except BaseException:
            if self._file is not made:
                with suppress(OSError):  # what stays behind is found before the next batch
                    os.ftruncate(file.fd, file.size)
            raise
        if text:
            os.lseek(self._lock, 0, os.SEEK_SET)
            write_all(self._lock, made.head.encoded(self._key))
        return made

    def _checkpoint_is_due(self, since: int, since_bytes: int, lines: "_Lines") -> bool:
        if lines.told:
            since, since_bytes = lines.since, lines.since_bytes
        return since >= self._checkpoint_every or since_bytes >= SPREAD

    def _checkpoint(self, lines: "_Lines") -> None:
        head = lines.head
        body: dict[str, Any] = {"at": self._clock(), "records": head.records}
        if self._key is not None:
            body["mac"] = mac_of(self._key, "checkpoint", head.ledger, head.seq + 1, head.hash, head.records)
        lines.add("checkpoint", body)

    def _is_due(self, file: _File) -> bool:
        if self._rotate_bytes is not None and file.size >= self._rotate_bytes:
            return True
        return self._rotate_s is not None and self._clock() - file.begun >= self._rotate_s

    def _rotated(self, file: _File, durable: bool) -> _File:
        """Give the file another name and begin the next; its head is known before, so that nothing can get lost."""
        target = rotated_as(self.path, file.head.file)
        if target.exists():
            if not self._not_rotated:
                _LOG.error("%s is not rotated: %s is there already", self.path, target.name)
            self._not_rotated = True
            return file
        lines = _Lines(file.head)
        self._checkpoint(lines)
        file = self._put(file, lines, durable, file.last)
        self._file = None
        os.close(file.fd)
        self.path.rename(target)
        self._file = self._opened(file)
        return self._file


class _Lines:
    """Lines that are about to be written, and the head that they lead to."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.text = bytearray()
        self.told = False  # whether one of them says how many records there are
        self.since = 0
        self.since_bytes = 0

    def add(self, type: Type, body: Record | dict[str, Any]) -> None:
        """Add one line."""
        head = self.head
        line = written(type, head.seq + 1, head.hash, body)
        self.text += line + b"\n"
        self.head = Head(head.ledger, head.file, head.seq + 1, hash_of(line), head.records + (type == "record"))
        if type == "record":
            self.since += 1
            self.since_bytes += len(line) + 1
        else:
            self.told, self.since, self.since_bytes = True, 0, 0


def _head(path: Path, first: Line | None, tail: Tail) -> tuple[Head, float]:
    """Tell where a file ends, and when it began."""
    match first:
        case Line(
            type="genesis" | "continued", body={"ledger": str(ledger), "file": int(file), "at": int() | float() as at}
        ):
            return Head(ledger, file, tail.last.seq, tail.hash, tail.records), at
        case _:
            raise NoLedger(f"{path} does not begin as a ledger does")


def _is_begun(text: bytes) -> bool:
    """Whether a file without one whole line could be a ledger that was ended while it began."""
    starts = [f'{{"type":"{type}","seq":'.encode() for type in ("genesis", "continued")]
    return any(text.startswith(start[: len(text)]) for start in starts) or not text.strip(b"\0")
