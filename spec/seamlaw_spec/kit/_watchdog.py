"""Stop what does not come back: a pattern that takes forever would stop the kit with it."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn

__all__ = ["Overran", "within"]


class Overran(BaseException):
    """A policy did not answer in time; no `Exception`, so that the policy does not swallow it."""


def _overran(*_: object) -> NoReturn:
    raise Overran


@contextmanager
def within(seconds: float) -> Generator[None]:
    """Raise `Overran` in what takes longer; only the main thread, where there are timers, can be stopped so."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    handler = signal.signal(signal.SIGALRM, _overran)
    before = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)
