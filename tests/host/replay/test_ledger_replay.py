"""A ledger is a session: it is decided again as it was seen, and what is decided otherwise is told."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from tests.host.ledger.made import SCOPE, Kept, Times, call, decided, finished, happened, ledger

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    Outcome,
    Scope,
    ToolCall,
    ToolResult,
    Verdict,
    ask,
    block,
    decide,
    gate,
    grant,
    note,
    parse_rules,
    refuse,
    replace,
    settle,
)
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.engine import context
from seamlaw_host.ledger import JsonlSink, Record, SqlSink
from seamlaw_host.replay import Judge, Judged, differences
from seamlaw_host.sessions import Malformed, Recorded, read_session
from seamlaw_host.sessions._join import joined
from seamlaw_host.sessions._ledger import LedgerReader

Run = Callable[..., Result]
RULES = """
[[rules]]
name = "no-rm"
refuse = "nothing is removed"
tools = ["rm"]
"""


def events(records: Iterable[Record]) -> list[Recorded | Malformed]:
    """Read records as a session."""
    reader = LedgerReader()
    return list(joined(step for at, record in enumerate(records) for step in reader.record(f"row {at}", record)))


def judged(bundle: Interceptors | None, *happenings: Any, **options: Any) -> list[Judged]:
    """Record, and decide again."""
    kept = Kept()
    with ledger(kept, **options) as made:
        for happening in happenings:
            made.append(happening)
    judge = Judge(bundle)
    found = events(kept.records)
    assert all(isinstance(event, Recorded) for event in found), found
    return [judge.judge(event) for event in found if isinstance(event, Recorded)]


def told(each: Judged) -> list[tuple[str, str, str]]:
    """What differs."""
    return [(one.what, one.before, one.after) for one in differences(each)]


def run_by(bundle: Interceptors, number: int, proposed: ToolCall, output: object) -> list[Any]:
    """Decide a call as a host does, and give its happenings."""
    outcome = decide(bundle, TOOL_CALL, proposed, scope=SCOPE)
    found = [happened(number, outcome, proposed=proposed)]
    if outcome.verdict is not Verdict.BLOCK:
        result = decide(bundle, TOOL_RESULT, ToolResult(output), outcome.value, scope=SCOPE)
        found.append(finished(number, output, call=outcome.value, outcome=result))
    return found


ANSWERS: dict[str, Callable[[Any], object]] = {
    "nothing": lambda value: None,
    "note": lambda value: note("seen"),
    "ask": lambda value: ask("may it?"),
    "block": lambda value: block("no"),
    "fault": lambda value: 1 / 0,
    "if": lambda value: block("no") if "a" in repr(value) else None,
}


def rewriter(value: ToolCall) -> object:
    """Add an argument to a call, unless it is there."""
    return (
        None if "added" in value.arguments else replace(ToolCall(value.id, value.name, {**value.arguments, "added": 1}))
    )


@given(data=st.data())
def test_under_the_same_policy_nothing_differs(data: st.DataObject) -> None:
    """Whatever the policy answers, to calls and to results: a replay by it decides what was decided."""
    gates = data.draw(st.lists(st.sampled_from(sorted(ANSWERS)), max_size=3))
    chain: list[Any] = [rewriter] if data.draw(st.booleans()) else []
    judges = [gate(ANSWERS[name], name=f"{name}-{at}") for at, name in enumerate(gates)]
    results = data.draw(st.lists(st.sampled_from(["note", "block", "if"]), max_size=2))
    after = [gate(ANSWERS[name], name=f"{name}-result") for name in results]
    bundle = Interceptors(tool_call=[*chain, *judges], tool_result=after)
    texts = data.draw(st.lists(st.text("ab", max_size=3), min_size=1, max_size=4))
    happenings = [one for at, text in enumerate(texts) for one in run_by(bundle, at, call(at, text=text), text)]
    again = judged(bundle, *happenings)
    assert len(again) == len(texts)
    assert [told(each) for each in again] == [[]] * len(texts)
    assert all(each.unreliable == () for each in again)


def test_what_is_decided_otherwise_is_told() -> None:
    """The verdict; who decides where it is the same; what goes on; and what becomes of the result."""
    no = gate(ANSWERS["block"], name="no")
    proceeds, changed = happened(1), happened(2, decided(call(2), replace(call(2, added=2))))
    result = finished(1)
    (stricter, _) = judged(Interceptors(tool_call=[no]), proceeds, result, changed)
    assert told(stricter) == [("verdict", "proceed", "block")]
    first, second = judged(Interceptors(tool_call=[rewriter], tool_result=[no]), proceeds, result, changed)
    assert told(first) == [
        ("what goes on", 'bash {"command": "ls 1"}', 'bash {"command": "ls 1", "added": 1}'),
        ("verdict on the result", "proceed", "block"),
    ]
    assert told(second) == [
        ("what goes on", 'bash {"command": "ls 2", "added": 2}', 'bash {"command": "ls 2", "added": 1}')
    ]
    (other,) = judged(Interceptors(tool_call=[no]), happened(1, decided(call(1), block("no"))))
    assert told(other) == [("decided by", "gate-0", "no")]
    (looser,) = judged(None, happened(1, decided(call(1), block("no"))))
    assert told(looser) == [("verdict", "block", "proceed")]


def test_a_result_that_nobody_looks_at_any_more_differs_from_one_that_was_withheld() -> None:
    """Silence lets it pass, and that is told; after a block there is no result to compare."""
    happenings = happened(1), finished(1, outcome=decided(call(1), block("secret")))
    (each,) = judged(None, *happenings)
    assert told(each) == [("verdict on the result", "block", "proceed")]
    (blocked,) = judged(Interceptors(tool_call=[gate(ANSWERS["block"], name="no")]), *happenings)
    assert told(blocked) == [("verdict", "proceed", "block")]


@pytest.mark.parametrize("granted", [True, False])
def test_an_ask_is_compared_as_what_the_policy_said(granted: bool) -> None:
    """What a person answered is not the policy's doing: an ask that was granted, or refused, was an ask."""
    outcome: Outcome[ToolCall] = decided(call(1), ask("may it?", target="x"))
    answers = (grant(outcome.asks[0]) if granted else refuse(outcome.asks[0]),)
    happening = happened(1, settle(outcome, answers)[0], answers=answers)
    bundle = Interceptors(tool_call=[gate(lambda _: ask("may it?", target="x"), name="gate-0")])
    (same,) = judged(bundle, happening)
    assert told(same) == []
    (other,) = judged(None, happening)
    assert told(other) == [("verdict", "ask", "proceed")]


