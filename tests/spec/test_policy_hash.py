import re
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from functools import partial, wraps
from operator import itemgetter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from attrs import fields

from seamlaw import AgentScoped, Policy, ToolCall, ToolResult
from seamlaw_spec.policy_recipes import Recipe, compiled
from seamlaw_spec.strategies.policies import PARTS


def under(bound: Any) -> str:
    """The hash of a policy that compares with what is bound to it."""
    return of(source("p = lambda call: call.arguments['n'] < BOUND", BOUND=bound))


def of(predicate: Callable[..., Any], **options: Any) -> str:
    """The hash of a policy of one predicate."""
    return Policy("p").require(predicate, reason="r", **options).policy_hash


def source(text: str, **bound: Any) -> Callable[..., Any]:
    """What a source calls `p`."""
    return compiled("p", text, **bound)


def does(code: str) -> Callable[..., Any]:
    """A predicate that gives this."""
    return source(f"p = lambda call: {code}")


def made(kind: str, *given: Any) -> Any:
    """An object of a class that a source calls `p`."""
    return source(kind)(*given)


def test_a_recipe_has_no_part_that_is_never_edited() -> None:
    """The law of the hash edits every part that a recipe has."""
    assert [part.name for part in fields(Recipe)] == list(PARTS)


SLOTTED = "class p:\n __slots__ = ('a', '__b')\n def __init__(self, b): self.a = 1; self.__b = b"
COUNTED = "class p(int):\n def __init__(self, n): self.unit = 's'"
LIKE_A_DICT = "class p(dict):\n def __missing__(self, key): return {}"
HOLDS = "class p:\n limit = {}\n def holds(self, call): return call.arguments['n'] < self.limit"
WRAPS = "def p(call):\n def inner(): return call.name == {!r}\n return inner()"
HELPED = "def helper(call): return call.name == {!r}\ndef p(call): return helper(call)"
INHERITS = "class Base:\n def holds(self, call): return {}\nclass p(Base): pass"
CHANGES: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
    "a constant": (lambda: of(does("1")), lambda: of(does("2"))),
    "a constant's type": (lambda: of(does("1")), lambda: of(does("True"))),
    "a constant in a set": (lambda: of(does("call in {1, 2}")), lambda: of(does("call in {1, 3}"))),
    "a constant inside an inner function": (
        lambda: of(source(WRAPS.format("a"))),
        lambda: of(source(WRAPS.format("b"))),
    ),
    "a helper that is a global": (lambda: of(source(HELPED.format("a"))), lambda: of(source(HELPED.format("b")))),
    "an attribute's name": (lambda: of(does("call.name")), lambda: of(does("call.id"))),
    "a method of a class": (
        lambda: of(made(HOLDS.format("1")).holds),
        lambda: of(made(HOLDS.format("2")).holds),
    ),
    "an inherited method": (
        lambda: of(made(INHERITS.format("True")).holds),
        lambda: of(made(INHERITS.format("False")).holds),
    ),
    "a private slot": (lambda: under(made(SLOTTED, 1)), lambda: under(made(SLOTTED, 2))),
    "a regular expression": (lambda: under(re.compile("a")), lambda: under(re.compile("b"))),
    "a flag of one": (lambda: under(re.compile("a")), lambda: under(re.compile("a", re.IGNORECASE))),
    "a decimal": (lambda: under(Decimal("1.0")), lambda: under(Decimal("1.1"))),
    "a fraction": (lambda: under(Fraction(1, 2)), lambda: under(Fraction(1, 3))),
    "a duration": (lambda: under(timedelta(1)), lambda: under(timedelta(2))),
    "a deque": (lambda: under(deque([1])), lambda: under(deque([2]))),
    "a namespace": (lambda: under(SimpleNamespace(a=1)), lambda: under(SimpleNamespace(a=2))),
    "an enumeration": (lambda: under(IntEnum("E", {"A": 1}).A), lambda: under(IntEnum("E", {"A": 2}).A)),  # type: ignore[attr-defined]
    "a getter": (lambda: of(itemgetter("a")), lambda: of(itemgetter("b"))),
    "a bound built-in": (lambda: of("abc".startswith), lambda: of("abd".startswith)),
    "what is missing from a dict": (
        lambda: under(made(LIKE_A_DICT.format(1))),
        lambda: under(made(LIKE_A_DICT.format(2))),
    ),
    "a path": (lambda: under(Path("/a")), lambda: under(Path("/b"))),
    "roles": (
        lambda: AgentScoped(Policy("p"), "clerk").policy_hash,
        lambda: AgentScoped(Policy("p"), "auditor").policy_hash,
    ),
    "what is wrapped": (
        lambda: of(wraps(does("1"))(does("call"))),
        lambda: of(wraps(does("1"))(does("not call"))),
    ),
    "a subclass of int": (lambda: under(made(COUNTED, 5)), lambda: under(made(COUNTED, 50))),
    "what a defaultdict makes": (lambda: under(defaultdict(does("5"))), lambda: under(defaultdict(does("50")))),
    "whether a parameter is the scope": (
        lambda: of(source("p = lambda result, scope: scope"), hook="post"),
        lambda: of(source("p = lambda result, call: call"), hook="post"),
    ),
    "an attribute of a function": (lambda: of(_with_attribute(5)), lambda: of(_with_attribute(50))),
    "an attribute of a module made by hand": (lambda: of(_by_module(5)), lambda: of(_by_module(50))),
}


