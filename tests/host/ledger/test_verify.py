"""Whatever is done to a ledger's files is found, and the line is named."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.host.ledger.made import happened, ledger, written

from seamlaw_host.ledger import JsonlSink, Problem, Verified, verify

COUNT = 9
Lines = list[bytes]


@pytest.fixture(scope="module", name="made")
def _made() -> Iterator[tuple[Path, Lines]]:
    """A ledger that was closed, with its lines."""
    folder = Path(tempfile.mkdtemp())
    yield folder / "audit.jsonl", written(folder / "audit.jsonl", COUNT)
    shutil.rmtree(folder)


def verified(path: Path, lines: Lines, key: bytes | None = None) -> Verified:
    """Verify the ledger with these lines in the place of its own."""
    before = path.read_bytes()
    try:
        path.write_bytes(b"".join(lines))
        return verify(path, key=key)
    finally:
        path.write_bytes(before)


def kinds(found: Verified) -> list[tuple[str, int]]:
    """What was found, and where."""
    return [(one.kind, one.line) for one in found.problems]


def test_a_ledger_as_it_was_written_is_in_order(made: tuple[Path, Lines]) -> None:
    """It says how many lines and records there are, and the hash of the last line."""
    path, lines = made
    found = verify(path)
    assert (found.ok, found.problems, found.notices) == (True, (), ())
    assert (found.lines, found.records) == (len(lines), COUNT)
    assert found.head == hashlib.sha256(lines[-1].rstrip(b"\n")).hexdigest()


@given(data=st.data())
def test_any_single_edit_is_found(made: tuple[Path, Lines], data: st.DataObject) -> None:
    """One byte changed to another, put in or taken out, anywhere in the file: line feeds and the last line too."""
    path, lines = made
    text = b"".join(lines)
    at = data.draw(st.integers(0, len(text) - 1))
    byte = bytes([data.draw(st.integers(0, 255).filter(lambda byte: byte != text[at]))])
    edited = data.draw(
        st.sampled_from([text[:at] + byte + text[at + 1 :], text[:at] + byte + text[at:], text[:at] + text[at + 1 :]])
    )
    if edited == text:  # one of two equal bytes side by side was taken
        return
    found = verified(path, [edited])
    assert not found.ok
    line = text.count(b"\n", 0, at) + 1
    assert any(abs(one.line - line) <= 1 for one in found.problems), (line, found.problems)


@given(data=st.data())
def test_any_lines_taken_out_are_found(made: tuple[Path, Lines], data: st.DataObject) -> None:
    """However many, wherever: at the beginning, in the middle, at the end, or all."""
    path, lines = made
    keep = data.draw(
        st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)).filter(lambda kept: not all(kept))
    )
    found = verified(path, [line for line, kept in zip(lines, keep, strict=True) if kept])
    assert not found.ok
    assert {one.kind for one in found.problems} <= {"removed", "truncated"}


@given(data=st.data())
def test_any_line_put_in_is_found(made: tuple[Path, Lines], data: st.DataObject) -> None:
    """A copy of another line, one made up with the right number and hash, or nonsense."""
    path, lines = made
    at = data.draw(st.integers(0, len(lines)))
    before = lines[at - 1] if at else b""
    forged: dict[str, object] = {"type": "record", "seq": at, "record": None}
    forged["prev"] = hashlib.sha256(before.rstrip(b"\n")).hexdigest()
    line = data.draw(st.sampled_from([*lines, b"nonsense\n", b"\n", json.dumps(forged).encode() + b"\n"]))
    found = verified(path, [*lines[:at], line, *lines[at:]])
    assert not found.ok
    assert any(abs(one.line - at - 1) <= 1 for one in found.problems), (at + 1, found.problems)


@given(data=st.data())
def test_any_other_order_is_found(made: tuple[Path, Lines], data: st.DataObject) -> None:
    """Two lines exchanged, or all of them shuffled."""
    path, lines = made
    shuffled = data.draw(st.permutations(lines).filter(lambda order: order != lines))
    found = verified(path, shuffled)
    assert not found.ok
    first = next(at for at, line in enumerate(shuffled) if line != lines[at])
    assert any(one.line >= first + 1 for one in found.problems)


@given(at=st.integers(0, COUNT + 2))
def test_two_neighbours_exchanged_are_told_as_such(made: tuple[Path, Lines], at: int) -> None:
    """The line that comes too late is named, and nothing else."""
    path, lines = made
    lines = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]] if at + 1 < len(lines) else lines
    found = verified(path, lines)
    if lines[0].startswith(b'{"type":"genesis"') and b"".join(lines) != path.read_bytes():
        assert kinds(found) == [("reordered", at + 2)]


SAID: dict[str, tuple[Callable[[Lines], Lines], list[tuple[str, int]]]] = {
    "a word changed": (lambda lines: [*lines[:4], lines[4].replace(b"ls", b"rm"), *lines[5:]], [("changed", 5)]),
    "its hash changed": (
        lambda lines: [*lines[:4], lines[4].replace(b'"prev":"', b'"prev":"0'), *lines[5:]],
        [("changed", 5)],
    ),
    "its number changed": (
        lambda lines: [*lines[:4], lines[4].replace(b'"seq":4', b'"seq":44'), *lines[5:]],
        [("changed", 5)],
    ),
    "broken": (lambda lines: [*lines[:4], b"{\n", *lines[5:]], [("changed", 5)]),
    "taken out": (lambda lines: [*lines[:4], *lines[5:]], [("removed", 5)]),
    "three taken out": (lambda lines: [*lines[:4], *lines[7:]], [("removed", 5)]),
    "the first taken out": (lambda lines: lines[1:], [("removed", 1)]),
    "the last taken out": (lambda lines: lines[:-1], [("truncated", COUNT + 3)]),
    "cut": (lambda lines: [*lines[:-1], lines[-1][:-9]], [("truncated", COUNT + 3)]),
    "twice": (lambda lines: [*lines[:5], lines[4], *lines[5:]], [("duplicated", 6)]),
    "nonsense put in": (lambda lines: [*lines[:4], b"hello\n", *lines[4:]], [("inserted", 5)]),
    "an old line put in": (lambda lines: [*lines[:8], lines[3], *lines[8:]], [("inserted", 9)]),
    "nothing left": (lambda lines: [], [("truncated", 0)]),
}


@pytest.mark.parametrize("done", SAID)
def test_what_was_done_is_told_with_its_line(made: tuple[Path, Lines], done: str) -> None:
    """Each single thing that can be done to a ledger is told as what it is, at the line where it was done."""
    path, lines = made
    change, said = SAID[done]
    lines = [line.replace(b'"ls 3"', b'"list"') if b"nothing" in line else line for line in lines]
    assert kinds(verified(path, change(lines))) == said


def test_whoever_writes_the_whole_ledger_anew_needs_the_head_too(made: tuple[Path, Lines]) -> None:
    """A forger with the rest of the chain made anew is contradicted by the head, or by a hash that was kept."""
    path, lines = made
    forged = rechained(lines, 3, b"ls 2", b"rm 2")
    found = verified(path, forged)
    assert [one.kind for one in found.problems] == ["changed"]
    head = path.with_name("audit.jsonl.head")
    kept = head.read_bytes()
    try:
        head.unlink()
        assert verified(path, forged).ok  # nothing is left that could tell
        before = path.read_bytes()
        path.write_bytes(b"".join(forged))
        assert not verify(path, head=hashlib.sha256(lines[-1].rstrip(b"\n")).hexdigest()).ok
        path.write_bytes(before)
        assert verify(path, head=hashlib.sha256(lines[4].rstrip(b"\n")).hexdigest()).ok
    finally:
        head.write_bytes(kept)


def rechained(lines: Lines, at: int, old: bytes, new: bytes) -> Lines:
    """Change a line, and make all hashes after it right again."""
    made = [*lines[:at], lines[at].replace(old, new)]
    assert made[at] != lines[at]
    for line in lines[at + 1 :]:
        was = json.loads(line)["prev"].encode()
        made.append(line.replace(was, hashlib.sha256(made[-1].rstrip(b"\n")).hexdigest().encode()))
    return made


def test_signed_checkpoints_cannot_be_made_anew(tmp_path: Path) -> None:
    """Without the key nobody can write a checkpoint, or a head, for another chain."""
    path = tmp_path / "audit.jsonl"
    lines = written(path, COUNT, key=b"secret")
    assert verify(path, key=b"secret").problems == ()
    assert verify(path).ok  # who has no key still checks the chain
    other = verify(path, key=b"other")
    assert {one.kind for one in other.problems} == {"unsigned"}
    path.with_name("audit.jsonl.head").unlink()
    forged = rechained(lines, 3, b"ls 2", b"rm 2")
    path.write_bytes(b"".join(forged))
    found = verify(path, key=b"secret")
    assert [one.kind for one in found.problems] == ["unsigned"] * 4  # each checkpoint behind it, and the end
    bare = [line for line in lines if not line.startswith(b'{"type":"checkpoint"')]
    path.write_bytes(b"".join(rechained_numbers(bare)))
    found = verify(path, key=b"secret")
    assert [one.kind for one in found.problems] == ["unsigned"]  # the end: nothing signed vouches for it


def rechained_numbers(lines: Lines) -> Lines:
    """Make numbers and hashes right again."""
    made: Lines = []
    before = "0" * 64
    for number, line in enumerate(lines):
        data = {**json.loads(line), "seq": number, "prev": before}
        made.append(json.dumps(data).encode() + b"\n")
        before = hashlib.sha256(made[-1].rstrip(b"\n")).hexdigest()
    return made


def test_a_key_from_the_middle_on_is_told_of_what_was_not_signed(tmp_path: Path) -> None:
    """Checkpoints without a signature do not count for one who asks for signed ones."""
    path = tmp_path / "audit.jsonl"
    written(path, 4)
    assert {one.kind for one in verify(path, key=b"secret").problems} == {"unsigned"}


def test_a_count_that_is_not_so_is_found(tmp_path: Path) -> None:
    """A record swapped for another line, in a chain that was made anew: the checkpoint counts."""
    path = tmp_path / "audit.jsonl"
    lines = written(path, 3)
    path.with_name("audit.jsonl.head").unlink()
    path.write_bytes(b"".join(rechained_numbers([*lines[:2], *lines[3:]])))
    assert [one.kind for one in verify(path).problems] == ["changed"]


def test_what_is_no_record_is_found(tmp_path: Path) -> None:
    """A line of the right number and hash, with something else in it."""
    path = tmp_path / "audit.jsonl"
    lines = written(path, 3)
    path.with_name("audit.jsonl.head").unlink()
    path.write_bytes(b"".join(rechained_numbers([lines[0], b'{"type":"record","record":{"id":1}}', *lines[2:]])))
    assert kinds(verify(path)) == [("unreadable", 2)]


def rotated(tmp_path: Path) -> Path:
    """A ledger of several files."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path, rotate_bytes=2_000, checkpoint_every=3)) as made:
        for number in range(12):
            made.append(happened(number))
            made.flush()
    return path


