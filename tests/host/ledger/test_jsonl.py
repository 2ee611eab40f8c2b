"""The file sink: a hash chain that goes on wherever it was ended, and says what it found."""

import errno
import hashlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.host.ledger.made import Kept, happened, ledger, written

from seamlaw_host.ledger import JsonlSink, LedgerLocked, NoLedger, Record, read_ledger, verify
from seamlaw_host.ledger import _jsonl as jsonl

ROOT = Path(__file__).resolve().parents[3]


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a file, as JSON."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def append(path: Path, *numbers: int, **options: Any) -> None:
    """Open a ledger, append, and close it."""
    with ledger(JsonlSink(path, **options)) as made:
        for number in numbers:
            made.append(happened(number))


def attempts(path: Path) -> list[str]:
    """The attempts that a ledger has, in order."""
    return [one[1].attempt for one in read_ledger(path) if isinstance(one, tuple)]


def test_each_line_has_the_sha_256_of_the_one_before(tmp_path: Path) -> None:
    """Anybody can check the chain with a few lines of their own: these."""
    before = "0" * 64
    for number, line in enumerate(written(tmp_path / "audit.jsonl", 10)):
        data = json.loads(line)
        assert (data["seq"], data["prev"]) == (number, before)
        before = hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def test_a_ledger_begins_with_its_format_and_has_checkpoints(tmp_path: Path) -> None:
    """Every few lines, and at the end, a checkpoint counts the records."""
    written(tmp_path / "audit.jsonl", 10)
    lines = lines_of(tmp_path / "audit.jsonl")
    assert (lines[0]["type"], lines[0]["schema"], lines[0]["records"]) == ("genesis", "seamlaw.ledger/1", 0)
    told = [(line["seq"], line["records"]) for line in lines if line["type"] == "checkpoint"]
    assert told == [(5, 4), (10, 8), (13, 10)]


def test_a_second_start_goes_on_with_the_chain(tmp_path: Path) -> None:
    """As often as one likes, whether anything is written or not."""
    path = tmp_path / "audit.jsonl"
    for number in range(5):
        append(path, number, checkpoint_every=3)
        append(path)
    assert attempts(path) == [f"attempt-{number}" for number in range(5)]
    assert verify(path).ok
    assert [line["type"] for line in lines_of(path)].count("genesis") == 1


def test_only_the_owner_reads_a_ledger(tmp_path: Path) -> None:
    """What agents did is not for everybody on the machine."""
    append(tmp_path / "audit.jsonl", 1)
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@pytest.mark.parametrize("cut", [1, 2, 40, -1])
def test_a_torn_last_line_is_moved_aside_and_told(tmp_path: Path, cut: int) -> None:
    """No byte of it is lost, the chain goes on from the last whole line, and a line of its own says what was found."""
    path = tmp_path / "audit.jsonl"
    before = b"".join(written(path, 5))
    torn = before.splitlines(keepends=True)[2][:cut]
    path.write_bytes(before + torn)
    append(path, 5)
    assert attempts(path) == [f"attempt-{number}" for number in range(6)]
    told = next(line for line in lines_of(path) if line["type"] == "recovered")
    assert (told["torn_bytes"], told["torn_sha256"]) == (len(torn), hashlib.sha256(torn).hexdigest())
    assert (tmp_path / told["moved_to"]).read_bytes() == torn
    found = verify(path)
    assert found.ok
    assert len(found.notices) == 1
    assert "a line was torn off here" in found.notices[0]


def test_a_hole_at_the_end_is_moved_aside_too(tmp_path: Path) -> None:
    """A power failure can leave zeros, and half lines that end: all that follows the last whole line of a ledger."""
    path = tmp_path / "audit.jsonl"
    before = b"".join(written(path, 5))
    path.write_bytes(before + b'{"type":"rec\n' + b"\0" * 5000)
    append(path, 5)
    assert attempts(path) == [f"attempt-{number}" for number in range(6)]
    assert verify(path).ok


