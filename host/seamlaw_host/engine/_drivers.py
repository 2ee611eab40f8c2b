"""One pipeline, two drivers: what a pipeline wants done is data, and is done at once or awaited.

A pipeline yields `Do`; it is sent what the work gave, or what it raised is thrown into it. Only the drivers know
whether there is an event loop, so sync and async calls decide, ask, execute and record alike (law
`sync_and_async_agree`).
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

__all__ = ["Do", "Pipeline", "drive", "drive_async"]

R = TypeVar("R")


class Do(NamedTuple):
    """Something that a pipeline wants done.

    Work that may block (`waits`) does not hold up an event loop: it is done in a thread. An awaitable from it is
    awaited under the async driver; the sync one runs it in an event loop of its own if it is `alone`, that is, if
    it belongs to no loop of the caller's, and else refuses it. What comes after `timeout_s` is a `TimeoutError`, also
    from work that cannot be interrupted: one that holds up the event loop, or swallows its cancellation.
    """

    work: Callable[[], object]
    timeout_s: float | None = None
    waits: bool = False
    alone: bool = False


Pipeline: TypeAlias = Generator[Do, Any, R]


def drive(pipeline: Pipeline[R]) -> R:
    """Run a pipeline to its end, doing everything at once."""
    resume: Callable[[Any], Do] = pipeline.send
    given: Any = None
    while True:
        try:
            do = resume(given)
        except StopIteration as end:
            return cast(R, end.value)
        try:
            given, resume = _done(do), pipeline.send
        except BaseException as error:
            given, resume = error, pipeline.throw


async def drive_async(pipeline: Pipeline[R]) -> R:
    """Run a pipeline to its end, awaiting what is awaitable."""
    resume: Callable[[Any], Do] = pipeline.send
    given: Any = None
    while True:
        try:
            do = resume(given)
        except StopIteration as end:
            return cast(R, end.value)
        try:
            given, resume = await _awaited(do), pipeline.send
        except BaseException as error:
            given, resume = error, pipeline.throw


def _done(do: Do) -> object:
    if do.timeout_s is not None:
        return _in_thread(do.work, _run, do.timeout_s).result(do.timeout_s)
    answer = do.work()
    if not inspect.isawaitable(answer):
        return answer
    if not do.alone:
        _close(answer)
        raise TypeError("it is async: call it through acall, or from an async function")
    return _in_thread(lambda: answer, _run).result()


async def _awaited(do: Do) -> object:
    if do.timeout_s is None:
        return await _answered(do)
    until = _until(do.timeout_s)
    async with asyncio.timeout(do.timeout_s):
        answer = await _answered(do)
    return _in_time(answer, until)


async def _answered(do: Do) -> object:
    answer = await _from_thread(do) if do.waits else do.work()
    return await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer


async def _from_thread(do: Do) -> object:
    future = _in_thread(do.work, _as_it_is, do.timeout_s)
    try:
        return await asyncio.wrap_future(future)
    except BaseException:
        future.add_done_callback(_drop)
        raise


def _drop(future: "Future[object]") -> None:
    """Let nothing run of what comes when nobody waits for it any more."""
    if future.exception() is None and inspect.isawaitable(future.result()):
        _close(future.result())


def _until(timeout_s: float | None) -> float | None:
    return None if timeout_s is None else time.monotonic() + timeout_s


def _in_time(answer: object, until: float | None) -> object:
    """Give the answer, unless it came too late."""
    if until is not None and time.monotonic() > until:
        if inspect.isawaitable(answer):
            _close(answer)
        raise TimeoutError
    return answer


def _in_thread(
    work: Callable[[], object], finish: Callable[[object], object], timeout_s: float | None = None
) -> "Future[object]":
    """Start the work in a thread that sees the context variables of here, and that nobody has to wait for."""
    future: Future[object] = Future()
    future.set_running_or_notify_cancel()  # whoever stops waiting does not stop the thread
    until = _until(timeout_s)

    def run() -> None:
        try:
            future.set_result(_in_time(finish(work()), until))
        except StopIteration as error:  # which no event loop takes from a future: whoever awaits it would wait forever
            future.set_exception(_stopped(error))
        except BaseException as error:
            future.set_exception(error)

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return future


def _stopped(error: StopIteration) -> RuntimeError:
    problem = RuntimeError("it raised StopIteration")
    problem.__cause__ = error
    return problem


def _as_it_is(answer: object) -> object:
    return answer


def _run(answer: object) -> object:
    return asyncio.run(_await(cast("Awaitable[object]", answer))) if inspect.isawaitable(answer) else answer


async def _await(answer: Awaitable[object]) -> object:
    return await answer


def _close(answer: object) -> None:
    getattr(answer, "close", getattr(answer, "cancel", lambda: None))()
