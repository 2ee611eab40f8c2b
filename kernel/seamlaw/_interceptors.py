"""An interceptor: a plain synchronous callable with its name, mode and filter."""

import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, cast, overload

from attrs import Factory, field, frozen

from ._decisions import text_of
from ._seams import Seam
from .errors import InvalidInterceptor
from .values._globs import ALL, Globs, globs

__all__ = ["Interceptor", "gate", "interceptor", "observer", "rewriter"]


Function: TypeAlias = Callable[..., object]
Given: TypeAlias = Callable[[Any], object] | Callable[[Any, Any], object] | Callable[[Any, Any, Any], object]
EVERYTHING = 1_000  # what a callable with *args takes: more than any seam offers


@frozen
class Takes:
    """What a callable declares: how many of the value and what stands beside it, and how it gets the scope."""

    count: int
    scope: Literal["", "by place", "by name"] = ""

    def call(self, function: Function, offered: tuple[Any, ...], scope: object) -> object:
        """Call with what is declared; one parameter more than is offered means the scope."""
        if self.scope == "by name":
            return function(*offered[: self.count], scope=scope)
        if self.scope or self.count == len(offered) + 1:
            return function(*offered[: self.count], scope)
        return function(*offered[: self.count])

    def within(self, offered: int, name: str) -> "Takes":
        """Refuse what takes more than is offered, and the scope."""
        if EVERYTHING > self.count > offered + (not self.scope):
            raise InvalidInterceptor(f"{name} takes more than it is offered: {offered} and the scope")
        return self


NOTHING = Takes(0)


def _flag(value: bool) -> bool:
    if value is True or value is False:
        return value
    raise InvalidInterceptor("is_gate and closes are True or False; gate() and rewriter() set them")


def _takes(it: "Interceptor") -> Takes:
    return NOTHING if it.function is None else takes(it.function, it.name)


def _observes(it: "Interceptor") -> Takes:
    return NOTHING if it.observe is None else takes(it.observe, it.name, 2)


@frozen
class Interceptor:
    """What is consulted at a seam, and when; `interceptor`, `gate`, `rewriter` and `observer` make one."""

    function: Function | None
    name: str = field(converter=text_of)
    is_gate: bool = field(default=False, converter=_flag)
    tools: Globs = field(default=ALL, converter=globs)
    agents: Globs = field(default=ALL, converter=globs)
    closes: bool = field(default=False, converter=_flag)  # a fault blocks even where the seam is open
    observe: Function | None = None
    takes: Takes = field(eq=False, repr=False, default=Factory(_takes, takes_self=True))
    observes: Takes = field(init=False, eq=False, repr=False, default=Factory(_observes, takes_self=True))

    def __call__(self, *offered: Any, **scope: Any) -> object:
        """Ask the function itself, as if it were not wrapped."""
        return None if self.function is None else self.function(*offered, **scope)

    def ask(self, offered: tuple[Any, ...], scope: object) -> object:
        """Ask the function with what it declares of the value, what stands beside it, and the scope."""
        return None if self.function is None else self.takes.call(self.function, offered, scope)

    def matches(self, tool: str | None, agent: str | None) -> bool:
        """Whether the filter lets this tool and this agent through."""
        return self.tools.admit(tool) and self.agents.admit(agent)


def takes(function: Function, name: str, offered: int = EVERYTHING) -> Takes:
    """Find out what a callable declares; parameters with a default do not count, but for one named `scope`.

    Raises `InvalidInterceptor` for what can never answer at a seam: async functions, generators, no callable, and
    what declares more than is offered and the scope.
    """
    if not callable(function):
        raise InvalidInterceptor(f"{name} is not callable; a Policy becomes a gate with .as_gate()")
    inner: Any = function
    while isinstance(inner, partial):
        inner = cast("partial[object]", inner).func
    for kind in (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction):
        if kind(inner) or kind(type(inner).__call__):
            raise InvalidInterceptor(f"{name} is async or a generator: it must answer at once, in a plain def")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some built-in callables do not tell
        return Takes(EVERYTHING)
    scope = next((p for p in parameters if p.name == "scope"), None)
    required = [p for p in parameters if p.default is p.empty and p is not scope and p.kind is not p.VAR_KEYWORD]
    if any(p.kind is p.KEYWORD_ONLY for p in required) or not (required and required[0] is parameters[0]):
        raise InvalidInterceptor(f"{name} must take the value as its first parameter and need no keyword")
    count = EVERYTHING if required[-1].kind is inspect.Parameter.VAR_POSITIONAL else len(required)
    by_name = scope is not None and scope.kind is not scope.POSITIONAL_ONLY
    return Takes(count, "by name" if by_name else "by place" if scope else "").within(offered, name)


