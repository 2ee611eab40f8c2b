"""Interceptors that misbehave as badly as Python lets them: what they do is a fault, or leaves before anything ran."""

import asyncio
import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    Allow,
    Block,
    Consultation,
    Interceptors,
    InvalidValue,
    Kind,
    Message,
    Note,
    Policy,
    Replace,
    Severity,
    ToolCall,
    ToolResult,
    Verdict,
    block,
    consult,
    decide,
    gate,
    handle,
    interceptor,
    note,
    observe,
    observer,
    plan,
)

CALL = ToolCall("id-1", "bash", {"command": "ls", "argv": ["-l"], "env": {"A": "1"}})
Ask = Callable[[Any], object]


def at_call(*asked: Ask) -> Interceptors:
    """Make a bundle of what is asked at `tool_call`."""
    given: dict[str, Any] = {"tool_call": asked}
    return Interceptors(**given)


def raising(error: Any) -> Ask:
    """Make an interceptor that raises it."""

    def raises(call: object) -> None:
        raise error

    return raises


# Exceptions that resist being told


def liar(attribute: str) -> Any:
    """Make a property that raises."""

    def raises(self: object) -> None:
        raise RuntimeError(attribute)

    return property(raises, lambda self, value: None)


Untold = type("Untold", (type,), {"__name__": liar("__name__")})
Mute = type("Mute", (Exception,), {"__str__": liar("text").fget, "__repr__": liar("text").fget})
HOSTILE: dict[str, Callable[[], Exception]] = {
    "nameless": lambda: Untold("Nameless", (Exception,), {})(),
    "of no class": lambda: type("Classless", (Exception,), {"__class__": liar("__class__")})(),
    "of no place": lambda: type("Traceless", (Exception,), {"__traceback__": liar("__traceback__")})(),
    "of a false place": lambda: type("Misplaced", (Exception,), {"__traceback__": property(lambda self: self)})(),
    "mute": lambda: Mute(),
    "pretending to be ours": lambda: type("Pretender", (InvalidValue,), {"__module__": "seamlaw.errors"})("/a", "b"),
    "of a module that is no text": lambda: type("Homeless", (InvalidValue,), {"__module__": 5})("/a", "b"),
    "many": lambda: ExceptionGroup("many", [ValueError("a"), Mute()]),
    "none of its arguments": lambda: InvalidValue.__new__(InvalidValue),
}


@pytest.mark.parametrize("error", HOSTILE)
def test_no_exception_of_an_interceptor_leaves(error: str) -> None:
    """However an exception lies about itself, it is a fault: closed at `tool_call`, skipped on an open seam."""
    outcome = decide(at_call(raising(HOSTILE[error]())), TOOL_CALL, CALL)
    assert (outcome.verdict, [entry.kind for entry in outcome.log]) == (Verdict.BLOCK, [Kind.FAULT])
    made = plan(at_call(raising(HOSTILE[error]())))
    assert made is not None
    assert made.tool_call(CALL) == outcome
    given: Any = [raising(HOSTILE[error]())]
    opened = decide(Interceptors(context=given), CONTEXT, (Message("user", "hi"),))
    assert (opened.verdict, [entry.kind for entry in opened.log]) == (Verdict.PROCEED, [Kind.FAULT])


@pytest.mark.parametrize("error", HOSTILE)
def test_no_exception_of_a_handler_observer_or_predicate_leaves(error: str) -> None:
    """The same wherever else user code is called; the observer after it still runs."""
    given: Any = [raising(HOSTILE[error]())]
    assert handle(Interceptors(handlers=given), CALL) is not None
    watched: list[object] = []
    watching: Any = [observer(raising(HOSTILE[error]())), observer(watched.append)]
    assert len(observe(Interceptors(tool_call=watching), TOOL_CALL, CALL, None)) == 1
    assert watched == [CALL]
    predicate: Any = raising(HOSTILE[error]())
    assert decide(at_call(Policy("p").require(predicate).as_gate()), TOOL_CALL, CALL).verdict is Verdict.BLOCK


LEAVES = [KeyboardInterrupt, SystemExit, asyncio.CancelledError, GeneratorExit, BaseException]


@pytest.mark.parametrize("mode", [interceptor, gate], ids=["chain", "gate"])
@pytest.mark.parametrize("leaves", LEAVES)
def test_what_is_no_exception_leaves_before_anything_runs(leaves: type[BaseException], mode: Any) -> None:
    """An interrupt, an exit or a cancellation passes through; nobody later is asked, so nothing has run."""
    asked: list[object] = []
    bundle = at_call(mode(raising(leaves())), gate(asked.append))
    made = plan(bundle)
    assert made is not None
    for way in (partial(decide, bundle, TOOL_CALL), made.tool_call):
        with pytest.raises(leaves):
            way(CALL)
    assert asked == []


@pytest.mark.parametrize("leaves", LEAVES)
def test_what_is_no_exception_leaves_handlers_observers_and_policies_too(leaves: type[BaseException]) -> None:
    """Everywhere user code is called."""
    given: Any = [raising(leaves())]
    with pytest.raises(leaves):
        handle(Interceptors(handlers=given), CALL)
    with pytest.raises(leaves):
        observe(Interceptors(tool_call=(observer(raising(leaves())),)), TOOL_CALL, CALL, None)
    predicate: Any = raising(leaves())
    with pytest.raises(leaves):
        Policy("p").require(predicate).evaluate("pre", CALL)
    with pytest.raises(leaves):
        Policy("p").active_when(predicate).evaluate("pre", CALL)
    with pytest.raises(leaves):
        consult(Consultation(interceptor(raising(leaves())), TOOL_CALL, CALL))


# Running out