def test_where_redaction_makes_an_answer_unreliable_that_is_said() -> None:
    """A rule that looks at what was redacted decides on something else: that is told, and that it is not sure."""
    rules = [{"refuse": "no secrets", "when": [{"at": "/token", "contains": "hunter2"}]}]
    bundle = Interceptors(rules=parse_rules(rules))
    proposed = call(1, token="hunter2")
    seen = happened(1, decide(bundle, TOOL_CALL, proposed), proposed=proposed)
    (each,) = judged(bundle, seen, redactor=Times("hunter2"))
    assert told(each) == [("verdict", "block", "proceed")]
    assert each.unreliable == ("its call is redacted",)
    (whole,) = judged(bundle, seen, redactor=Times("hunter2"), inputs="whole")
    assert (told(whole), whole.unreliable) == ([], ())
    (result,) = judged(bundle, happened(2), finished(2, "hunter2"), redactor=Times("hunter2"))
    assert result.unreliable == ("its result is redacted",)
    (names,) = judged(bundle, happened(3, scope=Scope(agent="hunter2")), redactor=Times("hunter2"))
    assert names.unreliable == ("a name, or a reason, is redacted",)
    (python,) = judged(bundle, happened(4), finished(4, object()))
    assert python.unreliable == ("Python objects in its result are not recorded",)


def test_what_is_not_kept_cannot_be_decided_again() -> None:
    """A call of which there is but a digest, or nothing at all, is told with its tool; no verdict is made up."""

    class Broken:
        """A redactor that fails for values."""

        def value(self, value: object, /) -> object:
            """Fail."""
            raise RuntimeError

        def text(self, text: str, /) -> str:
            """Work."""
            return text

    options: list[dict[str, Any]] = [{"inputs": "digests", "key": b"k"}, {"redactor": Broken()}]
    for option, problem in zip(
        options, ("only the digest of its call is recorded", "its call is withheld"), strict=True
    ):
        kept = Kept()
        with ledger(kept, **option) as made:
            made.append(happened(1))
            made.append(finished(1))
        (event,) = events(kept.records)
        assert isinstance(event, Malformed)
        assert (event.tool, event.problem.partition(",")[0]) == ("bash", problem)


