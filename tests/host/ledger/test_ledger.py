"""The ledger takes happenings at once, and loses none: not by a sink, an interrupt, a race, or its own end."""

import gc
import logging
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.host.ledger.made import Kept, Times, happened, ledger

from seamlaw_host.errors import HostError
from seamlaw_host.ledger import JsonlSink, Ledger, LedgerForked, Record, Sink, read_ledger, verify


def test_records_takes_what_is_in_the_ring_oldest_first() -> None:
    """What was taken once is not there the second time."""
    with ledger() as made:
        for number in range(3):
            made.append(happened(number))
        assert [record.attempt for record in made.records()] == ["attempt-0", "attempt-1", "attempt-2"]
        assert made.records() == []
        assert made.dropped == 0


def test_the_ring_counts_what_it_drops() -> None:
    """It keeps the newest; what nobody took in time is counted, and what was taken is not."""
    with ledger(ring=3) as made:
        for number in range(5):
            made.append(happened(number))
        assert made.dropped == 2
        assert made.dropped == 2  # asking changes nothing
        assert [record.attempt for record in made.records()] == ["attempt-2", "attempt-3", "attempt-4"]
        made.append(happened(5))
        assert made.dropped == 2
        assert [record.attempt for record in made.records()] == ["attempt-5"]


def test_sinks_get_everything_in_order_whatever_the_ring_drops() -> None:
    """The ring is for looking; sinks get every record, each sink by itself."""
    sinks = Kept(), Kept()
    with ledger(*sinks, ring=0, batch=7) as made:
        for number in range(50):
            made.append(happened(number))
    for sink in sinks:
        assert sink.attempts == [f"attempt-{number}" for number in range(50)]
        assert sink.is_closed
    assert (made.dropped, made.lost, made.sink_errors) == (50, 0, 0)


def test_the_record_in_the_ring_is_that_of_the_sinks() -> None:
    """A happening has one record, with one id, wherever it is read; ids tell the order."""
    sink = Kept()
    with ledger(sink) as made:
        for number in range(20):
            made.append(happened(number))
        ring = made.records()
    assert ring == sink.records
    assert sorted(record.id for record in ring) == [record.id for record in ring]
    assert len({record.id for record in ring}) == 20


def test_a_batch_is_written_without_being_asked_for() -> None:
    """After so many, or after so long, the ledger's own thread writes."""
    sink = Kept()
    with ledger(sink, batch=5, interval_s=60) as made:
        for number in range(5):
            made.append(happened(number))
        until(lambda: len(sink.records) == 5)
    slow = Kept()
    with ledger(slow, batch=5, interval_s=0.01) as made:
        made.append(happened())
        until(lambda: len(slow.records) == 1)


def until(done: Any, seconds: float = 20.0) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


@pytest.mark.parametrize(("durability", "durable"), [("none", False), ("batch", True), ("each", True)])
def test_sinks_are_told_whether_to_wait_for_the_disk(durability: Any, durable: bool) -> None:
    """`none` leaves that to the operating system."""
    sink = Kept()
    with ledger(sink, durability=durability) as made:
        made.append(happened())
    assert sink.durable is durable


def test_each_is_written_before_append_returns() -> None:
    """With that durability there is nothing to flush."""
    sink = Kept()
    with ledger(sink, durability="each", interval_s=60) as made:
        for number in range(3):
            made.append(happened(number))
            assert len(sink.records) == number + 1


def test_those_who_append_at_the_same_time_share_a_write() -> None:
    """Group commit: while one waits for the disk the others queue, and the next write takes them all."""
    gate, sink = threading.Event(), Kept()

    class Slow:
        """A sink that waits for the test."""

        def write(self, records: Sequence[Record], *, durable: bool) -> None:
            """Wait, and keep."""
            gate.wait(20)
            sink.write(records, durable=durable)

        def close(self) -> None:
            """Nothing is held."""

    with ledger(Slow(), durability="each", interval_s=60) as made:
        threads = [threading.Thread(target=made.append, args=(happened(number),)) for number in range(8)]
        for thread in threads:
            thread.start()
        until(lambda: len(made._queue) >= 7)
        gate.set()
        for thread in threads:
            thread.join()
        assert len(sink.records) == 8
        assert sink.tried <= 3


@pytest.mark.parametrize("durability", ["none", "each"])
def test_no_record_is_lost_or_doubled_between_threads(durability: Any) -> None:
    """Eight threads append while two others read and flush; each sink has each record once."""
    sink, count = Kept(), 500
    made = ledger(sink, durability=durability, batch=16, ring=100_000, interval_s=0.001)
    done = threading.Event()

    def appending(thread: int) -> None:
        for number in range(count):
            made.append(happened(thread * count + number))

    def looking() -> None:
        while not done.is_set():
            made.flush()
            assert made.dropped == 0

    threads = [threading.Thread(target=appending, args=(thread,)) for thread in range(8)]
    others = [threading.Thread(target=looking) for _ in range(2)]
    for thread in (*threads, *others):
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    for thread in others:
        thread.join()
    made.close()
    assert sorted(sink.attempts) == sorted(f"attempt-{number}" for number in range(8 * count))
    for first in range(0, 8 * count, count):  # and each thread's own in its order
        mine = [one for one in sink.attempts if first <= int(one[8:]) < first + count]
        assert mine == [f"attempt-{number}" for number in range(first, first + count)]


