"""A hash that is blind to something, or sees too much, is rejected by the law of the hash."""

from collections.abc import Callable
from types import CodeType
from typing import Any, TypeAlias

import pytest

from seamlaw import Finding, Policy
from seamlaw.policy import _fingerprint as fingerprint
from seamlaw.policy import _policy as policies

Catches: TypeAlias = Callable[[str], bool]


def _told_without(at: int) -> Callable[[Finding], tuple[object, ...]]:
    return lambda finding: told_of(finding)[:at] + told_of(finding)[at + 1 :]


told_of = policies._told
function, code, policy_structure = fingerprint._function, fingerprint._code, Policy.structure


def _nothing(*_: object) -> tuple[()]:
    return ()


def _structure(policy: Policy, *, hook: bool = True, activations: bool = True, negated: bool = True) -> object:
    rules = [(r.predicate, *told_of(r.finding), hook and r.hook) for r in policy.requirements]
    return "policy", negated and policy.negated, rules, activations and [one for one, _ in policy.activations]


def _without_hook(policy: Policy) -> object:
    return _structure(policy, hook=False)


def _without_activations(policy: Policy) -> object:
    return _structure(policy, activations=False)


def _without_negation(policy: Policy) -> object:
    return _structure(policy, negated=False)


def _unordered(policy: Policy) -> object:
    return frozenset(fingerprint.fingerprint(r.predicate) for r in policy.requirements), policy.negated


def _without_roles(scoped: Any) -> object:
    return scoped.policy.structure()


def _without_operator(combined: Any) -> object:
    return combined.left.structure(), combined.right.structure()


def _with_name(policy: Policy) -> object:
    return policy.name, policy_structure(policy)


BLIND: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "closures": (fingerprint, "_filled", _nothing),
    "globals": (fingerprint, "_names", _nothing),
    "the level": (policies, "_told", _told_without(0)),
    "the reason": (policies, "_told", _told_without(1)),
    "severity": (policies, "_told", _told_without(2)),
    "the target": (policies, "_told", _told_without(3)),
    "the time-out": (policies, "_told", _told_without(4)),
    "the hook": (Policy, "structure", _without_hook),
    "activation": (Policy, "structure", _without_activations),
    "negation": (Policy, "structure", _without_negation),
    "the order of requirements": (Policy, "structure", _unordered),
    "roles": (policies.AgentScoped, "structure", _without_roles),
    "the operator": (policies.Combined, "structure", _without_operator),
    "nothing: it sees names of policies": (Policy, "structure", _with_name),
}


CODE: dict[str, Callable[[CodeType], Any]] = {
    "constants": lambda it: ("code", (it.co_code, it.co_names), True),
    "names of globals and attributes": lambda it: ("code", (it.co_code, it.co_consts), True),
    "nothing: it sees names of locals": lambda it: ("code", (*code(it)[1], it.co_varnames), True),
    "nothing: it sees lines": lambda it: ("code", (*code(it)[1], it.co_firstlineno), True),
    "nothing: it sees files": lambda it: ("code", (*code(it)[1], it.co_filename), True),
    "nothing: it sees docstrings": lambda it: ("code", (*code(it)[1], it.co_consts[:1]), True),
}


@pytest.mark.parametrize("to", BLIND)
def test_a_blind_hash_is_caught(to: str, monkeypatch: pytest.MonkeyPatch, catches: Catches) -> None:
    """A hash that is blind to one thing that decides, or sees one that does not, breaks the law of the hash."""
    where, what, bug = BLIND[to]
    with monkeypatch.context() as broken:
        broken.setattr(where, what, bug)
        assert catches("the_hash_sees_every_change")


@pytest.mark.parametrize("to", CODE)
def test_a_hash_that_reads_code_wrongly_is_caught(to: str, monkeypatch: pytest.MonkeyPatch, catches: Catches) -> None:
    """A hash that reads too little or too much of the code breaks the law of the hash."""
    with monkeypatch.context() as broken:
        broken.setitem(fingerprint._READERS, CodeType, CODE[to])
        assert catches("the_hash_sees_every_change")