def test_what_the_engine_decided_by_itself_is_not_sure() -> None:
    """A default that denies, or a deadline, is no policy: a replay cannot know of it."""
    refused: Outcome[ToolCall] = Outcome(TOOL_CALL, Verdict.BLOCK, call(1), reason="not covered", interceptor="engine")
    (each,) = judged(None, happened(1, refused))
    assert told(each) == [("verdict", "block", "proceed")]
    assert each.unreliable == ("the engine decided it, not a policy",)


def test_who_is_calling_is_as_it_was_recorded() -> None:
    """Session, agent, role, chain and domain are those of the record."""
    seen: list[Scope] = []

    def looks(value: ToolCall, scope: Scope) -> None:
        seen.append(scope)

    judged(Interceptors(tool_call=[looks]), happened(1))
    assert seen == [SCOPE]


def asks_for(of: Callable[[], object]) -> Interceptors:
    """A policy that lets a call pass if something about its context is true."""
    return Interceptors(tool_call=[gate(lambda value: None if of() else block("no"), name="asks")])


CIRCUMSTANCES: list[tuple[Callable[[], object], dict[str, Any], bool]] = [
    (lambda: context().consent, {"consent": True}, True),
    (lambda: context().consent, {"consent": False}, False),
    (lambda: context().state_matches, {"checksum": "1", "state_matches": True}, True),
    (lambda: context().state_matches, {"checksum": "1", "state_matches": False}, False),
    (lambda: context().checksum == "1", {"checksum": "1"}, True),
    (lambda: context().step == 7, {"step": 7}, True),
    (lambda: context().spent == 2.5, {"spent": 2.5}, True),
    (lambda: context().domain == "docs", {}, True),
    (lambda: context().depth == 1, {}, True),
    (lambda: context().arguments["command"] == "ls 1", {}, True),
]


@pytest.mark.parametrize(("of", "state", "passes"), CIRCUMSTANCES)
def test_predicates_see_the_circumstances_that_were_recorded(
    of: Callable[[], object], state: dict[str, Any], passes: bool
) -> None:
    """What a predicate asks of its context is answered from the record."""
    (each,) = judged(asks_for(of), happened(1, state=state))
    assert each.call.proceeds is passes
    assert each.unreliable == ()


def test_what_was_not_recorded_is_told_when_it_is_asked_for() -> None:
    """A predicate that needs it fails, which blocks; and the replay says what is missing."""
    (consent,) = judged(asks_for(lambda: context().consent), happened(1))
    assert told(consent) == [("verdict", "proceed", "block")]
    assert consent.unreliable == ("whether the user consented is not recorded",)
    (state,) = judged(asks_for(lambda: context().state_matches), happened(1))
    assert state.unreliable == ("whether the state still matched is not recorded",)
    (spent,) = judged(asks_for(lambda: context().spent < 9), happened(1))
    assert spent.unreliable == ("what was spent is not recorded",)
    (neither,) = judged(asks_for(lambda: True), happened(1))
    assert neither.unreliable == ()


def test_the_calls_of_a_session_are_counted_as_the_engine_did() -> None:
    """Which call of its session one is follows from the ledger, blocked ones counted."""
    others = Scope(session="s-2")
    happenings = [happened(1), happened(2, decided(call(2), block("no"))), happened(3, scope=others), happened(4)]
    again = judged(asks_for(lambda: context().step <= 2), *happenings)
    assert [each.call.verdict.value for each in again] == ["proceed", "proceed", "proceed", "block"]


def test_the_context_of_a_replay_ends_with_it() -> None:
    """Nothing of it is left for whoever comes next."""
    from seamlaw_host.errors import HostError

    judged(asks_for(lambda: True), happened(1))
    with pytest.raises(HostError):
        context()


