"""Read what a ledger holds, wherever it is kept: a file, with those rotated away from it, or a database."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec
from attrs import frozen

from ._chain import parsed
from ._files import rotated
from ._record import Record
from ._sql import read_sql

__all__ = ["Place", "Unread", "read_ledger"]

Place: TypeAlias = str
NO_RECORD = "what stands here is no record of this version"


@frozen
class Unread:
    """Something in a ledger that cannot be read; the problem never quotes it."""

    place: Place
    problem: str


def read_ledger(source: Path | str) -> Iterator[tuple[Place, Record] | Unread]:
    """Give every record with its place, in order, and what cannot be read; nothing is verified.

    `source` is a file, or the URL of a database that SQLAlchemy knows, such as `sqlite:///audit.db`. Raises `OSError`
    if there is no such file, `NoLedger` for no such table, `MissingExtra` where what reads it is not installed.
    """
    if isinstance(source, str) and "://" in source:
        for place, record in read_sql(source):
            yield Unread(place, NO_RECORD) if record is None else (place, record)
        return
    path = Path(source)
    path.stat()
    files = [*rotated(path), path]
    for each in files:
        prefix = f"{each.name} " if len(files) > 1 else ""
        yield from _read(each, prefix)


def _read(path: Path, prefix: str) -> Iterator[tuple[Place, Record] | Unread]:
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            place = f"{prefix}line {number}"
            line = parsed(text)
            if line is None:
                yield Unread(place, "this is no line of a ledger" if text.endswith(b"\n") else "this is no whole line")
            elif line.type == "record":
                yield _record(place, line.body.get("record"))


def _record(place: Place, data: object) -> tuple[Place, Record] | Unread:
    try:
        return place, msgspec.convert(data, Record)
    except (ValueError, TypeError):
        return Unread(place, NO_RECORD)