def test_a_torn_file_twice_keeps_both_pieces(tmp_path: Path) -> None:
    """What was moved aside is never written over."""
    path = tmp_path / "audit.jsonl"
    for piece in (b"{", b"{"):
        append(path, 1)
        path.write_bytes(path.read_bytes() + piece)
        (tmp_path / f"audit.jsonl.torn-{len(lines_of_whole(path))}").write_bytes(b"there")
    append(path)
    assert sorted(each.read_bytes() for each in tmp_path.glob("*.torn-*")) == [b"there", b"there", b"{", b"{"]


def lines_of_whole(path: Path) -> list[bytes]:
    """The whole lines of a file."""
    return path.read_bytes().split(b"\n")[:-1]


def test_a_beginning_that_was_torn_begins_again(tmp_path: Path) -> None:
    """An end of the process in the very first line."""
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b'{"type":"genesis","seq":0,"pr')
    append(path, 1)
    assert attempts(path) == ["attempt-1"]
    assert verify(path).ok


@pytest.mark.parametrize("lines", [1, 3])
def test_lines_that_are_gone_are_told_at_the_next_start(tmp_path: Path, lines: int) -> None:
    """Whoever cuts the end off and starts anew leaves a line that says how much is missing, for ever."""
    path = tmp_path / "audit.jsonl"
    all_lines = written(path, 6)
    path.write_bytes(b"".join(all_lines[:-lines]))
    append(path, 7)
    told = next(line for line in lines_of(path) if line["type"] == "recovered")
    assert told["missing"] == lines
    found = verify(path)
    assert [(one.kind, one.line) for one in found.problems] == [("lost", len(all_lines) - lines + 1)]


def test_a_last_line_that_was_changed_is_told_at_the_next_start(tmp_path: Path) -> None:
    """The head has another hash for it, and that hash is kept."""
    path = tmp_path / "audit.jsonl"
    lines = written(path, 5)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1].replace(b'"records":5', b'"records":6'))
    append(path, 7)
    assert {one.kind for one in verify(path).problems} >= {"lost"}


def test_without_a_head_a_ledger_goes_on(tmp_path: Path) -> None:
    """The file alone says where it ends; a head that cannot be read is told."""
    path = tmp_path / "audit.jsonl"
    append(path, 1)
    (tmp_path / "audit.jsonl.head").unlink()
    append(path, 2)
    assert verify(path).ok
    (tmp_path / "audit.jsonl.head").write_bytes(b"nonsense")
    append(path, 3)
    assert attempts(path) == ["attempt-1", "attempt-2", "attempt-3"]
    assert [one.kind for one in verify(path).problems] == ["head"]


def test_another_file_is_never_touched(tmp_path: Path) -> None:
    """A path that names something else is refused, and what stands there stays; the file can be opened afterwards."""
    path = tmp_path / "notes.jsonl"
    for text in (b"Dear diary\n", b"Dear diary", b'{"type":"record"}\n', b"\n\n"):
        path.write_bytes(text)
        with pytest.raises(NoLedger):
            JsonlSink(path)
        assert path.read_bytes() == text
    path.unlink()
    JsonlSink(path).close()


def test_a_ledger_with_the_head_of_another_is_refused(tmp_path: Path) -> None:
    """Two ledgers that were mixed up are not written on."""
    written(tmp_path / "a.jsonl", 3)
    written(tmp_path / "b.jsonl", 3)
    (tmp_path / "a.jsonl.head").rename(tmp_path / "b.jsonl.head")
    with pytest.raises(NoLedger, match="of different ledgers"):
        JsonlSink(tmp_path / "b.jsonl")


def test_two_ledgers_cannot_write_to_one_file(tmp_path: Path) -> None:
    """Neither in one process nor in two; when the first has ended, the next may."""
    path = tmp_path / "audit.jsonl"
    first = JsonlSink(path)
    with pytest.raises(LedgerLocked, match="give each its own file"):
        JsonlSink(path)
    script = "import sys; from seamlaw_host.ledger import JsonlSink; JsonlSink(sys.argv[1])"
    other = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, cwd=ROOT)
    assert b"LedgerLocked" in other.stderr
    first.close()
    assert subprocess.run([sys.executable, "-c", script, str(path)], cwd=ROOT).returncode == 0


