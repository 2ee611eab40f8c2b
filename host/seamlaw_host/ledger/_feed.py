"""What waits for one sink: a bounded backlog, tried again less and less often while the sink fails."""

import logging
from collections.abc import Callable

from ._errors import LedgerForked
from ._record import Kept, Record
from ._sinks import Sink

__all__ = ["Feed"]

_LOG = logging.getLogger("seamlaw.ledger")
LONGEST_WAIT_S = 30.0


class Feed:
    """A sink and the records that it has not taken yet; used by one thread at a time."""

    def __init__(
        self,
        sink: Sink,
        *,
        durable: bool,
        batch: int,
        backlog: int,
        wait_s: float,
        clock: Callable[[], float],
        timer: Callable[[], float],
        run: str,
    ) -> None:
        self.sink = sink
        self.run = run
        self.errors = 0
        self.lost = 0
        self.waiting: list[Record] = []
        self._durable = durable
        self._batch = batch
        self._backlog = backlog
        self._wait_s = self._next_wait_s = wait_s
        self._clock, self._timer = clock, timer
        self._not_before = float("-inf")
        self._untold = 0  # lost records that the sink does not know of
        self._told: set[str] = set()

    def push(self, *, now: bool = False) -> None:
        """Write what waits; `now` tries a failing sink before its time.

        An `Exception` of the sink is counted, and logged once a kind. What leaves it beyond that is counted too and
        goes on to the caller; the records wait, as after any failure.
        """
        if not self.waiting or not (now or self._timer() >= self._not_before):
            self._bound()
            return
        try:
            while self.waiting:
                batch = self.waiting[: self._batch]
                told = [self._gap()] if self._untold else []
                self.sink.write([*told, *batch], durable=self._durable)
                self._untold = 0
                del self.waiting[: len(batch)]
            self._next_wait_s = self._wait_s
        except BaseException as error:
            self._failed(error)
            if isinstance(error, LedgerForked):
                self._lose(len(self.waiting))
                self.waiting.clear()
            if not isinstance(error, Exception):
                raise
        finally:
            self._bound()

    def close(self) -> None:
        """Close the sink; what still waits is lost, which is logged."""
        self._lose(len(self.waiting))
        self.waiting.clear()
        if self.lost:
            _LOG.error("%s: %d records were lost", _named(self.sink), self.lost)
        try:
            self.sink.close()
        except Exception as error:
            self._failed(error)

    def _failed(self, error: BaseException) -> None:
        self.errors += 1
        self._not_before = self._timer() + self._next_wait_s
        self._next_wait_s = min(self._next_wait_s * 2, LONGEST_WAIT_S)
        kind = type(error).__name__
        if kind not in self._told:
            self._told.add(kind)
            _LOG.error("%s failed (%s), its records wait; more of this kind are only counted", _named(self.sink), kind)

    def _bound(self) -> None:
        """Keep the newest records of a sink that fails for too long."""
        over = len(self.waiting) - self._backlog
        if over > 0:
            del self.waiting[:over]
            self._lose(over)

    def _lose(self, count: int) -> None:
        self.lost += count
        self._untold += count

    def _gap(self) -> Record:
        """Say in the ledger itself how many records are missing, right where they are."""
        reason = f"{self._untold} records before this one could not be kept"
        return Record(id=f"{self.run}-lost-{self.lost}", time=self._clock(), seam="ledger", error=reason, kept=Kept())


def _named(sink: Sink) -> str:
    return type(sink).__name__