def test_deep_recursion_in_an_interceptor_is_a_fault() -> None:
    """A stack that overflows inside an interceptor unwinds to its fault, and the next call decides as ever."""

    def deep(call: ToolCall) -> object:
        return deep(call)

    for _ in range(2):
        outcome = decide(at_call(deep), TOOL_CALL, CALL)
        assert (outcome.verdict, "raised RecursionError" in outcome.reason) == (Verdict.BLOCK, True)


def test_deciding_close_to_the_end_of_the_stack_never_proceeds_past_a_gate() -> None:
    """At whatever depth the stack ends, the outcome is a block or an exception; at no depth is it a proceed."""

    def no(call: ToolCall) -> Block:
        return Block("no")

    bundle = at_call(lambda call: None, gate(no))
    proceeded: list[int] = []

    def descend(left: int) -> None:
        if left:
            return descend(left - 1)
        try:
            if decide(bundle, TOOL_CALL, CALL).proceeds:
                proceeded.append(left)
        except RecursionError:
            pass
        return None

    room = sys.getrecursionlimit() - len(inspect.stack(0))
    for left in range(room - 60, room):
        with suppress(RecursionError):
            descend(left)
    assert proceeded == []


# Values and answers that fight back


SPOILING: list[Ask] = [
    lambda call: call.arguments.update(command="rm"),
    lambda call: call.arguments.__setitem__("command", "rm"),
    lambda call: call.arguments.pop("command"),
    lambda call: call.arguments.clear(),
    lambda call: call.arguments.setdefault("new", 1),
    lambda call: call.arguments.__ior__({"command": "rm"}),
    lambda call: call.arguments["argv"].append("-rf"),
    lambda call: call.arguments["argv"].__setitem__(0, "-rf"),
    lambda call: call.arguments["argv"].sort(),
    lambda call: call.arguments["argv"].__iadd__(["-rf"]),
    lambda call: call.arguments["env"].__delitem__("A"),
    lambda call: setattr(call, "name", "rm"),
    lambda call: setattr(call, "arguments", {}),
    lambda call: delattr(call, "name"),
    lambda call: setattr(call, "__class__", ToolResult),
    lambda call: setattr(call.arguments, "weight", (0, 0)),
    lambda call: call.arguments.__init__({"command": "rm"}),
]


@pytest.mark.parametrize("spoil", SPOILING)
def test_what_is_shown_cannot_be_changed(spoil: Ask) -> None:
    """Every attempt raises, is the fault of who tried, and leaves no trace."""
    before = ToolCall("id-1", "bash", {"command": "ls", "argv": ["-l"], "env": {"A": "1"}})
    outcome = decide(at_call(spoil), TOOL_CALL, CALL)
    assert (outcome.verdict, before) == (Verdict.BLOCK, CALL)
    assert "raised" in outcome.reason


class Unfriendly:
    """Raises at everything Python may ask of it."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        raise RuntimeError("hash")

    def __bool__(self) -> bool:
        raise RuntimeError("bool")

    def __len__(self) -> int:
        raise RuntimeError("len")

    def __str__(self) -> str:
        raise RuntimeError("str")

    __repr__ = __str__

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


MAKING: list[Ask] = [lambda it: it, Replace, Note, Block, block, note, lambda it: Block("x", it)]


@pytest.mark.parametrize("make", MAKING)
def test_an_answer_that_fights_back_is_data_all_the_same(make: Ask) -> None:
    """Nothing about an answer is believed or called but its type and, of a reason, its text."""
    outcome = decide(at_call(lambda call: make(Unfriendly())), TOOL_CALL, CALL)
    assert outcome.verdict is (Verdict.PROCEED if make in (Note, note) else Verdict.BLOCK)
    assert len(outcome.log) == 1


@pytest.mark.parametrize("wrong", ["critical", None, 7, Unfriendly, Severity])
def test_a_severity_that_is_none_never_loses_what_was_said(wrong: Any) -> None:
    """Made by its class or its function, a decision of any label is weighed like every other."""
    wrong = wrong() if wrong is Unfriendly else wrong
    notes: list[Ask] = [lambda call: Note("a", wrong)] * 2
    outcome = decide(at_call(*notes, lambda call: Block("no", wrong)), TOOL_CALL, CALL)
    assert (outcome.verdict, outcome.reason, len(outcome.log)) == (Verdict.BLOCK, "no", 3)


def test_a_class_derived_from_a_decision_cannot_be_lost() -> None:
    """Decisions are final: deriving one is refused, or what it answers still blocks; it is never skipped."""
    try:
        derived: Any = type("Deny", (Block,), {})
    except TypeError:
        return
    given: Any = at_call(lambda messages: derived("no")).tool_call
    assert decide(Interceptors(context=given), CONTEXT, ()).verdict is Verdict.BLOCK


def test_an_interceptor_may_be_shared_by_seams_and_bundles() -> None:
    """It is a value: what one seam does with it, no other sees."""

    def shared_by_all(value: object) -> Note:
        return Note(type(value).__name__)

    shared = interceptor(shared_by_all)
    given: Any = [shared, shared]
    bundle = Interceptors(context=given, tool_call=given)
    assert [entry.reason for entry in decide(bundle, CONTEXT, ()).log] == ["tuple", "tuple"]
    assert [entry.reason for entry in decide(bundle, TOOL_CALL, CALL).log] == ["ToolCall", "ToolCall"]
    assert bundle.tool_call[0] is bundle.context[1] is shared


def test_an_allow_that_was_made_elsewhere_is_an_allow() -> None:
    """By its type, not by being the one that everybody uses."""
    assert decide(at_call(lambda call: Allow()), TOOL_CALL, CALL).log == ()
