"""One writer for one file: an advisory lock, which ends with the process that holds it."""

import logging
import os
from importlib.util import find_spec
from pathlib import Path

from ._errors import LedgerLocked

__all__ = ["locked", "unlocked"]

_LOG = logging.getLogger("seamlaw.ledger")

FCNTL = find_spec("fcntl") is not None  # Windows has none


def locked(path: Path, what: Path) -> int:
    """Open a file and lock it for as long as it is open; raises `LedgerLocked`.

    Where the platform has no fcntl there is no lock, which is logged: then nothing but care keeps two writers apart.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        if not FCNTL:
            _LOG.warning("this platform has no fcntl, so nothing keeps two processes from writing to one ledger file")
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException as error:
        os.close(fd)
        if isinstance(error, BlockingIOError):
            raise LedgerLocked(
                f"{what} is being written to by another ledger, here or in another process: give each its own file"
            ) from None
        raise
    return fd


def unlocked(fd: int) -> None:
    """Unlock and close a file, also for what children inherited of it."""
    try:
        if FCNTL:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_UN)
    finally:
        os.close(fd)
