"""Counting what several approvers say: a denial outranks, and whoever is not on the list does not count."""

from collections.abc import Collection
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from threading import Lock

from attrs import frozen

__all__ = ["Ballot", "Result"]


@frozen
class Result:
    """How a vote ended, and by whom."""

    granted: bool
    by: tuple[str, ...]


class Ballot:
    """The votes on one ask, from any thread; `decided` is done when they decide it, and then no vote counts.

    `_lock` protects the grants; nothing is called while it is held.
    """

    def __init__(self, approvers: Collection[str], quorum: int) -> None:
        self._approvers = frozenset(approvers)
        self._quorum = quorum
        self._grants: dict[str, None] = {}
        self._lock = Lock()
        self.decided: Future[Result] = Future()

    def vote(self, by: str, *, granted: bool) -> None:
        """Count what somebody says."""
        if by not in self._approvers:
            return
        if not granted:
            self._decide(Result(False, (by,)))
            return
        with self._lock:
            self._grants[by] = None
            grants = tuple(self._grants)
        if len(grants) >= self._quorum:
            self._decide(Result(True, grants))

    def _decide(self, result: Result) -> None:
        with suppress(InvalidStateError):  # decided already, or nobody waits any more
            self.decided.set_result(result)
