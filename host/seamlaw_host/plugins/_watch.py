"""Reload packs when their source has been edited; for a machine on which somebody writes them."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from ._manager import PluginManager, ReloadReport
from .errors import PluginError

__all__ = ["Watcher"]

Told = Callable[[ReloadReport], object]


class Watcher:
    """Looks at the sources of all that a manager has loaded, and reloads what has changed and stays so for two looks.

    `told` gets each report, of a reload that failed as well: that is tried again when the source changes again. With
    `start` it looks every `interval_s` seconds, in a thread of its own, until `stop`.
    """

    def __init__(self, manager: PluginManager, told: Told, *, verify: bool = True, interval_s: float = 1.0) -> None:
        self._manager, self._told, self._verify, self._interval_s = manager, told, verify, interval_s
        self._done, self._thread = Event(), Thread(target=self._run, name="seamlaw-watcher", daemon=True)
        self._known: dict[str, str | None] = {}
        self._new: dict[str, str | None] = {}
        self.look()

    def look(self) -> None:
        """Look once; what is met for the first time is known from then on."""
        for label in self._manager.loaded:
            try:
                found = self._manager.digest(label)
            except PluginError:  # unloaded meanwhile, half written, or without a source
                found = None
            if found is None or found == self._known.setdefault(label, found):
                self._new.pop(label, None)
            elif self._new.get(label) != found:
                self._new[label] = found
            else:
                self._known[label] = self._new.pop(label)
                with suppress(PluginError):  # unloaded since
                    self._told(self._manager.reload(label, verify=self._verify))

    def start(self) -> "Watcher":
        """Begin to look every few moments."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Look no more; comes back when a reload that has begun is done."""
        self._done.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._done.wait(self._interval_s):
            self.look()
