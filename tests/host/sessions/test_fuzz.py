"""Nothing that a file can hold breaks the reader, and damage to a recording costs what it touched."""

import io
import json
from collections import Counter
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamlaw_host.sessions import SHAPES, Event, Malformed, Recorded, UnknownShape, read_session
from seamlaw_host.sessions._strict_json import is_list, is_object

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
LINED = sorted(path.name for path in SAMPLES.glob("*.jsonl"))
LISTED = ["openai_chat.json", "anthropic_messages.json", "openai_responses.json"]
FEW = settings(max_examples=60)


def read(source: bytes, shape: str | None = None) -> list[Event]:
    """Read bytes; that they are of no known shape is an answer too."""
    try:
        stdin = io.TextIOWrapper(io.BytesIO(source))
        return list(read_session("-", stdin=stdin, shape=shape).events)
    except UnknownShape:
        return []


WORDS = """
    type role content tool_calls function_call function name arguments id tool_call_id message messages input output
    choices tool_use tool_result tool_use_id user assistant tool hook_event_name PreToolUse PostToolUse session_id
    PostToolUseFailure sessionId tool_name tool_input tool_response error jsonrpc 2.0 method tools/call params result
    isError _meta serverInfo direction call_id function_call_output web_search_call mcp_call custom custom_tool_call
    roots/list roots is_error text agent_id agent_type mcp_server server_name chain metadata
""".split()
NAMES = st.sampled_from(WORDS) | st.text(max_size=3)
LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | NAMES
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=8),
    max_leaves=25,
)
RECORDS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=8)
SHAPE_NAMES = st.none() | st.sampled_from([shape.name for shape in SHAPES])


@FEW
@given(st.binary(max_size=300), SHAPE_NAMES)
def test_arbitrary_bytes_raise_nothing_else(source: bytes, shape: str | None) -> None:
    """They are read, or are in no known shape."""
    read(source, shape)


@settings(max_examples=200)
@given(st.lists(RECORDS | VALUES, max_size=6), SHAPE_NAMES, st.booleans())
def test_arbitrary_json_raises_nothing_else(records: list[Any], shape: str | None, listed: bool) -> None:
    """Records made of the words that the readers look for, with any values in any place, as lines and as a list."""
    text = json.dumps(records) if listed else "\n".join(map(json.dumps, records))
    for event in read(text.encode(), shape):
        assert event.place


OWN: list[Any] = [
    {"tool": "f", "arguments": {"a": [1]}, "id": "i", "chain": ["a"], "result": {"output": 1, "metadata": {"m": 1}}}
]


def records_of(name: str) -> list[Any]:
    """Parse a sample, or take a record of our own."""
    if name == "own":
        return OWN
    return [json.loads(line) for line in (SAMPLES / name).read_text("utf-8").splitlines()]


def with_another(value: Any, other: Any, data: st.DataObject) -> Any:
    """Put something else into one place, deep inside or not."""
    keys = list(range(len(value))) if is_list(value) else list(value) if is_object(value) else []
    if not keys or data.draw(st.integers(0, 5)) == 0:
        return other
    key: Any = data.draw(st.sampled_from(keys))
    changed = copy(value)
    changed[key] = with_another(value[key], other, data)
    return changed


@settings(max_examples=300)
@given(st.sampled_from([*LINED, "own"]), VALUES, st.data())
def test_a_value_of_any_type_in_any_place_costs_its_record(name: str, other: Any, data: st.DataObject) -> None:
    """Genuine records with one part exchanged raise nothing, and the calls of the others are read as before."""
    records = records_of(name)
    at = data.draw(st.integers(0, len(records) - 1))
    lines = [json.dumps(record).encode() + b"\n" for record in records]
    before = recorded(read(b"".join(lines)))
    lines[at] = json.dumps(with_another(records[at], other, data)).encode() + b"\n"
    place = {f"line {at + 1}"}
    after = read(b"".join(lines), shape_of(name))
    survive(before, after, lost_calls=place, lost_results=place)


def shape_of(name: str) -> str:
    """Name a sample's shape."""
    return "seamlaw" if name == "own" else read_session(SAMPLES / name).shape


# What a sample's damage may cost


def recorded(events: list[Event]) -> list[Recorded]:
    """Take the calls."""
    return [event for event in events if isinstance(event, Recorded)]


def digest(event: Recorded, result: bool = True) -> str:
    """Identify a call, with its result, whatever its place now is."""
    ran = (event.result.output, event.result.error) if event.result and result else None
    return repr((event.call.id, event.call.name, event.call.arguments, ran))


