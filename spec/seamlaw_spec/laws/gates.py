"""Gates: each on the value the chain left, alone, and the worst of them decides."""

from functools import partial

from attrs import evolve

from seamlaw import Consultation, Entry, Fault, Replace, State, Verdict, consult, pick
from seamlaw_spec._law import law
from seamlaw_spec.domains import (
    CLOSED,
    OPEN,
    Heard,
    chain,
    fold,
    gates,
    is_stopped_by,
    listener,
    raised_at,
    reported,
    run,
    verdict,
)
from seamlaw_spec.places import OWN_OPEN, Labelled
from seamlaw_spec.scripts import Actor, Script
from seamlaw_spec.ways import WAYS, Way, saw


@law(by="HCPE")
def gates_see_what_runs(stream: list[Heard], judges: list[Heard], number: int) -> bool:
    """Every gate is consulted on exactly the value that proceeds, whatever rewrote it and whatever gates answer."""
    ran = run(State(number), [*chain(stream), *gates(judges)])
    shown = [value for name, value in ran.seen if name.startswith("g")]
    asked = 0 if any(map(is_stopped_by, chain(stream))) else len(judges)
    return len(shown) == asked and all(value is ran.state.value for value in shown)


@law(by="HCPE")
def gate_order_is_irrelevant(
    stream: list[Heard], before: list[Heard], one: Heard, other: Heard, after: list[Heard], number: int
) -> bool:
    """Permuting gates changes no verdict, no value and no entry of the log (exchanging neighbours gives all orders)."""
    begun = fold(State(number), chain(stream))
    first, last = gates([*before, one, other]), gates(after, 50)
    swapped = [*first[:-2], first[-1], first[-2]]
    a, b = run(begun, [*first, *last]).state, run(begun, [*swapped, *last]).state
    return (
        verdict(a) is verdict(b)
        and a.value is b.value
        and len(a.log) == len(b.log)
        and all(entry in b.log for entry in a.log)
        and fold(begun, [*swapped, *last]) == b
    )


@law(by="HCPE")
def adding_a_gate_never_loosens(
    stream: list[Heard], before: list[Heard], one: Heard, after: list[Heard], number: int
) -> bool:
    """With one more gate the verdict is the same or stricter, and the value is the same."""
    begun = fold(State(number), chain(stream))
    first, added, last = gates(before), gates([one], 49), gates(after, 50)
    without, with_it = run(begun, [*first, *last]).state, run(begun, [*first, *added, *last]).state
    strictness = list(Verdict).index
    return strictness(verdict(with_it)) >= strictness(verdict(without)) and with_it.value is without.value


@law(by="HCE")
def a_gate_cannot_rewrite(before: list[Heard], after: list[Heard], number: int, replaced: int) -> bool:
    """A gate's replacement is a fault: on an open seam too it blocks, and the value stays, even if `step` meets it."""
    other, asked = Labelled(0, replaced), Consultation(listener("g49", True), OWN_OPEN, Labelled(0, number))
    said = consult(asked, partial(Replace, other))
    for one in (*said, Entry(OPEN.name, "g49", Replace(replaced), True)):
        ran = run(State(number), [*gates(before), one, *gates(after, 50)])
        ended = ran.state
        if ended.value is not number or one not in ended.log or verdict(ended) is not Verdict.BLOCK:
            return False
        if len(ran.seen) != len(before) + 1 + len(after):
            return False
    return len(said) == 1 and isinstance(said[0].answer, Fault)


@law(by="HCPE")
def a_faulting_gate_blocks(
    stream: list[Heard], before: list[Heard], after: list[Heard], on_closed: bool, number: int
) -> bool:
    """A gate's fault blocks on every seam, open ones too, and names the gate."""
    fault = raised_at(CLOSED if on_closed else OPEN, number, "g49", is_gate=True)
    ended = run(State(number), [*chain(stream), *gates(before), *fault, *gates(after, 50)]).state
    worst = pick(run(State(number), fault).state.log)
    return verdict(ended) is Verdict.BLOCK and worst is not None and "g49" in worst.reason


@law(by="H")
def gates_are_isolated(script: Script, which: int) -> bool:
    """No gate can affect what another sees: where the others keep silent, it sees the same."""
    calm, listed = script.calm(), script.gates()
    return not listed or all(_sees_the_same_alone(way, calm, listed[which % len(listed)]) for way in WAYS.values())


def _sees_the_same_alone(way: Way, script: Script, at: int) -> bool:
    def silenced(other: int, actor: Actor) -> Actor:
        return evolve(actor, turns=()) if actor.is_gate and other != at else actor

    alone = evolve(script, actors=tuple(silenced(other, actor) for other, actor in enumerate(script.actors)))
    return saw(way, alone, at) == saw(way, script, at)


@law(by="HE")
def every_gate_reports(stream: list[Heard], judges: list[Heard], number: int) -> bool:
    """One blocking gate hides no other gate's finding from the log."""
    entries = [*chain(stream), *gates(judges)]
    log = run(State(number), entries).state.log
    return tuple(entry for entry in log if entry.is_gate) == tuple(e for e in reported(entries) if e.is_gate)
