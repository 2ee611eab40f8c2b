"""Requests to one extension: started when it is needed, asked in order, and started again when it has ended.

What is asked waits in a queue until the process is there and one of its places is free. A place is free again when the
answer has come, however late, or the process has ended; so a late answer is nobody's, and what never answers cannot be
asked more than its places allow. Nothing waits inside the lock.
"""

import secrets
import time
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any, cast

from attrs import define, field

from seamlaw import InvalidValue, digest
from seamlaw_packs._fork import tell_when_forked

from ._breaker import Breaker
from ._manifest import Introduced, introduced
from ._process import GRACE_S, Process
from ._protocol import IN_FLIGHT, LONGEST_LINE, PROTOCOL, Answer, Hello, read_answer, read_manifest, written
from ._settings import Settings, environment, finite
from ._stderr import LOG
from .errors import Failed, Garbage

__all__ = ["Channel", "Pending"]

LARGEST_ID = 2**53 - 1  # what every language reads exactly
OBSERVATIONS = 64  # messages that wait to be written; an observer is told nothing beyond
LATE = "gave no answer within"


def _running() -> "Future[Answer]":
    made: Future[Answer] = Future()
    made.set_running_or_notify_cancel()  # whoever stops waiting takes it away from nobody
    return made


@define(eq=False)
class Pending:
    """A request: `line` writes it, once its id is known; `until` is when its answer no longer counts."""

    line: Callable[[int, float], bytes]
    deadline_s: float
    until: float
    answered: "Future[Answer]" = field(factory=_running)
    id: int = 0
    given_up: bool = False


class _Link:
    """One process, from its greeting on."""

    def __init__(self, settings: Settings, channel: "weakref.ref[Channel]") -> None:
        self.greeting: Future[bytes] = Future()
        self.gone = False
        self.condemned = False  # ended by us, for a failure that was counted
        self._channel = channel
        self.process = Process(
            settings.command,
            name=settings.name,
            cwd=settings.cwd,
            env=environment(settings.env, settings.pass_env),
            hear=self._heard,
            over=self._over,
        )
        self.process.begin()

    def _heard(self, line: bytes) -> None:
        if not self.greeting.done():
            self.greeting.set_result(line)
            return
        channel = self._channel()
        if channel is not None:
            channel.heard(self, read_answer(line))

    def _over(self, problem: str) -> None:
        self.gone = True
        if not self.greeting.done():
            self.greeting.set_exception(Failed(problem))
        channel = self._channel()
        if channel is not None:
            channel.ended(self, problem)


