"""A call is blocked just where its arguments have more bytes than the limit."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, ToolCall, canonical, decide
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.input_limit import InputLimit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4), st.integers(2, 200))
def test_a_call_is_blocked_just_where_it_is_larger(arguments: dict[str, Any], limit: int) -> None:
    """Its size is that of its canonical JSON in UTF-8; the denial has both sizes."""
    size = len((canonical(arguments) or "").encode())
    outcome = decide(InputLimit(limit).interceptors(), TOOL_CALL, ToolCall("1", "tool", arguments))
    denial = f"Input too large: {size} bytes exceed the limit of {limit} bytes"
    assert outcome.reason == (denial if size > limit else "")
    assert outcome.proceeds is (size <= limit)


def test_spaces_and_escapes_of_the_wire_do_not_count_and_bytes_are_no_characters() -> None:
    """Two ways to write the same arguments have one size; a letter may be several bytes."""
    text = json.dumps({"b": "\u00e9" * 10, "a": 1}, indent=8)
    call = ToolCall("1", "tool", json.loads(text))
    size = len('{"a":1,"b":""}') + 20
    assert InputLimit(size).judge(call) is None
    assert InputLimit(size - 1).judge(call) is not None


def test_only_the_tools_that_are_named_are_limited() -> None:
    """And unless some are, all; what they give back is not."""
    call = ToolCall("1", "write_file", {"text": "x" * 100})
    assert not decide(InputLimit(50).interceptors(), TOOL_CALL, call).proceeds
    assert not decide(InputLimit(50, tools="write_*").interceptors(), TOOL_CALL, call).proceeds
    assert decide(InputLimit(50, tools=["read"]).interceptors(), TOOL_CALL, call).proceeds
    assert not InputLimit(50).interceptors().tool_result


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"limit": 1}, "limit"),
        ({"limit": True}, "limit"),
        ({"limit": 10.5}, "limit"),
        ({"limit": float("nan")}, "limit"),
        ({"tools": []}, "tools"),
        ({"tools": ["[a"]}, "tools"),
    ],
)
def test_a_limit_that_is_none_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        InputLimit(**options)
    assert raised.value.place == place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green."""
    assert broken(InputLimit(40)) == []
