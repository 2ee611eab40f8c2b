"""What somebody might plant in a shipped function, and the layer that finds it."""

import re
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from seamlaw import Interceptor
from seamlaw_spec.proofs import NotExtracted
from seamlaw_spec.proofs.extraction import SHIPPED, extract
from seamlaw_spec.proofs.extraction import _asking_runs as asking_runs
from seamlaw_spec.proofs.extraction import _consults as consults
from seamlaw_spec.proofs.extraction import _fold_runs as fold_runs
from seamlaw_spec.proofs.extraction import _shapes as shapes

Planted = Callable[[str, str, str], FunctionType]

STEP = "if state.stopped:\n        return state"
ASK = "if state.stopped:\n            break"

BACK_DOORS: dict[str, tuple[str, str, str, str]] = {
    "a magic constant in the step": ("lint", "step", STEP, "if state.stopped or state.value == 42:\n    return state"),
    "a magic constant in the loop": ("lint", "asking", ASK, "if state.stopped or state.value == 42:\n    break"),
    "a type that is let through": ("bytecode check", "step", STEP, "if type(state.value) is str:\n    return state"),
    "a limit of the log": ("bytecode check", "step", STEP, "if len(state.log) > 100:\n    return state"),
    "a limit of the chain": (
        "bytecode check",
        "asking",
        "for asked in everyone:",
        "for at, asked in enumerate(everyone):",
    ),
    "payload sniffing": ("bytecode check", "asking", ASK, 'if "rm" in str(state.value):\n    break'),
    "a reason that is obeyed": ("bytecode check", "step", STEP, 'if entry.reason == "open":\n    return state'),
    "a BaseException that is swallowed": (
        "bytecode check",
        "consult",
        "except Exception as error",
        "except BaseException as error",
    ),
    "a BaseException that a plan swallows": (
        "bytecode check",
        "plan_of_one",
        "except Exception as error",
        "except BaseException as error",
    ),
    "consults in another order": (
        "bytecode check",
        "asking",
        "for asked in everyone:",
        "for asked in reversed(tuple(everyone)):",
    ),
    "a count of calls": (
        "bytecode check",
        "step",
        "def step(state: State[V], entry: Entry) -> State[V]:",
        "def step(state: State[V], entry: Entry, told: list[int] = []) -> State[V]:",
    ),
    "a count of turns": ("bytecode check", "asking", ASK, "turns = 1\nif state.stopped:\n    break"),
    "a hash that decides": ("bytecode check", "step", STEP, "if hash(entry) % 97 == 0:\n    return state"),
    "a clock that decides": (
        "bytecode check",
        "step",
        STEP,
        "import time\nif time.time() > 2e9:\n    return state",
    ),
    "a thread that decides": (
        "bytecode check",
        "step",
        STEP,
        'if threading.current_thread().name != "MainThread":\n    return state',
    ),
    "a later finding that wins a tie": (
        "token runs",
        "pick",
        "_outranks(finding, worst)",
        "not _outranks(worst, finding)",
    ),
    "the last mismatch": ("token runs", "all_hold", "unknown = unknown or mismatch", "unknown = mismatch"),
    "the last bundle": ("token runs", "merge", "return contributing[0] if", "return bundles[-1] if"),
    "an answer to another ask": ("token runs", "settle", "in unused if covers(answer, ask)]", "in unused]"),
    "gates before the chain": (
        "token runs",
        "ordered",
        "(*fills, *chain, *judges, *gates)",
        "(*gates, *fills, *chain, *judges)",
    ),
    "an id that is not kept": ("token runs", "keep", "return after", "return before"),
    "failures that are lost": ("token runs", "evaluate_both", "a.failures + b.failures", "a.failures + a.failures"),
    "a default that overwrites": ("token runs", "default", "is not MISSING", "is MISSING"),
    "asks that stand beside a block": ("token runs", "conclude", "if verdict is Verdict.ASK:", "if verdict:"),
}


