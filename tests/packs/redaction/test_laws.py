"""What holds for every text and every redactor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.packs.redaction.made import ALL, DEFAULT, PIECES, pieces, texts

from seamlaw_packs.redaction import PII, SECRETS, Redactor

OWN = Redactor(
    SECRETS + PII,
    names=["pin", "Kenn Wort"],
    patterns={"acme": "acme[a-z0-9]+x", "any": "<<.*>>", "case": "(?i)badge [0-9]{3}|[0-9]{3} badge"},
)
REDACTORS = {"default": DEFAULT, "all": ALL, "own": OWN}
own_texts = st.lists(
    pieces
    | st.sampled_from(["acme", "acme1", "x", "<<", ">>", "badge ", "Badge", "123", " badge", "pin", "kenn_wort"]),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("name", REDACTORS)
@settings(max_examples=300)
@given(text=own_texts)
def test_redacting_twice_is_redacting_once(name: str, text: str) -> None:
    """What has been redacted stays the very same object."""
    once = REDACTORS[name].text(text)
    assert REDACTORS[name].text(once) is once


@pytest.mark.parametrize("name", REDACTORS)
@settings(max_examples=300)
@given(text=own_texts)
def test_what_has_nothing_stays_the_same_object(name: str, text: str) -> None:
    """A text is given back changed, or is the very object that was given."""
    given_back = REDACTORS[name].text(text)
    assert given_back is text or given_back != text


@settings(max_examples=300)
@given(before=texts, after=texts)
def test_what_is_kept_is_kept_in_order(before: str, after: str) -> None:
    """Between placeholders stands what stood there: nothing is added, moved or altered."""
    text = before + after
    kept = ALL.text(text)
    at = 0
    for part in _between(kept):
        at = text.find(part, at)
        assert at >= 0
        at += len(part)


def _between(text: str) -> list[str]:
    parts, at = [""], 0
    while at < len(text):
        end = text.find("]", at)
        if text.startswith("[redacted:", at) and end > 0:
            parts.append("")
            at = end + 1
        else:
            parts[-1] += text[at]
            at += 1
    return parts


@settings(max_examples=300)
@given(text=st.text() | texts | st.text(alphabet="\0\ud800\udfff\u200b\ufeff[]:=\"'\\aK1 \n"))
def test_no_text_makes_it_raise(text: str) -> None:
    """Whatever is in it, a text gives a text."""
    assert type(ALL.text(text)) is str
    assert type(OWN.text(text)) is str


@settings(max_examples=300)
@given(parts=st.lists(st.sampled_from(PIECES), max_size=6), fewer=st.sets(st.integers(0, len(SECRETS + PII) - 1)))
def test_a_family_less_hides_no_more(parts: list[str], fewer: set[int]) -> None:
    """What some of the families leave, all of them leave or hide; a text that all leave, some leave."""
    text = " ".join(parts)
    some = Redactor([family for at, family in enumerate(SECRETS + PII) if at not in fewer])
    if ALL.text(text) is text:
        assert some.text(text) is text


@settings(max_examples=200)
@given(left=texts, right=texts)
def test_lines_are_redacted_each_by_itself(left: str, right: str) -> None:
    """But for private keys nothing goes across the end of a line."""
    if "BEGIN" not in left + right:
        assert ALL.text(left + "\n" + right) == ALL.text(left) + "\n" + ALL.text(right)


@settings(max_examples=200)
@given(left=texts, right=texts)
def test_a_placeholder_is_a_wall(left: str, right: str) -> None:
    """What stands on either side of one is redacted by itself."""
    wall = "[redacted:wall]"
    assert ALL.text(left + wall + right) == ALL.text(left) + wall + ALL.text(right)
