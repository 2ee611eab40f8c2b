"""What values cost: freezing, digest and equality, from 100 bytes to a megabyte."""

import hashlib
import json
from typing import Any

import pytest

from benchmarks.cases import Case
from benchmarks.conftest import Measure
from seamlaw import ToolCall, digest, freeze
from seamlaw_host.bench import calling

SIZES = {"100 B": 100, "1 kB": 1_000, "10 kB": 10_000, "100 kB": 100_000, "1 MB": 1_000_000}
ITEM: dict[str, object] = {
    "path": "/srv/workspace/src/main.py",
    "line": 120,
    "kept": True,
    "text": "return 1",
    "tags": ["a"],
}


def arguments(size: int) -> dict[str, Any]:
    """Arguments whose JSON has about this many bytes: many small things, as a batch of edits has."""
    each = len(json.dumps(ITEM)) + 2
    return {"edits": [{**ITEM, "line": at} for at in range(max(1, size // each))]}


def few(size: int) -> int:
    """How many pairs: fewer where each takes long."""
    return 41 if size <= 10_000 else 9


@pytest.mark.parametrize("size", SIZES)
def test_freeze(measure: Measure, size: str) -> None:
    """Freezing what json.loads gave, beside that."""
    given = arguments(SIZES[size])
    case = Case(
        f"freeze/{size}",
        calling(freeze, given),
        calling(json.loads, json.dumps(given)),
        "json.loads of it",
        SIZES[size],
    )
    measure(case, pairs=few(SIZES[size]))


@pytest.mark.parametrize("size", SIZES)
def test_freeze_again(measure: Measure, size: str) -> None:
    """Freezing what is frozen, beside the same of an empty list."""
    case = Case(
        f"freeze again/{size}",
        calling(freeze, freeze(arguments(SIZES[size]))),
        calling(freeze, freeze([])),
        "an empty list",
        SIZES[size],
    )
    measure(case)


@pytest.mark.parametrize("size", SIZES)
def test_one_large_text(measure: Measure, size: str) -> None:
    """A text is only looked at: no lone surrogate may stand in it."""
    given = {"text": "a line of a file\n" * (SIZES[size] // 17)}
    case = Case(
        f"freeze text/{size}", calling(freeze, given), calling(json.dumps, given), "json.dumps of it", SIZES[size]
    )
    measure(case, pairs=few(SIZES[size]))


def hashed(value: object) -> str:
    """What people write themselves."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.parametrize("size", SIZES)
def test_digest(measure: Measure, size: str) -> None:
    """The digest of a call, beside SHA-256 of json.dumps with sorted keys."""
    given = arguments(SIZES[size])
    call = ToolCall("call-1", "edit", given)
    case = Case(
        f"digest/{size}", calling(digest, call), calling(hashed, given), "SHA-256 of sorted json.dumps", SIZES[size]
    )
    measure(case, pairs=few(SIZES[size]))


@pytest.mark.parametrize("size", SIZES)
def test_equality(measure: Measure, size: str) -> None:
    """Two equal frozen values, beside two plain ones."""
    one, two = arguments(SIZES[size]), arguments(SIZES[size])
    frozen, other = freeze(one), freeze(two)
    case = Case(
        f"equality/{size}",
        calling(lambda: frozen == other),
        calling(lambda: one == two),
        "the same of plain dicts",
        SIZES[size],
    )
    measure(case, pairs=few(SIZES[size]))


def test_call(measure: Measure) -> None:
    """A call made of three plain arguments, beside json.loads of them."""
    given = {"command": "git status --short", "timeout": 60, "cwd": "/srv/workspace"}
    text = json.dumps(given)
    measure(
        Case(
            "value/ToolCall",
            calling(ToolCall, "call-1", "bash", given),
            calling(json.loads, text),
            "json.loads of its arguments",
        )
    )
