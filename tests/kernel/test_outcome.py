"""Outcomes, entries and faults: what they say, that they are values, and that they survive being pickled."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

import copy
import pickle
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError

from seamlaw import (
    ALLOW,
    CONTEXT,
    MEMORY,
    TOOL_CALL,
    TOOL_RESULT,
    Ask,
    Block,
    Entry,
    Fault,
    Finding,
    Interceptors,
    InvalidInterceptor,
    InvalidRule,
    InvalidValue,
    Kind,
    Level,
    MemoryItem,
    Message,
    Mismatch,
    Note,
    Outcome,
    Replace,
    Scope,
    SeamlawError,
    Severity,
    StandingAsk,
    State,
    ToolCall,
    ToolResult,
    UnknownSeam,
    Verdict,
    ask,
    block,
    decide,
    gate,
    grant,
    note,
)

CALL = ToolCall("1", "bash", {"command": "ls", "argv": ["-l"]})

# answer, kind, level in the chain, level at a gate, reason, severity
ENTRIES: list[tuple[Any, Kind, Level, Level, str, Severity]] = [
    (ALLOW, Kind.ALLOW, Level.ALLOW, Level.ALLOW, "", Severity.LOW),
    (Note("n"), Kind.NOTE, Level.NOTE, Level.NOTE, "n", Severity.LOW),
    (Replace(CALL), Kind.REPLACE, Level.ALLOW, Level.BLOCK, "", Severity.LOW),
    (Ask("a"), Kind.ASK, Level.ASK, Level.ASK, "a", Severity.MEDIUM),
    (Block("b"), Kind.BLOCK, Level.BLOCK, Level.BLOCK, "b", Severity.HIGH),
    (Fault("f", closed=True), Kind.FAULT, Level.BLOCK, Level.BLOCK, "f", Severity.HIGH),
    (Fault("f", closed=False), Kind.FAULT, Level.NOTE, Level.BLOCK, "f", Severity.HIGH),
]


@pytest.mark.parametrize(("answer", "kind", "chain", "at_gate", "reason", "severity"), ENTRIES)
def test_an_entry_reads_its_answer(
    answer: Any, kind: Kind, chain: Level, at_gate: Level, reason: str, severity: Severity
) -> None:
    """Kind, level, reason and severity are a table over the answer and whether a gate gave it."""
    for is_gate, level in ((False, chain), (True, at_gate)):
        entry = Entry("tool_call", "one", answer, is_gate)
        assert (entry.kind, entry.level, entry.reason, entry.severity) == (kind, level, reason, severity)


def outcome(**said: Any) -> Outcome[ToolCall]:
    """Make an outcome at `tool_call`."""
    return Outcome(TOOL_CALL, said.pop("verdict", Verdict.PROCEED), CALL, **said)


@pytest.mark.parametrize(
    ("verdict", "proceeds", "denial"),
    [
        (Verdict.PROCEED, True, ""),
        (Verdict.ASK, False, ""),
        (Verdict.BLOCK, False, "Blocked by interceptor: why"),
    ],
)
def test_only_a_block_is_a_denial_and_only_a_proceed_proceeds(verdict: Verdict, proceeds: bool, denial: str) -> None:
    """What is asked about may not go on, and is not denied yet."""
    said = outcome(verdict=verdict, reason="why")
    assert (said.proceeds, said.denial) == (proceeds, denial)


def test_a_block_without_a_reason_says_so() -> None:
    """The model is told something in any case."""
    assert outcome(verdict=Verdict.BLOCK).denial == "Blocked by interceptor: no reason given"
    withheld = decide(Interceptors(tool_result=[lambda result: block("")]), TOOL_RESULT, ToolResult("out"), CALL)
    assert withheld.denial == "[tool result withheld by interceptor: no reason given]"


def test_an_outcome_is_neither_true_nor_false() -> None:
    """`if decide(...)` would run what is blocked; whoever writes it is told of `proceeds`."""
    with pytest.raises(TypeError, match="proceeds"):
        bool(outcome(verdict=Verdict.BLOCK))


def test_the_worst_answer_gives_verdict_reason_and_name() -> None:
    """Of blocks the gravest, of equals the first; replacements and notes give no reason."""
    bundle = Interceptors(
        tool_call=[
            gate(lambda call: note("n", severity="high"), name="n"),
            gate(lambda call: ask("a", severity="high"), name="a"),
            gate(lambda call: block("b1", severity="low"), name="b1"),
            gate(lambda call: block("b2", severity="medium"), name="b2"),
            gate(lambda call: block("b3", severity="medium"), name="b3"),
        ]
    )
    said = decide(bundle, TOOL_CALL, CALL)
    assert (said.verdict, said.reason, said.interceptor, len(said.log)) == (Verdict.BLOCK, "b2", "b2", 5)
    assert said.asks == ()


def test_asks_stand_in_order_each_for_this_value() -> None:
    """With who asks, whom, for how long, and the digest of what would run."""
    bundle = Interceptors(
        tool_call=[
            lambda call: ask("first"),
            gate(lambda call: ask("second", target="security", timeout_s=5, severity="high"), name="g"),
        ]
    )
    said = decide(bundle, TOOL_CALL, CALL)
    first, second = said.asks
    assert (first.reason, first.target, first.timeout_s, first.severity) == ("first", None, None, Severity.MEDIUM)
    assert second == StandingAsk("g", "second", "security", 5, Severity.HIGH, first.digest, "tool_call")
    assert (said.reason, said.interceptor) == ("second", "g")


def test_open_faults_and_notes_proceed_without_a_reason() -> None:
    """The log has them; nobody decided anything."""

    def fails(messages: object) -> None:
        raise ValueError

    said = decide(Interceptors(context=[fails, lambda messages: note("n")]), CONTEXT, ())
    assert (said.verdict, said.reason, said.interceptor, len(said.log)) == (Verdict.PROCEED, "", None, 2)


# Values, and pickled ones

STANDING = StandingAsk("i", "r", "t", 1.5, Severity.LOW, "d" * 64, "tool_call")
PICKLED: list[Any] = [
    Entry("tool_call", "i", Block("no"), True),
    Entry("tool_call", "i", Replace(CALL)),
    Fault("f", closed=True),
    STANDING,
    grant(STANDING, by="me"),
    State(CALL, (Entry("tool_call", "i", Note("n")),), True),
    Finding(Level.ASK, "r", "s", Severity.LOW, "t", 2.0),
    outcome(verdict=Verdict.ASK, asks=(STANDING,), reason="r", interceptor="i", log=(Entry("s", "i", Ask("a")),)),
    decide(Interceptors(memory=[lambda items: Replace((*items, MemoryItem("m")))]), MEMORY, ()),
    decide(Interceptors(context=[lambda messages: block("no")]), CONTEXT, (Message("user", [{"type": "text"}]),)),
    Scope("s", "a", "r", "t", ("x", "y"), "d"),
    *Verdict,
    *Severity,
]


@pytest.mark.parametrize("value", PICKLED, ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_value_survives_being_pickled_and_copied(value: Any, protocol: int) -> None:
    """Equal, of the same type, and frozen again; enumerations are themselves."""
    for again in (pickle.loads(pickle.dumps(value, protocol)), copy.deepcopy(value), copy.copy(value)):
        assert (type(again), again) == (type(value), value)
    if value in [*Verdict, *Severity]:
        assert pickle.loads(pickle.dumps(value, protocol)) is value


def test_what_was_pickled_still_decides() -> None:
    """The seam of an outcome is known by what it is, and its value is frozen."""
    again = pickle.loads(pickle.dumps(outcome(verdict=Verdict.BLOCK, reason="why")))
    assert again.denial == "Blocked by interceptor: why"
    assert decide(Interceptors(tool_call=[lambda call: block("no")]), again.seam, again.value).reason == "no"
    with pytest.raises(TypeError, match="immutable"):
        again.value.arguments["command"] = "rm"


ERRORS: list[tuple[SeamlawError, str, type[Exception]]] = [
    (InvalidValue("/a/b", "is no JSON"), "/a/b: is no JSON", ValueError),
    (InvalidValue("", "is no JSON"), "the value: is no JSON", ValueError),
    (InvalidRule("rules[0].when", "is none"), "rules[0].when: is none", ValueError),
    (InvalidInterceptor("no callable"), "no callable", TypeError),
    (UnknownSeam("none"), "none", LookupError),
    (Mismatch("less is not for string"), "less is not for string", Exception),
    (SeamlawError("base"), "base", Exception),
]


@pytest.mark.parametrize(("error", "text", "base"), ERRORS, ids=lambda it: type(it).__name__)
def test_an_exception_survives_being_pickled(error: SeamlawError, text: str, base: type[Exception]) -> None:
    """With its fields and its text; each is also what Python would have raised."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, str(again), vars(again)) == (type(error), error.args, text, vars(error))
    assert isinstance(again, SeamlawError)
    assert isinstance(again, base)


