"""A bundle made ready to run: the hot path. `None` means nothing happened, and the very same object proceeds.

Each loop asks bare callables until one has something to say; from there the readable `asking` goes on, so that
everything but "nothing happened" is decided in one place (law `the_loop_is_the_fold`).
"""

from collections.abc import Callable
from operator import length_hint
from typing import Any, Generic, TypeAlias, TypeVar, cast

from attrs import frozen

from ._bundle import Interceptors, checked
from ._decisions import ALLOW
from ._interceptors import Function, Interceptor
from ._outcome import Outcome
from ._seams import SEAMS, Seam
from ._step import Consultation, State, asking, conclude, consult, drive, scope_of, step
from .values._values import MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult

__all__ = ["Plan", "plan"]

V = TypeVar("V")
Run: TypeAlias = "Callable[..., Outcome[V] | None]"
Prepared: TypeAlias = tuple[tuple[Function, ...], tuple[int, ...]]  # what to call, and where each stands
Said: TypeAlias = tuple[int, object, bool]  # who had something to say: where it stands, what, whether it raised
REMEMBERED = 512  # tools by agents, twice over; their names come from a model


@frozen
class _Seam(Generic[V]):
    """One seam of a plan: everyone in order, and an index by tool."""

    seam: Seam[V]
    everyone: tuple[Interceptor, ...]
    scoped: bool
    exact: dict[str, list[int]]
    rest: tuple[int, ...]
    recent: list[dict[tuple[str | None, str | None], Prepared]]

    def prepared(self, tool: str | None, agent: str | None) -> Prepared:
        """Who is asked about a tool by an agent; remembered in two generations, so that a flood evicts itself."""
        recent, older = self.recent
        key = tool, agent
        found = recent.get(key)
        if found is None:
            found = older.get(key) or self.find(tool, agent)
            if len(recent) >= REMEMBERED:
                self.recent[:] = recent, older = {}, recent
            recent[key] = found
        return found

    def find(self, tool: str | None, agent: str | None) -> Prepared:
        """Look up who is asked, as a scan would find them."""
        listed = sorted([*self.rest, *self.exact.get(tool, ())]) if tool is not None else range(len(self.everyone))
        places = tuple(at for at in listed if self.everyone[at].matches(tool, agent))
        return tuple(map(self.callable, places)), places

    def callable(self, at: int) -> Function:
        """The bare function where it takes just what is offered, and else one that does."""
        asked = self.everyone[at]
        if self.scoped:
            return lambda *given: asked.ask(given[:-1], given[-1])
        if asked.takes.count != 1 + len(self.seam.beside):
            return lambda *given: asked.ask(given, None)
        return cast(Function, asked.function)

    def go_on(self, given: V, begun: V, beside: tuple[Any, ...], scope: Scope, said: Said) -> Outcome[V] | None:
        """Go on with the readable pipeline from the first who had something to say."""
        at, answer, failed = said
        question = Consultation(self.everyone[at], self.seam, begun, beside, scope)
        state = State(begun)
        for entry in consult(question, lambda: _again(answer, failed)):
            state = step(state, entry)
        state = drive(asking(self.everyone[at + 1 :], self.seam, state, beside, scope), consult)
        return conclude(self.seam, given, beside, begun, state, scope) if state.log else None


def _again(answer: object, failed: bool) -> object:
    if failed:
        raise cast(Exception, answer)
    return answer


def _prepare(seam: Seam[V], bundle: Interceptors) -> "_Seam[V] | None":
    everyone = tuple(asked for asked in bundle.ordered(seam) if asked.function is not None)
    if not everyone:
        return None
    exact: dict[str, list[int]] = {}
    rest: list[int] = []
    for at, asked in enumerate(everyone):
        if asked.tools.patterns and len(asked.tools.exact) == len(asked.tools.patterns):
            for name in asked.tools.exact:
                exact.setdefault(name, []).append(at)
        else:
            rest.append(at)
    scoped = any(asked.takes.scope or asked.takes.count == len(seam.beside) + 2 for asked in everyone)
    return _Seam(seam, everyone, scoped, exact, tuple(rest), [{}, {}])


def _run(seam: Seam[V], bundle: Interceptors) -> "Run[V]":
    """Make the function that decides one seam."""
    made = _prepare(seam, bundle)
    if made is None:
        return _nothing_happens
    everyone = made.everyone
    unfiltered = not any(asked.tools.patterns or asked.agents.patterns for asked in everyone)
    ready = made.find(None, None) if unfiltered else None
    return _run_any(made, ready) if made.scoped or seam.beside else _run_one(made, ready)


def _run_one(made: _Seam[V], ready: Prepared | None) -> "Run[V]":
    """The loop for a seam where a value stands alone, and nobody wants the scope."""
    seam, admit = made.seam, made.seam.admit
    kind = object() if seam.many or issubclass(seam.value_type, dict | list) else seam.value_type

    def run(given: V, *, scope: Scope | None = None) -> Outcome[V] | None:
        value = given if type(given) is kind else admit(given)
        functions, places = ready or made.prepared(seam.tool((value,)), scope.agent if scope else None)
        asked, failed, answer = iter(functions), False, None
        try:
            for function in asked:
                answer = function(value)
                if answer is None or answer is ALLOW:
                    continue
                break
            else:
                return None
        except Exception as error:
            failed, answer = True, error
        return made.go_on(given, value, (), scope_of(scope), (places[~length_hint(asked)], answer, failed))

    return run


def _run_any(made: _Seam[V], ready: Prepared | None) -> "Run[V]":
    """The loop for every seam."""

    def run(given: V, *beside: Any, scope: Scope | None = None) -> Outcome[V] | None:
        value, beside, scope = made.seam.admit(given), made.seam.admit_beside(beside), scope_of(scope)
        offered = (value, *beside, scope) if made.scoped else (value, *beside)
        functions, places = ready or made.prepared(made.seam.tool(offered), scope.agent)
        asked, failed, answer = iter(functions), False, None
        try:
            for function in asked:
                answer = function(*offered)
                if answer is None or answer is ALLOW:
                    continue
                break
            else:
                return None
        except Exception as error:
            failed, answer = True, error
        return made.go_on(given, value, beside, scope, (places[~length_hint(asked)], answer, failed))

    return run


def _nothing_happens(*_: object, **__: object) -> None:
    return None


@frozen
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