def test_where_there_are_no_locks_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Windows has no fcntl: the ledger works, and tells what is missing."""
    from seamlaw_host.ledger import _lock

    monkeypatch.setattr(_lock, "FCNTL", False)
    append(tmp_path / "audit.jsonl", 1)
    assert "nothing keeps two processes from writing" in caplog.text


def test_files_are_rotated_and_the_chain_goes_on(tmp_path: Path) -> None:
    """By size; all files are read and verified as one ledger."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path, rotate_bytes=3_000), batch=1) as made:
        for number in range(20):
            made.append(happened(number))
            made.flush()
    append(path, 20, rotate_bytes=3_000)
    files = sorted(each.name for each in tmp_path.glob("*.jsonl"))
    assert files[:2] == ["audit.000001.jsonl", "audit.000002.jsonl"]
    assert len(files) > 4
    assert attempts(path) == [f"attempt-{number}" for number in range(21)]
    found = verify(path)
    assert (found.ok, found.records, len(found.files)) == (True, 21, len(files))
    for each in tmp_path.glob("audit.0*.jsonl"):
        assert each.stat().st_size < 6_000


def test_files_are_rotated_by_age(tmp_path: Path) -> None:
    """The age of a file counts from its first line, also after another start."""
    now, path = 1_000.0, tmp_path / "audit.jsonl"

    def clock() -> float:
        return now

    append(path, 1, rotate_s=60, clock=clock)
    now = 1_050.0
    append(path, 2, rotate_s=60, clock=clock)
    assert not (tmp_path / "audit.000001.jsonl").exists()
    now = 1_060.0
    append(path, 3, rotate_s=60, clock=clock)
    assert (tmp_path / "audit.000001.jsonl").exists()
    assert attempts(path) == ["attempt-1", "attempt-2", "attempt-3"]
    assert verify(path).ok


@pytest.mark.parametrize("head", [True, False], ids=["with its head", "without"])
def test_an_end_between_two_files_goes_on_with_the_chain(tmp_path: Path, head: bool) -> None:
    """The process ended when the old file had its new name and the next was not there yet."""
    path = tmp_path / "audit.jsonl"
    written(path, 5)
    path.rename(tmp_path / "audit.000001.jsonl")
    if not head:
        (tmp_path / "audit.jsonl.head").unlink()
    append(path, 5)
    assert attempts(path) == [f"attempt-{number}" for number in range(6)]
    assert verify(path).ok


def test_a_rotated_file_is_never_written_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file of that name is left alone: the ledger goes on in the one it has, and says so once."""
    path = tmp_path / "audit.jsonl"
    (tmp_path / "audit.000001.jsonl").write_bytes(b"mine")
    (tmp_path / "audit.jsonl").write_bytes(b"")
    with ledger(JsonlSink(path, rotate_bytes=10), batch=1) as made:
        for number in range(3):
            made.append(happened(number))
            made.flush()
    assert (tmp_path / "audit.000001.jsonl").read_bytes() == b"mine"
    assert path.read_bytes().count(b'"attempt"') == 3
    assert caplog.text.count("is not rotated") == 1


def test_a_file_that_was_moved_away_is_followed_by_a_new_one(tmp_path: Path) -> None:
    """As logrotate does: the chain goes on in a new file, and both together verify."""
    path, moved = tmp_path / "audit.jsonl", tmp_path / "old.jsonl"
    with ledger(JsonlSink(path), durability="each") as made:
        made.append(happened(1))
        path.rename(moved)
        made.append(happened(2))
        assert (made.lost, made.sink_errors) == (0, 0)
    assert attempts(moved) + attempts(path) == ["attempt-1", "attempt-2"]
    assert verify(moved, path).ok
    assert [one.kind for one in verify(path).problems] == ["removed"]
    assert verify(path, partial=True).ok


def test_a_file_that_is_cut_while_it_is_open_is_told(tmp_path: Path) -> None:
    """By whomever: what is missing is written down before anything else is."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path), durability="each") as made:
        for number in range(3):
            made.append(happened(number))
        os.truncate(path, path.stat().st_size - 100)
        made.append(happened(3))
    assert attempts(path) == ["attempt-0", "attempt-1", "attempt-3"]
    assert [one.kind for one in verify(path).problems] == ["lost"]


