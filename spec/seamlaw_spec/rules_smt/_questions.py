"""Questions about policies of rules: is there a call such that …, with the call, replayed on the kernel."""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, TypeAlias

from attrs import frozen

from seamlaw import Default, Rule, Scope, SeamlawError, ToolCall

from ._demands import Unsupported, demand_of, texts_of
from ._json import python
from ._policies import Asked, Judged, asked_of, judge
from ._texts import Texts
from ._z3 import any_of, negation, written, z3

__all__ = ["Answer", "Found", "Question", "Rules", "Witness", "find"]

Rules: TypeAlias = "Iterable[Rule | Default]"
TIMEOUT_MS = 10_000
TRIES = 3


class Answer(Enum):
    """Whether there is such a call."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@frozen
class Witness:
    """A call, and who makes it."""

    call: ToolCall
    scope: Scope


@frozen
class Found:
    """An answer, with the call if there is one, or why it is not known."""

    answer: Answer
    witness: Witness | None = None
    why: str = ""


Question: TypeAlias = Callable[[list[Judged], Asked], Any]
Confirms: TypeAlias = Callable[[Witness], bool]


def find(policies: Iterable[Rules], question: Question, confirms: Confirms, *, timeout_ms: int = TIMEOUT_MS) -> Found:
    """Look for a call of which a question, put to these policies, holds; `confirms` tries it on the kernel.

    `NO` is proved: for every tool, agent and arguments. `YES` is confirmed by the kernel. All else is `UNKNOWN`.
    """
    listed = [tuple(rules) for rules in policies]
    everything = [rule for rules in listed for rule in rules]
    try:
        demand, texts = demand_of(everything), texts_of(everything)
        asked = asked_of(demand, texts)
        formula = question([judge(rules, asked, texts, demand) for rules in listed], asked)
    except (Unsupported, RecursionError) as reason:
        return Found(Answer.UNKNOWN, why=str(reason) or "nested too deeply")
    if formula is False:
        return Found(Answer.NO)
    claims = [*asked.claims, formula, *texts.axioms()]
    straight = [negation(texts.climbs(path)) for path in texts.paths]
    first = _search(claims + straight, asked, texts, confirms, timeout_ms)
    return (
        first
        if first.answer is Answer.YES or (not straight and first.answer is Answer.NO)
        else _search(claims, asked, texts, confirms, timeout_ms)
    )


def _search(claims: list[Any], asked: Asked, texts: Texts, confirms: Confirms, timeout_ms: int) -> Found:
    solver = z3.Solver()
    solver.set("timeout", timeout_ms)
    solver.add([claim for claim in claims if claim is not True])
    if any(claim is False for claim in claims):
        return Found(Answer.NO)
    why = ""
    for _ in range(TRIES):
        told = str(solver.check())
        if told == "unsat":
            return Found(Answer.NO) if not why else Found(Answer.UNKNOWN, why=why)
        if told != "sat":
            return Found(Answer.UNKNOWN, why=why or f"z3 does not know: {solver.reason_unknown()}")
        model = solver.model()
        witness = _witness(model, asked, texts)
        if witness is not None and confirms(witness):
            return Found(Answer.YES, witness)
        why = "z3 shows a call that the kernel decides otherwise, or that cannot be made"
        solver.add(_another(model, asked))
    return Found(Answer.UNKNOWN, why=why)


def _witness(model: Any, asked: Asked, texts: Texts) -> Witness | None:
    tool = texts.read(written(model.eval(asked.tool, model_completion=True)))
    agent = texts.read(written(model.eval(asked.agent, model_completion=True)))
    known = bool(z3.is_true(model.eval(asked.agent_known, model_completion=True)))
    try:
        arguments = python(asked.arguments, model, texts)
        return Witness(ToolCall("id-1", tool, arguments), Scope(agent=agent if known else None))
    except (OverflowError, SeamlawError):
        return None


def _another(model: Any, asked: Asked) -> Any:
    """That it is another call, in a kind, a size, or a text."""
    terms = [asked.tool]
    waiting = [asked.arguments]
    for value in waiting:
        terms += [value.kind, value.size, value.text, value.number]
        waiting += [*value.fields.values(), *value.items.values(), *value.others]
    return any_of(term != model.eval(term, model_completion=True) for term in terms)