def _with_attribute(limit: int) -> Callable[..., Any]:
    function = source("def p(call): return call.arguments['n'] < p.limit")
    function.limit = limit  # type: ignore[attr-defined]
    return function


def _by_module(limit: int) -> Callable[..., Any]:
    module = ModuleType("settings")
    module.limit = limit  # type: ignore[attr-defined]
    return source("def p(call): return call.arguments['n'] < settings.limit", settings=module)


@pytest.mark.parametrize("what", CHANGES)
def test_the_hash_sees(what: str) -> None:
    """Two policies that differ in this, and so can decide differently, have different hashes."""
    before, after = CHANGES[what]
    assert before() == before()
    assert before() != after()


def test_a_parameter_called_scope_decides() -> None:
    """The same code decides differently when its second parameter is called `scope`: it is shown who is calling."""
    shown = ToolResult("x"), ToolCall("1", "t")
    code = "p = lambda result, {0}: isinstance({0}, Call)"
    by_scope = Policy("p").require(source(code.format("scope"), Call=ToolCall), hook="post")
    by_call = Policy("p").require(source(code.format("call"), Call=ToolCall), hook="post")
    assert by_scope.evaluate("post", *shown).result is not by_call.evaluate("post", *shown).result


SAME: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
    "a lambda or a function": (
        lambda: of(source("p = lambda call: call.name == 'a'")),
        lambda: of(source("def p(call):\n    '''Whether.'''\n    return call.name == 'a'  # or not\n\n")),
    ),
    "the name of a parameter": (
        lambda: of(source("def p(call): return call.name")),
        lambda: of(source("def p(c): return c.name")),
    ),
    "the name of a local": (
        lambda: of(source("def p(call):\n n = 1\n return n")),
        lambda: of(source("def p(call):\n zz = 1\n return zz")),
    ),
    "the policy's name": (lambda: Policy("a").policy_hash, lambda: Policy("b").policy_hash),
    "the order of roles": (
        lambda: AgentScoped(Policy("p"), ("a", "b")).policy_hash,
        lambda: AgentScoped(Policy("p"), ("b", "a")).policy_hash,
    ),
    "the order of a set": (lambda: under({"a", "b", "c"}), lambda: under({"c", "b", "a"})),
    "an unused global": (
        lambda: of(source("def p(call): return call", other=1)),
        lambda: of(source("def p(call): return call", other=2)),
    ),
    "the name of what is bound by a closure": (
        lambda: of(source("def make(a, m):\n return lambda call: a < call.n < m\np = make(1, 2)")),
        lambda: of(source("def make(z, m):\n return lambda call: z < call.n < m\np = make(1, 2)")),
    ),
}
SEEN = {"the name of what is bound by a closure": "cells come in the order of their names, and their order counts"}


@pytest.mark.parametrize(
    "what",
    [pytest.param(what, marks=[pytest.mark.xfail(reason=SEEN[what])] if what in SEEN else []) for what in SAME],
)
def test_the_hash_does_not_see(what: str) -> None:
    """Two policies that differ only in this decide the same, and have the same hash."""
    before, after = SAME[what]
    assert before() == after()


def test_using_a_path_changes_no_hash() -> None:
    """Comparing with a path leaves the policy as it was."""
    path = Path("/srv/a")
    policy = Policy("p").require(partial(_is, path), reason="r")
    before = policy.policy_hash
    assert path in {Path(str(path))}
    assert policy.policy_hash == before


def _is(path: Path, call: ToolCall) -> bool:
    return bool(call.arguments["path"] == str(path))


PROGRAM = """
import re
from fractions import Fraction
from seamlaw import AgentScoped, Policy
from seamlaw_spec.policy_recipes import Recipe, compiled
names = {"alpha", "beta", "gamma", "delta"}
condition = lambda call: call.name in names and re.compile("x+") and Fraction(1, 2)
bound = Policy("a").require(condition, reason="r")
code = compiled("p", "def p(call): return call.name in {'alpha', 'beta', 'gamma'} or call.name in NAMES", NAMES=names)
made = AgentScoped(bound & ~Policy("b").require(code, reason="r"), names)
print((made | Recipe(constant=frozenset(names), operator="in", bound_to_object=names).build()).policy_hash)
"""


def test_the_hash_is_the_same_in_another_process() -> None:
    """Sets of strings, whose order differs from process to process, give the same hash in each."""

    def printed(seed: str) -> str:
        run = [sys.executable, "-c", PROGRAM]
        return subprocess.run(run, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout

    assert len({printed(seed) for seed in ("0", "1", "2")}) == 1


def test_code_that_is_installed_counts_with_what_it_binds(tmp_path: Path) -> None:
    """A predicate from an installed package differs by its code, and by what is bound to it."""
    text = "def at_most(limit):\n    return lambda call: call.arguments['n'] {} limit\n"

    def hashed(operator: str, limit: int) -> str:
        file = str(tmp_path / "site-packages" / "limits.py")
        return of(compiled("at_most", text.format(operator), file=file)(limit))

    assert len({hashed("<", 5), hashed("<", 50), hashed("<=", 5)}) == 3
    assert hashed("<", 5) == hashed("<", 5)