def test_whoever_outruns_the_writer_helps_it() -> None:
    """Where records come faster than they are written, appending waits, and memory does not grow."""

    class Slow(Kept):
        """A sink that takes its time."""

        def write(self, records: Sequence[Record], *, durable: bool) -> None:
            """Keep, slowly."""
            time.sleep(0.001)
            super().write(records, durable=durable)

    sink = Slow()
    with ledger(sink, batch=2, interval_s=60) as made:
        most = 0
        for number in range(1_000):
            made.append(happened(number))
            most = max(most, len(made._queue))
    assert most <= 2 * 64 + 1
    assert len(sink.records) == 1_000


def test_a_failing_sink_never_fails_the_call_and_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged once a kind, without a word of what it says; the other sinks go on."""
    failing, other = Kept(fails=OSError("no space for hunter2")), Kept()
    with caplog.at_level(logging.DEBUG, "seamlaw.ledger"), ledger(failing, other, durability="each") as made:
        for number in range(3):
            made.append(happened(number))
            made.flush()
        failing.fails = ValueError("hunter2")
        made.flush()
        assert made.sink_errors >= 4
    assert len(other.records) == 3
    errors = [one.getMessage() for one in caplog.records if "failed (" in one.getMessage()]
    said = "Kept failed ({}), its records wait; more of this kind are only counted"
    assert errors == [said.format("OSError"), said.format("ValueError")]
    assert "hunter2" not in caplog.text
    assert made.lost == 3  # it was closed and had not taken them
    assert "Kept: 3 records were lost" in caplog.text


def test_a_sink_that_fails_for_a_while_gets_everything_afterwards() -> None:
    """What it did not take waits, in order."""
    sink = Kept(fails=OSError("disk full"), times=3)
    with ledger(sink, batch=2) as made:
        for number in range(7):
            made.append(happened(number))
            made.flush()
    assert sink.attempts == [f"attempt-{number}" for number in range(7)]
    assert (made.sink_errors, made.lost) == (3, 0)


def test_a_failing_sink_is_tried_less_and_less_often() -> None:
    """Appending does not pay for a broken disk each time."""
    now = 0.0
    sink = Kept(fails=OSError("no"))
    made = ledger(sink, durability="each", interval_s=1.0, timer=lambda: now)
    tried: list[float] = []
    for _ in range(40):
        before = sink.tried
        made.append(happened())
        if sink.tried > before:
            tried.append(now)
        now += 1.0
    assert tried == [0.0, 1.0, 3.0, 7.0, 15.0, 31.0]
    made.close()


def test_what_waits_is_bounded_and_the_gap_is_told_in_the_ledger() -> None:
    """The newest are kept; when the sink works again, a record says how many are missing, where they are."""
    sink = Kept(fails=OSError("disk full"))
    with ledger(sink, backlog=5) as made:
        for number in range(12):
            made.append(happened(number))
            made.flush()
        assert made.lost == 7
        sink.fails = None
        made.append(happened(12))
        made.flush()
    gap, *rest = sink.records
    assert (gap.seam, gap.error) == ("ledger", "7 records before this one could not be kept")
    assert [record.attempt for record in rest] == [f"attempt-{number}" for number in range(7, 13)]
    assert made.lost == 7


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_interrupt_in_a_sink_loses_nothing(interrupt: type[BaseException]) -> None:
    """It goes on to whoever appended, and the record is written the next time, also to the other sinks."""
    sink, other = Kept(fails=interrupt(), times=1), Kept()
    with ledger(sink, other, durability="each", interval_s=60) as made:
        with pytest.raises(interrupt):
            made.append(happened(1))
        assert other.attempts == ["attempt-1"]
        made.append(happened(2))
        made.flush()
    assert sink.attempts == other.attempts == ["attempt-1", "attempt-2"]


def test_an_interrupt_in_the_redactor_loses_nothing() -> None:
    """The happening stays queued until its record is made."""

    class Interrupted(Times):
        """A redactor that is interrupted once."""

        times = 1

        def value(self, value: object, /) -> object:
            """Be interrupted."""
            if self.times:
                self.times -= 1
                raise KeyboardInterrupt
            return super().value(value)

    sink = Kept()
    with ledger(sink, durability="each", interval_s=60, redactor=Interrupted("x")) as made:
        with pytest.raises(KeyboardInterrupt):
            made.append(happened(1))
        made.append(happened(2))
    assert sink.attempts == ["attempt-1", "attempt-2"]


def test_the_thread_survives_whatever_a_sink_raises() -> None:
    """A sink that calls sys.exit() in the ledger's thread ends nothing."""
    sink = Kept(fails=SystemExit(), times=2)
    with ledger(sink, interval_s=0.005) as made:
        made.append(happened(1))
        until(lambda: sink.attempts == ["attempt-1"])
        assert made.sink_errors == 2