def test_all_files_of_a_ledger_are_verified_as_one(tmp_path: Path) -> None:
    """Given the one that is written to, or all of them in any order."""
    path = rotated(tmp_path)
    files = sorted(tmp_path.glob("*.jsonl"))
    assert len(files) > 3
    assert verify(path).files == tuple(map(str, [*files[:-1], path]))
    assert verify(*reversed(files)).problems == verify(path).problems == ()


@pytest.mark.parametrize("gone", ["first", "middle", "last"])
def test_a_file_that_is_gone_is_found(tmp_path: Path, gone: str) -> None:
    """The oldest may be elsewhere, if one says so; no other."""
    path = rotated(tmp_path)
    files = {"first": 1, "middle": 2}
    (path if gone == "last" else tmp_path / f"audit.00000{files[gone]}.jsonl").unlink()
    found = verify(path)
    assert [one.kind for one in found.problems] == ["truncated" if gone == "last" else "removed"]
    assert verify(path, partial=True).ok is (gone == "first")


def test_the_end_of_an_older_file_is_vouched_for_by_the_next(tmp_path: Path) -> None:
    """Whatever is cut off there is missed."""
    path = rotated(tmp_path)
    first = tmp_path / "audit.000001.jsonl"
    text = first.read_bytes()
    first.write_bytes(text[:-10])
    found = verify(path)
    assert not found.ok
    first.write_bytes(text.replace(b"ls 0", b"rm 0", 1))
    assert [Path(one.file).name for one in verify(path).problems] == ["audit.000001.jsonl"]


