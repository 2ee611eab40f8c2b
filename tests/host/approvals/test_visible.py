"""Nothing that an approver is shown can steer the terminal, hide, or turn the order of what is read."""

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from seamlaw_host.approvals._visible import BLANK, cut, visible, written

HIDING = (
    "\x00\x07\x08\x1b\x7f\x9b\r\u00ad\u061c\u200b\u200e\u202e\u2066\u2069\ufeff\u3164\uffa0\u2800\ufe0f"
    "\U000e0041\U000e0100"
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(HIDING))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.sampled_from("ab" + HIDING)), inner),
    max_leaves=8,
)


@given(st.text(st.characters() | st.sampled_from(HIDING)))
def test_all_that_is_shown_is_plainly_visible(text: str) -> None:
    """No control, format, surrogate, unassigned or blank character comes through; visible text stays as it is."""
    shown = visible(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}
    assert not BLANK & set(shown)
    assert visible(shown) == shown


def test_each_known_way_to_hide_is_escaped() -> None:
    """Terminal escapes, bidi controls, zero widths, blank letters, tags and selectors are written out."""
    for character in HIDING:
        assert visible(f"a{character}b") not in (f"a{character}b", "ab"), hex(ord(character))


@given(JSON)
def test_what_is_written_is_visible_and_means_the_same(value: object) -> None:
    """The JSON an approver reads is the value: escaping changes nothing of what it says."""
    text = written(value)
    assert json.loads(text) == value
    assert all(line == visible(line) for line in text.split("\n"))


def test_a_cut_text_says_how_much_is_missing() -> None:
    """No text ends as though that were all."""
    assert [cut("abcdef", 6), cut("abcdef", 4)] == ["abcdef", "abcd… (+2 characters)"]
