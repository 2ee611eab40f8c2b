"""A function that keeps its signature and its types, and that an engine runs."""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from seamlaw import Interceptors, ToolCall, thaw

from ._ending import given_of

if TYPE_CHECKING:
    from ._engine import Engine

__all__ = ["name_of", "wrapped"]

P = ParamSpec("P")
R = TypeVar("R")


def name_of(function: object) -> str:
    """What a function is called as a tool."""
    return cast(str, getattr(function, "__name__", type(function).__name__))


def wrapped(
    function: Callable[P, R], tool: str, engine_of: "Callable[[], Engine]", extra: Interceptors | None = None
) -> Callable[P, R]:
    """Wrap a function, sync or async; `engine_of` gives the engine when it is called, `extra` what else decides."""
    signature = inspect.signature(function)

    def begun(args: tuple[Any, ...], kwargs: dict[str, Any]) -> "tuple[Engine, Any]":
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        by = engine_of()

        def prepare(decided: ToolCall) -> Callable[[], object]:
            if decided.name != tool:
                return by.renamed(decided)
            again = signature.bind_partial()
            again.arguments.update(_unpacked(signature, thaw(decided.arguments)))
            return partial(function, *again.args, **again.kwargs)

        return by, (by.new_call(tool, bound.arguments), prepare, None, extra)

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


def _unpacked(signature: inspect.Signature, arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as a signature takes them: what stands for `*args` is a tuple; unknown names are refused."""
    if unknown := arguments.keys() - signature.parameters.keys():
        raise TypeError(f"the function has no parameter {min(unknown)}")
    starred = {p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL}
    return {
        name: tuple(arguments[name]) if name in starred else arguments[name]
        for name in signature.parameters
        if name in arguments
    }
