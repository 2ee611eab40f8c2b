"""What is remembered of each session, for as many sessions as there is room for; safe in any thread."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

from seamlaw import Scope

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
        self._kept: OrderedDict[Key, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> V | None:
        """Give what is kept, if anything is."""
        with self._lock:
            return self._kept.get(key)

    def put(self, key: Key, value: V) -> None:
        """Keep this."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
