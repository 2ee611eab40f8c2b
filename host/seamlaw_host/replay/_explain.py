"""Explain a decision: everyone who could have been consulted, in order, with what each answered, or why it was not.

The kernel's own pipeline is driven (`seamlaw.deciding`), and what passes is written down.
"""

from collections.abc import Iterable
from typing import Literal

from attrs import frozen

from seamlaw import (
    TOOL_CALL,
    Consultation,
    Entry,
    Interceptor,
    Interceptors,
    Mismatch,
    Outcome,
    Rule,
    Scope,
    State,
    ToolCall,
    Verdict,
    consult,
    deciding,
    drive,
    step,
)
from seamlaw.policy import Default

from ._changes import json_text

__all__ = ["Explanation", "Step", "explain"]

Phase = Literal["fill", "chain", "rule", "gate", "handler"]
PHASES: dict[bool, dict[bool, Phase]] = {  # by whether it is a gate, and whether it is a rule
    False: {False: "chain", True: "fill"},
    True: {False: "gate", True: "rule"},
}


@frozen
class Step:
    """One interceptor: `skipped` says why it was not asked; else `answers` (none is an allow), and both values.

    `conditions` pairs each condition of a rule with how it came out: true, false, or a problem.
    """

    phase: Phase
    interceptor: str
    before: ToolCall
    after: ToolCall
    skipped: str = ""
    answers: tuple[Entry, ...] = ()
    conditions: tuple[tuple[str, bool | str], ...] = ()


@frozen
class Explanation:
    """What was decided, and every step to it."""

    call: ToolCall
    scope: Scope
    outcome: Outcome[ToolCall]
    steps: tuple[Step, ...]


def explain(bundle: Interceptors | None, call: ToolCall, scope: Scope | None = None) -> Explanation:
    """Decide a call and tell how; handlers are listed, never called."""
    who = scope or Scope()
    recorder = _Recorder(_phased(bundle), call, who)
    outcome = drive(deciding(bundle, TOOL_CALL, call, scope=who), recorder.ask)
    recorder.skip_rest()
    handlers = [_handler(each, outcome, who) for each in (bundle.handlers if bundle else ())]
    return Explanation(call, who, outcome, (*recorder.steps, *handlers))


def _phased(bundle: Interceptors | None) -> list[tuple[Phase, Interceptor]]:
    """Say of everyone, in the order of asking, whether it is a rule or given for the seam."""
    if bundle is None:
        return []
    left = {gates: sum(rule.is_gate is gates for rule in bundle.by_rule) for gates in (False, True)}
    phased: list[tuple[Phase, Interceptor]] = []
    for each in bundle.ordered(TOOL_CALL):  # of those that rewrite, and of those that judge, rules come first
        left[each.is_gate] -= 1
        phased.append((PHASES[each.is_gate][left[each.is_gate] >= 0], each))
    return phased


class _Recorder:
    """Asks, and writes down; whoever the pipeline passes over is written down as skipped."""

    def __init__(self, everyone: list[tuple[Phase, Interceptor]], call: ToolCall, scope: Scope) -> None:
        self.waiting = iter(everyone)
        self.state = State(call)
        self.scope = scope
        self.steps: list[Step] = []

    def ask(self, question: Consultation[ToolCall]) -> Iterable[Entry]:
        """Ask, and take the answers into the state, as the pipeline will."""
        phase = self.skip_to(question.interceptor)
        before, answers = question.value, consult(question)
        for entry in answers:
            self.state = step(self.state, entry)
        told = _conditions(question.interceptor, before)
        done = Step(phase, question.interceptor.name, before, self.state.value, "", answers, told)
        self.steps.append(done)
        return answers

    def skip_to(self, asked: Interceptor) -> Phase:
        """Write down everyone before the one that is asked."""
        for phase, each in self.waiting:
            if each is asked:
                return phase
            self.skip(phase, each)
        raise AssertionError("the pipeline asked somebody who is not in the bundle")

    def skip_rest(self) -> None:
        """Write down everyone after the last that was asked."""
        for phase, each in self.waiting:
            self.skip(phase, each)

    def skip(self, phase: Phase, each: Interceptor) -> None:
        """Write down one that is not asked."""
        value = self.state.value
        why = _why_skipped(each, value.name, self.scope.agent)
        stopper = self.state.log[-1].interceptor if self.state.stopped else ""
        self.steps.append(Step(phase, each.name, value, value, why or f"{stopper} has stopped the chain"))


def _why_skipped(asked: Interceptor, tool: str, agent: str | None) -> str:
    if asked.function is None:
        return "it only watches"
    if not asked.tools.admit(tool):
        return f"it is for tools {', '.join(asked.tools.patterns)}"
    if not asked.agents.admit(agent):
        return f"it is for agents {', '.join(asked.agents.patterns)}"
    return ""


def _handler(handler: Interceptor, outcome: Outcome[ToolCall], scope: Scope) -> Step:
    value = outcome.value
    why = "the call is blocked" if outcome.verdict is Verdict.BLOCK else _why_skipped(handler, value.name, scope.agent)
    return Step("handler", handler.name, value, value, why or "handlers act, so they are not called here")


def _conditions(asked: Interceptor, call: ToolCall) -> tuple[tuple[str, bool | str], ...]:
    """Say of each condition of a rule how it came out."""
    rule = asked.function
    if not isinstance(rule, Rule | Default):
        return ()
    listed = [("when", each) for each in rule.only.when] + [("unless", each) for each in rule.only.unless]
    told: list[tuple[str, bool | str]] = []
    for kind, condition in listed:
        try:
            held: bool | str = condition.holds(call.arguments)
        except Mismatch as problem:
            held = str(problem)
        at = condition.data().pop("at")
        test = json_text({key: value for key, value in condition.data().items() if key != "at"})
        told.append((f"{kind} {at or 'the arguments'} {test}", held))
    return tuple(told)
