"""The smallest witnesses of what is no law, played on the shipped code; each says whether it shows what it should."""

from collections.abc import Callable
from typing import Any

from seamlaw import (
    TOOL_CALL,
    Answered,
    Default,
    Interceptors,
    Outcome,
    Policy,
    Replace,
    Severity,
    ToolCall,
    Verdict,
    ask,
    block,
    decide,
    gate,
    merge,
    note,
    replace,
    rewriter,
    settle,
)
from seamlaw.policy import Condition, Mismatch

__all__ = [
    "a_condition_and_its_negation",
    "a_counting_gate",
    "a_gate_after_a_block",
    "a_gate_of_what_was_offered",
    "a_grave_note_and_an_ask",
    "a_renaming_then_a_block",
    "a_watching_allow",
    "an_early_watcher",
    "one_grant_of_two",
    "policies_out_of_lattice",
    "rename",
    "the_same_bundle_twice",
    "two_bundles",
    "two_defaults",
    "two_renamings",
]

CALL = ToolCall("1", "tool")


def rename(name: str) -> Callable[[ToolCall], Replace]:
    """An interceptor that replaces the call by one of another tool."""
    return lambda call: replace(ToolCall(call.id, name, call.arguments))


def _longer(call: ToolCall) -> Replace:
    return replace(ToolCall(call.id, call.name + "+", call.arguments))


def _always(answer: object) -> Callable[[ToolCall], object]:
    return lambda call: answer


def _refuses(name: str) -> Callable[[ToolCall], Any]:
    return lambda call: block("no") if call.name == name else None


def _decided(*asked: Any) -> Outcome[ToolCall]:
    return decide(Interceptors(tool_call=asked), TOOL_CALL, CALL)


def two_renamings() -> bool:
    """The one that comes last decides the name; one that lengthens the name does so each time."""
    a, b = rename("a"), rename("b")
    commutes = _decided(a, b).value == _decided(b, a).value
    return not commutes and _decided(_longer, _longer).value.name == "tool++" != _decided(_longer).value.name


def a_renaming_then_a_block() -> bool:
    """An earlier rewrite leaves a later interceptor of the chain nothing to block; a gate cannot be slipped past."""
    hides, refuses = rename("other"), _refuses("tool")
    slips = _decided(refuses).verdict is Verdict.BLOCK and _decided(hides, refuses).verdict is Verdict.PROCEED
    order_counts = _decided(refuses, hides).verdict is not _decided(hides, refuses).verdict
    shows, refuses_other = rename("other"), gate(_refuses("other"))
    repaired = all(
        _decided(*order).verdict is Verdict.BLOCK for order in ((shows, refuses_other), (refuses_other, shows))
    )
    return slips and order_counts and repaired


def an_early_watcher() -> bool:
    """An interceptor of the chain does not see what a later one makes of the value."""
    seen = list[str]()

    def watches(call: ToolCall) -> None:
        seen.append(call.name)

    outcome = _decided(watches, rename("other"))
    return seen == ["tool"] and outcome.value.name == "other"


def a_counting_gate() -> bool:
    """Two gates that count together: the second to be asked blocks, unless it is the one that does not mind."""

    def verdict(*, strict_first: bool) -> Verdict:
        asked = list[str]()

        def strict(_: ToolCall) -> Any:
            asked.append("strict")
            return block("second") if len(asked) == 2 else None

        def lax(_: ToolCall) -> Any:
            asked.append("lax")

        both = (gate(strict), gate(lax)) if strict_first else (gate(lax), gate(strict))
        return _decided(*both).verdict

    return verdict(strict_first=True) is not verdict(strict_first=False)


def a_watching_allow() -> bool:
    """One that allows, and another that blocks if it was there."""
    told = list[str]()

    def allows(_: ToolCall) -> None:
        told.append("was here")

    def minds(_: ToolCall) -> Any:
        return block("somebody was here") if told else None

    without = _decided(minds).verdict
    return without is Verdict.PROCEED and _decided(allows, minds).verdict is Verdict.BLOCK


def a_grave_note_and_an_ask() -> bool:
    """A light ask outranks a grave note."""
    outcome = _decided(_always(note("grave", severity=Severity.HIGH)), _always(ask("light", severity=Severity.LOW)))
    return outcome.verdict is Verdict.ASK and outcome.reason == "light"


def a_gate_after_a_block() -> bool:
    """Once the chain has blocked, no gate is asked."""
    seen = list[str]()

    def watches(call: ToolCall) -> None:
        seen.append(call.name)

    outcome = _decided(_always(block("no")), gate(watches))
    return outcome.verdict is Verdict.BLOCK and seen == []


def a_gate_of_what_was_offered() -> bool:
    """A gate judges what runs, not what was asked for: what a rewrite has mended is let through."""
    refuses = gate(_refuses("tool"))
    return _decided(refuses).verdict is Verdict.BLOCK and _decided(rename("mended"), refuses).verdict is Verdict.PROCEED


def two_bundles() -> bool:
    """Plugins first is not host first."""
    a, b = (Interceptors(tool_call=[rewriter(rename(name), name=name)]) for name in ("a", "b"))
    return merge(a, b) != merge(b, a)


def the_same_bundle_twice() -> bool:
    """A bundle merged with itself asks everybody twice."""
    one = Interceptors(tool_call=[_longer])
    return merge(one, one) != one


def one_grant_of_two() -> bool:
    """One of two asks is granted, and nobody answers the other."""
    outcome = _decided(gate(_always(ask("one")), name="one"), gate(_always(ask("two")), name="two"))
    return settle(outcome, [Answered(outcome.asks[0], True)])[0].verdict is Verdict.BLOCK


def _crash(_: ToolCall) -> bool:
    raise RuntimeError


PARTS = {
    "N": Policy("nothing"),
    "P": Policy("passes").require(lambda call: True),
    "F": Policy("fails").require(lambda call: False),
    "X": Policy("crashes").require(_crash),
}


def policies_out_of_lattice(law: str) -> bool:
    """The smallest counterexamples to what holds in a lattice with complements, but not here."""
    n, p, f, x = (PARTS[name] for name in "NPFX")
    pairs = {
        "absorption": (n & (n | p), n),
        "distributivity": (p & (n | f), (p & n) | (p & f)),
        "excluded middle": (x | ~x, p),
        "contradiction": (x & ~x, f),
        "a crash is a failure": (~x, ~f),
    }
    left, right = (side.evaluate("pre", CALL).result for side in pairs[law])
    return left is not right


def two_defaults() -> bool:
    """Two defaults for one argument: the first fills it."""
    one, two = (Default(("a",), value).as_interceptor() for value in (1, 2))
    filled = [_decided(*order).value.arguments["a"] for order in ((one, two), (two, one))]
    return filled == [1, 2]


def a_condition_and_its_negation() -> bool:
    """On a value of another type neither a condition nor its negation holds: both fault."""
    told = list[str]()
    for test in ({"starts_with": "a"}, {"not": {"starts_with": "a"}}):
        try:
            Condition.read({"at": "/a", **test}, "here").holds({"a": 1})
        except Mismatch:
            told.append("faults")
    return told == ["faults", "faults"]
