"""For whom and when a policy applies: its activations, and the roles it is scoped to."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    AgentScoped,
    Interceptors,
    InvalidInterceptor,
    Policy,
    Result,
    Scope,
    ToolCall,
    ToolResult,
    decide,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
RESULT = ToolResult("out")
N, P, F, X = Result


def holds(call: object) -> bool:
    """Hold."""
    return True


def fails(call: object) -> bool:
    """Do not hold."""
    return False


def crashes(call: object) -> bool:
    """Raise."""
    raise ValueError("secret")


ACTIVE: list[tuple[Callable[[Any], Any], bool]] = [
    (lambda call: True, True),
    (lambda call: False, False),
    (crashes, True),
    (lambda call: None, True),
    (lambda call: 0, True),
    (lambda call: "", True),
    (lambda call: call.name == "bash", True),
    (lambda call: call.name == "ls", False),
]


@pytest.mark.parametrize(("predicate", "applies"), ACTIVE)
@pytest.mark.parametrize(("hook", "offered"), [("pre", (CALL,)), ("post", (RESULT, CALL))])
def test_a_policy_applies_unless_its_activation_says_false(
    predicate: Any, applies: bool, hook: Any, offered: tuple[Any, ...]
) -> None:
    """It is shown the call, at both hooks; one that crashes or answers nonsense applies."""
    for policy in (Policy("p").require(fails, hook=hook), ~Policy("p").require(holds, hook=hook)):
        assert policy.active_when(predicate).evaluate(hook, *offered).result is (F if applies else N)
        both = policy.active_when(predicate).active_when(lambda call: True)
        assert both.evaluate(hook, *offered).result is (F if applies else N)
        assert both.active_when(lambda call: False).evaluate(hook, *offered).result is N


# Roles


@pytest.mark.parametrize(
    ("roles", "role", "result"),
    [
        ("admin", "admin", F),
        ("admin", "user", N),
        ("admin", None, F),
        (["admin", "user"], "user", F),
        (("admin",), "Admin", N),
        ("admin", "", N),
    ],
)
def test_a_scoped_policy_is_for_roles_and_for_callers_that_are_not_known(roles: Any, role: Any, result: Result) -> None:
    """Whoever does not say who they are does not slip past."""
    failing, passing, who = Policy("p").require(fails), Policy("p").require(holds), Scope(role=role)
    for scoped in (AgentScoped(failing, roles), AgentScoped(~passing, roles), ~AgentScoped(passing, roles)):
        assert scoped.evaluate("pre", CALL, scope=who).result is result
        assert decide(scoped.interceptors(), TOOL_CALL, CALL, scope=who).proceeds is (result is N)
    assert AgentScoped(failing, roles).label == "p"


@pytest.mark.parametrize("roles", [(), [], None, 7, [1], ["a", None], {"a": 1}.keys() - {"a"}], ids=repr)
def test_a_scoped_policy_needs_roles(roles: Any) -> None:
    """For nobody it would be for nobody, and nobody would notice."""
    with pytest.raises((InvalidInterceptor, TypeError)):
        AgentScoped(Policy("p"), roles)


NO_POLICY: list[Any] = [holds, None, Policy("p").require(holds).as_gate()]


@pytest.mark.parametrize("policy", NO_POLICY, ids=["function", "None", "gate"])
def test_only_a_policy_is_scoped(policy: Any) -> None:
    """What is none is refused where it is written."""
    with pytest.raises(TypeError):
        AgentScoped(policy, "r")


EMPTY: list[Any] = [Policy("p"), ~Policy("p"), Policy("p") & Policy("q"), AgentScoped(Policy("p"), "r")]


@pytest.mark.parametrize("policy", EMPTY)
def test_a_policy_that_requires_nothing_is_no_gate(policy: Any) -> None:
    """Whoever forgot that `require` gives back a new one is told."""
    for make in (policy.as_gate, policy.interceptors):
        with pytest.raises(InvalidInterceptor, match="requires nothing"):
            make()


def test_a_gate_of_a_policy_may_be_for_tools_and_agents() -> None:
    """As every gate."""
    judge = Policy("p").require(fails).as_gate(tools="ba*", agents="a")
    for name, agent, proceeds in (("bash", "a", False), ("ls", "a", True), ("bash", "b", True), ("bash", None, False)):
        outcome = decide(Interceptors(tool_call=[judge]), TOOL_CALL, ToolCall("1", name), scope=Scope(agent=agent))
        assert outcome.proceeds is proceeds
