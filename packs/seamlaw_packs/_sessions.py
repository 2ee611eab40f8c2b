"""What is remembered of each session, for as many sessions as there is room for; safe in any thread."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

from seamlaw import Scope

from ._fork import tell_when_forked
from ._hidden import Hidden

__all__ = ["Key", "Remembered", "key_of"]

V = TypeVar("V")
Key = tuple[str | None, str | None]


def key_of(scope: Scope) -> Key:
    """Tell apart whoever has a conversation of their own: sessions, and the agents in each."""
    return scope.session, scope.agent


class Remembered(Generic[V]):
    """A mapping that forgets what was not used for the longest time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._hidden = Hidden(OrderedDict[Key, V]())
        self._lock = Lock()
        tell_when_forked(self)

    def forked(self) -> None:
        """In a child process: take a lock that nobody holds."""
        self._lock = Lock()

    def get(self, key: Key) -> V | None:
        """Give what is kept, if anything is."""
        with self._lock:
            return self._hidden.value.get(key)

    def put(self, key: Key, value: V) -> None:
        """Keep this."""
        with self._lock:
            kept = self._hidden.value
            kept[key] = value
            kept.move_to_end(key)
            while len(kept) > self.most:
                kept.popitem(last=False)
