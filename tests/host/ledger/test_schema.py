"""The published schema is that of the records which are written."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.host.ledger.made import decided, finished, happened, ledger, severally
from tests.host.ledger.test_record import PLAIN

from seamlaw import ToolCall, answered, block
from seamlaw_host.ledger import SCHEMA, JsonlSink, Record, record_of, record_schema

PUBLISHED = Path(__file__).parents[3] / "docs/record.schema.json"
VALIDATOR: Any = jsonschema.Draft202012Validator(record_schema())


def as_json(record: Record) -> dict[str, Any]:
    """Give a record as it is written."""
    return msgspec.json.decode(msgspec.json.encode(record), type=dict[str, Any])


def some() -> list[Record]:
    """Records with some of everything."""
    other = ToolCall("3", "rm", {"path": "/"})
    asked = severally()
    happenings = [
        happened(1, asked),
        happened(1, asked, answers=tuple(answered(ask, True, by="anna") for ask in asked.asks)),
        happened(2, error="raised ValueError", undo="undone", state={"step": 1}, policy_hash="x"),
        finished(2, [1.5, None]),
        finished(2, object()),
        happened(3, decided(other, block("never")), proposed=other),
        happened(4, governed=False),
    ]
    return [record_of(happening, **PLAIN) for happening in happenings]


def test_what_is_published_is_the_schema() -> None:
    """After a change: python -c 'from tests.host.ledger.test_schema import publish; publish()'."""
    assert json.loads(PUBLISHED.read_text("utf-8")) == json.loads(json.dumps(record_schema()))
    VALIDATOR.check_schema(record_schema())


def publish() -> None:
    """Write the schema."""
    PUBLISHED.write_text(json.dumps(record_schema(), indent=1) + "\n", "utf-8")


def test_records_keep_to_it() -> None:
    """Of calls and results, blocked, asked, answered, undone, opaque."""
    for record in some():
        VALIDATOR.validate(as_json(record))


def test_the_lines_of_a_file_keep_to_it(tmp_path: Path) -> None:
    """As they are on the disk."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path)) as made:
        made.append(happened(1, severally()))
        made.append(finished(1))
    whole = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines = [line["record"] for line in whole if line["type"] == "record"]
    assert len(lines) == 2
    for line in lines:
        VALIDATOR.validate(line)


@pytest.mark.parametrize(
    "broken",
    [
        {"id": 1},
        {"time": "now"},
        {"verdict": "maybe"},
        {"mode": "off"},
        {"schema": "seamlaw.record/2"},
        {"chain": "lead"},
        {"findings": [{"kind": "block"}]},
        {"asks": [{"interceptor": "x", "granted": "yes"}]},
        {"kept": {"proposed": "some"}},
    ],
)
def test_what_is_no_record_does_not(broken: dict[str, Any]) -> None:
    """The planted bugs: a field of another type or word."""
    (record, *_) = some()
    assert not VALIDATOR.is_valid({**as_json(record), **broken})
    (name,) = broken
    assert not VALIDATOR.is_valid({key: value for key, value in as_json(record).items() if key != name})


def test_a_field_may_be_added() -> None:
    """Whoever reads records of a newer version of the same schema finds them good, and so does the decoder."""
    newer = {**as_json(some()[0]), "added": 1}
    VALIDATOR.validate(newer)
    assert msgspec.convert(newer, Record) == some()[0]
    assert newer["schema"] == SCHEMA


@settings(max_examples=50)
@given(value=st.recursive(st.none() | st.integers() | st.text(), lambda i: st.lists(i) | st.dictionaries(st.text(), i)))
def test_whatever_was_proposed(value: Any) -> None:
    """Any JSON."""
    record = record_of(finished(1, value), **PLAIN)
    VALIDATOR.validate(as_json(record))
    VALIDATOR.validate(as_json(evolve(record, state=value)))