def test_what_somebody_else_appends_is_moved_aside_and_told(tmp_path: Path) -> None:
    """A writer that takes no lock does not break the chain."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path), durability="each") as made:
        made.append(happened(1))
        path.write_bytes(path.read_bytes() + b"hello\n")
        made.append(happened(2))
    assert attempts(path) == ["attempt-1", "attempt-2"]
    found = verify(path)
    assert (found.ok, len(found.notices)) == (True, 1)


@pytest.mark.parametrize("written_before", [0, 1, 100, 700])
def test_a_write_that_fails_half_way_leaves_no_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written_before: int
) -> None:
    """A full disk takes a part of a batch: nothing of it stays, and the next try writes it whole."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path), durability="each") as made:
        made.append(happened(1))
        before = path.read_bytes()
        real = os.write

        def full(fd: int, text: Any) -> int:
            if written_before:
                real(fd, bytes(text)[:written_before])
            raise OSError(errno.ENOSPC, "no space")

        monkeypatch.setattr(os, "write", full)
        made.append(happened(2))
        monkeypatch.undo()
        assert path.read_bytes() == before
        assert (made.sink_errors, made.lost) == (1, 0)
    assert attempts(path) == ["attempt-1", "attempt-2"]
    assert verify(path).ok


def test_a_failing_disk_and_a_file_that_cannot_be_cut_is_told_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If not even the half can be taken back, it is moved aside before the next batch."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path), durability="each") as made:
        made.append(happened(1))
        real = os.write

        def full(fd: int, text: Any) -> int:
            real(fd, bytes(text)[:50])
            raise OSError(errno.EIO, "broken")

        def broken(fd: int, size: int) -> None:
            raise OSError(errno.EIO, "broken")

        monkeypatch.setattr(os, "write", full)
        monkeypatch.setattr(os, "ftruncate", broken)
        made.append(happened(2))
        monkeypatch.undo()
    assert attempts(path) == ["attempt-1", "attempt-2"]
    found = verify(path)
    assert (found.ok, len(found.notices)) == (True, 1)


@pytest.mark.parametrize("function", ["write_all", "hash_of", "sync_folder"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_interrupt_at_any_step_neither_loses_nor_doubles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, error: type[BaseException]
) -> None:
    """Before, between and after the writes of a batch, its rotation included: the next try makes it whole."""
    real = getattr(jsonl, function)
    for at in range(40):
        path = tmp_path / f"{function}-{error.__name__}-{at}" / "audit.jsonl"
        sink = JsonlSink(path, checkpoint_every=2, rotate_bytes=1_500)
        kept = Kept()
        with ledger(kept) as made:
            for number in range(6):
                made.append(happened(number))
        left = at

        def interrupted(*arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left == -1:
                raise error
            return real(*arguments)

        monkeypatch.setattr(jsonl, function, interrupted)
        pairs: list[list[Record]] = [kept.records[index : index + 2] for index in (0, 2, 4)]
        for pair in pairs:
            for _ in range(2):  # as the ledger does
                try:
                    sink.write(pair, durable=True)
                    break
                except (KeyboardInterrupt, OSError):
                    continue
        monkeypatch.undo()
        sink.close()
        assert attempts(path) == [f"attempt-{number}" for number in range(6)], at
        assert verify(path).problems == (), at
        if left >= 0:
            return
    pytest.fail("there were more steps than were tried")


def test_a_closed_sink_says_so(tmp_path: Path) -> None:
    """Closing twice is closing once."""
    sink = JsonlSink(tmp_path / "audit.jsonl")
    sink.close()
    sink.close()
    with pytest.raises(ValueError, match="is closed"):
        sink.write([], durable=False)


def test_a_long_record_is_found_from_behind(tmp_path: Path) -> None:
    """However long the lines are, a start finds the last one and counts right."""
    path = tmp_path / "audit.jsonl"
    for number in range(3):
        with ledger(JsonlSink(path)) as made:
            made.append(happened(number, error="x" * 300_000))
    found = verify(path)
    assert (found.ok, found.records) == (True, 3)
