"""The hash of a policy: it sees what can change a decision, and nothing else."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import functools
import importlib.util
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import attrs
import pytest

from seamlaw import AgentScoped, Policy

counter = iter(range(1_000_000))


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Make modules out of their code, which import each other."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(code: str, name: str = "") -> ModuleType:
        path = tmp_path / f"{name or f'policy_{next(counter)}'}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, "utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, path.stem, made)
        spec.loader.exec_module(made)
        return made

    return make


def hash_of(predicate: Any, **options: Any) -> str:
    """Hash a policy of one requirement."""
    return Policy("p").require(predicate, **options).policy_hash


LESS = "def p(call):\n    return call.arguments['n'] < "
BASE = f"{LESS}5\n"
SAME = {
    "a comment": "def p(call):\n    # small\n    return call.arguments['n'] < 5\n",
    "a docstring": 'def p(call):\n    """Small."""\n    return call.arguments["n"] < 5\n',
    "other lines": "\n\n\ndef p(call):\n\n    return (\n        call.arguments['n']\n        < 5\n    )\n",
    "a name": "def q(call):\n    return call.arguments['n'] < 5\np = q\n",
    "a parameter": "def p(it):\n    return it.arguments['n'] < 5\n",
    "an annotation": "def p(call: 'X') -> bool:\n    return call.arguments['n'] < 5\n",
    "a global that is not used": f"LIMIT = 7\n{BASE}",
}
DIFFERENT = {
    "a constant": f"{LESS}50\n",
    "an operator": "def p(call):\n    return call.arguments['n'] <= 5\n",
    "a key": "def p(call):\n    return call.arguments['m'] < 5\n",
    "a handler": "def p(call):\n    try:\n        return call.arguments['n'] < 5\n    except E:\n        pass\n",
    "a default": "def p(call, limit=5):\n    return call.arguments['n'] < limit\n",
    "a global": f"LIMIT = 5\n{LESS}LIMIT\n",
    "another global": f"LIMIT = 50\n{LESS}LIMIT\n",
    "a helper": f"def limit():\n    return 5\n{LESS}limit()\n",
    "another helper": f"def limit():\n    return 50\n{LESS}limit()\n",
    "a helper's helper": f"def a():\n    return 50\ndef limit():\n    return a()\n{LESS}limit()\n",
    "a nested function": f"{LESS}(lambda: 5)()\n",
    "a class": f"class L:\n    n = 5\n{LESS}L.n\n",
    "another class": f"class L:\n    n = 50\n{LESS}L.n\n",
    "a property": f"class L:\n    @property\n    def n(self):\n        return 5\n{LESS}L().n\n",
    "a method": f"class L:\n    @staticmethod\n    def n():\n        return 5\n{LESS}L.n()\n",
    "a class method": f"class L:\n    @classmethod\n    def n(cls):\n        return 5\n{LESS}L.n()\n",
    "a base class": f"class B:\n    n = 5\nclass L(B):\n    pass\n{LESS}L.n\n",
}


@pytest.mark.parametrize("change", SAME)
def test_what_changes_no_decision_changes_no_hash(change: str, module: Callable[..., ModuleType]) -> None:
    """Comments, docstrings, places, names of locals, annotations."""
    assert hash_of(module(SAME[change]).p, reason="r") == hash_of(module(BASE).p, reason="r")


def test_what_changes_a_decision_changes_the_hash(module: Callable[..., ModuleType]) -> None:
    """Every one of these is told from every other."""
    hashes = {change: hash_of(module(code).p, reason="r") for change, code in {"base": BASE, **DIFFERENT}.items()}
    assert len(set(hashes.values())) == len(hashes)


def test_a_value_bound_in_a_closure_counts() -> None:
    """The source is unchanged; `limit = 5` becomes 50."""

    def make(limit: object) -> Callable[[Any], bool]:
        return lambda call: call.arguments["n"] < limit

    bound: list[Any] = [5, 50, 5.0, "5", True, None, [5], (5,), {5}, {"a": 5}, {"a": [5]}, b"5", 5j]
    assert len({hash_of(make(limit)) for limit in bound}) == len(bound)
    assert hash_of(make([1, {"a": 2}])) == hash_of(make([1, {"a": 2}]))
    assert hash_of(make({1, 2, 3})) == hash_of(make({3, 2, 1}))


def test_a_bound_value_that_changes_later_changes_the_hash() -> None:
    """It is read anew each time."""
    allowed = ["ls"]
    policy = Policy("p").require(lambda call: call.name in allowed)
    before = policy.policy_hash
    allowed.append("rm")
    assert policy.policy_hash != before


class Limit:
    """A limit as an object."""

    def __init__(self, limit: object) -> None:
        self.limit = limit

    def __call__(self, call: Any) -> bool:
        """Compare."""
        return bool(call.arguments["n"] < self.limit)

    def method(self, call: Any) -> bool:
        """Compare."""
        return self(call)


class Slotted:
    """One that keeps its limit in a slot."""

    __slots__ = ("__limit", "again")

    def __init__(self, limit: object) -> None:
        self.__limit = limit

    def __call__(self, call: Any) -> bool:
        """Compare."""
        return bool(call.arguments["n"] < self.__limit)


@attrs.frozen
class Attrs:
    """One that is made by attrs."""

    limit: object

    def __call__(self, call: Any) -> bool:
        """Compare."""
        return bool(call.arguments["n"] < self.limit)


def compare(limit: object, call: Any, *, strict: bool = False) -> bool:
    """Compare."""
    return bool(call.arguments["n"] < limit)


MAKING: dict[str, Callable[[Any], Any]] = {
    "object": Limit,
    "method": lambda limit: Limit(limit).method,
    "slots": Slotted,
    "attrs": Attrs,
    "partial": lambda limit: functools.partial(compare, limit),
    "partial with a keyword": lambda limit: functools.partial(compare, 5, strict=limit),
    "wrapped": lambda limit: functools.wraps(compare)(lambda call: compare(limit, call)),
    "cached": lambda limit: functools.lru_cache(lambda call: compare(limit, call)),
    "namespace": lambda limit: functools.partial(compare, SimpleNamespace(limit=limit)),
    "pattern": lambda limit: lambda call, it=re.compile(str(limit)): it.match(call.name) is None,
    "builtin": lambda limit: str(limit).startswith,
}


@pytest.mark.parametrize("kind", MAKING)
def test_the_state_of_whatever_is_called_counts(kind: str) -> None:
    """Objects, methods, slots, partials, wrappers, patterns."""
    make = MAKING[kind]
    assert hash_of(make(5)) == hash_of(make(5))
    assert hash_of(make(5)) != hash_of(make(50))


def test_a_function_that_is_built_in_counts_by_its_name() -> None:
    """There is no code of it to read."""
    assert hash_of(len) == hash_of(len) != hash_of(callable)
    assert hash_of(lambda call, f=len: f(call)) != hash_of(lambda call, f=callable: f(call))


def test_every_part_of_a_requirement_counts_and_no_name_does() -> None:
    """How it fails, why, how gravely, whom it asks and for how long, and at which hook."""

    def holds(call: object) -> bool:
        return True

    options: list[dict[str, Any]] = [
        {},
        {"on_fail": "ask"},
        {"on_fail": "note"},
        {"reason": "other"},
        {"severity": "high"},
        {"on_fail": "ask", "target": "t"},
        {"on_fail": "ask", "timeout_s": 5},
        {"hook": "post"},
    ]
    assert len({hash_of(holds, **option) for option in options}) == len(options)
    assert hash_of(holds, reason="r") == Policy("another name").require(holds, reason="r").policy_hash


def test_every_part_of_a_policy_counts() -> None:
    """Requirements, their number and order, activation, negation, combination, roles."""
    a = Policy("a").require(lambda call: True, reason="a")
    b = Policy("b").require(lambda call: False, reason="b")
    both = a.require(b.requirements[0].predicate, reason="b")
    turned = b.require(a.requirements[0].predicate, reason="a")
    doubled = a.require(a.requirements[0].predicate, reason="a")
    ab = a & b
    policies: list[Any] = [Policy("p"), a, b, both, turned, doubled, ~a, a.active_when(lambda call: True)]
    policies += [ab, a | b, b & a, ~ab & b, ab & a, a & (b & a)]
    policies += [AgentScoped(a, "r"), AgentScoped(a, "s"), AgentScoped(a, ("r", "s"))]
    assert len({policy.policy_hash for policy in policies}) == len(policies)
    assert (~~a).policy_hash == a.policy_hash
    assert (~(a & b)).policy_hash == (~a | ~b).policy_hash
    assert AgentScoped(a, ("r", "s")).policy_hash == AgentScoped(a, ["s", "r"]).policy_hash
    assert a.active_when(lambda call: True).policy_hash != a.active_when(lambda call: False).policy_hash


def test_an_attribute_of_ones_own_module_counts(module: Callable[..., ModuleType]) -> None:
    """`settings.LIMIT`, and `settings.limits.LIMIT` over a package."""
    settings = module("LIMIT = 5\nOTHER = 1\n", "settings_of_mine")
    policy = Policy("p").require(module("import settings_of_mine as s\ndef p(call):\n    return call.n < s.LIMIT\n").p)
    before = policy.policy_hash
    settings.OTHER = 2  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    assert policy.policy_hash == before
    settings.LIMIT = 50  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    assert policy.policy_hash != before


def test_an_attribute_of_a_module_without_a_file_counts(module: Callable[..., ModuleType]) -> None:
    """A namespace package, or a module made while running."""
    made = ModuleType("made_while_running")
    vars(made)["LIMIT"] = 5
    using = module("def p(call):\n    return call.n < made.LIMIT\n")
    vars(using)["made"] = made
    policy = Policy("p").require(using.p)
    before = policy.policy_hash
    vars(made)["LIMIT"] = 50
    assert policy.policy_hash != before


def test_what_refers_to_itself_is_followed_once() -> None:
    """Recursive functions, rings of objects, functions that call each other."""

    def even(n: int) -> bool:
        return n == 0 or odd(n - 1)

    def odd(n: int) -> bool:
        return n != 0 and even(n - 1)

    ring = list[Any]([1])
    ring.append(ring)
    assert hash_of(even) == hash_of(even)
    assert hash_of(lambda call: ring) == hash_of(lambda call: ring)


def test_what_cannot_be_read_counts_by_its_type() -> None:
    """A lock, or a variable that is not assigned yet."""
    lock, other = threading.Lock(), threading.RLock()
    assert hash_of(lambda call: lock) == hash_of(lambda call: lock)
    assert hash_of(lambda call: lock) != hash_of(lambda call: other)

    def early(call: object) -> bool:
        return late is None

    assert len(hash_of(early)) == 64
    late = None


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_hash_is_the_same_in_another_process(seed: str, tmp_path: Path) -> None:
    """With another hash seed: no address and no order of a set is in it."""
    code = """
from seamlaw import AgentScoped, Policy
import re, functools
class C:
    x = {"a", "b", "c"}
    def __init__(self): self.y = {3, 1, 2}
    def __call__(self, call): return call.name in self.x
def q(call, p=re.compile("a")): return bool(p.match(call.name))
one, two = Policy("p").require(C()).require(q), Policy("z").require(functools.partial(max, 1))
print((AgentScoped(one, ["r", "s"]) | ~two).policy_hash)
"""
    (tmp_path / "it.py").write_text(code, "utf-8")
    printed = [printed_by(tmp_path / "it.py", given) for given in (seed, "7")]
    assert printed[0] == printed[1]
    assert re.fullmatch("[0-9a-f]{64}\n", printed[0])


def printed_by(script: Path, seed: str) -> str:
    """Run a script in a process with a hash seed of its own, and take what it prints."""
    given = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run([sys.executable, str(script)], env=given, capture_output=True, text=True, check=True).stdout
