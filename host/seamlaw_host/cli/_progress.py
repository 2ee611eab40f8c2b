"""How far a long session has got, where somebody watches standard error and the output goes elsewhere."""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TextIO

from seamlaw import Verdict
from seamlaw_host.replay import Tally

__all__ = ["progress"]

EVERY = 0.2  # seconds


@contextmanager
def progress(tally: Tally) -> Generator[Callable[[], None]]:
    """Give what is to be called after each event."""
    watched: TextIO | None = sys.stderr
    if watched is None or not watched.isatty() or sys.stdout.isatty():
        yield lambda: None
        return
    from rich.console import Console

    with Console(stderr=True).status("Reading the session") as status:
        told = time.monotonic()

        def tick() -> None:
            nonlocal told
            if time.monotonic() - told >= EVERY:
                told = time.monotonic()
                status.update(f"{tally.calls} calls, {tally.verdicts[Verdict.BLOCK]} blocked")

        yield tick
