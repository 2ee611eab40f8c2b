"""Asks: nothing that asks goes on until every ask is granted, each by its own target, for exactly this value."""

from typing import Any

from seamlaw import TOOL_RESULT, Answered, Level, State, ToolResult, Verdict, answered, conclude, digest, settle
from seamlaw_spec._law import law
from seamlaw_spec.approvals import Reply, asking, grants, replies, standing
from seamlaw_spec.domains import OPEN, Heard, chain, gates, reported, run, verdict
from seamlaw_spec.odd import Odd, is_left_open, made
from seamlaw_spec.places import CALL, beside, seam_of, value
from seamlaw_spec.scripts import Place


@law(by="HCPE")
def block_outranks_ask(stream: list[Heard], judges: list[Heard], number: int) -> bool:
    """When anything blocks, no approver is contacted: the outcome carries no ask."""
    entries = [*chain(stream), *gates(judges)]
    ended = run(State(number), entries).state
    blocks = any(entry.level is Level.BLOCK for entry in reported(entries))
    if (verdict(ended) is Verdict.BLOCK) is not blocks:
        return False
    return not blocks or conclude(OPEN, number, (), number, ended).asks == ()


@law(by="HCPE")
def every_ask_must_be_granted(given: list[Reply], alike: bool, backwards: bool) -> bool:
    """One refusal, timeout, crash or missing approver among several denies, also where two ask alike."""
    if not given:
        return True
    outcome = standing(len(given), alike=alike)
    said = replies(outcome, given)
    settled, _ = settle(outcome, reversed(said) if backwards else said)
    if all(reply is Reply.GRANTED for reply in given):
        return settled.verdict is Verdict.PROCEED and settled.asks == () and settled.value is outcome.value
    return settled.verdict is Verdict.BLOCK and settled.asks == () and " asks (" in settled.reason


@law(by="HE")
def only_true_grants(odd: Odd, among: int) -> bool:
    """Only the value `True` grants; `"no"`, `"false"`, 1, an object that is equal to it, a coroutine do not."""
    outcome, said = standing(1 + among % 3), made(odd)
    first, rest = outcome.asks[0], grants(outcome)[1:]
    verdicts = [settle(outcome, [one, *rest])[0].verdict for one in (answered(first, said), Answered(first, said))]
    granted, _ = settle(outcome, [answered(first, True), *rest])
    return not is_left_open(said) and verdicts == [Verdict.BLOCK] * 2 and granted.verdict is Verdict.PROCEED


@law(by="H")
def an_approval_is_for_one_value(place: Place, number: int, other: int) -> bool:
    """What is approved (digest) is what runs; a changed value is decided again; an approval is used once."""
    seam, near = seam_of(place), beside(place)
    begun, changed = value(place, number), value(place, other)
    outcome, rewritten = asking(seam, begun, *near), asking(seam, begun, *near, by=changed)
    settled, unused = settle(outcome, grants(outcome))
    again, _ = settle(outcome, unused)
    moved, _ = settle(rewritten, grants(outcome))
    return (
        {ask.digest for ask in outcome.asks} == {digest((begun, *near) if near else begun)}
        and {ask.digest for ask in rewritten.asks} == {digest((changed, *near) if near else changed)}
        and (settled.verdict, settled.value, unused) == (Verdict.PROCEED, begun, ())
        and again.verdict is Verdict.BLOCK
        and moved.verdict is (Verdict.PROCEED if number == other else Verdict.BLOCK)
        and _is_never_replayed_onto_an_object(object())
    )


def _is_never_replayed_onto_an_object(held: Any) -> bool:
    """A value with a Python object is approved each time anew, though it is the very same."""
    outcome, again = (asking(TOOL_RESULT, ToolResult(held), CALL) for _ in range(2))
    verdicts = [settle(asked, grants(outcome))[0].verdict for asked in (again, outcome)]
    return verdicts == [Verdict.BLOCK, Verdict.PROCEED]
