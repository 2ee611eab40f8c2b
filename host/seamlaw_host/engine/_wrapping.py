"""A function that keeps its signature and its types, and that an engine runs."""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from seamlaw import Interceptors, ToolCall, thaw

from ._actions import ReversibleAction
from ._ending import given_of

if TYPE_CHECKING:
    from ._engine import Engine

__all__ = ["name_of", "wrapped"]

P = ParamSpec("P")
R = TypeVar("R")


def name_of(function: object) -> str:
    """What a function is called as a tool."""
    function = function.do if isinstance(function, ReversibleAction) else function
    return cast(str, getattr(function, "__name__", type(function).__name__))


def wrapped(
    function: Callable[P, R], tool: str, engine_of: "Callable[[], Engine]", extra: Interceptors | None = None
) -> Callable[P, R]:
    """Wrap a function, sync or async; `engine_of` gives the engine when it is called, `extra` what else decides."""
    action: ReversibleAction | None = None
    if isinstance(function, ReversibleAction):
        action, function = function, function.do
    signature = inspect.signature(function)

    def begun(args: tuple[Any, ...], kwargs: dict[str, Any]) -> "tuple[Engine, Any]":
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        by = engine_of()

        def prepare(decided: ToolCall) -> Callable[[], object]:
            if decided.name != tool:
                return by.renamed(decided)
            return partial(_call, function, *_bound(signature, thaw(decided.arguments)))

        return by, (by.new_call(tool, _arguments(signature, bound.arguments)), prepare, action, extra)

    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def call_async(*args: P.args, **kwargs: P.kwargs) -> Any:
            by, given = begun(args, kwargs)
            return given_of(await by.aenforce(*given))

        return cast("Callable[P, R]", call_async)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        by, given = begun(args, kwargs)
        return cast(R, given_of(by.enforce(*given)))

    return call


def _call(function: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    return function(*args, **kwargs)


def _gathering(signature: inspect.Signature, kind: object) -> str | None:
    """The parameter that takes what is left over: `*args` or `**kwargs`."""
    return next((p.name for p in signature.parameters.values() if p.kind is kind), None)


def _arguments(signature: inspect.Signature, bound: dict[str, Any]) -> dict[str, Any]:
    """The arguments by name, as policies see them: those that `**kwargs` takes stand among the others."""
    rest = _gathering(signature, inspect.Parameter.VAR_KEYWORD)
    starred = _gathering(signature, inspect.Parameter.VAR_POSITIONAL)
    # A list and no tuple, which would be a Python object: held as it is, and judged by no rule.
    named = {name: list(value) if name == starred else value for name, value in bound.items() if name != rest}
    more: dict[str, Any] = bound.get(rest, {}) if rest else {}
    if doubled := named.keys() & more.keys():
        raise TypeError(f"the argument {min(doubled)} is given twice, by place and by name")
    return {**named, **more}


def _bound(signature: inspect.Signature, arguments: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments as the function takes them; raises `TypeError` for a name that it does not know."""
    rest = _gathering(signature, inspect.Parameter.VAR_KEYWORD)
    known = {name: value for name, value in arguments.items() if name in signature.parameters and name != rest}
    more = {name: value for name, value in arguments.items() if name not in known}
    if more and rest is None:
        raise TypeError(f"the function has no parameter {min(more)}")
    starred = _gathering(signature, inspect.Parameter.VAR_POSITIONAL)
    if starred in known:
        known[starred] = tuple(known[starred])
    again = signature.bind_partial()
    again.arguments.update({name: known[name] for name in signature.parameters if name in known})
    again.apply_defaults()  # what was taken away must not shift what comes after it
    return again.args, {**again.kwargs, **more}
