"""Where a ledger file ends: its last whole line, and what was torn off behind it."""

from attrs import frozen

from ._chain import Line, hash_of, parsed
from ._files import read_at

__all__ = ["Tail", "first_line", "tail_of"]

CHUNK = 64 * 1024


@frozen
class Tail:
    """The last whole line of a file and its hash; `size` is where it ends, `torn` what stands behind it.

    `records` are those of the whole ledger up to it, `since` the lines and `since_bytes` their bytes after the last
    line that told of them.
    """

    last: Line
    hash: str
    size: int
    torn: bytes
    records: int
    since: int
    since_bytes: int


def tail_of(fd: int, size: int) -> Tail | None:
    """Read backwards as far as is needed; `None` if no line of a ledger is found in the whole file."""
    chunk = CHUNK
    while True:
        start = max(0, size - chunk)
        found = _tail(read_at(fd, start, size), start)
        if found is not None or start == 0:
            return found
        chunk *= 8


def first_line(fd: int) -> Line | None:
    """Read the first line, which says of which ledger this is which file."""
    return parsed(read_at(fd, 0, CHUNK).partition(b"\n")[0])


def _tail(text: bytes, start: int) -> Tail | None:
    """Find the last whole line, and the last that tells how many records there are; `None` if one is not in here."""
    whole = text.split(b"\n")[:-1]
    begins = [start]
    for each in whole:
        begins.append(begins[-1] + len(each) + 1)
    first = 1 if start else 0  # what comes before the first line feed may be half a line
    lines = [parsed(each) for each in whole]
    ends = [at for at in range(first, len(whole)) if lines[at] is not None]
    told = next((at for at in reversed(ends) if _tells(lines[at])), None)
    if not ends or told is None:
        return None
    last, teller = lines[ends[-1]], lines[told]
    if last is None or teller is None:
        return None
    size = begins[ends[-1] + 1]
    records = teller.body["records"] + sum(line is not None and line.type == "record" for line in lines[told + 1 :])
    since_bytes = size - begins[told + 1]
    since = ends[-1] - told
    return Tail(last, hash_of(whole[ends[-1]]), size, text[size - start :], records, since, since_bytes)


def _tells(line: Line | None) -> bool:
    return line is not None and line.type != "record" and type(line.body.get("records")) is int