def test_a_sink_that_makes_a_guarded_call_does_not_lock_up() -> None:
    """What it appends while it writes is written after it."""
    sinks: list[Ledger] = []

    class Calling(Kept):
        """A sink that appends."""

        def write(self, records: Sequence[Record], *, durable: bool) -> None:
            """Append once."""
            super().write(records, durable=durable)
            if len(self.records) == 1:
                sinks[0].append(happened(2))

    sink = Calling()
    with ledger(sink, durability="each") as made:
        sinks.append(made)
        made.append(happened(1))
        assert sink.attempts == ["attempt-1", "attempt-2"]


def test_what_comes_after_the_end_is_in_the_ring_and_counted_as_lost(caplog: pytest.LogCaptureFixture) -> None:
    """A closed ledger says that its sinks get no more; closing twice is closing once."""
    sink = Kept()
    made = ledger(sink)
    made.close()
    made.close()
    made.append(happened(1))
    made.append(happened(2))
    assert (made.lost, sink.records, len(made.records())) == (2, [], 2)
    assert caplog.text.count("after the ledger was closed") == 1


def test_a_sink_that_fails_to_close_is_counted() -> None:
    """The others are closed all the same."""

    class Stuck(Kept):
        """A sink that cannot be closed."""

        def close(self) -> None:
            """Fail."""
            raise OSError("stuck")

    other = Kept()
    made = ledger(Stuck(), other)
    made.close()
    assert (made.sink_errors, other.is_closed) == (1, True)


@pytest.mark.parametrize(
    "options",
    [
        {"inputs": "some"},
        {"durability": "always"},
        {"inputs": "digests"},
        {"ring": -1},
        {"batch": 0},
        {"interval_s": 0},
        {"backlog": 0},
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    """A ledger is never set up otherwise than was meant."""
    with pytest.raises(HostError):
        ledger(**options)


def test_inputs_and_key_reach_the_records() -> None:
    """The ring and the sinks get what was asked for."""
    sink: Kept = Kept()
    with ledger(sink, inputs="digests", key=b"k") as made:
        made.append(happened())
        (record,) = made.records()
    for one in (record, *sink.records):
        assert (one.proposed, str(one.proposed_digest)[:12]) == (None, "hmac-sha256:")


SCRIPT = """
import sys
from pathlib import Path
from seamlaw_host.ledger import JsonlSink
from tests.host.ledger.made import happened, ledger
made = ledger(JsonlSink(sys.argv[1]), interval_s=60)
for number in range(10):
    made.append(happened(number))
{}
"""


@pytest.mark.parametrize(
    ("end", "code"), [("", 0), ("sys.exit(3)", 3), ("raise KeyError('x')", 1)], ids=["end", "exit", "raise"]
)
def test_an_end_of_the_process_writes_what_waits(tmp_path: Path, end: str, code: int) -> None:
    """Nobody has to remember to close a ledger, if Python ends by itself."""
    path = tmp_path / "audit.jsonl"
    root = Path(__file__).resolve().parents[3]
    env = {**os.environ, "PYTHONPATH": str(root)}
    ended = subprocess.run([sys.executable, "-c", SCRIPT.format(end), str(path)], env=env, capture_output=True)
    assert ended.returncode == code, ended.stderr.decode()
    assert len(list(read_ledger(path))) == 10
    assert verify(path).ok
    assert verify(path).notices == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_a_forked_child_writes_nothing_of_its_parents(tmp_path: Path) -> None:
    """What waited is the parent's to write, once; its file refuses the child, and memory works on in both."""
    path, shared = tmp_path / "audit.jsonl", Kept()
    made = ledger(JsonlSink(path), shared, interval_s=60)
    made.append(happened(1))
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork with threads
        child = os.fork()
    if not child:
        code = 1
        try:
            made.append(happened(2))
            flushed = made.flush()
            told = [record.attempt for record in made.records()], shared.attempts, made.lost, made.sink_errors, flushed
            os.write(write, repr(told).encode())
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert status == 0
    assert os.read(read, 10_000).decode() == "(['attempt-2'], ['attempt-2'], 1, 1, True)"
    made.append(happened(3))
    made.close()
    assert [one[1].attempt for one in read_ledger(path) if isinstance(one, tuple)] == ["attempt-1", "attempt-3"]
    assert verify(path).ok


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_a_forked_child_does_not_keep_its_parents_file_locked(tmp_path: Path) -> None:
    """When the parent has closed its ledger, another may open the file, however long a child lives."""
    path = tmp_path / "audit.jsonl"
    sink = JsonlSink(path)
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        try:
            os.close(write)
            os.read(read, 1)  # until the parent is done
            try:
                sink.write([], durable=False)
            except LedgerForked:
                os._exit(0)
        finally:
            os._exit(1)
    sink.close()
    JsonlSink(path).close()
    os.close(write)
    assert os.waitpid(child, 0)[1] == 0


def test_the_sinks_of_the_house_are_sinks(tmp_path: Path) -> None:
    """The protocol is what they have."""
    sinks: list[Sink] = [JsonlSink(tmp_path / "a.jsonl"), Kept()]
    with ledger(*sinks):
        gc.collect()
