"""The pipeline: questions are yielded, entries are sent, the outcome is returned; whoever drives it decides when."""

from collections.abc import Callable, Generator, Iterable
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    TOOL_RESULT,
    Block,
    Consultation,
    Entry,
    Interceptors,
    InvalidValue,
    Message,
    Note,
    Outcome,
    Replace,
    Scope,
    State,
    ToolCall,
    ToolResult,
    Verdict,
    asking,
    conclude,
    consult,
    decide,
    decide_async,
    deciding,
    drive,
    gate,
    interceptor,
)

CALL = ToolCall("id-1", "bash", {"command": "ls"})
OTHER = ToolCall("id-1", "bash", {"command": "pwd"})


def at_call(*asked: Callable[[Any], object]) -> Interceptors:
    """Make a bundle of what is asked at `tool_call`."""
    given: dict[str, Any] = {"tool_call": asked}
    return Interceptors(**given)


def said(answer: Any, *, is_gate: bool = False) -> Entry:
    """Make the entry of one answer at `tool_call`."""
    return Entry("tool_call", "one", answer, is_gate)


def nothing(call: ToolCall) -> None:
    """Answer nothing."""


NOBODY = interceptor(nothing)


# The pipeline


def test_deciding_yields_each_question_and_is_sent_its_entries() -> None:
    """Whoever drives it may ask where and when it likes."""
    pipeline = deciding(at_call(nothing, gate(nothing)), TOOL_CALL, CALL, scope=Scope(agent="a"))
    first = next(pipeline)
    second = pipeline.send([said(Replace(OTHER))])
    assert (first.value, first.scope, first.interceptor.is_gate) == (CALL, Scope(agent="a"), False)
    assert (second.value, second.interceptor.is_gate) == (OTHER, True)
    with pytest.raises(StopIteration) as end:
        pipeline.send(())
    assert end.value.value == Outcome(TOOL_CALL, Verdict.PROCEED, OTHER, log=(said(Replace(OTHER)),))


def test_an_ask_that_raises_stop_iteration_is_not_taken_for_the_end() -> None:
    """Only the pipeline itself ends the pipeline: nobody gets `None`, which would mean that nothing happened."""

    def asks(consultation: Consultation[Any]) -> Iterable[Entry]:
        raise StopIteration

    with pytest.raises((RuntimeError, StopIteration)):
        drive(deciding(at_call(NOBODY), TOOL_CALL, CALL), asks)


def test_an_awaited_ask_that_raises_stop_iteration_is_not_taken_for_the_end() -> None:
    """The same where answers are awaited: the coroutine never returns `None`."""

    def asks(consultation: Consultation[Any]) -> Any:
        raise StopIteration

    with pytest.raises(RuntimeError):
        decide_async(at_call(NOBODY), TOOL_CALL, CALL, ask=asks).send(None)


def test_awaiting_waits_for_each_answer() -> None:
    """Between question and answer the coroutine is suspended; questions come one at a time, in order."""
    asked: list[str] = []

    class Later:
        def __await__(self) -> Generator[str, tuple[Entry, ...], tuple[Entry, ...]]:
            return (yield asked[-1])

    def ask(consultation: Consultation[Any]) -> Later:
        asked.append(consultation.interceptor.name)
        return Later()

    waiting = decide_async(at_call(interceptor(nothing, name="a"), gate(nothing, name="b")), TOOL_CALL, CALL, ask=ask)
    steps: Any = waiting
    assert steps.send(None) == "a"
    assert steps.send((said(Note("n")),)) == "b"
    with pytest.raises(StopIteration) as end:
        steps.send((said(Block("no"), is_gate=True),))
    assert (end.value.value.verdict, end.value.value.reason, asked) == (Verdict.BLOCK, "no", ["a", "b"])


def test_asking_goes_on_from_any_state_and_never_past_a_stop() -> None:
    """It is the middle of the pipeline: what was said before is kept."""
    begun = State(CALL, (said(Note("before")),))
    asked = at_call(lambda call: Block("no"), gate(nothing)).tool_call
    state = drive(asking(asked, TOOL_CALL, begun, (), Scope()), consult)
    assert [entry.reason for entry in state.log] == ["before", "no"]
    assert drive(asking(asked, TOOL_CALL, state, (), Scope()), consult) is state


def test_the_outcome_is_read_off_the_last_state() -> None:
    """The host gets its own object back where nothing replaced what was admitted of it."""
    given: Any = [Message("user", "hi")]
    admitted: tuple[Message, ...] = tuple(given)
    quiet = conclude(CONTEXT, given, (), admitted, State(admitted))
    assert (quiet.verdict, quiet.value is given) == (Verdict.PROCEED, True)
    changed = conclude(CONTEXT, admitted, (), admitted, State((*admitted, *admitted)))
    assert changed.value == (*admitted, *admitted)


# What no seam carries


@pytest.mark.parametrize("bundle", [None, at_call(nothing)], ids=["empty", "one"])
def test_a_value_that_the_seam_does_not_carry_is_the_callers_mistake(bundle: Interceptors | None) -> None:
    """It raises, and nobody is asked, also where there is nobody to ask."""
    wrong: Any = "rm -rf /"
    with pytest.raises(InvalidValue, match=r"^the value: tool_call carries ToolCall, not str$"):
        decide(bundle, TOOL_CALL, wrong)


@pytest.mark.parametrize("beside", [(), (CALL, CALL), ("call",), (None,)], ids=repr)
def test_what_stands_beside_is_checked_too(beside: tuple[Any, ...]) -> None:
    """`tool_result` needs the call, and just that, beside its value."""
    with pytest.raises(InvalidValue, match=r"tool_result needs beside its value: \['ToolCall'\]"):
        decide(None, TOOL_RESULT, ToolResult("out"), *beside)


def test_a_seam_by_its_name_is_refused_with_what_to_do() -> None:
    """`decide` takes the seam itself; a text is the mistake everybody makes once."""
    by_name: Any = "tool_call"
    with pytest.raises((TypeError, LookupError), match="seam"):
        decide(None, by_name, CALL)


@pytest.mark.parametrize("wrong", [[], {}, 0, "", ()], ids=repr)
def test_only_none_is_the_empty_bundle(wrong: Any) -> None:
    """Whatever else is falsy is a mistake, and a mistake must not let the call through."""
    with pytest.raises((TypeError, AttributeError)):
        decide(wrong, TOOL_CALL, CALL)


@pytest.mark.parametrize("wrong", ["agent", 7, {"agent": "a"}])
def test_a_scope_that_is_none_is_refused(wrong: Any) -> None:
    """Who is calling is a `Scope`."""
    with pytest.raises((InvalidValue, TypeError), match=r"[Ss]cope"):
        decide(at_call(nothing), TOOL_CALL, CALL, scope=wrong)


def test_with_no_interceptors_the_very_same_object_proceeds() -> None:
    """No bundle, an empty one, and one with nothing at this seam decide alike."""
    for bundle in (None, Interceptors(), Interceptors(context=(NOBODY,))):
        outcome = decide(bundle, TOOL_CALL, CALL)
        assert (outcome.verdict, outcome.log, outcome.asks, outcome.reason) == (Verdict.PROCEED, (), (), "")
        assert outcome.value is CALL