def test_files_of_two_ledgers_are_not_one(tmp_path: Path) -> None:
    """A file of another ledger in between is found."""
    written(tmp_path / "a.jsonl", 3)
    written(tmp_path / "b.jsonl", 3)
    assert not verify(tmp_path / "a.jsonl", tmp_path / "b.jsonl").ok


def test_a_head_that_was_broken_is_a_problem(tmp_path: Path) -> None:
    """It is evidence, too; without one the end is vouched for by nothing, which is said."""
    path = tmp_path / "audit.jsonl"
    written(path, 3)
    head = path.with_name("audit.jsonl.head")
    head.write_bytes(head.read_bytes()[:40])
    assert [one.kind for one in verify(path).problems] == ["head"]
    head.unlink()
    found = verify(path)
    assert (found.ok, len(found.notices)) == (True, 1)
    with pytest.raises(FileNotFoundError):
        verify(tmp_path / "nothing.jsonl")


def test_a_torn_end_without_a_loss_is_no_problem(tmp_path: Path) -> None:
    """What a kill leaves: the lines that the head tells of are all there, and half a line more."""
    path = tmp_path / "audit.jsonl"
    lines = written(path, 3)
    path.write_bytes(path.read_bytes() + lines[2][:50])
    found = verify(path)
    assert (found.ok, found.lines, len(found.notices)) == (True, len(lines), 1)


def test_a_problem_names_its_file_and_line() -> None:
    """As every tool does: file, line, what."""
    problem = Problem(kind="changed", file="audit.jsonl", line=5, told="this line was changed")
    assert (problem.file, problem.line) == ("audit.jsonl", 5)
