"""Verify a ledger's files: find what was changed, taken out, put in or moved, and say which line it is.

Each line tells its number and the hash of the line before it, so a lie in one is contradicted by the next. The last
line is told of by the head beside the file, by a checkpoint, or by a hash that was kept elsewhere.
"""

from collections.abc import Iterable
from pathlib import Path

from ._chain import Head, Line, parsed
from ._files import head_of, rotated
from ._links import LONGEST, Chain, Problem, Verified

__all__ = ["ledgers", "verify"]


def verify(*paths: Path | str, key: bytes | None = None, head: str | None = None, partial: bool = False) -> Verified:
    """Verify one ledger: its file and those that were rotated away from it, or the files that are given.

    With a `key` every checkpoint must be signed with it. `head` is a hash that this ledger must have had, from an
    earlier verification. `partial` allows the oldest files to be elsewhere. Raises `OSError` if there is nothing to
    read.
    """
    given = [Path(path) for path in paths]
    chain = Chain(key, head, partial)
    for known, problem in [_evidence(path, key) for path in given]:  # before the files, which may grow meanwhile
        chain.known += [] if known is None else [known]
        chain.problems += [] if problem is None else [problem]
    for path in _files(given):
        chain.read(path)
    return chain.end()


def ledgers(paths: Iterable[Path | str]) -> list[list[Path]]:
    """Put files together that are of one ledger, as their first lines say; what says nothing stands by itself."""
    found: dict[object, list[Path]] = {}
    for path in map(Path, paths):
        line = _first(path) if path.exists() else None
        named = None if line is None else line.body.get("ledger")
        found.setdefault(named if isinstance(named, str) else path, []).append(path)
    return list(found.values())


def _files(given: list[Path]) -> list[Path]:
    """Find the files, and put them in the order of the ledger."""
    found: dict[Path, int | None] = {}
    for path in given:
        if not path.exists() and not head_of(path).exists():
            path.stat()  # tells what is missing
        for each in (*rotated(path), path):
            if each.exists() and each not in found:
                found[each] = _first_seq(each)
    known = {each: seq for each, seq in found.items() if seq is not None}
    return sorted(found, key=lambda each: known[each]) if len(known) == len(found) else list(found)


def _first_seq(path: Path) -> int | None:
    line = _first(path)
    return None if line is None else line.seq


def _first(path: Path) -> Line | None:
    with path.open("rb") as file:
        return parsed(file.readline(LONGEST).rstrip(b"\n"))


def _evidence(path: Path, key: bytes | None) -> tuple[Head | None, Problem | None]:
    """Read the head before the file, which may grow meanwhile."""
    place = head_of(path)
    if not place.exists():
        return None, None
    text = place.read_bytes()
    try:
        head, mac = Head.decoded(text)
    except ValueError:
        if not text:
            return None, None
        return None, Problem(kind="head", file=str(place), line=0, told="the head cannot be read")
    if key is not None and not head.is_signed(mac, key):
        return None, Problem(kind="unsigned", file=str(place), line=0, told="the head is not signed with this key")
    return head, None
