"""Bundles: how they are made, in which order they are asked, and how they are merged."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError

from seamlaw import (
    CONTEXT,
    MEMORY,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    InvalidInterceptor,
    InvalidRule,
    Note,
    Seam,
    ToolCall,
    block,
    decide,
    gate,
    handle,
    interceptor,
    merge,
    note,
    observer,
    parse_rules,
)

CALL = ToolCall("1", "bash", {})
EVENT: Seam[str] = Seam("event", str)


def silent(value: object) -> None:
    """Say nothing."""


def named(name: str, *, is_gate: bool = False) -> Any:
    """Make an interceptor that notes its name."""

    def says(value: object) -> Note:
        return note(name)

    return gate(says, name=name) if is_gate else interceptor(says, name=name)


def names(*bundles: Interceptors | None, at: Seam[Any] = TOOL_CALL) -> list[str]:
    """Merge, and list who is asked, in order."""
    merged = merge(*bundles)
    return [asked.name for asked in merged.ordered(at)] if merged else []


# How one is made


def test_lists_tuples_and_generators_are_taken_once() -> None:
    """What a bundle holds are tuples of interceptors, whatever it was given."""
    made = Interceptors(tool_call=[silent], context=(silent,), memory=(asked for asked in [silent]))
    assert [len(made.at(at)) for at in (TOOL_CALL, CONTEXT, MEMORY, TOOL_RESULT)] == [1, 1, 1, 0]
    assert made.tool_call == (interceptor(silent),) == Interceptors(tool_call=[interceptor(silent)]).tool_call


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"tool_call": silent}, InvalidInterceptor, "tool_call takes a list of interceptors"),
    ({"tool_call": None}, InvalidInterceptor, "tool_call takes a list of interceptors"),
    ({"tool_call": "bash"}, InvalidInterceptor, "tool_call takes a list of interceptors"),
    ({"context": {"a": silent}}, InvalidInterceptor, "context takes a list of interceptors"),
    ({"memory": [None]}, InvalidInterceptor, "callable"),
    ({"handlers": silent}, InvalidInterceptor, "takes a list of interceptors"),
    ({"handlers": [None]}, InvalidInterceptor, "callable"),
    ({"seams": {EVENT: silent}}, InvalidInterceptor, "event takes a list of interceptors"),
    ({"seams": {"event": [silent]}}, InvalidInterceptor, "takes your own Seam values as keys"),
    ({"seams": {TOOL_CALL: [silent]}}, InvalidInterceptor, "give it as tool_call="),
    ({"seams": {EVENT: [None]}}, InvalidInterceptor, "callable"),
    ({"rules": None}, InvalidRule, "parse_rules"),
    ({"rules": 7}, InvalidRule, "parse_rules"),
    ({"rules": [{"refuse": "no"}]}, InvalidRule, r"^rules\[0\]: is no rule; parse_rules\(\) makes rules from data$"),
    ({"rules": {"rules": []}}, InvalidRule, "parse_rules"),
    ({"rules": [*parse_rules([{"refuse": "no"}]), silent]}, InvalidRule, r"^rules\[1\]"),
    ({"tools": [silent]}, TypeError, "tools"),
]


@pytest.mark.parametrize(("given", "error", "complaint"), WRONG, ids=lambda it: it if isinstance(it, str) else "")
def test_what_is_no_list_of_interceptors_is_refused(
    given: dict[str, Any], error: type[Exception], complaint: str
) -> None:
    """Naming the seam, and what to do."""
    with pytest.raises(error, match=complaint):
        Interceptors(**given)


def test_nothing_can_be_given_by_place() -> None:
    """A list in the wrong place would be one of another seam."""
    make: Any = Interceptors
    with pytest.raises(TypeError):
        make([silent])


class StandsFor:
    """A rule of somebody's own."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def as_interceptor(self) -> Any:
        """Give what it was given."""
        return self.given


def test_a_rule_of_ones_own_is_what_stands_for_an_interceptor() -> None:
    """It is asked where its interceptor's mode puts it; one that stands for nothing is refused at once."""
    bundle = Interceptors(
        tool_call=[named("chain")], rules=[StandsFor(named("fills")), StandsFor(named("j", is_gate=True))]
    )
    assert names(bundle) == ["fills", "chain", "j"]
    with pytest.raises(InvalidInterceptor):
        Interceptors(rules=[StandsFor(None)])


def test_a_bundle_is_a_value() -> None:
    """Immutable, equal to one made alike, and evolved with its converters."""
    one, other = Interceptors(tool_call=[silent]), Interceptors(tool_call=[silent])
    assert (one == other, hash(one) == hash(other), copy.deepcopy(one) == one) == (True, True, True)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(FrozenInstanceError):
        one.tool_call = ()  # type: ignore[misc]
    assert evolve(one, tool_call=[named("b")]).tool_call[0].name == "b"
    rules = parse_rules([{"refuse": "no"}])
    assert names(evolve(evolve(one, rules=rules), rules=())) == ["silent"]


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ({}, False),
        ({"tool_call": []}, False),
        ({"seams": {EVENT: []}}, False),
        ({"tool_call": [silent]}, True),
        ({"handlers": [silent]}, True),
        ({"seams": {EVENT: [silent]}}, True),
        ({"rules": parse_rules([{"note": "n"}])}, True),
        ({"memory": [observer(silent)]}, True),
    ],
    ids=lambda it: "".join(it) if isinstance(it, dict) else "",
)
def test_a_bundle_is_true_if_anything_is_in_it(given: dict[str, Any], full: bool) -> None:
    """Also if all that is in it are handlers, observers or rules."""
    assert bool(Interceptors(**given)) is full