class Channel:
    """What an extension is asked through, by any number of threads; nothing of it waits but `meet` and `close`."""

    def __init__(self, settings: Settings, breaker: Breaker) -> None:
        self.settings = settings
        self.introduced: Introduced | None = None
        self._breaker = breaker
        self._closed = False
        self._kept: list[Process] = []  # what runs; it is let go of when the channel is
        self._begin()
        weakref.finalize(self, _stop, self._kept).atexit = False
        tell_when_forked(self)

    def _begin(self) -> None:
        self._lock = Lock()
        self._closing = Event()
        self._link: _Link | None = None
        self._is_starting = False
        self._queue: deque[Pending] = deque()
        self._in_flight: dict[int, Pending] = {}
        self._meetings: list[Future[Introduced]] = []

    def forked(self) -> None:
        """In a child: begin anew; the process is the parent's."""
        self._kept.clear()
        self._begin()

    @property
    def name(self) -> str:
        """What it is called."""
        return self.introduced.manifest.name if self.introduced is not None else self.settings.name

    @property
    def identity(self) -> tuple[object, ...]:
        """What another extension, or the same one configured otherwise, does not have: the manifest and all that runs.

        What its program is made of is not known here.
        """
        settings, known = self.settings, self.introduced
        shown = settings.command, settings.cwd, sorted(settings.deadlines_s.items()), settings.pass_env
        return ("" if known is None else known.digest, *shown)

    # Asking

    def submit(self, pending: Pending) -> None:
        """Have it asked; what comes of it comes to `pending.answered`, unless it is given up before."""
        with self._lock:
            problem, failed = "", list[Pending]()
            if self._closed:
                problem = "was closed"
            elif not self._breaker.admits(time.monotonic()):
                problem = f"failed {self._breaker.failures} times in a row and is not asked for now"
            else:
                self._queue.append(pending)
                failed = self._advance()
        if problem:
            pending.answered.set_exception(Failed(problem))
        else:
            _fail(failed, "cannot be started: no thread")

    def give_up(self, pending: Pending, *, counts: bool = True) -> Failed:
        """Stop waiting, and say why; `counts` where it was the extension that let it wait."""
        with self._lock:
            pending.given_up = True
            with suppress(ValueError):
                self._queue.remove(pending)
            if counts and not pending.answered.done():
                self._failed()
        return Failed(f"{LATE} {finite(pending.deadline_s)}")

    def tell(self, line: bytes) -> None:
        """Have an observer told; raises `Failed` where it cannot be now."""
        with self._lock:
            if self._link is not None and self._link.process.waiting < OBSERVATIONS:
                self._link.process.send(line)
                return
            if self._link is None and not self._closed and self._breaker.is_due(time.monotonic()):
                self._start()
        raise Failed("was not told")

    # What comes

    def heard(self, link: _Link, answer: Answer) -> None:
        """Take an answer; raises `Garbage` for one that nothing was asked for."""
        now = time.monotonic()
        with self._lock:
            pending = self._in_flight.pop(answer.id, None) if link is self._link else None
            if pending is None:
                raise Garbage("answered what it was not asked, or answered twice")
            late = pending.given_up or now > pending.until
            if not late:
                self._breaker.succeeded()
            failed = self._advance()
        _fail(failed, "cannot be started: no thread")
        if late:
            LOG.warning("extension %s: an answer came too late, and does not count", self.name)
        else:
            pending.answered.set_result(answer)

    def ended(self, link: _Link, problem: str) -> None:
        """Take note that a process is no more: what it was asked has failed."""
        with self._lock:
            if link.process in self._kept:
                self._kept.remove(link.process)
            if link is not self._link:
                return
            self._link = None
            failed = [pending for pending in self._in_flight.values() if not pending.given_up]
            self._in_flight.clear()
            if not (link.condemned or link.process.stopping):
                self._breaker.failed(time.monotonic())
            if self._breaker.opened:
                failed += self._queue
                self._queue.clear()
            failed += self._advance()
        if not link.process.stopping:
            LOG.warning("extension %s: %s", self.name, problem)
        _fail(failed, problem)

    def _failed(self) -> None:
        """Count a failure, with the lock held; after too many the process is ended, and so all that waits for it."""
        if self._breaker.failed(time.monotonic()) and self._link is not None:
            self._link.condemned = True
            self._link.process.kill()

    # Starting

    def meet(self) -> Introduced:
        """Start it if it has not been, and give what it says of itself; raises `Failed`."""
        meeting: Future[Introduced] = Future()
        with self._lock:
            if self._closed:
                raise Failed("was closed")
            if self.introduced is not None:
                return self.introduced
            self._meetings.append(meeting)
            started = self._start()
        if not started:
            raise Failed("cannot be started: no thread")
        return meeting.result()

    def rest(self) -> Process | None:
        """Let the process end until something is asked; gives it, if there was one."""
        with self._lock:
            link, self._link = self._link, None
        if link is None:
            return None
        link.process.stop()
        return link.process

    def close(self) -> None:
        """End the process and wait until it has; what waits for it fails, and so does whatever is asked afterwards."""
        with self._lock:
            self._closed = True
            self._closing.set()
            self._link = None
            failed = [pending for pending in (*self._in_flight.values(), *self._queue) if not pending.given_up]
            self._in_flight.clear()
            self._queue.clear()
            kept = list(self._kept)
        _fail(failed, "was closed")
        for process in kept:
            process.stop()
        for process in kept:
            process.done.wait(3 * GRACE_S)

    def _advance(self) -> list[Pending]:
        """Send what can be sent, or start what it can be sent to; gives what can never be. The lock is held."""
        if self._closed or not self._queue:
            return []
        if self._link is None:
            if self._start():
                return []
            failed = list(self._queue)
            self._queue.clear()
            return failed
        now = time.monotonic()
        while self._queue and len(self._in_flight) < IN_FLIGHT:
            pending = self._queue.popleft()
            pending.id = secrets.randbelow(LARGEST_ID) + 1  # not to be known before it was read
            self._in_flight[pending.id] = pending  # that one id comes twice is less likely than any fault of a machine
            self._link.process.send(pending.line(pending.id, max(0.001, pending.until - now)))
        return []

    def _start(self) -> bool:
        if self._is_starting:
            return True
        try:
            Thread(target=self._starting, daemon=True, name=f"extension {self.settings.name}").start()
        except RuntimeError:  # there can be no more, or Python is about to exit
            return False
        self._is_starting = True
        return True

    def _starting(self) -> None:
        """Start it, when its pause is over, and hold it to its manifest. A thread of its own runs this."""
        self._closing.wait(max(0.0, self._breaker.not_before - time.monotonic()))
        link: _Link | None = None
        try:
            link = self._linked()
            found = self._greeted(link)
            problem = ""
        except Failed as error:
            found, problem = None, str(error)
        except Exception as error:
            found, problem = None, f"cannot be started: {type(error).__name__}"
        with self._lock:
            self._is_starting = False
            meetings, self._meetings = self._meetings, []
            if found is not None and (self._closed or link is None or link.gone):
                found, problem = None, "was closed" if self._closed else "ended"
            if found is not None:
                self.introduced, self._link = self.introduced or found, link
                failed = self._advance()
            else:
                self._breaker.failed(time.monotonic())
                failed = list(self._queue)
                self._queue.clear()
        if found is None and link is not None:
            link.process.kill()
        _fail(failed, problem)
        for meeting in meetings:
            if found is not None:
                meeting.set_result(found)
            else:
                meeting.set_exception(Failed(problem))
        if found is None:
            LOG.warning("extension %s: %s", self.name, problem)

    def _linked(self) -> _Link:
        if self._closed:
            raise Failed("was closed")
        try:
            link = _Link(self.settings, weakref.ref(self))
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise Failed(f"cannot be started: {said}") from None
        with self._lock:
            if not link.gone:
                self._kept.append(link.process)
        return link

    def _greeted(self, link: _Link) -> Introduced:
        settings = self.settings
        hello = Hello(PROTOCOL, _version(), IN_FLIGHT, LONGEST_LINE, cast(Any, dict(settings.deadlines_s)))
        link.process.send(written(hello))
        try:
            line = link.greeting.result(settings.start_s)
        except TimeoutError:
            raise Failed(f"said no manifest within {finite(settings.start_s)}") from None
        try:
            manifest, as_it_came = read_manifest(line)
            name = digest(as_it_came)
            if self.introduced is not None and self.introduced.digest != name:
                raise Garbage("has another manifest than when it was loaded")
            return introduced(manifest, name, settings.expected)
        except Garbage as garbage:
            raise Failed(str(garbage)) from None
        except InvalidValue as error:
            raise Failed(f"has a manifest that cannot be: {error.problem}") from None


def _fail(pending: list[Pending], problem: str) -> None:
    for one in pending:
        one.answered.set_exception(Failed(problem))


def _stop(kept: list[Process]) -> None:
    for process in kept:
        process.stop()


def _version() -> str:
    from importlib.metadata import version

    return f"seamlaw {version('seamlaw')}"
