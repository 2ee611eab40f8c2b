"""Who is calling decides: how deep they were delegated to, how far they are trusted, and in which role they act."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Globs, Scope, ToolCall, decide
from seamlaw_host.engine import Agent, Engine, Registry
from seamlaw_host.errors import Blocked
from seamlaw_packs.delegation_depth import DelegationDepth
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.roles import Roles
from seamlaw_packs.trust import Trust

Pack = DelegationDepth | Roles | Trust
LEVELS = ("low", "medium", "high")


def said(pack: Pack, tool: str, scope: Scope | None = None) -> str:
    """Decide a call; why it is blocked, or nothing."""
    return decide(pack.interceptors(), TOOL_CALL, ToolCall("1", tool, {}), scope=scope).reason


def chained(*agents: str) -> Scope:
    """Make the scope of the last of these, each delegated to by the one before."""
    return Scope(agent=agents[-1], chain=agents)


# How deep


@given(st.integers(0, 4), st.integers(1, 6), st.booleans())
def test_the_limit_is_the_deepest_that_may_act(limit: int, agents: int, delegates: bool) -> None:
    """There it may not delegate; beyond it may do nothing."""
    pack, scope = DelegationDepth(limit), chained(*map(str, range(agents)))
    reason = said(pack, "delegate" if delegates else "read", scope)
    assert bool(reason) is (agents - 1 + delegates > limit)


def test_the_first_agent_is_at_depth_zero() -> None:
    """Whether the host says so in the chain or by the agent alone."""
    for scope in (chained("lead"), Scope(agent="lead")):
        assert said(DelegationDepth(1), "delegate", scope) == ""
        assert said(DelegationDepth(0), "delegate", scope) == "no delegating beyond a depth of 0"


def test_a_circle_is_blocked() -> None:
    """Unless it may be."""
    scope = chained("a", "b", "a")
    assert said(DelegationDepth(5), "read", scope) == "delegated in a circle: an agent stands in the chain twice"
    assert said(DelegationDepth(5, circles=True), "read", scope) == ""


def test_nobody_may_not_delegate() -> None:
    """Where the scope names no agent the depth is unknown; other tools pass, which is a limit."""
    for scope in (None, Scope(session="s"), Scope(agent="")):
        assert said(DelegationDepth(), "spawn_x", scope) == "nobody knows who delegates: the scope names no agent"
        assert said(DelegationDepth(), "read", scope) == ""


def test_the_engine_says_how_deep_it_is() -> None:
    """Through the chain that it keeps of engines inside of engines."""
    registry = Registry([Agent("a", "x"), Agent("b", "x", ancestors=["a"]), Agent("c", "x", ancestors=["b"])])
    first, second, third = (Engine(DelegationDepth(1).interceptors(), agent=name, registry=registry) for name in "abc")
    assert first.call("delegate", lambda: second.call("read", lambda: 1)) == 1
    with pytest.raises(Blocked, match="beyond a depth of 1"):
        first.call("delegate", lambda: second.call("delegate", lambda: 1))
    with pytest.raises(Blocked, match="delegated 2 deep"):
        first.call("x", lambda: second.call("y", lambda: third.call("read", lambda: 1)))


def test_a_delegate_tool_of_another_name_is_not_known() -> None:
    """A limit: until it is named."""
    assert said(DelegationDepth(0), "ask_agent", chained("a")) == ""
    assert said(DelegationDepth(0, delegates=["ask_*"]), "ask_agent", chained("a")) != ""


# How far


@given(st.sampled_from(LEVELS), st.sampled_from([*LEVELS, None, "HIGH", "", "root"]))
def test_enough_trust_is_needed_and_more_is_enough(needed: str, has: str | None) -> None:
    """A level that is none is less than any."""
    reason = said(Trust({"deploy": needed}), "deploy", Scope(trust=has))
    enough = has in LEVELS and LEVELS.index(has) >= LEVELS.index(needed)
    assert reason == ("" if enough else f"needs the trust {needed}")


def test_of_several_globs_the_highest_counts() -> None:
    """In any order; a tool that none names needs none, unless it is said."""
    for needs in ({"*": "low", "deploy*": "high"}, {"deploy*": "high", "*": "low"}):
        assert said(Trust(needs), "deploy_now", Scope(trust="medium")) == "needs the trust high"
        assert said(Trust(needs), "read", Scope(trust="low")) == ""
    assert said(Trust({"deploy": "high"}), "read") == ""
    assert said(Trust({"deploy": "high"}, otherwise="low"), "read") == "needs the trust low"
    assert said(Trust({"read": "low"}, otherwise="high"), "read", Scope(trust="low")) == ""


def test_levels_of_ones_own() -> None:
    """From the lowest to the highest."""
    pack = Trust({"pay": "board"}, levels=["intern", "staff", "board"])
    assert [said(pack, "pay", Scope(trust=level)) == "" for level in ("intern", "staff", "board", "high")] == [
        False,
        False,
        True,
        False,
    ]


# In which role


@given(st.sampled_from(["reader", "writer", "READER", None, ""]), st.sampled_from(["read", "write", "think", "drop"]))
def test_a_role_has_what_it_is_given_and_what_everyone_has(role: str | None, tool: str) -> None:
    """And nothing else; a role that is not listed has only the latter."""
    may = {"reader": ["read"], "writer": ["read", "write"]}
    given_to = [*may.get(role or "", []), "think"]
    assert (said(Roles(may, everyone=["think"]), tool, Scope(role=role)) == "") is (tool in given_to)


def test_what_is_not_given_is_not_allowed() -> None:
    """Without a scope, too; the reason tells an unknown role from one that lacks the tool."""
    pack = Roles({"reader": "read*"})
    assert said(pack, "read_file") == "the caller has no known role"
    assert said(pack, "write", Scope(role="reader")) == "the role of the caller does not have this tool"
    assert said(pack, "read_file", Scope(role="reader")) == ""


def test_the_scope_is_believed() -> None:
    """A limit of all three: who says who is calling decides."""
    assert said(Roles({"admin": "*"}), "drop", Scope(role="admin")) == ""
    assert said(Trust({"drop": "high"}), "drop", Scope(trust="high")) == ""
    assert said(DelegationDepth(0), "read", chained("anybody")) == ""


# Configuration


@pytest.mark.parametrize(
    ("kind", "options", "place"),
    [
        (DelegationDepth, {"limit": -1}, "limit"),
        (DelegationDepth, {"limit": True}, "limit"),
        (DelegationDepth, {"delegates": []}, "delegates"),
        (DelegationDepth, {"circles": "no"}, "circles"),
        (Trust, {"needs": {}}, "needs"),
        (Trust, {"needs": ()}, "needs"),
        (Trust, {"needs": (("pay", "high"),)}, "needs"),
        (Trust, {"needs": {"pay": "hihg"}}, "needs['pay']"),
        (Trust, {"needs": {"pay[": "high"}}, "needs['pay[']"),
        (Trust, {"needs": {"pay": 1}}, "needs['pay']"),
        (Trust, {"needs": {"pay": "high"}, "otherwise": "none"}, "otherwise"),
        (Trust, {"needs": {"pay": "high"}, "levels": ["high", "high"]}, "levels"),
        (Trust, {"needs": {"pay": "high"}, "levels": "high"}, "levels"),
        (Roles, {"may": {}}, "may"),
        (Roles, {"may": ()}, "may"),
        (Roles, {"may": {"a": ["x"]}, "everyone": Globs()}, "everyone"),
        (Roles, {"may": {"a": []}}, "may['a']"),
        (Roles, {"may": {"": ["x"]}}, "a key of may"),
        (Roles, {"may": {"a": ["x"]}, "everyone": ["["]}, "everyone"),
    ],
)
def test_what_cannot_be_is_refused(kind: type[Any], options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        kind(**options)
    assert raised.value.place == place


@pytest.mark.parametrize(
    "pack", [DelegationDepth(1), Trust({"a": "low"}), Roles({"a": "b"}, everyone="c"), Roles({"a": "b"})]
)
def test_a_pack_may_be_made_of_another(pack: Pack) -> None:
    """Its fields are what it takes."""
    assert evolve(pack) == pack
    assert hash(evolve(pack)) == hash(pack)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
@pytest.mark.parametrize(
    "pack", [DelegationDepth(0), Trust({"*": "high"}), Roles({"reader": ["read"]}, everyone=["think"])]
)
def test_the_kit_finds_nothing(pack: Pack) -> None:
    """`seamlaw verify` is green."""
    assert broken(pack) == []
