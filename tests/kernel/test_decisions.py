"""Decisions: how they are said, what their reasons become, and that a block can always be said."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

import inspect
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError

from seamlaw import (
    ALLOW,
    Allow,
    Ask,
    Block,
    InvalidValue,
    Note,
    Replace,
    SeamlawError,
    Several,
    Severity,
    allow,
    ask,
    block,
    note,
    replace,
)


def test_each_function_makes_its_decision() -> None:
    """With the defaults that stand in the signature."""
    assert allow() is ALLOW
    assert note("n") == Note("n", Severity.LOW)
    assert ask("a") == Ask("a", None, None, Severity.MEDIUM)
    assert block("b") == Block("b", Severity.HIGH)
    value = object()
    assert replace(value) == Replace(value)
    assert replace(value).value is value
    assert ask("a", target="security", timeout_s=1.5, severity="high") == Ask("a", "security", 1.5, Severity.HIGH)


@pytest.mark.parametrize("severity", Severity)
def test_a_severity_may_be_said_by_its_name(severity: Severity) -> None:
    """`"high"` is `Severity.HIGH`, everywhere."""
    for says in (note, ask, block):
        assert says("x", severity=severity.value) == says("x", severity=severity)


class Strange:
    """Cannot be shown, compared or counted."""

    def __str__(self) -> str:
        raise RuntimeError("no")

    def __repr__(self) -> str:
        raise RuntimeError("no")


NotText = type("NotText", (), {"__str__": lambda self: 7})


class Louder(str):
    """A text that says something else when it is shown."""

    def __str__(self) -> str:
        return "shown"

    def isascii(self) -> bool:
        """Raise."""
        raise RuntimeError("no")


class Deep:
    """Shows itself by showing itself."""

    def __str__(self) -> str:
        return str(self)


REASONS: list[tuple[str, object, str]] = [
    ("text", "why", "why"),
    ("empty", "", ""),
    ("nothing", None, ""),
    ("a number", 7, "7"),
    ("a list", ["a", 1], "['a', 1]"),
    ("bytes", b"why", "b'why'"),
    ("an exception", ValueError("text"), "text"),
    ("not ASCII", "wäre 漢字 🙂", "wäre 漢字 🙂"),
    ("a lone surrogate", "a\ud800b", "a?b"),
    ("control characters", "a\n\x00b", "a\n\x00b"),
    ("braces", "{reason} {0} %s", "{reason} {0} %s"),
    ("huge", "x" * 1_000_000, "x" * 1_000_000),
    ("strange", Strange(), "(a reason that cannot be shown)"),
    ("no text", NotText(), "(a reason that cannot be shown)"),
    ("itself", Deep(), "(a reason that cannot be shown)"),
    ("a text that lies", Louder("held"), "shown"),
]


@pytest.mark.parametrize("says", [note, ask, block, Note, Ask, Block], ids=lambda says: says.__name__)
@pytest.mark.parametrize(("reason", "text"), [row[1:] for row in REASONS], ids=[row[0] for row in REASONS])
def test_any_reason_becomes_text_that_can_be_written_down(says: Any, reason: object, text: str) -> None:
    """What cannot be shown says so; nothing raises."""
    said = says(reason).reason
    assert (type(said), said) == (str, text)
    said.encode()


WRONG_SEVERITIES: list[Any] = ["critical", "HIGH", None, 3, [], Strange, Severity]


@pytest.mark.parametrize("severity", WRONG_SEVERITIES, ids=repr)
def test_a_block_can_always_be_said(severity: Any) -> None:
    """A severity that is none counts as the gravest, made by either way, for whatever reason."""
    severity = severity() if severity is Strange else severity
    for reason in ("why", None, Strange()):
        assert block(reason, severity=severity).severity is Block(reason, severity).severity is Severity.HIGH
    assert Note("n", severity).severity is Ask("a", severity=severity).severity is Severity.HIGH


@pytest.mark.parametrize("severity", WRONG_SEVERITIES, ids=repr)
@pytest.mark.parametrize("says", [note, ask], ids=["note", "ask"])
def test_noting_and_asking_refuse_a_severity_that_is_none(says: Any, severity: Any) -> None:
    """The functions are for people, who want to be told."""
    with pytest.raises(SeamlawError, match="must be low, medium or high"):
        says("x", severity=severity)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), -float("inf"), True, "5", [5]], ids=repr)
@pytest.mark.parametrize("says", [ask, Ask], ids=["ask", "Ask"])
def test_a_time_out_is_a_positive_number_of_seconds(says: Any, seconds: Any) -> None:
    """Anything else is refused where it is said, and inside an interceptor is its fault, which blocks."""
    with pytest.raises(InvalidValue, match=r"^/timeout_s: must be a positive number of seconds$"):
        says("x", timeout_s=seconds)


@pytest.mark.parametrize("seconds", [1, 0.001, 10**9, None])
def test_a_time_out_that_is_one_is_kept(seconds: float | None) -> None:
    """Whole numbers and fractions, and none at all."""
    assert ask("x", timeout_s=seconds).timeout_s == seconds


@pytest.mark.parametrize("target", [7, b"x", ["a"], object], ids=repr)
@pytest.mark.parametrize("says", [ask, Ask], ids=["ask", "Ask"])
def test_a_target_is_text(says: Any, target: Any) -> None:
    """It names who is asked."""
    with pytest.raises(InvalidValue, match="/target"):
        says("x", target=target)


DECISIONS: list[Any] = [Allow(), Note("n"), Replace(1), Ask("a"), Block("b"), Several((Note("n"),))]


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda it: type(it).__name__)
def test_decisions_are_values(decision: Any) -> None:
    """Equal if made alike, hashable if what they hold is, and not to be changed."""
    assert (decision == type(decision)(*given(decision)), hash(decision)) == (True, hash(decision))
    for field in decision.__attrs_attrs__:
        with pytest.raises(FrozenInstanceError):
            setattr(decision, field.name, "changed")
    with pytest.raises((AttributeError, FrozenInstanceError)):
        decision.extra = 1


def given(decision: Any) -> list[object]:
    """What a decision was made of."""
    return [getattr(decision, field.name) for field in decision.__attrs_attrs__]


@pytest.mark.parametrize("kind", [Allow, Note, Replace, Ask, Block, Several])
def test_nothing_derives_from_a_decision(kind: type) -> None:
    """What derived from a block would be taken for no decision, so it cannot be made."""
    with pytest.raises(TypeError):
        type("Derived", (kind,), {})


@pytest.mark.parametrize("says", [ask, Ask], ids=["ask", "Ask"])
def test_a_target_is_not_empty(says: Any) -> None:
    """Nobody would be asked."""
    with pytest.raises(InvalidValue, match="/target"):
        says("x", target="")


def test_a_coroutine_for_a_reason_is_closed_and_a_task_cancelled() -> None:
    """Nobody will ever await them."""

    class Task:
        def __init__(self) -> None:
            self.was_cancelled = False

        def __await__(self) -> Any: ...

        def cancel(self) -> None:
            self.was_cancelled = True

    async def later() -> None: ...

    for says in (note, ask, block):
        made, task = later(), Task()
        says(made)
        says(task)
        assert (inspect.getcoroutinestate(made), task.was_cancelled) == (inspect.CORO_CLOSED, True)
