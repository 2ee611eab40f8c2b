"""What differs between two values, leaf by leaf."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import digest
from seamlaw_host.replay import compared, json_text

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_a_value_does_not_differ_from_itself(value: Any) -> None:
    """No leaf is changed."""
    assert not any(leaf.changed for leaf in compared(value, value))


@given(JSON, JSON)
def test_values_of_different_digest_differ_somewhere(a: Any, b: Any) -> None:
    """Only an array that became an object with numbers as keys has the same leaves."""
    if digest(a) != digest(b) and '"0"' not in json_text([a, b]):
        assert any(leaf.changed for leaf in compared(a, b))


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({"a": 1}, {"a": 1, "b": {"c": 2}}, {"/b/c": (None, "2")}),
        ({"a": 1, "b": 2}, {"b": 2}, {"/a": ("1", None)}),
        ({"a": 1}, {"a": True}, {"/a": ("1", "true")}),
        ({"a": 2**63}, {"a": 2**63 + 1}, {"/a": ("9223372036854775808", "9223372036854775809")}),
        ({"a": []}, {"a": {}}, {"/a": ("[]", "{}")}),
        ({"a/b": {"~": "x"}}, {"a/b": {"~": "y"}}, {"/a~1b/~0": ('"x"', '"y"')}),
        ({}, {"a": None}, {"": ("{}", None), "/a": (None, "null")}),
    ],
)
def test_each_change_is_told_at_its_json_pointer(before: Any, after: Any, changed: dict[str, Any]) -> None:
    """Added, removed and other values, of integers every digit."""
    assert {leaf.at: (leaf.before, leaf.after) for leaf in compared(before, after) if leaf.changed} == changed


def test_python_objects_are_told_by_their_type() -> None:
    """Results of Python functions may hold anything, themselves too; what is written is JSON nevertheless."""
    endless: dict[str, Any] = {}
    endless["again"] = endless
    assert json_text({"a": {1, 2}, "b": float("nan"), "c": (1.5, 2)}) == '{"a": "<set>", "b": "<float>", "c": [1.5, 2]}'
    assert '"<dict>"' in json_text(endless)
    assert compared(endless, {})
