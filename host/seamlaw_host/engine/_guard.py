"""`guard`, the decorator: a function that keeps its signature and its types, and runs only if it may."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

from attrs import frozen

from seamlaw import Policy, Severity, ToolCall

from ._context import CallContext, context, here
from ._engine import Engine
from ._wrapping import name_of, wrapped

__all__ = ["guard"]

P = ParamSpec("P")
R = TypeVar("R")
Condition: TypeAlias = Callable[[CallContext], bool]
_UNNAMED = Engine()


def guard(
    *,
    pre: Condition | Iterable[Condition] = (),
    post: Condition | Iterable[Condition] = (),
    on_fail: Literal["block", "ask", "note"] = "block",
    reason: str | None = None,
    escalate_to: str | None = None,
    timeout_s: float | None = None,
    severity: Severity | str = Severity.MEDIUM,
    engine: Engine | None = None,
    name: str | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Guard a function, sync or async: `pre` must hold of the call before it runs, `post` of its result.

    Each condition takes the `CallContext`. The engine is the one given, else that of the call around it, else one
    without policies. A denied call raises `Blocked`. Raises `InvalidInterceptor` for conditions that cannot answer.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        tool = name or name_of(function)
        options: Any = {"on_fail": on_fail, "reason": reason, "severity": severity}
        if on_fail == "ask":
            options |= {"target": escalate_to, "timeout_s": timeout_s}
        policy = Policy(tool)
        for condition in _listed(pre):
            policy = policy.require(_Asked(condition).pre, **options)
        for condition in _listed(post):
            policy = policy.require(_Asked(condition).post, hook="post", **options)
        extra = policy.interceptors() if policy.requires else None
        return wrapped(function, tool, _engine_or(engine), extra)

    return decorate


def _engine_or(engine: Engine | None) -> Callable[[], Engine]:
    def engine_of() -> Engine:
        running = here().running
        return engine or (running.engine if running is not None else _UNNAMED)

    return engine_of


def _listed(given: Condition | Iterable[Condition]) -> Iterable[Condition]:
    return (given,) if callable(given) else tuple(given)


@frozen
class _Asked:
    """A condition on the call context, as the kernel asks it: with the call, or with the result and the call."""

    condition: Condition

    @property
    def __name__(self) -> str:
        return getattr(self.condition, "__name__", type(self.condition).__name__)

    def pre(self, call: ToolCall) -> bool:
        return self.condition(_seen(call))

    def post(self, _: object, call: ToolCall) -> bool:
        return self.condition(_seen(call))


def _seen(call: ToolCall) -> CallContext:
    running = context()
    running.call = call
    return running
