"""Where records go."""

from collections.abc import Sequence
from typing import Protocol

from ._record import Record

__all__ = ["Sink"]


class Sink(Protocol):
    """Keeps records; the ledger calls it from one thread at a time, and calls again with what failed.

    So the same records may come twice, and a sink that can tells them by their ids.
    """

    def write(self, records: Sequence[Record], *, durable: bool) -> None:
        """Keep records, in order, all or none; if `durable`, so that a power failure cannot take them any more."""
        ...

    def close(self) -> None:
        """Let go of what is held; nothing is written after it."""
        ...
