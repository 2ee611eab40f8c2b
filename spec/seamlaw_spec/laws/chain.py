"""The chain: interceptors in order, each on what the one before left, until one blocks."""

from functools import partial
from typing import Any

from seamlaw import (
    TOOL_CALL,
    Allow,
    Block,
    Consultation,
    Fault,
    Interceptor,
    Interceptors,
    Kind,
    Level,
    Replace,
    Severity,
    State,
    Verdict,
    block,
    consult,
    decide,
    pick,
    plan,
)
from seamlaw_spec._law import law
from seamlaw_spec.domains import (
    OPEN,
    Heard,
    Said,
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
from seamlaw_spec.model import performances
from seamlaw_spec.odd import AWAITED, Odd, close, is_left_open, made
from seamlaw_spec.places import CALL, OWN_CLOSED, Labelled, beside, seam_of, value
from seamlaw_spec.scripts import Place, Script
from seamlaw_spec.stages import Stage
from seamlaw_spec.vandals import Vandalised
from seamlaw_spec.ways import WAYS, answers_all_the_same, leaves_only_what_interrupts, performed


@law(by="HCPE")
def empty_chain_is_identity(number: int) -> bool:
    """With no interceptors the very same object proceeds, nothing is allocated and nothing is logged."""
    start = State(number)
    outcomes = [decide(bundle, OPEN, number) for bundle in (None, Interceptors(), Interceptors(seams={OPEN: ()}))]
    return (
        fold(start, []) is start
        and run(start, []).state is start
        and all(o.value is number and o.log == () and o.verdict is Verdict.PROCEED for o in outcomes)
        and plan(None) is None
        and plan(Interceptors()) is None
        and (elsewhere := plan(Interceptors(memory=(listener("elsewhere", False),)))) is not None
        and elsewhere.tool_call(CALL) is None
    )


@law(by="HCPE")
def allow_is_neutral(before: list[Heard], after: list[Heard], judges: list[Heard], is_gate: bool, number: int) -> bool:
    """An allow, or `None`, changes neither verdict, value nor log, wherever it stands."""
    asked, allow = Consultation(listener("asked", is_gate), OPEN, number), Allow()
    rest = [*chain([*before, *after]), *gates(judges)]
    at = len(before) + (len(after) if is_gate else 0)
    with_it = [*rest[:at], *(gates if is_gate else chain)([Heard(Said.ALLOW)], 99), *rest[at:]]
    return (
        run(State(number), with_it).state == run(State(number), rest).state
        and fold(State(number), with_it) == fold(State(number), rest)
        and consult(asked, lambda: None) == ()
        and consult(asked, lambda: allow) == ()
        and consult(asked, lambda: Replace(number)) == ()
    )


@law(by="HCPE")
def replacements_chain(stream: list[Heard], number: int) -> bool:
    """Each interceptor sees exactly what the one before left: the last replacement, or the value itself."""
    entries, left = chain(stream), number
    ran = run(State(number), entries)
    for entry, (_, saw) in zip(entries, ran.seen, strict=False):
        if saw is not left:
            return False
        left = entry.answer.value if isinstance(entry.answer, Replace) else left
    return ran.state.value is left and fold(State(number), entries).value is left


@law(by="HCPE")
def first_block_wins(stream: list[Heard], number: int) -> bool:
    """The reason is that of the first block in order, and its interceptor is the one that decided."""
    entries = chain(stream)
    blocks = [entry for entry in entries if is_stopped_by(entry)]
    ended = run(State(number), entries).state
    if not blocks:
        return verdict(ended) is not Verdict.BLOCK
    return verdict(ended) is Verdict.BLOCK and pick(ended.log) == blocks[0] and fold(State(number), entries) == ended


@law(by="HCPE")
def block_is_terminal(before: list[Heard], after: list[Heard], judges: list[Heard], number: int) -> bool:
    """After a block nothing later is consulted, and no suffix changes the outcome."""
    entries = chain([*before, Heard(Said.BLOCK)])
    more = [*entries, *chain(after, 50), *gates(judges)]
    return run(State(number), more) == run(State(number), entries) and fold(State(number), more) == fold(
        State(number), entries
    )


@law(by="HCPE")
def chain_is_compositional(first: list[Heard], then: list[Heard], number: int) -> bool:
    """Running `a + b` is running `a`, then `b` on what it left."""
    a, b = chain(first), chain(then, 50)
    ran = run(State(number), a)
    ended = run(ran.state, b)
    whole = run(State(number), [*a, *b])
    return (
        whole.state == ended.state
        and whole.seen == ran.seen + ended.seen
        and fold(State(number), [*a, *b]) == fold(fold(State(number), a), b)
    )


@law(by="HCPE")
def closed_fault_blocks(before: list[Heard], after: list[Heard], judges: list[Heard], number: int) -> bool:
    """On a closed seam, as `tool_call` is, a fault blocks and names the interceptor."""
    stops = any(map(is_stopped_by, chain(before)))
    for seam, carried in ((TOOL_CALL, CALL), (OWN_CLOSED, Labelled(0, 0))):
        fault = raised_at(seam, carried, "raiser")
        ran = run(State(number), [*chain(before), *fault, *chain(after, 50), *gates(judges)])
        worst = pick(ran.state.log)
        named = worst is not None and worst.interceptor == "raiser" and "raiser" in worst.reason
        if verdict(ran.state) is not Verdict.BLOCK or not (stops or named):
            return False
    return True


@law(by="HCPE")
def open_fault_is_skipped(before: list[Heard], after: list[Heard], judges: list[Heard], number: int) -> bool:
    """On an open seam a rewriter's fault leaves the last good value, is logged, and the chain goes on."""
    fault = raised_at(OPEN, number, "raiser")
    rest = [*chain([*before, *after]), *gates(judges)]
    ran = run(State(number), [*rest[: len(before)], *fault, *rest[len(before) :]])
    without = run(State(number), rest)
    is_heard = not any(map(is_stopped_by, chain(before)))
    return (
        ran.state.value is without.state.value
        and verdict(ran.state) is verdict(without.state)
        and [seen for seen in ran.seen if seen[0] != "raiser"] == list(without.seen)
        and [entry for entry in ran.state.log if entry.interceptor != "raiser"] == list(without.state.log)
        and [entry for entry in ran.state.log if entry.interceptor == "raiser"] == (list(fault) if is_heard else [])
    )


@law(by="HE")
def what_is_no_decision_is_a_fault(odd: Odd, place: Place, is_gate: bool, closes: bool) -> bool:
    """What is no decision (`True`, text, a coroutine, a wrong-typed replacement) is a fault under the seam's policy."""
    seam, closed = seam_of(place), seam_of(place).on_fault == "closed" or is_gate or closes
    asked = Interceptor(listener("asked", is_gate), "asked", is_gate, closes=closes)
    question: Consultation[Any] = Consultation(asked, seam, value(place, 0), beside(place))
    AWAITED.clear()
    answer, replacement = made(odd), made(odd)
    entries = [consult(question, lambda: answer), consult(question, lambda: Replace(replacement))]
    return (
        not any([is_left_open(answer), is_left_open(replacement)])  # a list: both are closed here
        and all(len(said) == 1 and isinstance(said[0].answer, Fault) for said in entries)
        and all((e.level is Level.BLOCK) is closed is getattr(e.answer, "closed", None) for (e,) in entries)
        and consult(question, lambda: True)[0].kind is Kind.FAULT
        and not AWAITED
    )


@law(by="H")
def a_block_can_always_be_said(odd: Odd, text: str, severity: Odd) -> bool:
    """Building a block never raises, whatever its reason and severity are, and its reason can be written down."""
    reasons, label = [made(odd), made(odd), text, None], made(severity)
    said = [*map(block, reasons), *map(Block, reasons), block(text, severity=label)]
    question: Consultation[Any] = Consultation(listener("says", False), OPEN, 0)
    close(label)
    left_open = [is_left_open(reason) for reason in reasons]  # a list: all are closed here
    return not any(left_open) and all(
        one.reason.encode().decode() == one.reason
        and one.severity in Severity
        and consult(question, partial(next, iter([one])))[0].answer is one
        for one in said
    )


@law(by="HCPE")
def call_id_is_kept(label: int, number: int, answers: list[tuple[int, int]]) -> bool:
    """Every interceptor sees, and the host gets, the original call id, whatever the replacements say."""
    value = Labelled(label, number)
    for at, (forged, replaced) in enumerate(answers):
        said = Labelled(forged, replaced)
        entries = consult(Consultation(listener(f"i{at}", False), OWN_CLOSED, value), partial(Replace, said))
        kept = fold(State(value), entries).value
        if kept != Labelled(label, replaced):
            return False
        value = kept
    return "id" in TOOL_CALL.kept


@law(by="HCE")
def the_log_is_complete(stream: list[Heard], judges: list[Heard], number: int) -> bool:
    """There is one entry per answer that was not allow, in order, with seam, kind, reason and interceptor."""
    entries = [*chain(stream), *gates(judges)]
    log = run(State(number), entries).state.log
    return log == reported(entries) == fold(State(number), entries).log and all(
        entry.seam == OPEN.name
        and entry.interceptor == f"{'g' if entry.is_gate else 'i'}{entry.interceptor[1:]}"
        and (entry.reason == f"said {entry.interceptor[1:]}" or isinstance(entry.answer, Replace))
        and entry.kind.value == type(entry.answer).__name__.lower()
        for entry in log
    )


@law(by="HE")
def deciding_never_raises(script: Script, odd: Odd) -> bool:
    """No `Exception` of an interceptor leaves the kernel; a `BaseException` leaves, and nobody else is asked."""
    return answers_all_the_same(odd) and all(leaves_only_what_interrupts(way, Stage(script)) for way in WAYS.values())


@law(by="HE")
def deciding_is_deterministic(script: Script) -> bool:
    """Equal inputs and equal answers give equal outcomes."""
    return all(performed(way, Stage(script)) == performed(way, Stage(script)) for way in WAYS.values())


@law(by="H")
def inputs_are_never_changed(vandalised: Vandalised) -> bool:
    """No value that is given to an interceptor can be changed by it, at any depth, nor later by who gave it."""
    return vandalised.stays()


@law(by="HE")
def the_loop_is_the_fold(script: Script) -> bool:
    """The fast loop, the async driver and the plan agree with folding `step`, and all with the reference model."""
    model = performances(script)
    return all(performed(way, Stage(script)) == model for way in WAYS.values())
