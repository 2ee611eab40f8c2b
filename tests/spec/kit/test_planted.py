"""A kit that is broken finds nothing: each part of it is shown to be needed."""

import gc
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import Block, Replace, ToolCall, block, gate, replace, rewriter
from seamlaw_spec.kit import _explore, _faults, _parts, _shrink, check, part_of
from seamlaw_spec.kit import _twins as twins
from seamlaw_spec.kit._constants import Constants
from seamlaw_spec.kit._laws import values
from seamlaw_spec.kit._plain import Twin


def swallows(call: ToolCall) -> Block | None:
    """It lets through what it fails to read."""
    try:
        return block("removes") if "rm -rf" in call.arguments["command"] else None
    except Exception:
        return None


def compares(call: ToolCall) -> Block | None:
    """JSON has no tuples."""
    return block("removes") if call.arguments.get("argv") == ("rm", "-rf") else None


def changes(call: ToolCall) -> None:
    """It sets an argument in place."""
    call.arguments["timeout"] = 60


def counts_itself(call: ToolCall) -> Replace:
    """Each time it says once more."""
    return replace(ToolCall(call.id, call.name + "!", call.arguments))


def found(law: str, policy: object) -> bool:
    """Whether a policy is found to break a law."""
    return bool(check(policy, only=[law], examples=100).broken("law"))


def _no_fault(self: _faults.Injector, place: str) -> None:
    self.count += 1


def _no_tick(shown: Any, tick: object) -> Any:
    return shown


def _alike(a: object, b: object) -> bool:
    return True


def _unshrunk(trace: Any, fails: object) -> Any:
    return trace


def _nothing_found(asked: object) -> Constants:
    return Constants()


PLANTED: list[tuple[str, object, object, str, object]] = [
    ("stays_closed_under_injected_faults", gate(swallows), _faults.Injector, "tick", _no_fault),
    ("stays_closed_under_injected_faults", gate(swallows), _explore, "constants_of", _nothing_found),
    ("decides_alike_on_equal_values", gate(compares), values, "watched", _no_tick),
    ("decides_alike_on_equal_values", gate(compares), _explore, "constants_of", _nothing_found),
    ("changes_nothing_it_is_shown", rewriter(changes), values, "plain", Twin()),
    ("rewrites_idempotently", rewriter(counts_itself), values, "_same", _alike),
    ("rewrites_idempotently", rewriter(counts_itself), _parts.Heard, "replacement", None),
]


@pytest.mark.parametrize(("law", "policy", "where", "name", "broken"), PLANTED)
def test_a_kit_with_a_planted_bug_misses_what_it_finds_without(
    monkeypatch: pytest.MonkeyPatch, law: str, policy: object, where: object, name: str, broken: object
) -> None:
    """Injected faults, watched containers, constants, plain twins and replacements each find what nothing else does."""
    assert found(law, policy)
    monkeypatch.setattr(where, name, broken)
    assert not found(law, policy)


def test_a_counterexample_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not matter is dropped; without the shrinker it would be printed too."""

    def size(shrink: Callable[..., Any]) -> int:
        monkeypatch.setattr("seamlaw_spec.kit._check.shrink", shrink)
        (one,) = check(gate(swallows), only=["stays_closed_under_injected_faults"]).broken("law")
        return len(repr(one.trace))

    assert size(_shrink.shrink) <= size(_unshrunk)
    (one,) = check(gate(swallows), only=["stays_closed_under_injected_faults"]).broken("law")
    assert [[*shown.value.arguments] for shown in one.trace] == [["command"]]


def test_watched_containers_are_what_they_stand_for() -> None:
    """They are equal to, and instances of, what they watch, and tell of each look."""
    seen: list[str] = []
    shown = _parts.Shown(ToolCall("1", "x", {"a": [1, {"b": "c"}]}))
    twin = twins.watched(shown, lambda name, _, given: seen.append(name))
    assert {**twin.value.arguments} == {"a": [1, {"b": "c"}]}
    assert isinstance(twin.value.arguments["a"], list)
    assert seen.count("__getitem__") == 2


def test_a_collection_of_garbage_is_no_place_of_a_policy() -> None:
    """A fault in what it calls back was none of the policy's, and made the interpreter call a hook that was freed."""

    def inner(number: int) -> list[int]:
        return [number] * 3

    def policy(call: ToolCall) -> Block | None:
        return block("no") if sum(len(inner(number)) for number in range(5)) else None

    def collected(phase: str, info: dict[str, int]) -> None:
        """Stand for what another library does whenever garbage is collected."""

    part, before, places = part_of(gate(policy)), gc.get_threshold(), set[str]()
    gc.callbacks.append(collected)
    gc.set_threshold(1, 1, 1)
    try:
        for at in range(-1, 20):
            _, injector = _faults.heard_with_fault(part, [_parts.Shown(ToolCall("1", "bash"))], at)
            places |= {place.rpartition(".")[2] for place in injector.places}
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(collected)
    assert places == {"inner()", "len()", "sum()"}
    assert gc.isenabled()
