"""The index of filters: it finds whom a scan would, and asks few of many."""

import random
from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import Globs
from seamlaw.values._index import Index

PIECES = st.sampled_from(["*", "?", "[ab]", "[!a]", "[*?]", "a", "b", "ab", "_", "\n", "é", ".", "(", "|"])
GLOBS = st.lists(PIECES, min_size=1, max_size=5).map("".join)
FILTERS = st.lists(GLOBS, max_size=3).map(tuple)
NAMES = st.text(st.sampled_from("ab_*?[]\né.(|"), max_size=6)


def scan(filters: list[tuple[str, ...]], name: str) -> list[int]:
    """Try every filter."""
    return [at for at, globs in enumerate(filters) if not globs or any(fnmatchcase(name, glob) for glob in globs)]


@given(st.lists(FILTERS, max_size=12), st.lists(NAMES, max_size=6))
def test_the_index_finds_whom_a_scan_finds(filters: list[tuple[str, ...]], names: list[str]) -> None:
    """In order, whatever the filters and the names are."""
    index = Index(map(Globs, filters))
    for name in names:
        assert index.admitting(name) == scan(filters, name)
    assert index.admitting(None) == list(range(len(filters)))


def test_a_name_that_is_shorter_than_what_begins_or_ends_it_is_not_found() -> None:
    """Nor is one that only overlaps with itself."""
    index = Index(map(Globs, ["abc*", "*abc", "abc", "ab*bc"]))
    assert [index.admitting(name) for name in ("", "a", "ab", "bc", "abc", "abbc")] == [[], [], [], [], [0, 1, 2], [3]]


def tried(index: Index, name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Count the filters that are asked about a name."""
    asked: list[object] = []
    admit = Globs.admit

    def counting(self: Globs, name: str | None) -> bool:
        asked.append(self)
        return admit(self, name)

    with monkeypatch.context() as patched:
        patched.setattr(Globs, "admit", counting)
        index.admitting(name)
    return len(asked)


@pytest.mark.parametrize("kind", ["tool_{}", "tool_{}_*", "*_{}_tool", "t{}_*x", "t{}_[ab]?", "[ab]?_{}t"])
def test_of_ten_thousand_filters_only_those_are_tried_that_begin_or_end_alike(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole names, beginnings, endings, and globs that have either."""
    index = Index(Globs((kind.format(number),)) for number in range(10_000))
    for name in ("bash", "tool_77", "tool_77_x", "x_77_tool", "t77_xx", "aa_77t", "x" * 100_000):
        assert tried(index, name, monkeypatch) <= 1


def test_what_neither_begins_nor_ends_with_text_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what has no filter, which admits all."""
    filters: list[Any] = [(), "*a*", "?", "*", ("bash", "*x*"), "[ab]*"]
    assert tried(Index(map(Globs, filters)), "zz", monkeypatch) == 6


@pytest.mark.slow
def test_ten_thousand_random_globs_are_a_scan() -> None:
    """Made of letters, stars, question marks and sets, in every place."""
    chosen = random.Random(20)
    pieces = ["a", "b", "_", "tool", "*", "*", "?", "[ab]", "[!a]", "[a-t]"]
    filters: list[tuple[str, ...]] = [("".join(chosen.choices(pieces, k=chosen.randint(1, 7))),) for _ in range(10_000)]
    index = Index(map(Globs, filters))
    for _ in range(60):
        name = "".join(chosen.choices(["a", "b", "_", "tool", "x"], k=chosen.randint(0, 6)))
        assert index.admitting(name) == scan(filters, name)
