"""Decide again in the circumstances that a ledger recorded: what a predicate asks of its context is answered from it.

What was not recorded cannot be answered. A predicate that asks for it fails, as it would without an engine that knows,
and the replay says what was asked for in vain.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from seamlaw import Scope
from seamlaw_host.sessions import Recorded

__all__ = ["Past", "as_recorded"]


@contextmanager
def as_recorded(recorded: Recorded, scope: Scope) -> Generator["Past"]:
    """Let `seamlaw_host.engine.context()` tell of this call; gives what notes what was asked for, also in vain."""
    from seamlaw_host.engine import CallContext
    from seamlaw_host.engine._context import Here, enter, leave

    state: Mapping[str, Any] = {} if recorded.was is None else recorded.was.state
    past = Past(state)
    running = CallContext(cast(Any, past), recorded.call, scope, "")
    running.checksum = state.get("checksum")
    running.result = recorded.result
    token = enter(Here(scope=scope, running=running))
    try:
        yield past
    finally:
        leave(token)


class Past:
    """What a context asks of its engine, as it was."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._state = state
        self.asked: set[str] = set()
        self.missed: list[str] = []

    @property
    def checksum(self) -> Callable[[], object] | None:
        """Give what tells whether the state still matched."""
        self.asked.add("checksum")
        return self._now if self._has("state_matches", "whether the state still matched is not recorded") else None

    @property
    def consent(self) -> Callable[[object], bool] | None:
        """Give whether the user consented."""
        known = self._has("consent", "whether the user consented is not recorded")
        return (lambda _: self._state["consent"] is True) if known else None

    @property
    def spent(self) -> Callable[[object], object] | None:
        """Give what was spent."""
        return (lambda _: self._state["spent"]) if self._has("spent", "what was spent is not recorded") else None

    def attempts(self, _: Scope) -> int:
        """Give which call of its session it was."""
        self.asked.add("step")
        step = self._state.get("step")
        return step if type(step) is int else 0

    def _now(self) -> object:
        same = self._state["state_matches"] is True
        return self._state.get("checksum") if same else object()

    def _has(self, name: str, otherwise: str) -> bool:
        self.asked.add(name)
        if name in self._state:
            return True
        if otherwise not in self.missed:
            self.missed.append(otherwise)
        return False
