"""What passes a seam is written whole, and read back as it was written; all else is refused, with its place."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    SEAMS,
    TOOL_CALL,
    TOOL_RESULT,
    MemoryItem,
    Message,
    ProviderRequest,
    Seam,
    ToolCall,
    ToolResult,
    digest,
)
from seamlaw_host.extensions._values import read_value, write_value
from seamlaw_host.extensions.errors import Failed

TEXT = st.text(max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
CALLS = st.builds(ToolCall, TEXT, TEXT, OBJECT)
MESSAGES = st.builds(
    Message,
    TEXT,
    content=st.none() | TEXT | st.lists(OBJECT, max_size=2),
    tool_calls=st.lists(CALLS, max_size=2),
    call_id=st.none() | TEXT,
    extra=OBJECT,
)
REQUESTS = st.builds(
    ProviderRequest,
    TEXT,
    st.lists(MESSAGES, max_size=2),
    tools=st.lists(JSON, max_size=2),
    kwargs=OBJECT,
    headers=st.none() | st.dictionaries(TEXT, TEXT, max_size=2),
)
RESULTS = st.builds(ToolResult, JSON, error=st.none() | TEXT, metadata=OBJECT)
ITEMS = st.builds(MemoryItem, JSON, id=st.none() | TEXT, score=st.none() | st.integers(0, 9), metadata=OBJECT)
VALUES: st.SearchStrategy[tuple[Seam[Any], Any]] = st.one_of(
    st.tuples(st.just(TOOL_CALL), CALLS),
    st.tuples(st.just(TOOL_RESULT), RESULTS),
    st.tuples(st.just(CONTEXT), st.lists(MESSAGES, max_size=3).map(tuple)),
    st.tuples(st.just(PROVIDER_REQUEST), REQUESTS),
    st.tuples(st.just(MEMORY), st.lists(ITEMS, max_size=3).map(tuple)),
)


@settings(max_examples=200)
@given(VALUES)
def test_what_is_written_and_read_back_is_the_value(given: tuple[Seam[Any], Any]) -> None:
    """At every seam, on one line of ASCII; the digest is that of the kernel, and so is that of what comes back."""
    seam, value = given
    shown = write_value((value,), exact_integers=True)
    (text,) = shown.parts
    assert text.isascii()
    assert "\n" not in text
    back = read_value(seam, json.loads(text))
    assert back == value
    assert shown.digest == digest(value) == digest(back)
    assert write_value((value, ToolCall("1", "x")), exact_integers=True).digest == digest((value, ToolCall("2", "x")))


def _spoilt(value: Any, index: int, wrong: Any, *, many: bool) -> Any:
    fields: dict[str, Any] = value[0] if many else value
    names = list(fields)
    if wrong is None:
        del fields[names[index % len(names)]]
    else:
        fields.update(wrong)
    return value


@given(VALUES.filter(lambda given: bool(given[1])), st.integers(0, 9), st.sampled_from([None, {"more": 1}]))
def test_a_value_with_a_field_less_or_more_is_none(given: tuple[Seam[Any], Any], index: int, wrong: Any) -> None:
    """What is left out is not filled with what nobody said."""
    seam, value = given
    (text,) = write_value((value,), exact_integers=True).parts
    with pytest.raises(Failed):
        read_value(seam, _spoilt(json.loads(text), index, wrong, many=seam.many))


@pytest.mark.parametrize("seam", SEAMS.values(), ids=list(SEAMS))
@pytest.mark.parametrize("given", [None, True, 1, "rm -rf /", {}, [[]], [None], [{}]])
def test_what_is_no_value_is_refused(seam: Seam[Any], given: object) -> None:
    """At every seam."""
    with pytest.raises(Failed):
        read_value(seam, given)


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"id": "1", "name": 7, "arguments": {}}, "/name"),
        ({"id": "1", "name": "x", "arguments": [SECRET]}, "/arguments"),
        ({"id": "1", "name": "x", "arguments": {SECRET: float("inf")}}, "/arguments"),
        ({"id": "1", "name": "x"}, "the value"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place_and_not_quoted(given: object, place: str) -> None:
    """A key that the extension made up is not told either."""
    with pytest.raises(Failed) as raised:
        read_value(TOOL_CALL, given)
    assert f"({place}: " in str(raised.value)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    "value",
    [object(), {1: 2}, ["\ud800"], float("nan"), {"a": [{1}]}, [float("inf")]],
    ids=["object", "key", "surrogate", "nan", "set", "infinity"],
)
def test_what_json_cannot_say_is_not_written(value: object) -> None:
    """Nothing is put in its place."""
    with pytest.raises(Failed, match="was not asked"):
        write_value((ToolResult(value), ToolCall("1", "x")), exact_integers=True)


@given(st.integers())
def test_an_integer_is_shown_just_where_a_double_holds_it(number: int) -> None:
    """Those that are shown come back from a reader of doubles as they were, written without an exponent."""
    try:
        write_value((ToolCall("1", "x", {"n": number}),), exact_integers=False)
    except Failed:
        assert float(number) != number or abs(number) >= 10**21
    else:
        assert int(float(number)) == number


def test_the_digest_is_what_the_page_says() -> None:
    """SHA-256, in hexadecimal digits, of 64 places."""
    shown = write_value((ToolCall("1", "x"),), exact_integers=True)
    assert len(shown.digest) == hashlib.sha256().digest_size * 2
