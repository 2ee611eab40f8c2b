"""Worker processes: each takes one task after another, and one that does not answer in time is replaced."""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from signal import SIG_IGN, SIGINT, signal
from time import monotonic
from typing import Any, TypeAlias

from attrs import define, frozen

from seamlaw_spec.laws import LAWS

from ._evidence import Evidence
from ._layers import run_layer

__all__ = ["Task", "run"]

Channel: TypeAlias = "Connection[Any, Any]"
CONTEXT = get_context("spawn")


@frozen
class Task:
    """Laws for one layer; most layers take one law at a time."""

    layer: str
    laws: tuple[str, ...]
    deep: bool
    seconds: float  # after which it is given up


def _serve(channel: Channel) -> None:
    """What a worker does: answer one task after another; what a library prints meanwhile is no part of the output."""
    signal(SIGINT, SIG_IGN)
    with redirect_stdout(StringIO()), suppress(EOFError, ConnectionError):  # whoever asked has gone
        while True:
            task = channel.recv()
            channel.send(run_layer(task.layer, [LAWS[name] for name in task.laws], deep=task.deep))


@define(eq=False)
class _Worker:
    process: Any
    channel: Channel
    task: Task
    until: float

    @classmethod
    def started(cls, task: Task) -> "_Worker":
        """Start one with its first task."""
        here, there = CONTEXT.Pipe()
        process = CONTEXT.Process(target=_serve, args=(there,), daemon=True)
        process.start()
        there.close()
        worker = cls(process, here, task, 0.0)
        worker.give(task)
        return worker

    def give(self, task: Task) -> None:
        """Have it begin a task."""
        self.task, self.until = task, monotonic() + task.seconds
        self.channel.send(task)

    def stop(self) -> None:
        """End it, whatever it is at."""
        self.process.terminate()
        self.process.join()
        self.channel.close()


def run(tasks: Iterable[Task], workers: int) -> Iterator[tuple[Task, list[Evidence]]]:
    """Run all tasks, in order, so many at once; give each with its evidence as it ends."""
    waiting, busy = deque(tasks), list[_Worker]()
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                busy.append(_Worker.started(waiting.popleft()))
            for worker in _ready(busy):
                task, evidence, usable = _answer(worker)
                if usable and waiting:
                    worker.give(waiting.popleft())
                else:
                    worker.stop()
                    busy.remove(worker)
                yield task, evidence
    finally:
        for worker in busy:
            worker.stop()


def _ready(busy: list[_Worker]) -> list[_Worker]:
    """Those that answered, or whose time is over."""
    patience = max(0.0, min(worker.until for worker in busy) - monotonic())
    answered = wait([worker.channel for worker in busy], patience)
    return [worker for worker in busy if worker.channel in answered or worker.until <= monotonic()]


def _answer(worker: _Worker) -> tuple[Task, list[Evidence], bool]:
    task = worker.task
    try:
        if worker.channel.poll():
            return task, worker.channel.recv(), True
        problem = f"no answer within {task.seconds:.0f} s"
    except (EOFError, ConnectionError):
        problem = "the process that checked it ended without an answer"
    return task, [Evidence(law, task.layer, False, seconds=task.seconds, problem=problem) for law in task.laws], False