def as_interceptor(given: object, seam: Seam[Any]) -> Interceptor:
    """Take an interceptor or any plain callable, and check that it can act at this seam."""
    made = given if isinstance(given, Interceptor) else _made(cast(Function, given))
    if made.tools.patterns and seam.call_at is None:
        raise InvalidInterceptor(f"{made.name} is for certain tools, but the seam {seam.name} knows no tool")
    made.takes.within(1 + len(seam.beside), f"{made.name}, at {seam.name},")
    return made


Mode: TypeAlias = Literal["rewrite", "gate"]


class Options(TypedDict, total=False):
    """What can be said of an interceptor: its name, mode, globs of tools and agents, hardening, an observer."""

    name: str
    mode: Mode
    tools: str | Iterable[str]
    agents: str | Iterable[str]
    on_fault: Literal["close"] | None
    observe: Function


@frozen(eq=False, repr=False)
class Maker:
    """Makes an interceptor of a callable, or, called with options alone, a decorator that does.

    Options: `name`, `mode`, `tools` and `agents` (globs), `on_fault="close"` (a fault blocks even where the seam is
    open), `observe` (called with the value and the result, after execution). Raises `InvalidInterceptor`.
    """

    mode: Mode | None

    @overload
    def __call__(self, function: Given, /, **options: Unpack[Options]) -> Interceptor: ...
    @overload
    def __call__(self, **options: Unpack[Options]) -> Callable[[Given], Interceptor]: ...
    def __call__(self, *function: Function, **options: Any) -> Any:
        """Make it."""
        if unknown := options.keys() - Options.__annotations__.keys():
            raise InvalidInterceptor(
                f"no option is called {min(unknown)}; there are {', '.join(Options.__annotations__)}"
            )
        mode = options.pop("mode", self.mode or "rewrite")
        if mode not in ("rewrite", "gate") or self.mode not in (None, mode):
            raise InvalidInterceptor(f"mode is {self.mode or 'rewrite or gate'}")
        if not function:
            return partial(self, **options, mode=mode)
        return _made(*function, is_gate=mode == "gate", **options)


interceptor = Maker(None)  # of either mode; of the chain, unless told
gate = Maker("gate")  # judges the value the chain left, cannot rewrite; its fault blocks on every seam
rewriter = Maker("rewrite")  # of the chain: may replace, note, ask and block, in its turn


def observer(
    function: Given, /, *, name: str | None = None, tools: str | Iterable[str] = (), agents: str | Iterable[str] = ()
) -> Interceptor:
    """Make something that only watches: called with the value and the result, after execution."""
    return _made(None, name=name, tools=tools, agents=agents, observe=function)


def _made(
    function: Function | None,
    *,
    name: str | None = None,
    is_gate: bool = False,
    tools: str | Iterable[str] = (),
    agents: str | Iterable[str] = (),
    on_fault: str | None = None,
    observe: Function | None = None,
) -> Interceptor:
    if isinstance(function, Interceptor) or (function is None and observe is None):
        raise InvalidInterceptor("an interceptor is made of a callable" + (", not of another one" if function else ""))
    if name is not None and type(name) is not str:
        raise InvalidInterceptor("a name is text")
    name = name or _name(observe if function is None else function)
    if on_fault not in (None, "close"):
        raise InvalidInterceptor(f"{name}: on_fault can only be 'close'; nothing loosens a closed seam")
    try:
        return Interceptor(function, name, is_gate, tools, agents, on_fault == "close", observe)
    except ValueError as error:
        raise InvalidInterceptor(f"{name}: {error}") from None


def _name(function: object) -> str:
    found = getattr(function, "__name__", None) or getattr(function, "name", None)
    if isinstance(found, str):
        return found
    return _name(cast("partial[object]", function).func) if isinstance(function, partial) else type(function).__name__