@pytest.mark.parametrize("name", BACK_DOORS)
def test_a_back_door_is_found_by_its_layer(name: str, planted: Planted) -> None:
    """The layer that is named finds it, and says in which function."""
    layer, function, old, new = BACK_DOORS[name]
    with pytest.raises(NotExtracted) as found:
        extract(SHIPPED.but(**{function: planted(function, old, new)})).hold([function])
    assert found.value.layer == layer, str(found.value)


UNDERNEATH: dict[str, tuple[Callable[[Any], object], str, str, str]] = {
    "a magic constant in the step": (
        shapes.step_table,
        "step",
        STEP,
        "if state.stopped or state.value == 42:\n    return state",
    ),
    "a limit of the log": (shapes.step_table, "step", STEP, "if len(state.log) > 100:\n    return state"),
    "a hash that decides": (shapes.step_table, "step", STEP, "if hash(state.value) % 97 == 0:\n    return state"),
    "a count of calls": (
        shapes.step_table,
        "step",
        STEP,
        "COUNT.append(1)\nif len(COUNT) > 40:\n    return state",
    ),
    "a BaseException that is swallowed": (
        consults.consult_table,
        "consult",
        "except Exception as error",
        "except BaseException as error",
    ),
    "payload sniffing": (asking_runs.run_asking, "asking", ASK, 'if "rm" in str(state.value):\n    break'),
    "a magic constant in the loop": (asking_runs.run_asking, "asking", ASK, "if state.value == 42:\n    break"),
    "consults in another order": (
        asking_runs.run_asking,
        "asking",
        "for asked in everyone:",
        "for asked in reversed(tuple(everyone)):",
    ),
    "a later finding that wins a tie": (
        fold_runs.run_pick,
        "pick",
        "_outranks(finding, worst)",
        "not _outranks(worst, finding)",
    ),
}


@pytest.mark.parametrize("name", UNDERNEATH)
def test_the_runs_find_it_without_the_checks_of_the_code(name: str, planted: Planted) -> None:
    """Where bytecode and syntax say nothing, running the function on opaque tokens still does."""
    layer, function, old, new = UNDERNEATH[name]
    spoiled = planted(function, old, new)
    spoiled.__globals__["COUNT"] = []
    with pytest.raises(NotExtracted, match=r"shape table|token runs"):
        layer(spoiled)


def _by_the_thread(*_: object) -> bool:
    return threading.current_thread() is threading.main_thread()


def test_what_is_called_and_not_looked_at_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A filter that decides by the thread is not found here: to a proof it is an oracle, and knows no threads."""
    monkeypatch.setattr(Interceptor, "matches", _by_the_thread)
    assert extract(SHIPPED.but()).hold(["asking"]) == extract().hold(["asking"])


CLAIMS = Path(__file__).parents[3] / "docs" / "claims.md"
KINDS = {  # what the page of claims names, and the back doors of the tests that are of this kind
    "a magic constant": ("a magic constant in the step", "a magic constant in the loop"),
    "a limit of a length": ("a limit of the log", "a limit of the chain"),
    "payload sniffing": ("payload sniffing",),
    "a `BaseException` that is swallowed": (
        "a BaseException that is swallowed",
        "a BaseException that a plan swallows",
    ),
    "consults in another order": ("consults in another order",),
    "a count of calls": ("a count of calls", "a count of turns"),
    "a hash that decides": ("a hash that decides",),
    "a clock that decides": ("a clock that decides",),
    "a thread that decides": ("a thread that decides",),
}

TOLD = dict(re.findall(r"(?m)^\| ([^|]+?) \| (lint|bytecode check|token runs) \|$", CLAIMS.read_text("utf-8")))


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_claims_names_the_layer_that_finds_each_back_door(kind: str) -> None:
    """What the page says is what the tests of the back doors hold each to."""
    assert {BACK_DOORS[name][0] for name in KINDS[kind]} == {TOLD[kind]}


def test_the_page_of_claims_tells_of_these_back_doors_alone() -> None:
    """No kind is named that nothing tests."""
    assert set(TOLD) == set(KINDS)
