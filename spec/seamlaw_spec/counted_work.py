"""How much work a rule is, counted in instructions of the interpreter: the same on every machine."""

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, cast

from attrs import frozen

from seamlaw import Mismatch, Rule, ToolCall, parse_rules

from .value_domains import is_array, is_object

__all__ = ["Hostile", "steps", "work"]

PER_CHARACTER = 120  # instructions, for each part of the rule that looks at it


@frozen
class Hostile:
    """A condition with how many parts it has, and a value made to be slow."""

    operator: str
    operand: Any
    parts: int
    value: Any

    @property
    def rule(self) -> Rule:
        """The rule with this condition."""
        (rule,) = parse_rules([{"refuse": "no", "when": [{"at": "/a", self.operator: self.operand}]}])
        return cast(Rule, rule)

    @property
    def call(self) -> ToolCall:
        """The call with this value."""
        return ToolCall("1", "tool", {"a": self.value})

    @property
    def bound(self) -> int:
        """How many instructions are enough."""
        return PER_CHARACTER * (self.parts + 1) * (_size(self.value) + 20)


def work(rule: Rule, call: ToolCall, enough: int) -> int:
    """How many instructions a rule takes to judge a call; it is stopped at one more than enough."""

    def judge() -> None:
        with suppress(Mismatch):
            rule(call)

    return steps(judge, enough)


class _TooMuch(BaseException):
    """It is no use to go on."""


def steps(function: Callable[[], object], enough: int) -> int:
    """How many instructions run until a function answers; what built-in functions do inside does not count."""
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        if count > enough:
            raise _TooMuch
        return trace

    sys.settrace(trace)
    try:
        function()
    except _TooMuch:
        pass
    finally:
        sys.settrace(before)
    return count


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value) + 1
    if is_object(value):
        return 1 + sum(len(key) + _size(item) for key, item in value.items())
    return 1 + sum(map(_size, value)) if is_array(value) else 1
