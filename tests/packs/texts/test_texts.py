"""How texts look to whoever reads over what is odd about them."""

import unicodedata
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import TOOL_CALL, ToolCall, decide
from seamlaw_packs._texts import MOST_MARKS, nfkc
from seamlaw_packs.confirm import Confirm
from seamlaw_packs.network import Network
from seamlaw_packs.shell import Shell
from seamlaw_packs.tool_aliases import ToolAliases

MARKS = "\u0301\u0323\u0344\u0f73\u302e\u1d165"


def runs(text: str) -> list[int]:
    """How many marks stand together, each time some do."""
    return [len([*run]) for is_mark, run in groupby(text, lambda one: unicodedata.combining(one) > 0) if is_mark]


@given(st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(MARKS)), max_size=200))
def test_it_is_nfkc_where_no_letter_has_more_marks_than_any_language_needs(text: str) -> None:
    """Where a letter has more, they are not put in order past so many, which nobody can see."""
    if max([0, *runs(text)]) <= MOST_MARKS:
        assert nfkc(text) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize("text", [MARKS * 400, f"a{MARKS}" * 100 + MARKS * 50, "\U0001f600" * 40 + MARKS * 40])
def test_no_run_of_marks_is_sorted_as_a_whole(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library would take the square of its length."""
    given_to = list[str]()
    normalize: Callable[[Any, str], str] = unicodedata.normalize

    def noted(form: str, piece: str) -> str:
        given_to.append(piece)
        return normalize(form, piece)

    monkeypatch.setattr(unicodedata, "normalize", noted)
    found = nfkc(text)
    assert "".join(given_to) == text
    assert max(most for piece in given_to for most in runs(piece)) <= MOST_MARKS
    assert sorted(normalize("NFD", found)) == sorted(normalize("NFD", text))


@pytest.mark.parametrize(
    "pack", [Confirm(["rm"]), Network(["example.com"], searched="*"), ToolAliases({"bash": "sh"}), Shell()]
)
def test_no_pack_normalises_a_run_of_marks_as_a_whole(
    pack: Confirm | Network | ToolAliases | Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in a name nor in an argument."""
    text, seen = MARKS * 2_000, [0]
    normalize: Callable[[Any, str], str] = unicodedata.normalize

    def noted(form: str, piece: str) -> str:
        seen.extend(runs(piece))
        return normalize(form, piece)

    monkeypatch.setattr(unicodedata, "normalize", noted)
    for name, arguments in (("bash", {"command": text}), (text, {"x": text}), ("fetch", {"url": text})):
        decide(pack.interceptors(), TOOL_CALL, ToolCall("1", name, arguments))
    assert max(seen) <= MOST_MARKS
