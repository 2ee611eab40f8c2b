"""What one call has reserved, and how it is told that the call has ended.

Who runs calls (the engine) makes an `Attempt` for each, sets it as `attempting` before anybody decides, and finishes
it once, whatever happened:

    attempt = Attempt()
    token = attempting.set(attempt)
    try:
        ...  # decide, ask, run the tool
    finally:
        attempting.reset(token)
        problems = attempt.finished(Ending(executed, call, result, error))

A gate that reserves (a budget) finds the attempt there and leaves a `Meter` with it: nothing is registered anywhere
else, so a gate from a pack, a guard or an engine around this one is settled like any other. Where nobody has set an
attempt, a gate charges at once what it would have reserved: never less than what is spent.
"""

from collections.abc import Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import NamedTuple, Protocol

from seamlaw import TOOL_CALL, ToolCall
from seamlaw_host.errors import Blocked

__all__ = ["Attempt", "Ending", "Meter", "attempt_of", "attempting", "metering"]


class Ending(NamedTuple):
    """How a call ended."""

    executed: bool  # whether the tool was started; where that is in doubt, it was
    call: object = None  # what ran
    result: object = None  # what came of it, before anything replaced it; `None` where nothing did
    error: BaseException | None = None  # what it raised instead: a cancellation, too


class Meter(Protocol):
    """What has counted a call before it ran, and settles when it is told how the call ended."""

    def finished(self, ending: Ending, /) -> None:
        """Settle if the tool was started, else release: a gate blocked, an ask was denied, nobody waited any longer.

        Called once, from any thread. What it raises is reported, and stops no other meter.
        """
        ...


class Attempt:
    """One call on its way, and the meters that wait for its end; safe from any thread.

    It is of one tool call; or, if not `of_tool`, of whatever else is decided while it is set.
    """

    __slots__ = ("_ended", "_held", "_lock", "of_tool")

    def __init__(self, *, of_tool: bool = True) -> None:
        self.of_tool = of_tool
        self._held: dict[Hashable, Meter | None] = {}
        self._ended = False
        self._lock = Lock()

    def hold(self, owner: Hashable, meter: Meter | None) -> bool:
        """Keep a meter until the call ends, of a tool's call one of each owner; `False` if it has ended already."""
        with self._lock:
            if not self._ended:
                self._held[owner if self.of_tool else object()] = meter
            return not self._ended

    def holds(self, owner: Hashable) -> bool:
        """Whether this owner has counted the call already: who is asked twice about a call counts it once."""
        with self._lock:
            return owner in self._held

    def drop(self, owner: Hashable) -> Meter | None:
        """Take back the meter of an owner who is asked again, about what was put in the place of the first value."""
        with self._lock:
            return self._held.pop(owner, None)

    def finished(self, ending: Ending) -> tuple[Exception, ...]:
        """Tell every meter, the last first, and give what they raised; a second time it does nothing."""
        with self._lock:
            held, self._held, self._ended = self._held, {}, True
        problems: list[Exception] = []
        for meter in reversed(held.values()):
            try:
                if meter is not None:
                    meter.finished(ending)
            except Exception as problem:
                problems.append(problem)
        return tuple(problems)


attempting: ContextVar[Attempt | None] = ContextVar("seamlaw.attempting", default=None)


def attempt_of(value: object) -> Attempt | None:
    """The attempt that a value belongs to: what a tool asks of a provider ends by itself, not with the tool's call."""
    attempt = attempting.get()
    return attempt if attempt is not None and attempt.of_tool is isinstance(value, ToolCall) else None


class Metered:
    """What is being metered: tell it what came of it."""

    def __init__(self) -> None:
        self.result: object = None

    def gave(self, result: object) -> None:
        """Say what came: the response of a provider, whose usage is read."""
        self.result = result


@contextmanager
def metering(call: object = None) -> Generator[Metered]:
    """Meter what is decided and done inside, where no engine does: one call of a provider, or of the tool given.

    What was reserved is released if the block is left by the `Blocked` of this very call, before anything came of it,
    and else settled, by what `gave` was told. Raises what a meter raises, if the block itself does not.
    """
    attempt, metered = Attempt(of_tool=isinstance(call, ToolCall)), Metered()
    token = attempting.set(attempt)
    try:
        yield metered
    except BaseException as error:
        attempt.finished(Ending(not _was_blocked(error, call, metered), call, metered.result, error))
        raise
    else:
        for problem in attempt.finished(Ending(True, call, metered.result)):
            raise problem
    finally:
        attempting.reset(token)


def _was_blocked(error: BaseException, call: object, metered: Metered) -> bool:
    """Whether this call was blocked before it ran, and not another that was made on its behalf while it ran."""
    if not isinstance(error, Blocked) or error.executed or error.outcome is None or metered.result is not None:
        return False
    blocked = error.outcome.value
    if isinstance(call, ToolCall):
        return error.outcome.seam == TOOL_CALL and isinstance(blocked, ToolCall) and blocked.id == call.id
    return not isinstance(blocked, ToolCall)
