"""The hash of what decided: it sees changes, costs little, and does not follow a whole application."""

from collections.abc import Callable

from seamlaw import Interceptors, Policy, ToolCall, block, gate, parse_rules
from seamlaw.policy._fingerprint import fingerprint
from seamlaw_host.engine import Engine
from seamlaw_host.policies._hash import MOST, hash_of


def stopping(text: str, tools: tuple[str, ...] = (), *, reached: object = None) -> Interceptors:
    """A bundle of one gate that knows a text, and whatever it reaches besides."""

    def stops(call: ToolCall) -> object:
        return block(text) if reached is not None and text in call.name else None

    return Interceptors(tool_call=[gate(stops, tools=tools)])


def test_what_can_change_a_decision_changes_the_hash() -> None:
    """A bound value, a filter, a mode, a seam, a handler, a rule: each hash is another."""

    def silent(call: ToolCall) -> None:
        """Nothing."""

    rules = parse_rules([{"refuse": "no", "tools": "rm"}])
    hashes = {
        hash_of(bundle)
        for bundle in (
            None,
            stopping("a"),
            stopping("b"),
            stopping("a", ("rm",)),
            Interceptors(tool_call=[silent]),
            Interceptors(tool_call=[gate(silent)]),
            Interceptors(tool_result=[gate(silent)]),
            Interceptors(handlers=[silent]),
            Interceptors(rules=rules),
        )
    }
    assert len(hashes) == 9
    assert hash_of(stopping("a")) == hash_of(stopping("a"))


def test_what_reaches_too_much_is_hashed_by_its_names() -> None:
    """Names, modes, filters and rules still count where the functions cannot be followed to their end."""
    everything = [[index] for index in range(MOST + 1)]
    deep: object = []
    for _ in range(10_000):
        deep = [deep]
    for reached in (everything, deep):
        one = hash_of(stopping("a", reached=reached))
        assert one.startswith("names:")
        assert one == hash_of(stopping("b", reached=reached))
        assert one != hash_of(stopping("a", ("rm",), reached=reached))


def test_a_policy_of_a_hundred_requirements_is_followed_to_its_end() -> None:
    """The bound leaves room for large policies."""

    def must_not_be(name: str) -> Callable[[ToolCall], bool]:
        return lambda call: call.name != name

    policy = Policy("large")
    for index in range(100):
        policy = policy.require(must_not_be(str(index)))
    assert not hash_of(policy.interceptors()).startswith("names:")
    assert fingerprint(policy.structure(), most=MOST) == policy.policy_hash


def test_an_engine_without_a_ledger_takes_it_only_when_asked() -> None:
    """Who keeps no records pays for no hash; asked, it is the one of the bundle."""
    bundle = stopping("a")
    engine = Engine(bundle)
    engine.call("b", lambda: None)
    assert engine._rules._hash == []
    assert engine.policy_hash == hash_of(bundle) == engine.policy_hash
