"""One seam: the plan decides, people answer what it asks, subscribers are told."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from attrs import Factory, evolve, field, frozen

from seamlaw import (
    SEAMS,
    TOOL_CALL,
    Answered,
    Entry,
    Fault,
    Interceptors,
    Outcome,
    Plan,
    Scope,
    Seam,
    ToolCall,
    Verdict,
    gate,
    plan,
    refuse,
    settle,
)
from seamlaw_host.policies._hash import hash_of

from ._context import CallContext, here
from ._drivers import Do, Pipeline
from ._told import told

if TYPE_CHECKING:
    from ._engine import Engine

__all__ = ["Decided", "Rules", "deciding"]

V = TypeVar("V")
REMEMBERED = 1_024  # pairs of tool and agent; their names come from models


def _handles(it: "Rules") -> bool:
    return bool(it.bundle and it.bundle.handlers)


def _observed(it: "Rules") -> bool:
    everyone = (*it.bundle.tool_call, *it.bundle.tool_result) if it.bundle else ()
    return any(one.observe is not None for one in everyone)


def _waits(it: "Rules") -> frozenset[str]:
    """The seams where somebody waits for another process, as no event loop may; an extension's functions say so."""
    seams = {**SEAMS, **{seam.name: seam for seam, _ in it.bundle.seams}} if it.bundle else {}
    found = {name: it.bundle.at(seam) for name, seam in seams.items()} if it.bundle else {}
    return frozenset(name for name, all_ in found.items() if any(hasattr(one.function, "waits") for one in all_))


@gate
def _shown(call: ToolCall) -> None:
    """Let `context().call` be what the gates judge: the chain may have replaced what was proposed."""
    running = here().running
    if running is not None:
        running.call = call


def _planned(it: "Rules") -> Plan | None:
    if it.bundle is None or not any(one.is_gate for one in it.bundle.tool_call):
        return plan(it.bundle)
    if all(one.is_gate for one in it.bundle.ordered(TOOL_CALL)):  # nothing is replaced
        return plan(it.bundle)
    return plan(evolve(it.bundle, tool_call=(_shown, *it.bundle.tool_call)))


@frozen(eq=False)
class Rules:
    """What decides: a bundle, the plan made of it, and what is known of it before any call comes."""

    bundle: Interceptors | None
    plan: Plan | None = field(init=False, default=Factory(_planned, takes_self=True))
    handles: bool = field(init=False, default=Factory(_handles, takes_self=True))
    observed: bool = field(init=False, default=Factory(_observed, takes_self=True))
    waits: frozenset[str] = field(init=False, default=Factory(_waits, takes_self=True))
    _known: dict[tuple[str, str | None], bool] = field(init=False, factory=dict[tuple[str, str | None], bool])
    _own: dict[Seam[Any], Callable[..., Any]] = field(init=False, factory=dict[Seam[Any], Callable[..., Any]])
    _hash: list[str] = field(init=False, factory=list[str])  # taken once, when a record first needs it

    @property
    def policy_hash(self) -> str:
        """A hash over all that decides: see `docs/engine.md`."""
        if not self._hash:
            self._hash.append(hash_of(self.bundle))
        return self._hash[0]

    def at(self, seam: Seam[V]) -> Callable[..., Outcome[V] | None] | None:
        """The function that decides a seam, if anybody is there."""
        if self.plan is None:
            return None
        if SEAMS.get(seam.name) is seam:
            return cast("Callable[..., Outcome[V] | None]", getattr(self.plan, seam.name))
        own = self._own.get(seam)
        if own is None:
            own = self._own[seam] = self.plan.at(seam)
        return own

    def govern(self, call: ToolCall, scope: Scope) -> bool:
        """Whether anybody is asked about this tool and this agent before it runs."""
        if self.bundle is None:
            return False
        key = call.name, scope.agent
        known = self._known.get(key)
        if known is None:
            known = any(one.function is not None and one.matches(*key) for one in self.bundle.ordered(TOOL_CALL))
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = known
        return known

    def judge(self, call: ToolCall, scope: Scope) -> bool:
        """Whether anybody is asked about the results of this tool."""
        given = self.bundle.tool_result if self.bundle is not None else ()
        return any(one.function is not None and one.matches(call.name, scope.agent) for one in given)


