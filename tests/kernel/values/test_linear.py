"""Freezing, digest and equality cost as much as there is of a value, and freezing again costs nothing.

That is counted in calls, of functions of Python and of C; time is measured elsewhere.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from seamlaw import FrozenDict, ToolCall, ToolResult, canonical, digest, freeze, thaw


def calls(run: Callable[[Any], object], given: object) -> int:
    """Count the calls that something makes of what it is given."""
    seen: list[str] = []

    def look(frame: FrameType, event: str, argument: object) -> None:
        seen.append(event)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        run(given)
    finally:
        sys.setprofile(before)
    return sum(event in ("call", "c_call") for event in seen)


SHAPES: dict[str, Callable[[int], Any]] = {
    "texts": lambda size: {"items": [f"text {at}" for at in range(size)]},
    "other texts": lambda size: {"items": [f"é {at}" for at in range(size)]},
    "numbers": lambda size: [at if at % 2 else at + 0.5 for at in range(size)],
    "objects": lambda size: [{"id": at, "name": "n", "ok": True, "none": None} for at in range(size)],
    "keys": lambda size: {f"key {at}": at for at in range(size)},
    "deep": lambda size: [[[{"a": [at]}]] for at in range(size)],
}
WORK: dict[str, Callable[[Any], object]] = {
    "freeze": freeze,
    "a call": lambda plain: ToolCall("1", "bash", {"all": plain}),
    "digest": digest,
    "canonical": canonical,
    "thaw": thaw,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("work", WORK)
def test_twice_as_much_costs_twice_as_many_calls(shape: str, work: str) -> None:
    """From a hundred items to some thousands."""
    small, twice, large = (calls(WORK[work], SHAPES[shape](size)) for size in (100, 200, 3_200))
    assert twice <= 2 * small
    assert large <= 32 * small


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_frozen_is_frozen_again_in_as_many_calls_whatever_its_size(shape: str) -> None:
    """It is the very same object, and nobody looks inside."""
    small, large = (freeze(SHAPES[shape](size)) for size in (10, 5_000))
    assert freeze(large) is large
    assert calls(freeze, large) == calls(freeze, small) <= 5


def test_a_call_around_frozen_arguments_is_made_in_as_many_calls_whatever_their_size() -> None:
    """So a rewriter that changes one argument pays for that one, and the object that holds it."""
    small, large = (freeze({"kept": SHAPES["objects"](size)}) for size in (10, 5_000))

    def changed(frozen: dict[str, object]) -> ToolCall:
        return ToolCall("1", "bash", {**frozen, "n": 1})

    assert calls(changed, small) == calls(changed, large)
    assert changed(large).arguments["kept"] is large["kept"]


def test_a_long_text_is_one_item() -> None:
    """Its characters are looked at by C alone, once to check them and once to hash them."""
    for text in ("x", "é"):
        assert calls(digest, {"text": text * 10}) == calls(digest, {"text": text * 10**6})


class Counted:
    """A Python object that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        type(self).compared += 1
        return isinstance(other, Counted)

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("size", [1, 100, 5_000])
def test_equality_looks_at_each_item_once(size: int) -> None:
    """And at none where it is the same object."""
    one, other = (ToolResult({"items": [Counted() for _ in range(size)]}) for _ in range(2))
    Counted.compared = 0
    assert one == other
    assert Counted.compared == size
    same: Any = one.output
    assert type(same) is FrozenDict
    assert one == ToolResult(same)
    assert Counted.compared == size
