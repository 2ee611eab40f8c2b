"""A bundle made ready to run: the hot path. `None` means nothing happened, and the very same object proceeds.

Each loop asks bare callables until one has something to say; from there the readable `asking` goes on, so that
everything but "nothing happened" is decided in one place (law `the_loop_is_the_fold`).
"""

from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar, cast

from attrs import frozen

from ._bundle import Interceptors, checked
from ._decisions import ALLOW
from ._interceptors import Function, Interceptor
from ._outcome import Outcome
from ._seams import SEAMS, Seam
from ._step import Consultation, State, asking, conclude, consult, drive, scope_of, step
from .values._index import Index
from .values._recent import Recent
from .values._values import MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult

__all__ = ["Plan", "plan"]

V = TypeVar("V")
Run: TypeAlias = "Callable[..., Outcome[V] | None]"
Prepared: TypeAlias = tuple[tuple[Function, ...], tuple[int, ...]]  # what to call, and where each stands
Said: TypeAlias = tuple[Function, object, bool]  # who had something to say, what, whether it raised


class _Seam(Generic[V]):
    """One seam of a plan: everyone in order, and an index by tool."""

    def __init__(self, seam: Seam[V], everyone: tuple[Interceptor, ...]) -> None:
        self.seam, self.everyone = seam, everyone
        self.scoped = any(asked.takes.scope or asked.takes.count == len(seam.beside) + 2 for asked in everyone)
        self.by_tool = any(asked.tools.patterns for asked in everyone)
        self.by_agent = any(asked.agents.patterns for asked in everyone)
        self.index = Index(asked.tools for asked in everyone)
        self.tool = seam.tool if self.by_tool else _nothing
        self.name = attrgetter("name") if self.by_tool else _nothing  # of a call that stands alone
        self.functions: list[Function] = []
        self.places: dict[int, int] = {}  # where each function stands, by its id: no two are the same object
        for at, asked in enumerate(everyone):
            self.functions.append(self.callable(asked))
            self.places[id(self.functions[at])] = at
        self.prepared = Recent(self.find, by_agent=self.by_agent).get

    def callable(self, asked: Interceptor) -> Function:
        """The bare function where it takes just what is offered and stands here alone, and else one that does."""
        function, takes, beside = cast(Function, asked.function), asked.takes, self.seam.beside
        if self.scoped and beside:
            return lambda *given: asked.ask(given[:-1], given[-1])
        if self.scoped and takes.scope == "by name":
            return lambda *given: function(given[0], scope=given[1])
        if self.scoped and takes.count != 2 and not takes.scope:
            return lambda *given: function(given[0])
        if takes.count < 1 + len(beside):
            return lambda *given: function(*given[: takes.count])
        return partial(function) if id(function) in self.places else function

    def find(self, tool: str | None, agent: str | None) -> Prepared:
        """Look up who is asked, as a scan would find them (law `the_index_is_the_scan`)."""
        places = tuple(at for at in self.index.admitting(tool) if self.everyone[at].agents.admit(agent))
        return tuple(map(self.functions.__getitem__, places)), places

    def go_on(self, given: V, begun: V, beside: tuple[Any, ...], scope: Scope, said: Said) -> Outcome[V] | None:
        """Go on with the readable pipeline from the first who had something to say."""
        function, answer, failed = said
        at = self.places[id(function)]
        question = Consultation(self.everyone[at], self.seam, begun, beside, scope)
        state = State(begun)
        for entry in consult(question, lambda: _again(answer, failed)):
            state = step(state, entry)
        while not state.stopped and (rest := self.after(at, (state.value, *beside), scope)):
            listed = [self.everyone[at] for at in rest]
            state, at = drive(asking(listed, self.seam, state, beside, scope), consult), rest[-1]
        return conclude(self.seam, given, beside, begun, state, scope) if state.log else None

    def after(self, at: int, offered: tuple[Any, ...], scope: Scope) -> tuple[int, ...]:
        """Who of those that match stands after a place: the next of the chain, if it may rename, or else all."""
        places = self.prepared(self.tool(offered), scope.agent)[1]
        first = bisect_right(places, at)
        renames = self.by_tool and first < len(places) and not self.everyone[places[first]].is_gate
        return places[first : first + 1] if renames else places[first:]


def _again(answer: object, failed: bool) -> object:
    if failed:
        raise cast(Exception, answer)
    return answer


def _run(seam: Seam[V], bundle: Interceptors) -> "Run[V]":
    """Make the function that decides one seam."""
    everyone = tuple(asked for asked in bundle.ordered(seam) if asked.function is not None)
    if not everyone:
        return _nothing
    made = _Seam(seam, everyone)
    ready = None if made.by_tool or made.by_agent else made.find(None, None)[0]
    alone = not (made.scoped or seam.beside or seam.many or issubclass(seam.value_type, dict | list))
    return _run_one(made, ready) if alone else _run_any(made, ready)


def _run_one(made: _Seam[V], ready: tuple[Function, ...] | None) -> "Run[V]":
    """The loop for a seam where a value stands alone, and nobody wants the scope."""
    kind, run_any = made.seam.value_type, _run_any(made, ready)

    def run(given: V, scope: Scope | None = None) -> Outcome[V] | None:
        if type(given) is not kind:
            return run_any(given, scope=scope)
        for function in ready or made.prepared(made.name(given), scope.agent if scope else None)[0]:
            try:
                answer = function(given)
                if answer is None or answer is ALLOW:
                    continue
                failed = False
            except Exception as error:
                answer, failed = error, True
            return made.go_on(given, given, (), scope_of(scope), (function, answer, failed))
        return None

    return run


def _run_any(made: _Seam[V], ready: tuple[Function, ...] | None) -> "Run[V]":
    """The loop for every seam."""
    seam, scoped = made.seam, made.scoped

    def run(given: V, *beside: Any, scope: Scope | None = None) -> Outcome[V] | None:
        value, beside, scope = seam.admit(given), seam.admit_beside(beside), scope_of(scope)
        offered = (value, *beside, scope) if scoped else (value, *beside)
        for function in ready or made.prepared(made.tool(offered), scope.agent)[0]:
            try:
                answer = function(*offered)
                if answer is None or answer is ALLOW:
                    continue
                failed = False
            except Exception as error:
                answer, failed = error, True
            return made.go_on(given, value, beside, scope, (function, answer, failed))
        return None

    return run


def _nothing(*_: object, **__: object) -> None:
    return None


@frozen(eq=False, repr=False)
class Plan:
    """A bundle ready to run: a function per seam, `None` from it when nothing happened."""

    bundle: Interceptors
    context: "Run[tuple[Message, ...]]"
    provider_request: "Run[ProviderRequest]"
    tool_call: "Run[ToolCall]"
    tool_result: "Run[ToolResult]"
    memory: "Run[tuple[MemoryItem, ...]]"

    def at(self, seam: Seam[V]) -> "Run[V]":
        """Make the function for a seam of your own; keep it."""
        return _run(seam, self.bundle)


def plan(bundle: Interceptors | None) -> Plan | None:
    """Make a bundle ready to run; an empty one is `None`, so that its seams cost one check.

    The functions raise `InvalidValue` for a value that their seam does not carry, unless nobody listens there.
    """
    if not checked(bundle) or bundle is None:
        return None
    return Plan(bundle, **{name: _run(seam, bundle) for name, seam in SEAMS.items()})
