"""The fast way to a digest gives the kernel's."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.host.ledger.made import happened
from tests.host.ledger.test_record import PLAIN

from seamlaw import InvalidValue, MemoryItem, Message, ToolCall, ToolResult, digest
from seamlaw_host.ledger import Happening, record_of
from seamlaw_host.ledger._digests import digest_of, is_plain, keyed

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**53, 2**53 - 1, -(2**53), 2**64, 10**21, 10**30])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
PLAINER = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="ascii")), inner, max_size=4)
    ),
    max_leaves=10,
)
TEXTS = st.text()


def told(happening: Happening) -> str | None:
    """The digest that a record has."""
    return record_of(happening, **PLAIN).proposed_digest


@given(name=TEXTS, arguments=st.dictionaries(TEXTS, JSON | PLAINER, max_size=4), output=JSON | PLAINER, error=TEXTS)
def test_a_record_has_the_digest_of_the_kernel(name: str, arguments: Any, output: Any, error: str) -> None:
    """Of every call and every result, however plain or odd: numbers, keys and control characters included."""
    call = ToolCall("id", name, arguments)
    assert told(happened(proposed=call)) == digest(call)
    for result in (ToolResult(output), ToolResult(output, error, {"more": output})):
        assert told(happened(proposed=result)) == digest(result)


@given(value=PLAINER)
def test_what_most_calls_carry_goes_the_fast_way(value: Any) -> None:
    """Otherwise the test above would say nothing: text, small integers and ASCII keys are plain."""
    call = ToolCall("id", "tool", {"value": value})
    assert is_plain(call.arguments)
    assert digest_of(call, plain=True) == digest(call)


@pytest.mark.parametrize(
    "value", [1.5, {"a": 1.0}, 2**53, {"é": 1}, b"x", object(), float("nan"), [[object()]], {"a": {1: 2}}]
)
def test_what_encoders_write_otherwise_is_left_to_the_kernel(value: object) -> None:
    """Floats, large integers, other keys, and what is no JSON."""
    assert not is_plain(value)


def test_what_nests_deeply_is_left_to_the_kernel() -> None:
    """It is still told."""
    value: Any = 1
    for _ in range(50):
        value = [value]
    assert not is_plain(value)
    assert told(happened(proposed=ToolResult(value))) == digest(ToolResult(value))


def test_other_values_have_the_digest_of_the_kernel_or_none() -> None:
    """Messages, memory, a tuple of either; what the kernel refuses has none."""
    for value in ((Message("user", "hi"),), (MemoryItem("x"), MemoryItem({"a": 1.5})), "text", 1, None):
        assert digest_of(value) == digest(value)
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(InvalidValue):
        digest(cycle)
    assert digest_of(cycle) is None
    assert keyed(None, b"k") is None