@pytest.mark.parametrize("value", PICKLED[:7], ids=lambda it: type(it).__name__)
def test_values_cannot_be_changed(value: Any) -> None:
    """Any of them."""
    for field in value.__attrs_attrs__:
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)


def test_what_holds_json_is_clearly_not_hashable_and_all_else_is() -> None:
    """Arguments are a dict, and dicts have no hash; the message says so. A digest is what names a call."""
    value: object
    for value in (STANDING, grant(STANDING), Fault("f", closed=True), Entry("s", "i", Block("b")), Scope(), TOOL_CALL):
        assert hash(value) == hash(copy.copy(value))
    for value in (CALL, Message("user"), ToolResult(), MemoryItem("x"), outcome(), State(CALL)):
        with pytest.raises(TypeError, match="unhashable type: 'FrozenDict'"):
            hash(value)


def test_kinds_and_verdicts_are_told_by_their_names() -> None:
    """Records are written with these."""
    assert [kind.value for kind in Kind] == ["allow", "note", "replace", "ask", "block", "fault"]
    assert [verdict.value for verdict in Verdict] == ["proceed", "ask", "block"]


def test_an_ask_made_by_hand_is_of_no_seam() -> None:
    """And of nobody known, unless it is said."""
    standing = StandingAsk("i", "r", None, None, Severity.LOW, "digest")
    assert (standing.seam, standing.scope) == ("", Scope())
