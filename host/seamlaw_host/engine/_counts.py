"""How many calls each session attempted, in bounded memory."""

from collections import OrderedDict
from threading import Lock

__all__ = ["Counts"]

SESSIONS = 4_096  # the one not seen for longest is forgotten first


class Counts:
    """Counts by session; safe from any thread."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str | None, int] = OrderedDict()
        self._lock = Lock()

    def add(self, session: str | None) -> None:
        """Count one more."""
        with self._lock:
            self._counts[session] = self._counts.pop(session, 0) + 1
            if len(self._counts) > SESSIONS:
                self._counts.popitem(last=False)

    def of(self, session: str | None) -> int:
        """How many there were."""
        with self._lock:  # for a moment `add` has taken the count out
            return self._counts.get(session, 0)
