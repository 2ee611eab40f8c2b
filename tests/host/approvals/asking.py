"""Policies that ask, a redactor that knows one secret, approvers that do what a test says."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

from attrs import define, field

from seamlaw import TOOL_CALL, Answered, Interceptors, Outcome, Scope, ToolCall, ask, decide, gate, grant, settle
from seamlaw_host.approvals import Approvals, Asking, Handler, Request
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked

CANARY = "canary-4f1d9a-secret"
MASK = "[SECRET]"
CALL = ToolCall("1", "push", {"branch": "main", "force": True})


class Masking:
    """A redactor that takes the canary out, of keys too."""

    def value(self, value: object, /) -> object:
        """Take it out of JSON."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.value(key): self.value(item) for key, item in cast("dict[str, object]", value).items()}
        if isinstance(value, list):
            return [self.value(item) for item in cast("list[object]", value)]
        return value

    def text(self, text: str, /) -> str:
        """Take it out of a text."""
        return text.replace(CANARY, MASK)


@define
class Says:
    """A handler that answers what it is told to, and keeps what it was shown."""

    answer: Callable[[Request], object] = lambda request: True
    requests: list[Request] = field(factory=list[Request])

    def ask(self, request: Request, /) -> object:
        """Answer."""
        self.requests.append(request)
        return self.answer(request)


@define
class SaysAll(Says):
    """A handler that can be asked several things at once."""

    batches: list[int] = field(factory=list[int])
    answers: Callable[[Sequence[Request]], object] = lambda requests: [True for _ in requests]

    def ask_all(self, requests: Sequence[Request], /) -> object:
        """Answer all."""
        self.batches.append(len(requests))
        self.requests.extend(requests)
        return self.answers(requests)


def asking(
    *targets: str | None, reason: str = "may it?", timeout_s: float | None = None, name: str = "asker"
) -> Interceptors:
    """A bundle with a gate for each target, which asks it about every call."""

    def asks(target: str | None) -> Callable[[ToolCall], object]:
        return lambda call: ask(reason, target=target, timeout_s=timeout_s)

    return Interceptors(tool_call=[gate(asks(target), name=f"{name}-{i}") for i, target in enumerate(targets)])


def outcome_of(bundle: Interceptors, call: ToolCall = CALL, scope: Scope | None = None) -> Outcome[ToolCall]:
    """What the kernel makes of a call."""
    return decide(bundle, TOOL_CALL, call, scope=scope or Scope())


def put(
    approvals: Approvals, bundle: Interceptors, call: ToolCall = CALL, scope: Scope | None = None
) -> Outcome[ToolCall]:
    """Put every ask, without an engine, and settle."""
    outcome = outcome_of(bundle, call, scope)
    answers = [answer_to(one) for one in approvals.pending(outcome, scope or Scope(), "attempt-1")]
    return settle(outcome, answers)[0]


def answer_to(one: Asking) -> Answered:
    """Do the work of one ask."""
    said = one.work()
    return one.answered(asyncio.run(_awaited(said)) if asyncio.iscoroutine(said) else said)


async def _awaited(said: Any) -> object:
    return await said


@define
class Tool:
    """A tool that counts how often it was started."""

    starts: list[dict[str, Any]] = field(factory=list[dict[str, Any]])

    def __call__(self, **arguments: Any) -> str:
        """Run."""
        self.starts.append(arguments)
        return "done"


def called(engine: Engine, tool: Tool, arguments: dict[str, object], *, in_loop: bool = False) -> str:
    """Call it; gives `done`, or the reason of the denial."""
    try:
        if in_loop:
            return cast(str, asyncio.run(engine.acall("push", tool, arguments)))
        return engine.call("push", tool, arguments)
    except Blocked as denied:
        return denied.reason


def grants(request: Request) -> Answered:
    """Grant, and say who."""
    return grant(request.ask, by="anna")


def approvals(**handlers: Handler) -> Approvals:
    """Approvals with the canary's redactor."""
    return Approvals(handlers, redactor=Masking())


def eventually(is_so: Callable[[], bool], within_s: float = 10.0) -> bool:
    """Whether something becomes so."""
    until = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


def after(seconds: float, answer: object) -> object:
    """Answer late."""
    time.sleep(seconds)
    return answer
