"""The usage that providers report is read in each shape, and never as nothing."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import ToolResult
from seamlaw_host.state import UnknownUsage, Usage, usage_of

ANTHROPIC = {
    "id": "msg_1",
    "type": "message",
    "usage": {
        "input_tokens": 20,
        "cache_creation_input_tokens": 7,
        "cache_read_input_tokens": 1_000,
        "output_tokens": 50,
        "service_tier": "standard",
    },
}
CHAT = {
    "object": "chat.completion",
    "usage": {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "total_tokens": 150,
        "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 30},
    },
}
RESPONSES = {
    "object": "response",
    "usage": {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 64},
        "output_tokens": 50,
        "output_tokens_details": {"reasoning_tokens": 30},
        "total_tokens": 150,
    },
}
GOOGLE: dict[str, Any] = {
    "candidates": [],
    "usageMetadata": {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 64,
        "candidatesTokenCount": 20,
        "thoughtsTokenCount": 30,
        "totalTokenCount": 150,
    },
}
GOOGLE_SNAKE = {
    "usage_metadata": {
        "prompt_token_count": 100,
        "cached_content_token_count": 64,
        "candidates_token_count": None,
        "total_token_count": 150,
    }
}
SHAPES: dict[str, tuple[Any, Usage]] = {
    "anthropic": (ANTHROPIC, Usage(1_027, 50, 1_000)),
    "openai chat": (CHAT, Usage(100, 50, 64)),
    "openai responses": (RESPONSES, Usage(100, 50, 64)),
    "google": (GOOGLE, Usage(100, 50, 64)),
    "google snake": (GOOGLE_SNAKE, Usage(100, 50, 64)),
}
shapes = pytest.mark.parametrize(("response", "usage"), SHAPES.values(), ids=SHAPES)


def objects(given: Any) -> Any:
    """As the objects of a client library."""
    if not isinstance(given, dict):
        return given
    return SimpleNamespace(**{name: objects(inside) for name, inside in cast("dict[str, Any]", given).items()})


@shapes
def test_each_shape_is_read(response: Any, usage: Usage) -> None:
    """As JSON, as objects, as a tool's result, and as the usage alone."""
    assert usage_of(response) == usage
    assert usage_of(objects(response)) == usage
    assert usage_of(ToolResult(response)) == usage
    assert usage_of(ToolResult(objects(response))) == usage
    assert usage_of(response[next(name for name in response if "sage" in name)]) == usage
    assert usage.total == usage.input + usage.output


def spoilt(response: Any, **spoil: Any) -> Iterator[tuple[str, Any]]:
    """The response with each number of its usage put another way: `None` to take it out, or as `to`."""
    (part,) = [name for name in response if "sage" in name]
    for name, number in response[part].items():
        if isinstance(number, int):
            rest = {other: value for other, value in response[part].items() if other != name}
            yield name, {**response, part: {**rest, **({name: spoil["to"]} if spoil else {})}}


@shapes
@pytest.mark.parametrize("odd", [-1, 1.5, True, "12", [], {}, float("nan")], ids=repr)
def test_odd_numbers_are_a_fault(response: Any, usage: Usage, odd: object) -> None:
    """A number that counts and is none is refused, whichever it is, and not quoted."""
    refused = 0
    for _, wrong in spoilt(response, to=odd):
        said = read(wrong)
        assert said == usage or isinstance(said, str), "what was odd was counted"
        refused += isinstance(said, str) and repr(odd) not in said
    assert refused >= 2


@shapes
def test_missing_numbers_are_a_fault_or_count_for_nothing_less(response: Any, usage: Usage) -> None:
    """Without a number that it needs a usage is refused; without another, no fewer tokens are counted but cached."""
    refused = 0
    for name, without in [*spoilt(response), *spoilt(response, to=None)]:
        said = read(without)
        assert isinstance(said, str) or said.total == usage.total or "cache" in name
        refused += isinstance(said, str)
    assert refused >= 4


def read(response: Any) -> Usage | str:
    """The usage, or what is said of it."""
    try:
        return usage_of(response)
    except UnknownUsage as fault:
        return str(fault)


@pytest.mark.parametrize(
    "nothing",
    [
        None,
        {},
        [],
        "",
        5,
        {"usage": None},
        {"usage": {}},
        {"usage": []},
        ToolResult("text"),
        ToolResult(error="failed"),
    ],
    ids=repr,
)
def test_no_usage_is_a_fault(nothing: object) -> None:
    """What does not say what was used is never read as nothing."""
    with pytest.raises(UnknownUsage, match="known shape"):
        usage_of(nothing)


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 19},
        {"prompt_tokens": 10, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 11}},
        {"promptTokenCount": 10, "totalTokenCount": 9},
    ],
)
def test_numbers_that_contradict_each_other_are_a_fault(usage: dict[str, object]) -> None:
    """A total below its parts, and more cached than sent, are no usage."""
    with pytest.raises(UnknownUsage):
        usage_of({"usage": usage})


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["usage", "input_tokens", "output_tokens", "prompt_tokens", "completion_tokens",
                         "total_tokens", "prompt_token_count", "total_token_count", "prompt_tokens_details"]), inner),
))  # fmt: skip
def test_whatever_is_read_is_a_usage_or_a_fault(response: object) -> None:
    """Nothing else is raised, and no number is negative."""
    try:
        usage = usage_of(response)
    except UnknownUsage:
        return
    assert usage.input >= usage.cached >= 0
    assert usage.output >= 0
