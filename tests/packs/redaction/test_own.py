"""Patterns, names and a redactor of one's own; what would be slow or unsound is refused when it is made."""

import re

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.packs.redaction.made import DEFAULT

from seamlaw_packs.redaction import PII, SECRETS, InvalidRedactor, Redactor


def test_a_pattern_of_ones_own_has_a_label_of_ones_own() -> None:
    """Beside what is known already."""
    redactor = Redactor(patterns={"acme-key": "acme_[a-z0-9]{8}", "badge": "(?i)badge [0-9]+"})
    assert redactor.text("acme_1a2b3c4d, Badge 4711, password=hunter2") == (
        "[redacted:acme-key], [redacted:badge], password=[redacted:password]"
    )


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "no regular expression"),
        ("[a-", "no regular expression"),
        (r"(a)\1", "not regular"),
        ("(?=a)b", "not regular"),
        (r"\bword", "not regular"),
        ("a{2000}", "repeated more than"),
        ("a*", "matches where nothing is"),
        ("", "matches where nothing is"),
        ("a|", "matches where nothing is"),
        ("^a", r"has \^ or \$"),
        ("a$", r"has \^ or \$"),
        (7, "must be the text of a pattern"),
        (re.compile("a"), "must be the text of a pattern"),
    ],
)
def test_a_pattern_that_cannot_be_kept_is_refused_when_it_is_made(pattern: str, problem: str) -> None:
    """The label says which one."""
    with pytest.raises(InvalidRedactor, match=rf"^patterns\['mine'\]: .*{problem}"):
        Redactor(patterns={"mine": pattern})


@pytest.mark.parametrize("label", ["", "A", "two words", "x]", "-a", "a" * 65, 7])
def test_a_label_that_a_placeholder_cannot_have_is_refused(label: str) -> None:
    """Else a placeholder would not be known as one."""
    with pytest.raises(InvalidRedactor):
        Redactor(patterns={label: "abc"})


@pytest.mark.parametrize(
    "options",
    [
        {"families": ["email"]},
        {"families": [re.compile("x")]},
        {"names": "password"},
        {"names": [""]},
        {"names": ["--"]},
        {"names": [7]},
        {"names": ["ключ"]},
        {"patterns": ["abc"]},
        {"longest": 0},
        {"longest": True},
        {"longest": 1.5},
    ],
)
def test_options_that_are_none_are_refused(options: dict[str, object]) -> None:
    """With the name of the option."""
    with pytest.raises(InvalidRedactor, match=next(iter(options))):
        Redactor(**options)  # type: ignore[arg-type]


@settings(max_examples=500)
@given(
    pattern=st.sampled_from(
        ["a+b", "ab|bc", "a.b", "(?i)ab", "a(b|c)*d", "aa", "[^a]b", "abc?", "(ab)+", "a{2,3}", "b.*c"]
    ),
    text=st.text("abcdAB ", max_size=14),
)
def test_what_stands_in_any_match_is_hidden_and_nothing_else(pattern: str, text: str) -> None:
    """Against the definition: each stretch of the text, asked of `re` whether it is a match."""
    compiled = re.compile(pattern, re.DOTALL)
    within = [False] * len(text)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            if compiled.fullmatch(text, start, end):
                within[start:end] = [True] * (end - start)
    kept = re.sub(
        "\0+", "[redacted:mine]", "".join("\0" if hidden else it for it, hidden in zip(text, within, strict=True))
    )
    redactor = Redactor([], patterns={"mine": pattern})
    # What one replacement leaves is searched again; it holds no match, since a match anywhere is hidden at once.
    assert redactor.text(text) == kept


def test_names_of_ones_own_are_found_at_the_end_of_a_name() -> None:
    """In text and in JSON, whatever their style."""
    redactor = Redactor(names=["pin", "kennwort"])
    assert redactor.text("pin: 123456 user_pin=1234 DB_KENNWORT='geheim'") == (
        "pin: [redacted:pin] user_pin=[redacted:pin] DB_KENNWORT='[redacted:kennwort]'"
    )
    styles = Redactor(names=["Safe word", "-door-code"])
    assert styles.text("safeWord=hunter2 SAFE_WORD: 'x' door_code=1234 doorCode: 'y' safe=hunter2") == (
        "safeWord=[redacted:safe-word] SAFE_WORD: '[redacted:safe-word]' door_code=[redacted:door-code] "
        "doorCode: '[redacted:door-code]' safe=hunter2"
    )
    assert redactor.value({"userPin": 1234, "Kennwort": "geheim", "pint": 1234}) == {
        "userPin": "[redacted:pin]",
        "Kennwort": "[redacted:kennwort]",
        "pint": 1234,
    }


def test_without_the_family_of_names_no_name_counts() -> None:
    """Not in text, and not in JSON; but one's own do."""
    others = [family for family in SECRETS if family.label != "named"]
    value = {"password": "hunter2", "pin": "hunter2"}
    assert Redactor(others).value(value) is value
    assert Redactor(others, names=["pin"]).value(value) == {"password": "hunter2", "pin": "[redacted:pin]"}
    assert Redactor(others, names=["pin"]).text("password=hunter2 pin=hunter2") == "password=hunter2 pin=[redacted:pin]"


def test_a_redactor_of_ones_own_is_asked_of_every_text_after_the_rest() -> None:
    """It is shown placeholders, and no secret that was found."""
    shown: list[str] = []

    def also(text: str) -> str:
        shown.append(text)
        return text.replace("blue", "[redacted:colour]")

    redactor = Redactor(also=also)
    assert redactor.value({"a": "blue", "b": ["password=hunter2"]}) == {
        "a": "[redacted:colour]",
        "b": ["password=[redacted:password]"],
    }
    assert "password=hunter2" not in shown
    same = {"a": "red"}
    assert redactor.value(same) is same


@pytest.mark.parametrize("answer", [None, 7, b"x", ValueError("hunter2")])
def test_a_redactor_of_ones_own_that_fails_withholds_the_text(answer: object) -> None:
    """Its exception goes nowhere: it may quote what it was to hide."""

    def also(text: str) -> str:
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    redactor = Redactor(also=also)
    assert redactor.text("anything") == "[redacted:unreadable]"
    assert redactor.value(["anything", 1]) == ["[redacted:unreadable]", 1]
    stream = redactor.stream()
    assert stream.feed("anything") + stream.flush() == "[redacted:unreadable]"


def test_a_text_that_is_too_long_is_withheld_with_its_length() -> None:
    """It is not searched; a text of the length that is allowed is."""
    redactor = Redactor(longest=20)
    assert redactor.text("x" * 21) == "[redacted:21-characters]"
    assert redactor.text("x" * 20) == "x" * 20
    assert redactor.value({"a": "x" * 21, "b": "x"}) == {"a": "[redacted:21-characters]", "b": "x"}
    assert DEFAULT.text("x" * 1_000_001) == "[redacted:1000001-characters]"


def test_redactors_are_values() -> None:
    """Two of the same configuration are equal."""
    assert Redactor(SECRETS + PII, names=["pin"]) == Redactor(SECRETS + PII, names=["pin"])
    assert Redactor(SECRETS) != Redactor(SECRETS + PII)
    assert Redactor(patterns={"a": "b"}) != Redactor(patterns={"a": "c"})
    own = Redactor(patterns={"a": "b"}, names=["pin"])
    assert attrs.evolve(own, longest=10) == Redactor(patterns={"a": "b"}, names=["pin"], longest=10)
