"""Cases seen in the field about values, policies and their hashes: each by its number, with its siblings."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import json
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    AgentScoped,
    Interceptors,
    InvalidValue,
    Message,
    Policy,
    Replace,
    Result,
    Scope,
    ToolCall,
    ToolResult,
    Verdict,
    answered,
    ask,
    decide,
    digest,
    freeze,
    gate,
    grant,
    parse_rules,
    refuse,
    settle,
)

CALL = ToolCall("1", "bash", {"command": "ls", "argv": ["-l"], "env": {"A": {"B": ["c"]}}})


# Case 24: values that break others


@pytest.mark.parametrize("number", [2**53, 2**53 + 1, 2**63 - 1, 2**64 + 1, -(2**64), 10**40])
def test_case_24_large_integers_are_kept_exactly_and_their_neighbours_have_other_digests(number: int) -> None:
    """Also through the text of JSON, as they come from a model, and inside a call."""
    (kept,) = json.loads(json.dumps(freeze([number])))
    assert (type(kept), kept - number) == (int, 0)
    near = [ToolCall("1", "x", {"id": number + step}) for step in (-1, 0, 1)]
    assert len({digest(call) for call in near}) == 3
    assert near[1].arguments["id"] - number == 0


def cycle() -> Any:
    """Make a value that holds itself."""
    value: dict[str, Any] = {}
    value["it"] = [value]
    return value


def deep() -> Any:
    """Make a value nested ten thousand deep."""
    value: Any = "x"
    for _ in range(10_000):
        value = [value]
    return value


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "NaN": (lambda: float("nan"), "NaN"),
    "an infinity": (lambda: float("-inf"), "infinities"),
    "a lone surrogate": (lambda: "a\ud83d", "surrogate"),
    "a lone surrogate in a key": (lambda: {"\udc00": 1}, "surrogate"),
    "a key that is no text": (lambda: {1: 1}, "key"),
    "nesting 10,000 deep": (deep, "deeper"),
    "a cycle": (cycle, "cycle"),
    "a huge integer": (lambda: 10**5_000, "bits"),
    "a set": (lambda: {1}, "no JSON"),
    "bytes": (lambda: b"x", "no JSON"),
}
MAKE: dict[str, Callable[[Any], object]] = {
    "/arguments/a": lambda bad: ToolCall("1", "x", {"a": bad}),
    "/content/0/a": lambda bad: Message("user", [{"a": bad}]),
    "/extra/a": lambda bad: Message("user", extra={"a": bad}),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("place", MAKE)
def test_case_24_the_rest_is_a_clear_refusal_with_the_path(kind: str, place: str) -> None:
    """Never a crash, never silently altered; wherever a value is made."""
    make, problem = BAD[kind]
    with pytest.raises(InvalidValue) as refusal:
        MAKE[place](make())
    assert refusal.value.path.startswith(place)
    assert problem in refusal.value.problem


@pytest.mark.parametrize("kind", BAD)
def test_case_24_a_rewriter_that_makes_one_is_its_own_fault(kind: str) -> None:
    """The call is blocked, with the place, and nothing leaves the kernel."""
    make, _ = BAD[kind]
    given: Any = [lambda call: Replace(ToolCall(call.id, call.name, {"a": make()}))]
    outcome = decide(Interceptors(tool_call=given), TOOL_CALL, CALL)
    assert outcome.verdict is Verdict.BLOCK
    assert "raised InvalidValue" in outcome.reason
    assert "/arguments/a" in outcome.reason


# Case 25: the negation of a crash


def crashes(call: object) -> bool:
    """Raise."""
    raise KeyError("secret")


def holds(call: object) -> bool:
    """Hold."""
    return True


def fails(call: object) -> bool:
    """Do not hold."""
    return False


C, H, F = (Policy(it.__name__).require(it, reason=it.__name__) for it in (crashes, holds, fails))
UNKNOWN: list[Any] = [C, ~C, ~~C, C & H, C | F, ~(C & H), ~(C | F), ~C & H, ~C | F]
SCOPED: list[Any] = [AgentScoped(C, "r"), AgentScoped(~C, "r"), ~AgentScoped(C, "r")]
DECIDED: list[tuple[Any, Verdict]] = [
    (C | H, Verdict.PROCEED),
    (C & F, Verdict.BLOCK),
    (~(C & F), Verdict.PROCEED),
    (~(C | H), Verdict.BLOCK),
    (~C | H, Verdict.PROCEED),
]


@pytest.mark.parametrize("policy", UNKNOWN + SCOPED, ids=lambda it: it.label)
def test_case_25_a_crash_that_could_matter_blocks_negated_or_not(policy: Any) -> None:
    """`~p` of a crash is a crash; it names the policy."""
    outcome = decide(policy.interceptors(), TOOL_CALL, CALL, scope=Scope(role="r"))
    assert outcome.verdict is Verdict.BLOCK
    assert "policy error: crashes raised KeyError" in outcome.reason


@pytest.mark.parametrize(("policy", "verdict"), DECIDED, ids=lambda it: getattr(it, "label", ""))
def test_case_25_a_crash_that_cannot_matter_decides_nothing(policy: Any, verdict: Verdict) -> None:
    """Whatever it would have been, the whole is the same."""
    assert decide(policy.interceptors(), TOOL_CALL, CALL).verdict is verdict


# Case 26: a side that has nothing to say at this hook

POST = Policy("post").require(lambda result: True, hook="post")
NOTES = Policy("notes").require(fails, on_fail="note", reason="n")
ASLEEP = H.active_when(lambda call: False)
ELSE = AgentScoped(H, "another role")


NEUTRAL: list[Any] = [POST, NOTES, ASLEEP, ELSE, Policy("empty"), POST & POST, POST | ASLEEP, ~POST]


@pytest.mark.parametrize("neutral", NEUTRAL, ids=lambda it: it.label)
def test_case_26_a_side_that_is_not_applicable_lets_nobody_pass(neutral: Any) -> None:
    """`a | b` fails where `a` fails and `b` does not apply; it passes where `a` does; so does `&`."""
    scope = Scope(role="r")
    for whole in (F | neutral, neutral | F, F & neutral, neutral & F):
        assert whole.evaluate("pre", CALL, scope=scope).result is Result.FAILED
        assert decide(whole.interceptors(), TOOL_CALL, CALL, scope=scope).verdict is Verdict.BLOCK
    for whole in (H | neutral, neutral | H, H & neutral, neutral & H):
        assert whole.evaluate("pre", CALL, scope=scope).result is Result.PASSED
    assert (neutral | neutral).evaluate("pre", CALL, scope=scope).result is Result.NOT_APPLICABLE


def test_case_26_the_same_at_the_other_hook() -> None:
    """A side with rules for the call alone is neutral for its result."""
    leaks = Policy("leak").require(lambda result: False, hook="post", reason="leak")
    outcome = decide((leaks | H).interceptors(), TOOL_RESULT, ToolResult("secret"), CALL)
    assert (outcome.verdict, outcome.reason) == (Verdict.BLOCK, "leak")


# Case 27: two asks, one granted


@pytest.mark.parametrize("source", ["gates", "rules", "policies", "mixed"])
@pytest.mark.parametrize("granted", [0, 1])
def test_case_27_one_of_two_asks_granted_is_denied(source: str, granted: int) -> None:
    """Whoever asks, and whichever of the two is granted; a refusal, a silence and the same grant twice are alike."""
    rules = parse_rules([{"ask": "a", "target": "x"}, {"ask": "b", "target": "y"}])
    gates: list[Any] = [gate(lambda call: ask("a", target="x")), gate(lambda call: ask("b", target="y"))]
    policy = Policy("p").require(fails, on_fail="ask", target="x").require(fails, on_fail="ask", target="y")
    bundle = {
        "gates": Interceptors(tool_call=gates),
        "rules": Interceptors(rules=rules),
        "policies": policy.interceptors(),
        "mixed": Interceptors(tool_call=gates[1:], rules=rules[:1]),
    }[source]
    outcome = decide(bundle, TOOL_CALL, CALL)
    one, other = outcome.asks[granted], outcome.asks[1 - granted]
    assert {one.target, other.target} == {"x", "y"}
    for more in ([], [grant(one)], [refuse(other)], [answered(other, "yes")]):
        assert settle(outcome, [grant(one), *more])[0].verdict is Verdict.BLOCK
    assert settle(outcome, [grant(one), grant(other)])[0].proceeds


# Case 30: who is shown the arguments cannot change them

TRIES: list[Callable[[Any], Any]] = [
    lambda call: call.arguments.update(command="rm"),
    lambda call: call.arguments["argv"].append("-rf"),
    lambda call: call.arguments["env"]["A"]["B"].clear(),
    lambda call: call.arguments.pop("command"),
    lambda call: setattr(call, "name", "rm"),
]


@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize("who", ["predicate", "activation", "gate", "interceptor"])
def test_case_30_nobody_changes_what_they_are_shown(tries: Callable[[Any], Any], who: str) -> None:
    """It raises; everybody after sees, and the record shows, what was proposed."""
    seen: list[str] = []

    def attempts(call: ToolCall) -> bool:
        tries(call)
        return True

    watches: Any = gate(lambda call: seen.append(json.dumps([call.name, call.arguments])))
    bundle = {
        "predicate": Interceptors(tool_call=[Policy("p").require(attempts).as_gate(), watches]),
        "activation": Interceptors(tool_call=[Policy("p").require(holds).active_when(attempts).as_gate(), watches]),
        "gate": Interceptors(tool_call=[gate(attempts), watches]),
        "interceptor": Interceptors(tool_call=[gate(attempts, name="first"), watches]),
    }[who]
    call = ToolCall("1", "bash", {"command": "ls", "argv": ["-l"], "env": {"A": {"B": ["c"]}}})
    before = json.dumps([call.name, call.arguments])
    outcome = decide(bundle, TOOL_CALL, call)
    assert outcome.proceeds is (who == "activation")
    assert seen == [before]
    assert (json.dumps([call.name, call.arguments]), outcome.value is call) == (before, True)


# Case 31: a closure whose value changes


def under(limit: Any) -> Callable[[Any], bool]:
    """Make a predicate with a bound limit."""
    return lambda call: bool(call.arguments["n"] < limit)


LIMITS: list[Any] = [(5, 50), (5, 5.5), ([5], [5, 6]), ({"a": 5}, {"a": 6}), (None, 0), ("5", 5), (True, 1)]


@pytest.mark.parametrize("limits", LIMITS)
def test_case_31_another_bound_value_is_another_hash(limits: tuple[Any, Any]) -> None:
    """The source is the same; as a requirement, as an activation, and inside a whole."""
    one, other = map(under, limits)
    for make in (
        lambda predicate: Policy("p").require(predicate, reason="r"),
        lambda predicate: ~Policy("p").require(predicate, reason="r"),
        lambda predicate: Policy("p").require(holds, reason="r").active_when(predicate),
        lambda predicate: H | (F & Policy("p").require(predicate, reason="r")),
        lambda predicate: AgentScoped(Policy("p").require(predicate, reason="r"), "a"),
    ):
        assert make(one).policy_hash != make(other).policy_hash
        assert make(one).policy_hash == make(under(limits[0])).policy_hash
