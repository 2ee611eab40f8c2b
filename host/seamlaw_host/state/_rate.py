"""A gate that lets so many calls through in any window of time."""

import math
from collections.abc import Iterable
from typing import Any

from attrs import field, frozen

from seamlaw import Block, Interceptor, Scope, block, gate

from ._checks import checked_window
from ._keys import By, Key, key_of
from ._meter import attempt_of
from ._protocol import State

__all__ = ["ENDED", "rate_limit"]

ENDED = "this call has ended before it was decided"


@frozen(eq=False)
class _Rate:
    state: State
    limit: int
    per_s: float
    key: Any = field()  # gives the key of a value and a scope

    def judge(self, value: Any, scope: Scope | None) -> Block | None:
        """Take a place for the call, once, however often it is asked about."""
        attempt = attempt_of(value)
        if attempt is not None and attempt.holds(self):
            return None
        key: Key = self.key(value, scope or Scope())
        wait_s = self.state.admit(key, self.limit, self.per_s)
        if wait_s is not None:
            again = "" if math.isinf(wait_s) else f"; the next may start in {math.ceil(wait_s)} s"
            return block(f"at most {self.limit} calls in {self.per_s:g} s may start{again}")
        if attempt is not None and not attempt.hold(self, None):
            return block(ENDED)
        return None


def rate_limit(
    state: State,
    limit: int,
    per_s: float,
    *,
    key: By = "session",
    name: str = "rate limit",
    tools: str | Iterable[str] = (),
    agents: str | Iterable[str] = (),
) -> Interceptor:
    """A gate that lets at most `limit` calls through in any window of `per_s` seconds, per key.

    A call that it let through and that another gate blocks has taken its place all the same. Raises `InvalidLimit`.
    """
    checked_window(limit, per_s)
    rate = _Rate(state, limit, per_s, key_of(key, name))
    return gate(rate.judge, name=name, tools=tools, agents=agents)
