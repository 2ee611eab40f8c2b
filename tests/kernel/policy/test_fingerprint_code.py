"""The hash of a policy follows code: constants, names, helpers, classes, and the modules they are in."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from seamlaw import Policy

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
