"""What z3 finds among rules: those that never act, those that change nothing, those that stand in each other's way."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from seamlaw import TOOL_CALL, Default, Globs, Interceptors, Kind, Outcome, Rule, ToolCall, decide
from seamlaw_spec.rules_smt import Answer, Found, Witness, find
from seamlaw_spec.rules_smt._policies import Asked, Judged, Said
from seamlaw_spec.rules_smt._z3 import all_of, any_of, negation

from ._finding import Finding, Level

__all__ = ["about_rules"]

Rules = Sequence[Rule | Default]
Of = Callable[[Sequence[Said]], Any]
Alive = Mapping[int, Witness | None]


def name_of(rule: Rule | Default) -> str:
    """What a log calls a rule."""
    return rule.as_interceptor().name


def about_rules(rules: Rules, timeout_ms: int) -> Iterator[Finding]:
    """Everything that is found about rules; what cannot be decided in time is told."""
    alive: dict[int, Witness | None] = {}  # with a call of which each says what it is there to say
    for at in range(len(rules)):
        acts = _acts(rules, at, timeout_ms)
        alive |= {} if acts.answer is Answer.NO else {at: acts.witness}
        yield from _of_one(rules, at, acts, timeout_ms)
    for at in alive:
        yield from _covered(rules, at, alive, timeout_ms)
    yield from _contrary(rules, alive, timeout_ms)


def _ask(rules: Rules, timeout_ms: int, of: Of, confirms: Callable[[Outcome[ToolCall]], bool]) -> Found:
    """Whether there is a call of which something holds, by what all rules say to it."""

    def question(judged: list[Judged], _: Asked) -> Any:
        return of(judged[0].said)

    def shows(witness: Witness) -> bool:
        bundle = Interceptors(rules=tuple(rules))
        return confirms(decide(bundle, TOOL_CALL, witness.call, scope=witness.scope))

    return find([rules], question, shows, timeout_ms=timeout_ms)


def _with_fills(rules: Rules, *places: int) -> list[Rule | Default]:
    """These rules, last and in this order, and before them all that fill in: nothing else matters to what they say."""
    return [*(rule for rule in rules if isinstance(rule, Default)), *(rules[at] for at in places)]


def _may_meet(one: Globs, other: Globs) -> bool:
    """Whether both may let the same tool through, as far as a look at exact names tells."""
    for a, b in ((one, other), (other, one)):
        if a.patterns and len(a.exact) == len(a.patterns) and not any(map(b.admit, a.exact)):
            return False
    return True


def _spoke(rule: Rule | Default) -> Callable[[Outcome[ToolCall]], bool]:
    """Whether a rule said what it is there to say."""
    name = name_of(rule)
    return lambda outcome: any(e.interceptor == name and e.kind is not Kind.FAULT for e in outcome.log)


def _any(_: Outcome[ToolCall]) -> bool:
    return True


def _untold(rule: Rule | Default, what: str, found: Found) -> Finding:
    return Finding(Level.NOTE, "unknown", name_of(rule), f"it is not known {what}: {found.why}")


def _acts(rules: Rules, at: int, timeout_ms: int) -> Found:
    """Whether a rule ever says what it is there to say."""
    rule = rules[at]
    asked, place = (rules, at) if isinstance(rule, Default) else (_with_fills(rules, at), -1)
    return _ask(asked, timeout_ms, lambda said: said[place].acts, _spoke(rule))


def _of_one(rules: Rules, at: int, acts: Found, timeout_ms: int) -> Iterator[Finding]:
    rule = rules[at]
    if acts.answer is Answer.UNKNOWN:
        yield _untold(rule, "whether it ever acts", acts)
    if acts.answer is not Answer.NO:
        yield from _pointless(rules, at, timeout_ms) if isinstance(rule, Default) else ()
        return
    why = _why_never(rules, at, timeout_ms)
    asked, place = (rules, at) if isinstance(rule, Default) else (_with_fills(rules, at), -1)
    faults = _ask(asked, timeout_ms, lambda said: said[place].faults, _any)
    if faults.answer is Answer.YES:
        problem = f"no call meets its conditions{why}; it blocks only where it cannot tell"
        yield Finding(Level.ERROR, "never but by a fault", name_of(rule), problem, faults.witness)
    else:
        yield Finding(Level.ERROR, "never", name_of(rule), f"no call meets its conditions{why}")


def _why_never(rules: Rules, at: int, timeout_ms: int) -> str:
    """Whether a rule would act, were it not for what is filled in before."""
    found = _ask([rules[at]], timeout_ms, lambda said: said[0].acts, _spoke(rules[at]))
    return ", because of what a default fills in" if found.answer is Answer.YES else ""


def _pointless(rules: Rules, at: int, timeout_ms: int) -> Iterator[Finding]:
    """A default of calls that are blocked, whatever it fills in."""
    rule = rules[at]
    meets = [
        i for i, other in enumerate(rules) if not isinstance(other, Default) and _may_meet(_tools(rule), _tools(other))
    ]
    asked = _with_fills(rules, *meets)
    place = asked.index(rule)

    def useful(said: Sequence[Said]) -> Any:
        return all_of((said[place].acts, negation(any_of(one.blocks for one in said))))

    found = _ask(asked, timeout_ms, useful, _proceeds)
    if found.answer is Answer.NO:
        yield Finding(Level.WARNING, "pointless", name_of(rule), "every call that it fills in is blocked")


def _tools(rule: Rule | Default) -> Globs:
    return rule.only.tools


def _covered(rules: Rules, at: int, alive: Alive, timeout_ms: int) -> Iterator[Finding]:
    """A rule to which nothing is left to say: another one, as strict, stops all that it stops."""
    rule = rules[at]
    if not isinstance(rule, Rule) or rule.verb == "note":
        return
    for other in alive:
        known = rules[other]
        if other == at or not isinstance(known, Rule) or not _may_cover(known, rule):
            continue
        if other > at and known.verb == rule.verb and _covers(rules, at, other, alive, timeout_ms).answer is Answer.NO:
            continue  # each covers the other: the later one is told of
        found = _covers(rules, other, at, alive, timeout_ms)
        if found.answer is Answer.NO:
            verb = "refused" if known.verb == "refuse" else "asked about"
            problem = f"every call that it stops is {verb} by {name_of(known)} already"
            yield Finding(Level.WARNING, "shadowed", name_of(rule), problem)
            return
        if found.answer is Answer.UNKNOWN:
            yield _untold(rule, f"whether {name_of(known)} stops all that it stops", found)


def _may_cover(known: Rule, rule: Rule) -> bool:
    """Whether a rule goes as far as another, and lets through all tools that this names exactly."""
    order = ("note", "ask", "refuse")
    exact = _tools(rule).exact or [""]
    lets = not _tools(known).patterns or (bool(_tools(rule).patterns) and all(map(_tools(known).admit, exact)))
    return order.index(known.verb) >= order.index(rule.verb) and lets


def _covers(rules: Rules, known: int, rule: int, alive: Alive, timeout_ms: int) -> Found:
    """Whether there is a call that a rule stops and a known one does not: if not, that one covers it."""
    met, only = alive[rule], Interceptors(rules=tuple(_with_fills(rules, known)))
    if met is not None and decide(only, TOOL_CALL, met.call, scope=met.scope).proceeds:
        return Found(Answer.YES, met)  # no need to ask z3

    def alone(said: Sequence[Said]) -> Any:
        theirs, mine = said[-2], said[-1]
        asks = isinstance(mine.rule, Rule) and mine.rule.verb == "ask"
        stops = any_of((theirs.blocks, theirs.asks)) if asks else theirs.blocks
        return all_of((any_of((mine.blocks, mine.asks)), negation(stops)))

    return _ask(_with_fills(rules, known, rule), timeout_ms, alone, _any)


def _contrary(rules: Rules, alive: Alive, timeout_ms: int) -> Iterator[Finding]:
    """An ask and a refusal of the same call: nobody is asked. One that is always refused is shadowed, and told so."""
    for at in alive:
        for other in alive:
            asks, refuses = rules[at], rules[other]
            if not (isinstance(asks, Rule) and isinstance(refuses, Rule) and (asks.verb, refuses.verb) == CONTRARY):
                continue
            if (
                not _may_meet(_tools(asks), _tools(refuses))
                or _covers(rules, other, at, alive, timeout_ms).answer is Answer.NO
            ):
                continue
            found = _ask(_with_fills(rules, at, other), timeout_ms, _both_act, lambda outcome: not _proceeds(outcome))
            if found.answer is Answer.YES:
                problem = f"on some calls {name_of(refuses)} refuses what it would ask about"
                yield Finding(Level.NOTE, "contrary", name_of(asks), problem, found.witness)


CONTRARY = ("ask", "refuse")


def _both_act(said: Sequence[Said]) -> Any:
    return all_of((said[-2].acts, said[-1].acts))


def _proceeds(outcome: Outcome[ToolCall]) -> bool:
    return outcome.verdict.value != "block"
