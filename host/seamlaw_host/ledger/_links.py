"""The links of a chain: what each line must say after the one before, and what it means where it does not."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

import msgspec
from attrs import define, evolve, field, frozen

from ._chain import FORMAT, NOTHING, Head, Line, hash_of, mac_of, parsed
from ._record import Record

__all__ = ["LONGEST", "Chain", "Problem", "Verified"]

Kind: TypeAlias = Literal[
    "changed", "removed", "inserted", "duplicated", "reordered", "truncated", "unreadable", "unsigned", "head", "lost"
]
LONGEST = 1 << 31  # bytes of a line


@frozen(kw_only=True)
class Problem:
    """What is wrong, and where: `line` counts from 1 in its file; 0 is the file as a whole."""

    kind: Kind
    file: str
    line: int
    told: str


@frozen(kw_only=True)
class Verified:
    """What was found; `head` is the hash of the last line, to be kept elsewhere and asked for the next time."""

    files: tuple[str, ...]
    lines: int
    records: int
    head: str
    problems: tuple[Problem, ...]
    notices: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@define
class _Place:
    """A line that was read."""

    file: str
    line: int
    seq: int
    hash: str
    doubted: bool = False  # it is told already that something is wrong here
    changed: bool = False  # and that explains why the next line has another hash for it


@define(eq=False)
class Chain:
    """The state of a verification: what the next line must say."""

    key: bytes | None
    anchor: str | None
    partial: bool
    known: list[Head] = field(factory=list[Head])
    problems: list[Problem] = field(factory=list[Problem])
    notices: list[str] = field(factory=list[str])
    files: list[str] = field(factory=list[str])
    ledger: str = ""
    lines: int = 0
    records: int = 0
    counted: bool = True  # whether `records` can be compared with what a checkpoint says
    last: _Place | None = None
    unreadable: _Place | None = None  # the line before, if it could not be read
    broken: _Place | None = None  # a line for which the next one has another hash
    gaps: list[tuple[int, int, Problem]] = field(factory=list[tuple[int, int, Problem]])
    signed: int = -1  # the last line that a signed checkpoint vouches for
    anchored: bool = False
    torn: bool = False
    before: bytes = b""

    def read(self, path: Path) -> None:
        """Read one file."""
        self.files.append(str(path))
        with path.open("rb") as file:
            for number, text, whole in _lines(file):
                self.lines += 1
                if not whole:
                    self._torn(str(path), number, text)
                    continue
                line = parsed(text)
                place = _Place(str(path), number, -1 if line is None else line.seq, hash_of(text))
                if line is None:
                    self._unreadable(place)
                else:
                    self._line(place, line, text)
                self.before = text

    def _tell(self, kind: Kind, place: _Place, told: str) -> Problem:
        place.doubted = True
        place.changed |= kind == "changed"
        problem = Problem(kind=kind, file=place.file, line=place.line, told=told)
        self.problems.append(problem)
        return problem

    def _torn(self, file: str, number: int, text: bytes) -> None:
        self.torn = True
        self.lines -= 1
        self.notices.append(
            f"{file}:{number}: the last {len(text)} bytes are no whole line; the next start moves them aside"
        )

    def _unreadable(self, place: _Place) -> None:
        """Wait for the next line, which tells whether this one stands in the place of another."""
        if self.unreadable is not None:
            self._tell("unreadable", place, "this is no line of a ledger")
            return
        self.unreadable = place

    def _line(self, place: _Place, line: Line, text: bytes) -> None:
        last, expected = self.last, 0 if self.last is None else self.last.seq + 1
        if self.unreadable is not None:
            if line.seq == expected:
                self._tell("inserted", self.unreadable, "this is no line of a ledger, and none is missing")
            else:
                self._tell("changed", self.unreadable, "this line cannot be read any more")
                expected, last = expected + 1, None
                self.counted = False
            self.unreadable = None
        elif last is None and line.type == "continued":
            self._begins_late(place, line)
            expected = line.seq
        self._linked(place, line, text, last, expected)

    def _begins_late(self, place: _Place, line: Line) -> None:
        told = f"the ledger begins with line {line.seq} here; what comes before is in other files"
        self.records = records if type(records := line.body.get("records")) is int else 0
        if self.partial:
            self.notices.append(told)
        else:
            self._tell("removed", place, told + " (they may be given too, or be left out with --partial)")

    def _linked(self, place: _Place, line: Line, text: bytes, last: _Place | None, expected: int) -> None:
        """Compare a line with the one before."""
        follows = last is None or line.prev == last.hash
        if last is None and line.seq == 0 and line.prev != NOTHING:
            follows = False
        if line.seq == expected or (last is not None and follows):
            if line.seq != expected:
                self._tell("changed", place, f"this is line {expected} of the ledger, and says it is line {line.seq}")
            self._follow(place, last, follows)
            self._take(evolve(place, seq=expected), line)
        elif line.seq > expected:
            gap = self._tell("removed", place, f"{_span(expected, line.seq - 1)} missing before this line")
            self.gaps.append((expected, line.seq - 1, gap))
            self.counted = False
            self._take(place, line)
        else:
            self._misplaced(place, line, text)

    def _follow(self, place: _Place, last: _Place | None, follows: bool) -> None:
        """Find out which of two lines was changed: if it is the second, the third will not follow on it either."""
        broken, self.broken = self.broken, None
        if last is None:
            if not follows:
                self._tell("changed", place, "this is not how a ledger begins")
        elif broken is not None:
            self._settle(broken, last, follows)
        elif not follows and not last.changed:
            self.broken = last
            place.doubted = True

    def _settle(self, before: _Place, place: _Place, follows: bool) -> None:
        if follows:
            self._tell("changed", before, "this line was changed: the next one has another hash for it")
        else:
            self._tell("changed", place, "this line was changed, and perhaps the one before")

    def _misplaced(self, place: _Place, line: Line, text: bytes) -> None:
        """A line whose number has passed: one that was moved, or one too many."""
        for at, (first, end, gap) in enumerate(self.gaps):
            if first <= line.seq <= end:
                self._tell("reordered", place, f"this is line {line.seq} of the ledger, which belongs further up")
                self.records += line.type == "record"
                rest = [(first, line.seq - 1), (line.seq + 1, end)]
                self.gaps[at : at + 1] = [(a, b, gap) for a, b in rest if a <= b]
                if all(other is not gap for *_, other in self.gaps):
                    self.problems.remove(gap)
                return
        if text == self.before:
            self._tell("duplicated", place, f"line {line.seq} of the ledger stands here a second time")
        else:
            self._tell("inserted", place, f"this says it is line {line.seq} of the ledger, whose place is taken")

    def _take(self, place: _Place, line: Line) -> None:
        """Go on from a line, and look at what it says."""
        self.last = place
        self.anchored |= place.hash == self.anchor
        for known in self.known:
            if known.seq == place.seq and known.hash != place.hash and not place.doubted:
                self._tell("changed", place, "this line was changed: the head has another hash for it")
        if line.type == "record":
            self.records += 1
            self._is_record(place, line)
        else:
            self._says(place, line)

    def _is_record(self, place: _Place, line: Line) -> None:
        try:
            msgspec.convert(line.body.get("record"), Record)
        except (ValueError, TypeError):
            if not place.doubted:
                self._tell("unreadable", place, "what stands here is no record")

    def _says(self, place: _Place, line: Line) -> None:
        body = line.body
        if line.type in ("genesis", "continued"):
            self._begins(place, line)
        if line.type == "recovered":
            self._recovered(place, line)
        elif self.counted and body.get("records") != self.records and not place.doubted:
            self._tell("changed", place, f"it counts {body.get('records')} records here, and there are {self.records}")
        if line.type == "checkpoint" and self.key is not None:
            said = mac_of(self.key, "checkpoint", self.ledger, line.seq, line.prev, body.get("records"))
            if body.get("mac") == said:
                self.signed = line.seq
            else:
                self._tell("unsigned", place, "this checkpoint is not signed with this key")

    def _begins(self, place: _Place, line: Line) -> None:
        named = line.body.get("ledger")
        if (line.type == "genesis") != (line.seq == 0) and not place.doubted:
            self._tell("inserted", place, "a ledger begins but once")
        if line.body.get("schema") != FORMAT:
            self._tell("unreadable", place, f"the format is not {FORMAT}")
        if self.ledger and named != self.ledger:
            self._tell("inserted", place, "this file is of another ledger")
        self.ledger = named if isinstance(named, str) else ""

    def _recovered(self, place: _Place, line: Line) -> None:
        body = line.body
        records = body.get("records")
        if body.get("missing") or body.get("expected"):
            self._tell("lost", place, f"{body.get('missing', 0)} lines that were written were missing here at a start")
            self.counted = False
        if body.get("head"):
            self._tell("head", place, f"at a start the head {body['head']}")
        if body.get("torn_bytes"):
            self.notices.append(
                f"{place.file}:{place.line}: a line was torn off here; {body['torn_bytes']} bytes of it are in "
                f"{body.get('moved_to')}"
            )
        if type(records) is int and not self.counted:
            self.records, self.counted = records, True

    def end(self) -> Verified:
        """Say what the end lacks."""
        if self.unreadable is not None:
            self._tell("changed", self.unreadable, "this line cannot be read any more")
        if self.broken is not None and self.last is not None:
            self._settle(self.broken, self.last, follows=True)
        last = _Place(self.files[-1] if self.files else "", self.lines, -1, "") if self.last is None else self.last
        for known in self.known:
            self._compare(last, known)
        if not self.known:
            self.notices.append("there is no head beside the file, so nothing vouches for the last line")
        if self.anchor is not None and not self.anchored:
            self._tell("truncated", last, "no line has the hash that was asked for: the end is missing, or is another")
        if self.key is not None and self.signed < last.seq:
            told = f"the last {last.seq - self.signed} lines come after the last signed checkpoint"
            if self.known:
                self.notices.append(told)
            else:
                self._tell("unsigned", last, told + ", and no head vouches for them")
        return Verified(
            files=tuple(self.files),
            lines=self.lines,
            records=self.records,
            head=last.hash,
            problems=tuple(self.problems),
            notices=tuple(self.notices),
        )

    def _compare(self, last: _Place, known: Head) -> None:
        if known.seq > last.seq:
            self._tell(
                "truncated", last, f"{_span(last.seq + 1, known.seq)} missing at the end: the head tells of them"
            )
        elif self.ledger and known.ledger != self.ledger:
            self._tell("head", last, "the head beside this file is of another ledger")
        elif known.seq < last.seq:
            self.notices.append(
                f"the head does not tell of the last {last.seq - known.seq} lines: the writer was ended"
            )


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    """Give each line without its line feed, and whether it had one."""
    texts: Iterable[bytes] = iter(lambda: file.readline(LONGEST), b"")
    for number, text in enumerate(texts, 1):
        yield number, text.removesuffix(b"\n"), text.endswith(b"\n")


def _span(first: int, last: int) -> str:
    return f"line {first} of the ledger is" if first == last else f"lines {first} to {last} of the ledger are"