# In which order


def test_rules_that_fill_then_the_chain_then_rules_that_judge_then_gates() -> None:
    """However they were mixed when given; within a kind the given order stays."""
    rules = parse_rules(
        [{"refuse": "r", "name": "r1"}, {"default": {"tool": "*", "at": "/a", "value": 1}, "name": "d"}]
    )
    bundle = Interceptors(
        tool_call=[named("g1", is_gate=True), named("c1"), named("g2", is_gate=True), named("c2")], rules=rules
    )
    assert names(bundle) == ["d", "c1", "c2", "r1", "g1", "g2"]
    assert names(Interceptors(context=[named("g", is_gate=True), named("c")], rules=rules), at=CONTEXT) == ["c", "g"]


def test_asking_at_a_seam_gives_them_as_they_were_given() -> None:
    """`at` is the list; `ordered` is who is consulted when."""
    bundle = Interceptors(tool_call=[named("g", is_gate=True), named("c")], seams={EVENT: [named("e")]})
    assert [asked.name for asked in bundle.at(TOOL_CALL)] == ["g", "c"]
    assert [asked.name for asked in bundle.at(EVENT)] == ["e"]


# Merging


def test_merging_nothing_is_none() -> None:
    """Nothing given, nothing in it, or `None`."""
    assert merge() is merge(None) is merge(Interceptors()) is merge(None, Interceptors(), None) is None


def test_merging_one_is_that_very_one() -> None:
    """Whatever is empty beside it."""
    one = Interceptors(tool_call=[silent])
    assert merge(one) is merge(None, one, Interceptors()) is one


def test_merging_concatenates_per_seam_in_the_order_given() -> None:
    """Plugins first, the host last; the gates of all come after the chains of all."""
    plugin = Interceptors(
        tool_call=[named("pg", is_gate=True), named("p")],
        context=[named("pc")],
        handlers=[named("ph")],
        rules=parse_rules([{"note": "n", "name": "pr"}]),
        seams={EVENT: [named("pe")]},
    )
    host = Interceptors(
        tool_call=[named("h"), named("hg", is_gate=True)],
        memory=[named("hm")],
        handlers=[named("hh")],
        rules=parse_rules([{"note": "n", "name": "hr"}]),
        seams={EVENT: [named("he")]},
    )
    before = copy.deepcopy((plugin, host))
    merged = merge(plugin, host)
    assert merged is not None
    assert names(merged) == ["p", "h", "pr", "hr", "pg", "hg"]
    assert names(merged, at=EVENT) == ["pe", "he"]
    assert [asked.name for asked in (*merged.context, *merged.memory, *merged.handlers)] == ["pc", "hm", "ph", "hh"]
    assert (plugin, host) == before
    assert merge(plugin, merge(host, plugin)) == merge(merge(plugin, host), plugin)


def test_seams_given_twice_are_both_there() -> None:
    """What `bundle.seams` gives may be put together by hand."""
    one, two = Interceptors(seams={EVENT: [named("a")]}), Interceptors(seams={EVENT: [named("b")]})
    assert names(Interceptors(seams=one.seams + two.seams), at=EVENT) == ["a", "b"]


USES: list[Callable[[Any], object]] = [
    merge,
    lambda it: merge(it, None),
    lambda it: decide(it, TOOL_CALL, CALL),
    lambda it: handle(it, CALL),
]


@pytest.mark.parametrize(
    "wrong", [[], [silent], {}, "bundle", 7, 0, Interceptors, silent], ids=lambda it: type(it).__name__
)
def test_what_is_no_bundle_is_refused_everywhere(wrong: Any) -> None:
    """A list of interceptors would otherwise pass for a bundle in which nothing is."""
    for use in USES:
        with pytest.raises(InvalidInterceptor, match=r"a bundle is Interceptors\(\.\.\.\) or None, not \w+"):
            use(wrong)


def test_a_block_of_one_source_is_undone_by_no_other() -> None:
    """Later chains are not asked, later gates cannot answer it away."""
    blocks = Interceptors(tool_call=[lambda call: block("parent")])
    allows = Interceptors(tool_call=[silent, gate(silent)])
    for merged in (merge(blocks, allows), merge(allows, blocks)):
        assert decide(merged, TOOL_CALL, CALL).reason == "parent"


def test_what_the_rules_stand_for_is_no_part_of_a_bundle() -> None:
    """It cannot be given, is not shown, and rules that were read elsewhere are the same rules."""
    here, there = (Interceptors(rules=parse_rules([{"refuse": "no"}], place=place)) for place in ("here", "there"))
    given: dict[str, Any] = {"by_rule": ()}
    with pytest.raises(TypeError):
        Interceptors(**given)
    assert here == there
    assert "by_rule" not in repr(here)
