"""The ledger: takes happenings in less than a microsecond, and makes records of them when it has time.

`append` puts a happening into the ring and into the queue for the sinks; a deque's own append is all that keeps
threads apart there. One thread of the ledger drains the queue, every `interval_s` or when `batch` happenings wait:
it makes the records, redacted, and gives them to the sinks. With `durability="each"` whoever appends drains, for
itself and for all who wait (group commit). `_draining` is the lock that keeps the records in order: it is held while
the redactor and the sinks work, since order is what it is for, and `append` takes it only to drain.
"""

import atexit
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from types import TracebackType
from typing import Literal, Self, TypeAlias

from seamlaw_host.errors import HostError

from ._feed import Feed
from ._fork import tell_when_forked
from ._happening import Happening
from ._making import RecordMaker
from ._record import Inputs, Record
from ._redaction import Redactor, default_redactor
from ._sinks import Sink

__all__ = ["Durability", "Ledger"]

_LOG = logging.getLogger("seamlaw.ledger")
Durability: TypeAlias = Literal["none", "batch", "each"]
JOIN_S = 10.0
Numbered: TypeAlias = tuple[int, Happening]


class Ledger:
    """Keeps what was decided: the last `ring` happenings in memory, and all in the sinks.

    `redactor`: the one of the packs unless given; one that fails withholds. `inputs`: whether values are kept
    `redacted`, `whole`, or as `digests` alone, which need a `key`; with a key all digests are HMACs. `durability`:
    `none` leaves it to the operating system when what is written reaches the disk, `batch` waits for the disk once a
    batch, `each` has it there before `append` returns. A sink that fails is tried again, less and less often, and
    keeps at most `backlog` records waiting. Raises `HostError` for options that make no sense.
    """

    def __init__(
        self,
        sinks: Iterable[Sink] = (),
        *,
        ring: int = 10_000,
        redactor: Redactor | None = None,
        inputs: Inputs = "redacted",
        key: bytes | None = None,
        durability: Durability = "batch",
        batch: int = 256,
        interval_s: float = 0.2,
        backlog: int = 100_000,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        _check(ring, inputs, key, durability, batch, interval_s, backlog)
        self._maker = RecordMaker(redactor if redactor is not None else default_redactor(), inputs, key)
        self._batch, self._most = batch, 64 * batch
        self._interval_s = interval_s
        self._each = durability == "each"
        self._run = _run(clock)
        self._feeds = [
            Feed(
                sink,
                durable=durability != "none",
                batch=batch,
                backlog=backlog,
                wait_s=interval_s,
                clock=clock,
                timer=timer,
                run=self._run,
            )
            for sink in sinks
        ]
        self._clock = clock
        self._numbers = count()
        self._asked = 0  # how often `_numbers` was asked how far it is
        self._ring: deque[Numbered] = deque(maxlen=ring)
        self._taken = 0  # happenings that `records` gave out
        self._queue: deque[Numbered] = deque()
        self._feeding = bool(self._feeds)
        self._closed = False
        self._late = 0
        self._draining = threading.RLock()
        self._inside = False
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        if self._feeding:
            self._start()
            atexit.register(self.close)
        tell_when_forked(self)

    def append(self, happening: Happening) -> None:
        """Take a happening; no `Exception` of a sink or of the redactor leaves this."""
        item = next(self._numbers), happening
        self._ring.append(item)
        if self._feeding:
            queue = self._queue
            queue.append(item)
            if self._each:
                self._drain()
            elif len(queue) >= self._batch:
                self._crowded(len(queue))
        elif self._closed:
            self._too_late()

    def records(self) -> list[Record]:
        """Take all that is in the ring, the oldest first, as records."""
        taken: list[Numbered] = []
        with suppress(IndexError):
            while True:
                taken.append(self._ring.popleft())
        with self._draining:
            self._taken += len(taken)
        return [self._record(item) for item in taken]

    @property
    def dropped(self) -> int:
        """How many happenings the ring has dropped, because nobody took them in time; sinks have them all the same."""
        with self._draining:
            appended = next(self._numbers) - self._asked
            self._asked += 1
            return max(0, appended - self._taken - len(self._ring))

    @property
    def sink_errors(self) -> int:
        """How often a sink failed."""
        return sum(feed.errors for feed in self._feeds)

    @property
    def lost(self) -> int:
        """How many records sinks never got, each counted for itself: one failed for too long, or was closed."""
        late = (self._late + len(self._queue)) * len(self._feeds) if self._closed else 0
        return sum(feed.lost for feed in self._feeds) + late

    def flush(self) -> bool:
        """Give all that waits to the sinks, also to those that failed just now; tell whether all have taken it."""
        self._drain(now=True)
        return not any(feed.waiting for feed in self._feeds)

    def close(self) -> None:
        """Write all that waits, and close the sinks; happenings that come later are in the ring alone."""
        if self._closed:
            return
        self._closed, self._feeding = True, False
        atexit.unregister(self.close)
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)
        try:
            self._drain(now=True)
        finally:
            with self._draining:
                for feed in self._feeds:
                    feed.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def forked(self) -> None:
        """Begin anew in a child process: what was waiting is the parent's to write, and so are its files."""
        self._draining, self._inside, self._wake = threading.RLock(), False, threading.Event()
        self._run = _run(self._clock)
        self._numbers, self._asked, self._taken = count(), 0, 0
        self._ring.clear()
        self._queue.clear()
        for feed in self._feeds:
            feed.run = self._run
            feed.waiting.clear()
        if self._feeding:
            self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="seamlaw-ledger", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while not self._closed:
            self._wake.wait(self._interval_s)
            self._wake.clear()
            try:
                self._drain()
            except BaseException as error:  # counted where it came from; this thread is all that writes
                _LOG.debug("draining was left by %s", type(error).__name__)

    def _crowded(self, waiting: int) -> None:
        """Wake the thread; where it cannot keep up, have who appends help, so that memory does not grow."""
        if waiting >= self._most:
            self._drain()
        elif not self._wake.is_set():
            self._wake.set()

    def _too_late(self) -> None:
        if self._feeds and not self._late:
            _LOG.error("something was decided after the ledger was closed; its sinks do not get it")
        self._late += 1

    def _drain(self, *, now: bool = False) -> None:
        """Make records of all that is queued, and give them to the sinks.

        A drain inside a drain (a sink, or the redactor, that makes a guarded call) leaves the work to the outer one.
        """
        with self._draining:
            if self._inside:
                return
            try:
                self._inside = True
                while self._drained(now):
                    pass
            finally:
                self._inside = False

    def _drained(self, now: bool) -> bool:
        """Drain one batch, and tell whether more is there; an interrupt at any point loses none of it."""
        taken = min(len(self._queue), self._batch)
        records = [self._record(self._queue[at]) for at in range(taken)]
        for feed in self._feeds:
            feed.waiting.extend(records)
        for _ in range(taken):
            self._queue.popleft()
        interrupt: BaseException | None = None
        for feed in self._feeds:
            try:
                feed.push(now=now)
            except BaseException as error:  # the other sinks come first
                interrupt = error
        if interrupt is not None:
            raise interrupt
        return bool(self._queue)

    def _record(self, item: Numbered) -> Record:
        number, happening = item
        return self._maker.record(happening, f"{self._run}-{number:08x}")


def _run(clock: Callable[[], float]) -> str:
    """Name a run of a ledger: the names of later ones come later, and no two are the same."""
    milliseconds = int(clock() * 1000) if 0 <= clock() < 1e11 else 0
    return f"{milliseconds:012x}{secrets.token_hex(4)}"


def _check(
    ring: int, inputs: str, key: bytes | None, durability: str, batch: int, interval_s: float, backlog: int
) -> None:
    if inputs not in ("redacted", "whole", "digests"):
        raise HostError("inputs is 'redacted', 'whole' or 'digests'")
    if durability not in ("none", "batch", "each"):
        raise HostError("durability is 'none', 'batch' or 'each'")
    if inputs == "digests" and not key:
        raise HostError("inputs='digests' needs a key: without one, short values could be found by trying")
    if ring < 0 or batch < 1 or backlog < 1 or not interval_s > 0:
        raise HostError("ring is at least 0; batch, backlog and interval_s are more than that")
