"""Seams that a host defines: everything works on them as on those of the table."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    FrozenDict,
    Interceptors,
    InvalidInterceptor,
    Replace,
    Seam,
    ToolCall,
    UnknownSeam,
    Verdict,
    block,
    decide,
    freeze,
    gate,
    plan,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
EVENT: Seam[FrozenDict] = Seam("event", dict, on_fault="open", blocked="not sent: {reason}")
PAIR: Seam[str] = Seam("pair", str, beside=(dict, ToolCall), call_at=2)


def own(at: Seam[Any], *asked: Callable[..., object]) -> Interceptors:
    """Make a bundle for a seam of one's own."""
    return Interceptors(seams={at: asked})


def test_everything_works_on_a_seam_of_ones_own() -> None:
    """Chain, gates, faults and texts are the same; JSON is frozen on the way in, and again after a replacement."""
    kinds: list[type] = []

    def tag(event: FrozenDict) -> Replace:
        kinds.append(type(event))
        return Replace({**event, "tagged": True})

    def look(event: FrozenDict) -> object:
        kinds.append(type(event))
        return block("tagged") if event.get("tagged") else None

    bundle = own(EVENT, tag, gate(look))
    outcome = decide(bundle, EVENT, freeze({"n": 1}))
    assert (outcome.verdict, outcome.denial, kinds) == (Verdict.BLOCK, "not sent: tagged", [FrozenDict, FrozenDict])
    made = plan(bundle)
    assert made is not None
    assert made.at(EVENT)(freeze({"n": 1})) == outcome


def test_a_hosts_own_dict_cannot_be_changed_by_who_is_shown_it() -> None:
    """Neither by `decide` nor by a plan; and where nothing was replaced the host gets its own object back."""
    given: Any = {"n": 1}
    made = plan(own(EVENT, lambda event: event.update(n=2)))
    assert made is not None
    for outcome in (decide(own(EVENT, lambda event: event.update(n=2)), EVENT, given), made.at(EVENT)(given)):
        assert outcome is not None
        assert (outcome.value is given, given, len(outcome.log)) == (True, {"n": 1}, 1)


def test_what_stands_beside_is_frozen_and_may_hold_the_call() -> None:
    """A filter by tool works where the seam says where the call stands."""
    seen: list[object] = []

    def spoil(value: str, beside: Any, call: ToolCall) -> None:
        seen.append((value, call.name))
        beside["n"] = 2

    context: dict[str, Any] = {"n": 1}
    bundle = own(PAIR, gate(spoil, tools="bash"))
    assert decide(bundle, PAIR, "v", context, CALL).verdict is Verdict.BLOCK
    assert decide(bundle, PAIR, "v", context, ToolCall("2", "ls")).verdict is Verdict.PROCEED
    assert (context, seen) == ({"n": 1}, [("v", "bash")])


def test_a_seam_of_many_may_be_ones_own() -> None:
    """Its value is a tuple of what it says."""
    many: Seam[tuple[str, ...]] = Seam("lines", str, many=True)
    bundle = own(many, lambda lines: Replace([*lines, "more"]))
    assert decide(bundle, many, ("a",)).value == ("a", "more")
    bad = decide(own(many, lambda lines: Replace([*lines, 7])), many, ("a",))
    assert "lines carries str, not int" in bad.reason


def test_a_seam_of_the_tables_name_that_is_another_is_refused() -> None:
    """Somebody else's `tool_call` must not be one where nobody listens."""
    other: Seam[ToolCall] = Seam("tool_call", ToolCall, on_fault="open")
    bundle = Interceptors(tool_call=(gate(lambda call: block("no")),))
    with pytest.raises(UnknownSeam, match="tool_call"):
        decide(bundle, other, CALL)
    with pytest.raises(InvalidInterceptor, match="tool_call is a seam of the table"):
        own(other, lambda call: None)


def test_two_seams_of_one_name_never_pass_for_each_other() -> None:
    """Neither where a bundle is made nor where it is asked."""
    other: Seam[FrozenDict] = Seam("event", dict)
    with pytest.raises(UnknownSeam, match="event"):
        Interceptors(seams={EVENT: [lambda event: None], other: [lambda event: None]})
    with pytest.raises(UnknownSeam, match="event"):
        decide(own(EVENT, lambda event: block("no")), other, freeze({}))


class Counted(dict[str, Any]):
    """A dict of a class of its own."""


def test_json_of_a_class_of_its_own_is_frozen_too() -> None:
    """By what it holds, as the value and beside it, by `decide` and by a plan."""
    kept, given = list[Any](), Counted(n=1)
    made = plan(own(EVENT, kept.append))
    assert made is not None
    any_value: Any = given
    assert made.at(EVENT)(any_value) is None
    decide(own(EVENT, kept.append), EVENT, any_value)
    decide(own(PAIR, lambda value, beside: kept.append(beside)), PAIR, "v", given, CALL)
    assert [type(shown) for shown in kept] == [FrozenDict] * 3
    assert kept == [{"n": 1}] * 3


def test_a_seam_where_nobody_listens_lets_all_proceed() -> None:
    """A bundle knows the seams it was given."""
    bundle = own(EVENT, lambda event: block("no"))
    assert decide(bundle, PAIR, "v", {}, CALL).proceeds
    assert bundle.at(PAIR) == bundle.at(TOOL_CALL) == ()


def test_equal_seams_are_one() -> None:
    """A seam is a value: it may be written down twice."""
    again: Seam[FrozenDict] = Seam("event", dict, on_fault="open", blocked="not sent: {reason}")
    assert decide(own(EVENT, lambda event: block("no")), again, freeze({})).reason == "no"
