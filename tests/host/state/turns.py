"""Threads of which one alone goes on at a time, line by line, as a schedule says: races that can be repeated."""

import sys
from collections.abc import Callable, Iterable
from threading import Semaphore, Thread, get_ident
from types import FrameType
from typing import Any, TypeAlias

from seamlaw_host.state import MemoryState

TRACED = ("/state/_tables.py", "/state/_memory.py", "/state/_budget.py", "/state/_rate.py")
FOR_GOOD = 10**9
Turn: TypeAlias = tuple[int, int]  # which thread, and how many lines it may run


class Turns:
    """Runs functions, one thread each; whose turn it is runs so many lines of what is counted in."""

    def __init__(self, *functions: Callable[[], Any]) -> None:
        self.results: list[Any] = [None] * len(functions)
        self.lines = [0] * len(functions)
        self._functions = functions
        self._go = [Semaphore(0) for _ in functions]
        self._left = [0] * len(functions)
        self._paused = Semaphore(0)
        self._over = [False] * len(functions)
        self._me: dict[int, int] = {}

    def run(self, schedule: Iterable[Turn]) -> list[Any]:
        """Give turns as the schedule says, then to whoever is left; what each function gave or raised."""
        threads = [Thread(target=self._work, args=(at,), daemon=True) for at in range(len(self._functions))]
        for thread in threads:
            thread.start()
        for at, lines in schedule:
            self._turn(at, lines)
        while not all(self._over):
            for at in range(len(threads)):
                self._turn(at, FOR_GOOD)
        for thread in threads:
            thread.join()
        return self.results

    def pause(self) -> None:
        """End the turn, if this thread is one of those that take turns."""
        at = self._me.get(get_ident())
        if at is not None:
            self._paused.release()
            self._go[at].acquire()

    def _turn(self, at: int, lines: int) -> None:
        if not self._over[at]:
            self._left[at] = lines
            self._go[at].release()
            self._paused.acquire()

    def _work(self, at: int) -> None:
        self._go[at].acquire()
        self._me[get_ident()] = at
        sys.settrace(self._trace)
        try:
            self.results[at] = self._functions[at]()
        except Exception as error:
            self.results[at] = error
        finally:
            sys.settrace(None)
            self._over[at] = True
            self._paused.release()

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        return self._line if frame.f_code.co_filename.replace("\\", "/").endswith(TRACED) else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            at = self._me[get_ident()]
            self.lines[at] += 1
            self._left[at] -= 1
            if self._left[at] < 0:
                self.pause()
        return self._line


class PatientLock:
    """A lock whose waiters let others go on, so that a schedule never stops."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._held = False

    def __enter__(self) -> None:
        while self._held:
            self._turns.pause()
        self._held = True

    def __exit__(self, *_: object) -> None:
        self._held = False


class NoLock:
    """What a lock would be if it did nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def with_lock(state: MemoryState, lock: Any) -> None:
    """Put another lock into a state."""
    tables: Any = state._hidden.value
    tables.lock = lock


def one_break_each(first: int, second: int) -> Iterable[list[Turn]]:
    """All schedules in which each of two threads, of so many lines, is interrupted once."""
    for lines in range(first + 1):
        for others in range(second + 1):
            yield [(0, lines), (1, others)]