@pytest.fixture(name="run")
def _run(tmp_path: Path) -> Run:
    """Replay here, by a rule that refuses `rm`."""
    (tmp_path / "policy.toml").write_text(RULES)
    policy = str(tmp_path / "policy.toml")

    def invoke(*arguments: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(seamlaw, ["replay", *arguments, "-p", policy], prog_name="seamlaw", input=stdin)

    return invoke


def fill(made: Any) -> None:
    """A call that is decided otherwise now, one that is not, and one of which a part was redacted."""
    made.append(happened(1))
    made.append(finished(1))
    made.append(happened(2, proposed=ToolCall("2", "rm", {})))
    made.append(happened(3, proposed=ToolCall("3", "rm", {"token": "hunter2"})))


@pytest.fixture(name="audit")
def _audit(tmp_path: Path) -> str:
    """The same in a file."""
    with ledger(JsonlSink(tmp_path / "audit.jsonl"), redactor=Times("hunter2")) as made:
        fill(made)
    return str(tmp_path / "audit.jsonl")


def objects(result: Result) -> list[dict[str, Any]]:
    """What a command wrote as JSON, without what is measured."""
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return [{key: value for key, value in each.items() if not key.startswith("microseconds")} for each in found]


def test_the_command_tells_what_differs_and_what_is_not_sure(run: Run, audit: str) -> None:
    """For a person, and as JSON."""
    result = run(audit)
    assert result.exit_code == 0
    assert result.output.count("verdict: was proceed, is block") == 2
    assert result.output.count("not sure: its call is redacted") == 1
    assert "differs     2 of 3 recorded decisions; 1 not sure, for not all is recorded" in result.output
    same, removed, unsure, summary = objects(run(audit, "--json"))
    assert (same["differs"], same["recorded"]["result_verdict"]) == ([], "proceed")
    assert removed["differs"] == [{"what": "verdict", "recorded": "proceed", "now": "block"}]
    assert unsure["unreliable"] == ["its call is redacted"]
    assert (summary["recorded"], summary["differing"], summary["unreliable"]) == (3, 2, 1)


def test_only_what_changes_can_be_shown_and_can_fail(run: Run, audit: str) -> None:
    """`--changes` leaves out the rest, `--fail-on-change` ends with 1."""
    places = [each.get("place") for each in objects(run(audit, "--json", "--changes"))]
    assert places == ["line 4", "line 5", None]
    assert run(audit, "--fail-on-change").exit_code == 1
    assert run(audit, "--fail-on-change", "--fail-on-deny").exit_code == 4


def test_a_replay_is_deterministic(run: Run, audit: str) -> None:
    """Twice the same, but for what was measured."""
    assert objects(run(audit, "--json")) == objects(run(audit, "--json"))


def test_a_ledger_is_read_from_wherever_it_is(run: Run, audit: str, tmp_path: Path) -> None:
    """From standard input, from files that were rotated, from a database: the decisions are the same."""
    expected = [each["differs"] for each in objects(run(audit, "--json"))[:-1]]
    from_stdin = objects(run("-", "--json", stdin=Path(audit).read_text("utf-8")))
    assert [each["differs"] for each in from_stdin[:-1]] == expected
    assert from_stdin[-1]["shape"] == "seamlaw ledger"
    url = f"sqlite:///{tmp_path / 'audit.db'}"
    rotated = JsonlSink(tmp_path / "rotated.jsonl", rotate_bytes=1)
    with ledger(SqlSink(url), rotated, batch=1, redactor=Times("hunter2")) as made:
        fill(made)
    for source in (url, str(tmp_path / "rotated.jsonl")):
        found = objects(run(source, "--json"))
        assert [each["differs"] for each in found[:-1]] == expected, source
    assert len(list(tmp_path.glob("rotated.0*.jsonl"))) > 2
    assert run(f"sqlite:///{tmp_path / 'none.db'}").exit_code == 2


def test_what_cannot_be_read_is_told_and_the_rest_is_decided(run: Run, audit: str) -> None:
    """A bad line costs that line, and the exit code."""
    lines = Path(audit).read_bytes().splitlines(keepends=True)
    Path(audit).write_bytes(b"".join([*lines[:2], b"hunter3\n", *lines[3:]]))
    result = run(audit, "--json")
    assert result.exit_code == 1
    problems = [each["problem"] for each in objects(result) if each["type"] == "malformed"]
    assert problems == ["this is no line of a ledger"]
    assert "hunter3" not in result.output
    named = run("-", "--shape", "seamlaw ledger", stdin='{"type": "record", "record": {"id": 7}}\n{"tool": "x"}\n')
    assert (named.exit_code, named.output.count("MALFORMED")) == (1, 2)


@given(line=st.dictionaries(st.sampled_from(["type", "seq", "prev", "record"]), st.none() | st.integers() | st.text()))
def test_no_line_stops_the_reader(line: dict[str, Any]) -> None:
    """Whatever stands in a line, it is read or told."""
    list(joined(LedgerReader()("line 1", {"type": "record", **line})))


def test_a_ledger_is_recognised_by_any_of_its_lines(audit: str) -> None:
    """Also where its first lines are gone."""
    lines = Path(audit).read_bytes().splitlines(keepends=True)
    for first in range(len(lines)):
        Path(audit).write_bytes(b"".join(lines[first:]))
        assert read_session(audit).shape == "seamlaw ledger"
