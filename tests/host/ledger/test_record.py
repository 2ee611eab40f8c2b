"""A record says all that was decided, and can be written down as it is."""

import hashlib
import hmac
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from attrs import evolve, fields, frozen
from hypothesis import given
from hypothesis import strategies as st
from tests.host.ledger.made import SCOPE, Times, call, decided, finished, happened, severally

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    TOOL_RESULT,
    MemoryItem,
    Message,
    ProviderRequest,
    Seam,
    ToolCall,
    ToolResult,
    Verdict,
    ask,
    block,
    digest,
    grant,
    note,
    refuse,
    replace,
    settle,
)
from seamlaw_host.engine import Engine
from seamlaw_host.ledger import NO_REDACTION, WITHHELD, Happening, Inputs, Record, record_of

PLAIN: dict[str, Any] = {"redactor": NO_REDACTION, "id": "1"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def reread(record: Record) -> Record:
    """Write a record down and read it again."""
    return msgspec.json.decode(msgspec.json.encode(record), type=Record)


def test_a_record_has_what_was_decided_by_whom_and_why() -> None:
    """Every field that a happening tells is in the record, and every finding."""
    outcome = severally()
    record = record_of(happened(1, outcome, error="engine", undo="undone", policy_hash="abc", duration_s=1.5), **PLAIN)
    assert (record.time, record.seam, record.tool, record.call_id) == (1_700_000_001.0, "tool_call", "bash", "call-1")
    assert (record.session, record.agent, record.role, record.domain) == ("session-1", "writer", "editor", "docs")
    assert (record.chain, record.attempt, record.mode) == (("lead", "writer"), "attempt-1", "enforce")
    assert (record.verdict, record.reason, record.decided_by) == ("block", "no", "gate-3")
    assert [(one.interceptor, one.kind, one.level, one.reason, one.severity) for one in record.findings] == [
        ("rewriter-0", "replace", "allow", "", "low"),
        ("gate-1", "note", "note", "seen", "low"),
        ("gate-2", "ask", "ask", "may it?", "medium"),
        ("gate-3", "block", "block", "no", "high"),
    ]
    assert (record.error, record.undo, record.policy_hash, record.duration_s) == ("engine", "undone", "abc", 1.5)
    assert record.proposed == {"id": "call-1", "name": "bash", "arguments": {"command": "ls 1"}}
    assert record.proposed_digest == digest(call())
    assert record.effective is None  # nothing went on


def test_what_went_on_instead_is_kept_beside_what_was_proposed() -> None:
    """A replacement is the effective value; where nothing was replaced there is none."""
    other = call(also="this")
    changed = record_of(happened(1, decided(call(), replace(other))), **PLAIN)
    assert changed.changed
    assert changed.effective == {"id": "call-1", "name": "bash", "arguments": {"command": "ls 1", "also": "this"}}
    assert (changed.proposed_digest, changed.effective_digest) == (digest(call()), digest(other))
    same = record_of(happened(1, decided(call(), note("seen"))), **PLAIN)
    assert (same.changed, same.effective, same.effective_digest) == (False, None, digest(call()))
    equal = record_of(happened(1, decided(call(), replace(call()), note("seen"))), **PLAIN)
    assert (equal.changed, equal.effective) == (False, None)


def test_a_call_nothing_applied_to_proceeds_ungoverned() -> None:
    """Where nobody was asked the record says so, and that it proceeded."""
    record = record_of(happened(governed=False), **PLAIN)
    assert (record.verdict, record.governed, record.findings) == ("proceed", False, ())


def test_each_ask_is_told_with_what_came_of_it() -> None:
    """Granted, refused, and left without an answer, each with its target and who said what."""
    asks = [ask("first", target="cli://", timeout_s=5), ask("second", target="slack://ops"), ask("third")]
    outcome = decided(call(), *asks)
    answers = (grant(outcome.asks[0], by="ann"), refuse(outcome.asks[1], by="bob", reason="not today"))
    record = record_of(happened(1, settle(outcome, answers)[0], answers=answers), **PLAIN)
    assert [(one.reason, one.target, one.granted, one.by, one.answer) for one in record.asks] == [
        ("first", "cli://", True, "ann", ""),
        ("second", "slack://ops", False, "bob", "not today"),
        ("third", None, None, None, ""),
    ]
    assert (record.asks[0].timeout_s, record.asks[0].digest) == (5, outcome.asks[0].digest)
    assert record.verdict == "block"


def test_an_ask_that_stands_has_no_answer_yet() -> None:
    """In a mode that contacts nobody the asks are recorded all the same, once each."""
    outcome = decided(call(), ask("same", target="cli://"), ask("same", target="cli://"))
    record = record_of(happened(1, outcome, mode="dry_run"), **PLAIN)
    assert [(one.interceptor, one.granted) for one in record.asks] == [("gate-0", None), ("gate-1", None)]
    assert [one.digest for one in record.asks] == [one.digest for one in outcome.asks]


def test_an_answer_to_no_entry_of_the_log_is_not_lost() -> None:
    """Answers are recorded even where the log says nothing of the ask."""
    outcome = decided(call(), ask("may it?", target="cli://"))
    answers = (grant(outcome.asks[0], by="ann"),)
    record = record_of(happened(1, evolve(outcome, log=()), answers=answers), **PLAIN)
    assert [(one.reason, one.granted) for one in record.asks] == [("may it?", True)]


SEAMS: list[Happening] = [
    finished(1, {"files": ["a", "b"]}),
    Happening(1.0, CONTEXT, SCOPE, "observe", "a", (Message("user", "hi"), Message("assistant", [{"type": "text"}]))),
    Happening(1.0, PROVIDER_REQUEST, SCOPE, "enforce", "a", ProviderRequest("m", (), [], {}, {"x-key": "1"})),
    Happening(1.0, MEMORY, SCOPE, "enforce", "a", (MemoryItem({"fact": 1}),)),
    Happening(1.0, TOOL_RESULT, SCOPE, "enforce", "a", None, call()),
]


@pytest.mark.parametrize("happening", SEAMS, ids=lambda one: f"{one.seam.name}-{type(one.proposed).__name__}")
def test_every_seam_leaves_a_record_that_can_be_written_down(happening: Happening) -> None:
    """What passes a seam is kept by its fields, and reading gives the same record again."""
    record = record_of(happening, **PLAIN)
    assert record.kept.proposed == "whole"
    assert reread(record) == record


@given(output=JSON, reason=st.text(), tool=st.text(), argument=JSON)
def test_a_record_is_read_as_it_was_written(output: object, reason: str, tool: str, argument: object) -> None:
    """Whatever stands in it: any JSON, integers of any size, any text."""
    reason, tool = (text.encode("utf-8", "replace").decode() for text in (reason, tool))
    try:
        proposed = ToolCall("1", tool, {"argument": argument})
        result = finished(1, output)
    except ValueError:  # what no seam carries: a lone surrogate
        return
    outcome = decided(proposed, block(reason))
    for record in (record_of(happened(proposed=proposed, outcome=outcome), **PLAIN), record_of(result, **PLAIN)):
        assert reread(record) == record


@frozen
class Own:
    """What a host's own seam carries."""

    name: str
    thing: object


OWN: Seam[Own] = Seam("own", Own)


def test_of_what_is_no_json_the_type_alone_is_kept() -> None:
    """Bytes and Python objects are told by their types, and the record says that they were there."""

    class Password:
        def __repr__(self) -> str:
            return "hunter2"

    for value in (b"hunter2", Password(), {"nested": [Password()]}, float("inf"), {Password(): 1}):
        record = record_of(finished(1, value), **PLAIN)
        assert record.kept.proposed == "opaque"
        assert b"hunter2" not in msgspec.json.encode(record)
    own = record_of(Happening(1.0, OWN, SCOPE, "enforce", "a", Own("x", Password())), **PLAIN)
    assert own.proposed == {"name": "x", "thing": "<Password>"}


def test_what_cannot_be_recorded_whole_still_leaves_a_record() -> None:
    """A value that raises when it is looked at: what was decided is kept, and nothing of the value."""

    class Hostile:
        __attrs_attrs__ = 1

    endless: list[object] = []
    endless.append(endless)
    for value in (Hostile(), endless):
        seam: Seam[object] = Seam("own", object)
        happening = Happening(2.0, seam, SCOPE, "enforce", "a", value, executed=True)
        record = record_of(happening, **PLAIN)
        assert (record.time, record.executed, record.kept.proposed) == (2.0, True, "withheld")
        assert record.error.startswith("no whole record could be made: ")
        assert reread(record) == record


def test_lone_surrogates_and_odd_numbers_can_be_written_down() -> None:
    """File names that are no UTF-8 end up in errors; a clock may be broken."""
    record = record_of(happened(error="no file \udcff")._replace(at=float("nan"), duration_s=float("inf")), **PLAIN)
    assert (record.error, record.time, record.duration_s) == ("no file ?", 0.0, 0.0)
    assert reread(record) == record


@pytest.mark.parametrize("inputs", ["redacted", "whole", "digests"])
def test_inputs_are_redacted_whole_or_digests_alone(inputs: Inputs) -> None:
    """How values are kept is a choice, and the record says which it was; texts are redacted in any case."""
    proposed = call(token="hunter2")
    outcome = decided(proposed, block("no hunter2"))
    record = record_of(happened(proposed=proposed, outcome=outcome), redactor=Times("hunter2"), inputs=inputs, key=b"k")
    assert record.reason == record.findings[0].reason == "no [secret]"
    kept = {
        "redacted": ("redacted", {"command": "ls 1", "token": "[secret]"}),
        "whole": ("whole", {"command": "ls 1", "token": "hunter2"}),
        "digests": ("digest", None),
    }
    assert (record.kept.proposed, record.proposed and record.proposed["arguments"]) == kept[inputs]
    assert record.kept.texts == "redacted"


def test_what_needs_no_redaction_is_told_as_whole() -> None:
    """The record of a call without secrets says that what it keeps is what was seen."""
    record = record_of(happened(outcome=decided(call(), block("no"))), redactor=Times("hunter2"))
    assert (record.kept.proposed, record.kept.texts) == ("whole", "whole")


def test_digests_are_of_what_was_seen_before_redaction() -> None:
    """Two secrets that look alike when they are redacted still have different digests, those an approver saw."""
    records = [record_of(happened(proposed=call(token=secret)), redactor=Times("hunter")) for secret in ("hunter", "x")]
    assert records[0].proposed_digest == digest(call(token="hunter"))
    assert records[0].proposed_digest != records[1].proposed_digest


def test_with_a_key_all_digests_need_it() -> None:
    """Nobody without the key can try values out: neither on a value's own digest, nor on that of an ask."""
    outcome = decided(call(), ask("may it?", target="cli://"))
    record = record_of(happened(1, outcome), redactor=NO_REDACTION, inputs="digests", key=b"key")
    said = f"hmac-sha256:{hmac.new(b'key', digest(call()).encode(), hashlib.sha256).hexdigest()}"
    assert record.proposed_digest == said
    assert digest(call()) not in msgspec.json.encode(record).decode()
    assert outcome.asks[0].digest not in msgspec.json.encode(record).decode()


def test_a_digest_of_a_python_object_is_marked() -> None:
    """Such a digest names that very object in that process, and says so."""
    assert str(record_of(finished(1, object()), **PLAIN).proposed_digest).startswith("opaque:")
    keyed = record_of(finished(1, object()), redactor=NO_REDACTION, key=b"k")
    assert str(keyed.proposed_digest).startswith("opaque:hmac-sha256:")


class Failing:
    """A redactor that raises, with the secret in what it says."""

    def value(self, value: object, /) -> object:
        """Fail."""
        raise RuntimeError(f"cannot redact {value}")

    def text(self, text: str, /) -> str:
        """Fail."""
        raise RuntimeError(f"cannot redact {text}")


class Lying(Failing):
    """A redactor that gives what is no text and no JSON."""

    def value(self, value: object, /) -> object:
        """Give an object."""
        return object()

    def text(self, text: str, /) -> Any:
        """Give no text."""
        return text.encode()


@pytest.mark.parametrize("redactor", [Failing(), Lying()], ids=["raises", "gives nonsense"])
def test_a_failing_redactor_withholds_everything(redactor: Any) -> None:
    """Nothing that it should have looked at is kept; what was decided, when and how grave, is."""
    outcome = severally()
    happening = happened(1, outcome, error="hunter2", undo="hunter2", proposed=call(token="hunter2"))
    record = record_of(happening, redactor=redactor)
    text = msgspec.json.encode(record).decode()
    for secret in ("hunter2", "session-1", "writer", "bash", "ls 1", "seen", "slack", "gate-"):
        assert secret not in text, secret
    assert (record.kept.texts, record.reason, record.tool) == ("withheld", WITHHELD, WITHHELD)
    assert (record.verdict, [one.kind for one in record.findings]) == ("block", ["replace", "note", "ask", "block"])
    assert reread(record) == record


def test_every_field_of_a_record_is_documented() -> None:
    """The table in docs/ledger.md has each field, and no other."""
    page = Path(__file__).resolve().parents[3].joinpath("docs/ledger.md").read_text("utf-8")
    table = page.partition("<!-- the fields of a record -->")[2].partition("<!-- end of the fields -->")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(field.name for field in fields(Record))


def test_the_verdicts_of_the_kernel_are_those_of_a_record() -> None:
    """What the kernel can decide, a record can say."""
    assert {verdict.value for verdict in Verdict} == {"proceed", "ask", "block"}
    assert record_of(finished(1, ToolResult("x").output), **PLAIN).verdict == "proceed"


class HidesAll:
    """A redactor that finds a secret in everything."""

    def value(self, value: object, /) -> object:
        """Hide it."""
        return "[x]"

    def text(self, text: str, /) -> str:
        """Hide it."""
        return "[x]"


OURS = "0123456789ab-"


@pytest.mark.parametrize(
    ("attempt", "id", "kept"),
    [
        (f"{OURS}2", f"{OURS}1", (f"{OURS}2", f"{OURS}1")),
        (f"{OURS}2", "ba9876543210-1", (f"{OURS}2", "[x]")),  # by whoever wrote it: of another engine, or of a model
        (f"{OURS}2", f"{OURS}1234567890", (f"{OURS}2", "[x]")),
        (f"{OURS}2", f"{OURS}1 and more", (f"{OURS}2", "[x]")),
        ("attempt", f"{OURS}1", ("[x]", "[x]")),
    ],
)
def test_what_an_engine_numbers_is_no_secret(attempt: str, id: str, kept: tuple[str, str]) -> None:
    """The names that it gives to an attempt and its call stay as they are; all other ids are redacted."""
    proposed = ToolCall(id, "bash", {})
    record = record_of(happened(proposed=proposed, attempt=attempt), redactor=HidesAll())
    assert (record.attempt, record.call_id) == kept


def test_an_engine_numbers_like_that() -> None:
    """The form is the one that engines give."""
    kept: list[Happening] = []

    class Keeps:
        def append(self, happening: Happening, /) -> None:
            kept.append(happening)

    Engine(ledger=Keeps()).call("bash", lambda: None)
    for happening in kept:
        record = record_of(happening, redactor=HidesAll())
        assert happening.call is not None
        assert (record.attempt, record.call_id) == (happening.attempt, happening.call.id)