@frozen
class Decided(Generic[V]):
    """What came of a seam: the value to go on with, and the outcome where anything happened."""

    value: V
    outcome: Outcome[V] | None = None
    answers: tuple[Answered, ...] = ()
    governed: bool = True

    @property
    def blocked(self) -> bool:
        """Whether the value may not go on."""
        return self.outcome is not None and not self.outcome.proceeds


def deciding(
    engine: "Engine", rules: Rules, seam: Seam[V], value: V, *beside: Any, scope: Scope, running: CallContext | None
) -> Pipeline[Decided[V]]:
    """Decide at one seam; in `enforce` mode alone is anybody contacted about what it asks."""
    if engine.deadline_s is None and seam.name not in rules.waits:
        outcome = _asked(rules, seam, value, beside, scope)
    else:
        outcome = yield from _asked_elsewhere(engine.deadline_s, rules, seam, value, beside, scope)
    governed = outcome is not None
    if seam is TOOL_CALL and (outcome is None or not outcome.log):
        governed = running is not None and rules.govern(running.proposed, scope)
        if not governed and engine.default == "deny":
            outcome = _refused(seam, value, "no policy covers this tool")
    elif (
        seam is TOOL_CALL and engine.default == "deny" and outcome is not None and outcome.verdict is not Verdict.BLOCK
    ):
        renamed = cast(ToolCall, outcome.value)  # a rename covers the first name alone
        if running is not None and renamed.name != running.proposed.name and not rules.govern(renamed, scope):
            outcome = _refused(seam, value, "no policy covers the tool that it was renamed to", *outcome.log)
    if outcome is None:
        return Decided(value, governed=governed)
    answers: tuple[Answered, ...] = ()
    if outcome.verdict is Verdict.ASK and engine.enforces:
        answers = yield from _answers(engine, outcome, scope, running)
        outcome = _settled(outcome, answers)
    yield from engine.bus.telling(outcome, scope, running)
    return Decided(outcome.value if outcome.proceeds else value, outcome, answers, governed)


def _asked(rules: Rules, seam: Seam[V], value: V, beside: tuple[Any, ...], scope: Scope) -> Outcome[V] | None:
    try:
        run = rules.at(seam)
        return None if run is None else run(value, *beside, scope=scope)
    except Exception as error:
        return _faulty(seam, value, told(error))


def _asked_elsewhere(
    deadline_s: float | None, rules: Rules, seam: Seam[V], value: V, beside: tuple[Any, ...], scope: Scope
) -> Pipeline[Outcome[V] | None]:
    try:
        run = rules.at(seam)
        if run is None:
            return None
        found: Outcome[V] | None = yield Do(partial(run, value, *beside, scope=scope), deadline_s, waits=True)
        return found
    except TimeoutError:
        return _faulty(seam, value, "took longer than its deadline")
    except Exception as error:
        return _faulty(seam, value, told(error))


def _faulty(seam: Seam[V], value: V, problem: str) -> Outcome[V]:
    entry = Entry(seam.name, "engine", Fault(f"engine error: the decision {problem}", closed=seam.on_fault != "open"))
    if seam.on_fault != "open":
        return _refused(seam, value, entry.reason, entry)
    return Outcome(seam, Verdict.PROCEED, value, log=(entry,))


def _refused(seam: Seam[V], value: V, reason: str, *log: Entry) -> Outcome[V]:
    return Outcome(seam, Verdict.BLOCK, value, reason=reason, interceptor="engine", log=log)


def _answers(
    engine: "Engine", outcome: Outcome[V], scope: Scope, running: CallContext | None
) -> Pipeline[tuple[Answered, ...]]:
    """Contact whom each ask names, one after the other, until one does not grant: the rest would be in vain."""
    answers: list[Answered] = []
    try:
        for pending in engine.approvals.pending(outcome, scope, running.attempt if running else ""):
            try:
                answer = pending.answered((yield Do(pending.work, pending.timeout_s, waits=True, alone=True)))
            except TimeoutError:
                answer = refuse(pending.ask, reason="nobody answered in time")
            except Exception as error:
                answer = refuse(pending.ask, reason=f"the approver {told(error)}")
            answers.append(answer)
            if answer.granted is not True:
                break
    except Exception:  # an ask that nobody could be contacted about stays without an answer, and so is not granted
        return tuple(answers)
    return tuple(answers)


def _settled(outcome: Outcome[V], answers: tuple[Answered, ...]) -> Outcome[V]:
    try:
        return settle(outcome, answers)[0]
    except Exception as error:
        return evolve(outcome, verdict=Verdict.BLOCK, asks=(), reason=f"engine error: {told(error)}")
