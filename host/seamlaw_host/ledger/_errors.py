"""What the ledger raises: for mistakes in how it is set up, never for a record."""

from seamlaw_host.errors import HostError

__all__ = ["LedgerForked", "LedgerLocked", "NoLedger"]


class LedgerLocked(HostError, BlockingIOError):
    """A ledger file that another ledger, in this process or in another one, is writing to."""


class LedgerForked(HostError, RuntimeError):
    """A ledger file that belongs to the process this one was forked from."""


class NoLedger(HostError, ValueError):
    """A file or a table that holds something else than a ledger."""
