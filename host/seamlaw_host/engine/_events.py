"""The event bus: subscribers see what every seam found; they can change nothing, and a failing one never matters."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from threading import Lock
from typing import Any, TypeAlias

from attrs import frozen

from seamlaw import Kind, Outcome, Scope, Severity, Verdict

from ._context import CallContext
from ._drivers import Do, Pipeline
from ._told import told

__all__ = ["Bus", "Event", "Subscriber"]

_LOG = logging.getLogger("seamlaw")


@frozen
class Event:
    """One finding at a seam: a note, replacement, ask, block or fault; unredacted, so not for keeping as it is."""

    seam: str
    kind: Kind
    reason: str
    severity: Severity
    interceptor: str
    verdict: Verdict  # what the whole seam came to
    scope: Scope
    tool: str | None = None
    call_id: str | None = None
    attempt: str = ""


Subscriber: TypeAlias = Callable[[Event], None] | Callable[[Event], Awaitable[None]]


class Bus:
    """Whoever wants to be told; subscribing and unsubscribing is safe from any thread, and while events are told."""

    def __init__(self) -> None:
        self._subscribers: tuple[Subscriber, ...] = ()
        self._lock = Lock()  # for the two writers only: readers take the tuple as it is

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Tell this function, sync or async, of every finding from now on; gives back what ends that."""
        with self._lock:
            self._subscribers = (*self._subscribers, subscriber)
        return partial(self._unsubscribe, subscriber)

    def _unsubscribe(self, subscriber: Subscriber) -> None:
        with self._lock:
            self._subscribers = tuple(one for one in self._subscribers if one is not subscriber)

    def telling(self, outcome: Outcome[Any], scope: Scope, running: CallContext | None) -> Pipeline[None]:
        """Tell every subscriber of every finding, in order."""
        subscribers = self._subscribers
        for entry in outcome.log if subscribers else ():
            event = Event(
                outcome.seam.name,
                entry.kind,
                entry.reason,
                entry.severity,
                entry.interceptor,
                outcome.verdict,
                scope,
                running.proposed.name if running else None,
                running.proposed.id if running else None,
                running.attempt if running else "",
            )
            for subscriber in subscribers:
                try:
                    yield Do(partial(subscriber, event), alone=True)
                except Exception as error:
                    _LOG.warning("a subscriber %s", told(error))