def survive(before: list[Recorded], after: list[Event], *, lost_calls: set[str], lost_results: set[str]) -> None:
    """Check that what stood in no lost place is still there."""
    kept = [one for one in before if one.place not in lost_calls]
    whole = [one for one in kept if one.result_place not in lost_results]
    assert Counter(digest(one, False) for one in kept) <= Counter(digest(one, False) for one in recorded(after))
    assert Counter(map(digest, whole)) <= Counter(map(digest, recorded(after)))


def sample(name: str) -> tuple[list[bytes], list[Recorded]]:
    """Give a sample's lines and calls."""
    source = (SAMPLES / name).read_bytes()
    return source.splitlines(keepends=True), recorded(read(source))


@FEW
@given(st.sampled_from(LINED), st.data())
def test_a_dropped_line_costs_that_line(name: str, data: st.DataObject) -> None:
    """The calls and results of all other lines are read as before."""
    lines, before = sample(name)
    at = data.draw(st.integers(0, len(lines) - 1))
    place = {f"line {at + 1}"}
    survive(before, read(b"".join(lines[:at] + lines[at + 1 :])), lost_calls=place, lost_results=place)


@FEW
@given(st.sampled_from(LINED), st.data())
def test_a_spoilt_line_costs_that_line_and_is_told(name: str, data: st.DataObject) -> None:
    """Whatever bytes take its place, the others are read as before, and in their places."""
    lines, before = sample(name)
    at = data.draw(st.integers(0, len(lines) - 1))
    spoilt = data.draw(st.binary(max_size=40)).replace(b"\n", b"") + b"}{"
    place = {f"line {at + 1}"}
    after = read(b"".join([*lines[:at], spoilt + b"\n", *lines[at + 1 :]]))
    survive(before, after, lost_calls=place, lost_results=place)
    assert [event.place for event in after if isinstance(event, Malformed)][:1] == [f"line {at + 1}"]


@FEW
@given(st.sampled_from(LINED), st.data())
def test_a_cut_costs_what_is_behind_it(name: str, data: st.DataObject) -> None:
    """The calls of all whole lines are read, with the results that stand there."""
    lines, before = sample(name)
    source = b"".join(lines)
    cut = data.draw(st.integers(len(lines[0]), len(source)))
    whole = source[:cut].count(b"\n")
    lost = {f"line {at}" for at in range(whole + 1, len(lines) + 1)}
    survive(before, read(source[:cut]), lost_calls=lost, lost_results=lost)


@FEW
@given(st.sampled_from(LINED), st.data())
def test_swapped_lines_cost_no_call(name: str, data: st.DataObject) -> None:
    """A result that now comes before its call may be lost to it, the call is not."""
    lines, before = sample(name)
    at = data.draw(st.integers(0, len(lines) - 2))
    swapped = [*lines[:at], lines[at + 1].rstrip(b"\n") + b"\n", lines[at], *lines[at + 2 :]]
    places = {f"line {at + 1}", f"line {at + 2}"}
    survive(before, read(b"".join(swapped)), lost_calls=set(), lost_results=places)


@FEW
@given(st.sampled_from(LINED), st.data())
def test_a_flipped_byte_costs_its_line(name: str, data: st.DataObject) -> None:
    """Unless it makes two lines of one or one of two, which costs those."""
    lines, before = sample(name)
    source = bytearray(b"".join(lines))
    at = data.draw(st.integers(0, len(source) - 1))
    line = source[:at].count(b"\n") + 1
    source[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != 10))
    places = {f"line {line}", f"line {line + 1}"}
    survive(before, read(bytes(source)), lost_calls=places, lost_results=places)


@FEW
@given(st.sampled_from(LISTED), st.data())
def test_a_cut_through_a_list_costs_what_is_behind_it(name: str, data: st.DataObject) -> None:
    """The messages that are whole are read, and the break is told."""
    source = (SAMPLES / name).read_text("utf-8")
    before = recorded(read(source.encode()))
    ends = ends_of_messages(source)
    cut = data.draw(st.integers(ends[3], len(source.rstrip()) - 1))
    lost = {f"message {at}" for at, end in enumerate(ends, 1) if end > cut}
    after = read(source[:cut].encode())
    survive(before, after, lost_calls=lost, lost_results=lost)
    assert any(isinstance(event, Malformed) for event in after)


def ends_of_messages(source: str) -> list[int]:
    """Find where each element of a list that is indented by one ends."""
    ends: list[int] = []
    at = 0
    for line in source.splitlines(keepends=True):
        at += len(line)
        if line.startswith(" }"):
            ends.append(at - len(line) + 2)
    return ends


@pytest.mark.parametrize("name", LISTED)
def test_the_ends_are_those_of_the_messages(name: str) -> None:
    """The tests' own measure is right."""
    source = (SAMPLES / name).read_text("utf-8")
    assert len(ends_of_messages(source)) == len(json.loads(source))
