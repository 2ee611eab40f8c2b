"""`step` and `consult`, cell by cell; the whole table of seams and answers is in test_matrix."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    ALLOW,
    TOOL_CALL,
    TOOL_RESULT,
    Allow,
    Ask,
    Block,
    Consultation,
    Entry,
    Fault,
    Interceptor,
    Interceptors,
    InvalidValue,
    Kind,
    Note,
    Replace,
    Scope,
    Several,
    State,
    ToolCall,
    ToolResult,
    conclude,
    consult,
    decide,
    freeze,
    gate,
    interceptor,
    raised,
    read,
    step,
)

CALL = ToolCall("id-1", "bash", {"command": "ls"})
OTHER = ToolCall("id-1", "bash", {"command": "pwd"})


def at_call(*asked: Callable[[Any], object]) -> Interceptors:
    """Make a bundle of what is asked at `tool_call`."""
    given: dict[str, Any] = {"tool_call": asked}
    return Interceptors(**given)


def several(said: Any) -> Several:
    """Make a `Several` of anything."""
    return Several(said)


def said(answer: Any, *, is_gate: bool = False) -> Entry:
    """Make the entry of one answer at `tool_call`."""
    return Entry("tool_call", "one", answer, is_gate)


def nothing(call: ToolCall) -> None:
    """Answer nothing."""


NOBODY = interceptor(nothing)


def question(asked: Interceptor = NOBODY, value: ToolCall = CALL) -> Consultation[ToolCall]:
    """Make a question at `tool_call`."""
    return Consultation(asked, TOOL_CALL, value)


# The step


@pytest.mark.parametrize(
    ("answer", "in_chain", "at_gate"),
    [
        # answer                 value, logged, stopped
        (ALLOW, (CALL, False, False), (CALL, False, False)),
        (Allow(), (CALL, False, False), (CALL, False, False)),
        (Note("why"), (CALL, True, False), (CALL, True, False)),
        (Ask("why"), (CALL, True, False), (CALL, True, False)),
        (Block("why"), (CALL, True, True), (CALL, True, False)),
        (Replace(OTHER), (OTHER, True, False), (CALL, True, False)),
        (Fault("why", closed=True), (CALL, True, True), (CALL, True, False)),
        (Fault("why", closed=False), (CALL, True, False), (CALL, True, False)),
    ],
    ids=lambda cell: type(cell).__name__,
)
def test_step_is_this_table(
    answer: Any, in_chain: tuple[ToolCall, bool, bool], at_gate: tuple[ToolCall, bool, bool]
) -> None:
    """A block stops the chain, not the gates; only the chain replaces; all but an allow is logged."""
    for is_gate, (value, logged, stopped) in ((False, in_chain), (True, at_gate)):
        before = said(Note("before"))
        entry = said(answer, is_gate=is_gate)
        state = step(State(CALL, (before,)), entry)
        assert state == State(value, (before, entry) if logged else (before,), stopped)
        assert state.value is value


def test_an_allow_gives_the_very_same_state() -> None:
    """Nothing is made where nothing was said."""
    state = State(CALL)
    assert step(state, said(ALLOW)) is state


@pytest.mark.parametrize("answer", [ALLOW, Note("n"), Ask("a"), Block("b"), Replace(OTHER), Fault("f", closed=True)])
@pytest.mark.parametrize("is_gate", [False, True])
def test_a_stopped_state_takes_nothing(answer: Any, is_gate: bool) -> None:
    """After a block no answer changes anything."""
    state = step(State(CALL), said(Block("first")))
    assert step(state, said(answer, is_gate=is_gate)) is state


def test_an_answer_that_is_none_of_the_kinds_cannot_pass() -> None:
    """Whoever makes an entry of something else is told so, instead of being let through."""
    with pytest.raises(AssertionError):
        step(State(CALL), said("allow"))


# Consulting


def test_consulting_calls_once_with_the_value_and_gives_entries() -> None:
    """An answer becomes one entry with the seam, the name and the mode."""
    seen: list[object] = []

    def asked(call: ToolCall) -> Note:
        seen.append(call)
        return Note("seen")

    assert consult(question(gate(asked))) == (Entry("tool_call", "asked", Note("seen"), True),)
    assert seen == [CALL]
    assert seen[0] is CALL


def test_consulting_may_take_the_answer_from_elsewhere() -> None:
    """With `ask`, the interceptor itself is not called: its answer comes over a wire, say."""

    def not_called(call: ToolCall) -> None:
        raise AssertionError

    assert consult(question(interceptor(not_called)), lambda: Block("told")) == (
        Entry("tool_call", "not_called", Block("told")),
    )


def test_reading_and_raising_are_the_two_halves_of_consulting() -> None:
    """`read` takes an answer, `raised` an exception; a host that awaits uses them."""
    assert read(question(), None) == read(question(), ALLOW) == read(question(), Replace(CALL)) == ()
    assert read(question(), Note("n")) == (Entry("tool_call", "nothing", Note("n")),)
    (entry,) = raised(question(), ValueError("secret"))
    assert entry.answer == Fault("interceptor error: nothing raised ValueError", closed=True)


def test_what_is_offered_is_the_value_and_what_stands_beside_it() -> None:
    """`offered` is what the interceptor is shown before the scope."""
    result = ToolResult("out")
    assert Consultation(NOBODY, TOOL_RESULT, result, (CALL,)).offered == (result, CALL)
    assert question().offered == (CALL,)


@pytest.mark.parametrize(
    ("parts", "kinds"),
    [
        ((), []),
        ((Note("a"),), [Kind.NOTE]),
        ((Note("a"), Ask("b"), Block("c"), Note("d")), [Kind.NOTE, Kind.ASK, Kind.BLOCK, Kind.NOTE]),
        ((Several((Note("a"),)), Note("b")), [Kind.NOTE, Kind.NOTE]),
        ((None, ALLOW, Note("a")), [Kind.NOTE]),
        ((True, Note("a")), [Kind.FAULT, Kind.NOTE]),
        ((Replace(OTHER),), [Kind.FAULT]),
        ("no", [Kind.FAULT, Kind.FAULT]),
        (7, [Kind.FAULT]),
        (None, [Kind.FAULT]),
    ],
)
def test_a_gate_may_say_several_things_each_read_alike(parts: object, kinds: list[Kind]) -> None:
    """Each part is logged as if a gate of its own had said it, and what is no decision is a fault among them."""
    assert [entry.kind for entry in consult(question(gate(nothing)), lambda: several(parts))] == kinds


def test_a_replacement_is_by_identity_an_allow_and_else_a_replacement() -> None:
    """An equal call that is another object is a replacement: somebody made it."""
    twin = ToolCall("id-1", "bash", {"command": "ls"})
    (entry,) = read(question(), Replace(twin))
    assert (twin == CALL, entry.kind) == (True, Kind.REPLACE)


def test_the_id_is_kept_at_every_step() -> None:
    """A rewriter that makes another id has it put back before anybody sees it."""
    seen: list[str] = []

    def rename(call: ToolCall) -> Replace:
        return Replace(ToolCall("forged", "ls"))

    def look(call: ToolCall) -> None:
        seen.append(call.id)

    outcome = decide(at_call(rename, look, gate(look)), TOOL_CALL, CALL)
    assert (outcome.value, seen) == (ToolCall("id-1", "ls"), ["id-1", "id-1"])
    assert outcome.log[0].answer == Replace(ToolCall("id-1", "ls"))


def test_what_the_kernel_itself_refused_is_quoted_with_the_place_that_gave_it() -> None:
    """Its words name a place and a kind; those of anybody else may be a secret."""

    def makes(call: ToolCall) -> Replace:
        return Replace(freeze({"a": float("nan")}))

    def claims(call: ToolCall) -> Replace:
        raise InvalidValue("/secret", "secret")

    for asked, words in ((makes, " (/a: NaN and infinities are no JSON)"), (claims, "")):
        line = inspect.getsourcelines(asked)[1] + 1
        (entry,) = consult(question(interceptor(asked)))
        assert entry.reason == (
            f"interceptor error: {asked.__name__} raised InvalidValue at test_step.py:{line}{words}"
        )


def test_what_was_never_raised_is_not_quoted() -> None:
    """It has no place, so nothing says that the kernel made its words."""
    (entry,) = raised(question(), InvalidValue("/secret", "secret"))
    assert entry.answer == Fault("interceptor error: nothing raised InvalidValue", closed=True)


def test_an_exception_that_cannot_be_named_is_told_as_such() -> None:
    """Whatever it refuses to say, there is a fault with words."""

    class Nameless(type):
        def __getattribute__(cls, name: str) -> Any:
            raise RuntimeError(name)

    class Hostile(Exception, metaclass=Nameless): ...

    (entry,) = raised(question(), Hostile())
    assert entry.reason == "interceptor error: nothing raised an exception that cannot be named"


def test_a_gates_fault_is_closed_on_an_open_seam_and_says_why() -> None:
    """A replacement too, which a gate cannot say."""
    (fault,) = consult(Consultation(gate(nothing), TOOL_RESULT, ToolResult(1), (CALL,)), lambda: Replace(ToolResult(2)))
    assert fault.answer == Fault(
        "interceptor error: nothing answered a replacement, but a gate cannot rewrite", closed=True
    )


def test_an_outcome_concluded_without_a_scope_is_of_nobody_known() -> None:
    """An ask always says of whom it is."""
    outcome = conclude(TOOL_CALL, CALL, (), CALL, step(State(CALL), said(Ask("may it?"))))
    assert [(ask.interceptor, ask.scope) for ask in outcome.asks] == [("one", Scope())]
