"""Calls joined with their results, given in the order of the calls.

A policy decides on a call and on its result, so an event carries both. A call is given as soon as its result is known
and every event before it is given. One that gets no result (the client refused it, the recording ends) is given
without one at the end of the recording, or as soon as `WAITING` events are held back behind it: so order is kept, and
memory is bounded by the calls that wait. A result that comes later still is reported, since no call waits for it.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from attrs import define, evolve

from ._events import Event, Malformed, Recorded
from ._steps import Call, Key, Result, Step

__all__ = ["WAITING", "joined"]

WAITING = 4096


@define(eq=False)
class Held:
    """An event in the queue; `key` is `None` once nothing is waited for."""

    event: Event
    key: Key | None


def joined(steps: Iterable[Step], *, waiting: int = WAITING) -> Iterator[Event]:
    """Give the events of all steps; see above."""
    queue = Queue()
    for step in steps:
        if isinstance(step, Call):
            queue.call(step)
        else:
            queue.result(step)
        yield from queue.ready(waiting)
    yield from queue.ready(0)


class Queue:
    """The events held back, and by their keys the open calls among them."""

    def __init__(self) -> None:
        self.held: deque[Held] = deque()
        self.open: dict[Key, deque[Held]] = {}

    def call(self, step: Call) -> None:
        """Put an event at the end."""
        held = Held(step.event, step.key)
        self.held.append(held)
        if step.key is None:
            return
        others = self.open.setdefault(step.key, deque())
        while others and step.renews and others[0].event.place != step.event.place:
            others.popleft().key = None
        others.append(held)

    def result(self, step: Result) -> None:
        """Give the oldest open call its result."""
        held = self._oldest(step.key)
        if held is not None:
            held.event, held.key = _with(held.event, step), None
        elif step.orphan is None:
            return
        elif step.orphan is not step.trouble:
            self.held.append(Held(step.orphan, None))
        if step.trouble is not None:
            self.held.append(Held(step.trouble, None))

    def ready(self, waiting: int) -> Iterator[Event]:
        """Take what waits for nothing, or has waited too long, from the front."""
        while self.held and (self.held[0].key is None or len(self.held) > waiting):
            held = self.held.popleft()
            if held.key is not None:
                self._oldest(held.key)
            yield held.event

    def _oldest(self, key: Key | None) -> Held | None:
        if key is None or key not in self.open:
            return None
        held = self.open[key].popleft()
        if not self.open[key]:
            del self.open[key]
        return held


def _with(event: Event, step: Result) -> Event:
    """Join; a call that cannot be read stays one."""
    if isinstance(event, Malformed):
        return event
    was = event.was
    if was is not None:
        was = evolve(was, result_verdict=step.verdict, unreliable=(*was.unreliable, *step.unreliable))
    if step.result is None:
        return evolve(event, was=was)
    result = step.result
    if step.executed is not None and step.executed != event.call.arguments:
        result = evolve(result, metadata={**result.metadata, "executed_arguments": step.executed})
    return Recorded(event.place, event.call, event.scope, result, step.place, was)
