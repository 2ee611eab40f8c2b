"""A broken step, consultation or loop is rejected by a law that says in its name what is wrong."""

from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeAlias

import pytest
from attrs import evolve

from seamlaw import (
    Allow,
    Ask,
    Block,
    Consultation,
    Entry,
    Fault,
    Interceptor,
    Note,
    Replace,
    Seam,
    State,
    asking,
    step,
)

pytestmark = pytest.mark.slow

Plant: TypeAlias = Callable[[Any, Any], None]
Catches: TypeAlias = Callable[[str], bool]
Step: TypeAlias = Callable[[State[Any], Entry], State[Any]]


def block_is_not_terminal(state: State[Any], entry: Entry) -> State[Any]:
    """The chain goes on after a block."""
    return evolve(step(state, entry), stopped=False)


def ask_stops_the_chain(state: State[Any], entry: Entry) -> State[Any]:
    """An ask ends the chain, so that a person is asked about what would have been blocked."""
    return evolve(step(state, entry), stopped=state.stopped or isinstance(entry.answer, Ask | Block))


def note_swallows_replacements(state: State[Any], entry: Entry) -> State[Any]:
    """After a note no replacement counts."""
    noted = any(isinstance(said.answer, Note) for said in state.log)
    return evolve(step(state, entry), value=state.value) if noted else step(state, entry)


def gate_rewrites(state: State[Any], entry: Entry) -> State[Any]:
    """A gate's replacement is taken."""
    return evolve(step(state, entry), value=entry.answer.value if isinstance(entry.answer, Replace) else state.value)


def gate_block_hides_the_rest(state: State[Any], entry: Entry) -> State[Any]:
    """The first gate that blocks ends the run."""
    return evolve(step(state, entry), stopped=state.stopped or isinstance(entry.answer, Block))


def allow_is_logged(state: State[Any], entry: Entry) -> State[Any]:
    """An allow leaves an entry."""
    return evolve(state, log=(*state.log, entry)) if isinstance(entry.answer, Allow) else step(state, entry)


def note_of_a_gate_absolves(state: State[Any], entry: Entry) -> State[Any]:
    """A gate that merely notes clears what was found before it."""
    return State(state.value, (entry,)) if entry.is_gate and isinstance(entry.answer, Note) else step(state, entry)


def first_gate_decides(state: State[Any], entry: Entry) -> State[Any]:
    """What a gate says counts only if no gate said anything before it."""
    return state if entry.is_gate and any(said.is_gate for said in state.log) else step(state, entry)


def block_after_a_note_is_a_note(state: State[Any], entry: Entry) -> State[Any]:
    """Where something was noted already, a block is just another note."""
    weak = state.log and isinstance(entry.answer, Block)
    return step(state, evolve(entry, answer=Note("weakened")) if weak else entry)


def faults_are_never_logged(state: State[Any], entry: Entry) -> State[Any]:
    """An open fault leaves no trace."""
    open_fault = isinstance(entry.answer, Fault) and not entry.answer.closed
    return state if open_fault else step(state, entry)


def magic_number_passes(state: State[Any], entry: Entry) -> State[Any]:
    """One value in the world is never blocked."""
    return state if state.value == 1337 else step(state, entry)


STEPS: dict[str, tuple[Step, ...]] = {
    "block_is_terminal": (block_is_not_terminal,),
    "first_block_wins": (block_after_a_note_is_a_note, ask_stops_the_chain),
    "block_outranks_ask": (ask_stops_the_chain,),
    "replacements_chain": (note_swallows_replacements,),
    "a_gate_cannot_rewrite": (gate_rewrites,),
    "gates_see_what_runs": (gate_rewrites, gate_block_hides_the_rest),
    "every_gate_reports": (gate_block_hides_the_rest, note_of_a_gate_absolves, first_gate_decides),
    "allow_is_neutral": (allow_is_logged,),
    "adding_a_gate_never_loosens": (note_of_a_gate_absolves,),
    "gate_order_is_irrelevant": (first_gate_decides,),
    "a_block_is_never_undone": (block_after_a_note_is_a_note,),
    "open_fault_is_skipped": (faults_are_never_logged,),
    "the_log_is_complete": (faults_are_never_logged, ask_stops_the_chain, magic_number_passes),
}


@pytest.mark.parametrize(("law", "broken"), [(law, broken) for law in STEPS for broken in STEPS[law]])
def test_a_broken_step_is_noticed(law: str, broken: Step, plant: Plant, catches: Catches) -> None:
    """Each way to break the step breaks the law that forbids it."""
    plant(step, broken)
    assert catches(law)


Loop: TypeAlias = Generator[Consultation[Any], Iterable[Entry], State[Any]]


def gates_see_the_original(everyone: Iterable[Interceptor], seam: Seam[Any], state: State[Any], *rest: Any) -> Loop:
    """A gate judges what came in, and not what runs."""
    listed = list(everyone)
    ended = yield from asking([asked for asked in listed if not asked.is_gate], seam, state, *rest)
    judged = yield from asking(
        [asked for asked in listed if asked.is_gate], seam, evolve(ended, value=state.value), *rest
    )
    return evolve(judged, value=ended.value)


def none_swallows_a_replacement(
    everyone: Iterable[Interceptor], seam: Seam[Any], state: State[Any], *rest: Any
) -> Loop:
    """Whoever says nothing puts the first value back."""
    first = state.value
    for asked in everyone:
        before = len(state.log)
        state = yield from asking([asked], seam, state, *rest)
        state = state if len(state.log) > before else evolve(state, value=first)
    return state


def first_is_never_asked(everyone: Iterable[Interceptor], *given: Any) -> Loop:
    """The loop begins one too late."""
    return (yield from asking(list(everyone)[1:], *given))


def nobody_is_asked_past_32(everyone: Iterable[Interceptor], *given: Any) -> Loop:
    """A long chain is cut."""
    return (yield from asking(list(everyone)[:32], *given))


def chain_is_reversed(everyone: Iterable[Interceptor], *given: Any) -> Loop:
    """The last interceptor is asked first."""
    return (yield from asking(list(everyone)[::-1], *given))


LOOPS: dict[str, tuple[Callable[..., Loop], ...]] = {
    "gates_see_what_runs": (gates_see_the_original,),
    "replacements_chain": (none_swallows_a_replacement,),
    "chain_is_compositional": (first_is_never_asked,),
    "the_log_is_complete": (first_is_never_asked, nobody_is_asked_past_32),
    "the_loop_is_the_fold": (gates_see_the_original, nobody_is_asked_past_32, chain_is_reversed),
}


@pytest.mark.parametrize(("law", "broken"), [(law, broken) for law in LOOPS for broken in LOOPS[law]])
def test_a_broken_loop_is_noticed(law: str, broken: Callable[..., Loop], plant: Plant, catches: Catches) -> None:
    """Each way to break who is asked about what breaks the law that forbids it."""
    plant(asking, broken)
    assert catches(law)
