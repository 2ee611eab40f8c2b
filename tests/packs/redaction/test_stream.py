"""A stream gives what redacting the whole text gives, however the text is cut (case 19)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.packs.redaction.made import ALL, DEFAULT, TOKENS, data, private_key, texts
from tests.packs.redaction.test_laws import OWN, own_texts

from seamlaw_packs.redaction import InvalidRedactor, Redactor, Stream


def streamed(stream: Stream, chunks: list[str]) -> list[str]:
    """Give what comes out for each chunk, and at the end."""
    return [*(stream.feed(chunk) for chunk in chunks), stream.flush()]


def cut(text: str, places: list[int]) -> list[str]:
    """Cut a text at these places, each taken modulo its length."""
    ends = sorted({place % (len(text) + 1) for place in places})
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


SECRETS_IN_TEXT = [
    *(f"see {token} there" for _, token in TOKENS),
    *(way.replace("{}", "Zq8kV2mW9xT4bN7c") for way in data("named.toml")["plain"]),
]


@pytest.mark.parametrize("text", SECRETS_IN_TEXT)
def test_a_secret_split_anywhere_never_comes_out(text: str) -> None:
    """Case 19: cut in two at each offset, and into single characters, the stream gives the redacted text."""
    whole = DEFAULT.text(text)
    assert whole != text
    for at in range(len(text) + 1):
        assert "".join(streamed(DEFAULT.stream(), [text[:at], text[at:]])) == whole
    assert "".join(streamed(DEFAULT.stream(), list(text))) == whole


@settings(max_examples=600)
@given(text=texts, places=st.lists(st.integers(0, 10_000), max_size=8))
def test_a_stream_is_the_whole(text: str, places: list[int]) -> None:
    """For every text and every way of cutting it."""
    assert "".join(streamed(ALL.stream(), cut(text, places))) == ALL.text(text)


@settings(max_examples=400)
@given(text=texts)
def test_a_stream_of_characters_is_the_whole(text: str) -> None:
    """One character at a time is the hardest way."""
    assert "".join(streamed(ALL.stream(), list(text))) == ALL.text(text)


@settings(max_examples=400)
@given(text=own_texts, places=st.lists(st.integers(0, 10_000), max_size=8))
def test_patterns_of_ones_own_are_held_back_too(text: str, places: list[int]) -> None:
    """The automaton says whether a match has begun."""
    assert "".join(streamed(OWN.stream(), cut(text, places))) == OWN.text(text)


@settings(max_examples=300)
@given(text=texts, places=st.lists(st.integers(0, 10_000), max_size=8))
def test_what_came_out_stays_as_it_is(text: str, places: list[int]) -> None:
    """At every moment what has been given is the beginning of the redacted text."""
    whole, so_far = ALL.text(text), ""
    for given_out in streamed(ALL.stream(), cut(text, places)):
        so_far += given_out
        assert whole.startswith(so_far)


def test_prose_is_passed_on_word_by_word() -> None:
    """Only the word that is not yet complete is kept back."""
    assert streamed(DEFAULT.stream(), ["The quick br", "own fox ", "jumps"]) == [
        "The quick ",
        "brown fox ",
        "",
        "jumps",
    ]


def test_a_stream_can_be_used_again() -> None:
    """After the end of one text comes the beginning of the next."""
    stream = DEFAULT.stream()
    assert streamed(stream, ["password=hun", "ter2"]) == streamed(stream, ["password=hun", "ter2"])


@pytest.mark.parametrize("size", [1, 7, 40, 5_000])
@pytest.mark.parametrize("hold", [1, 20, 300])
def test_what_is_too_long_to_hold_is_withheld_to_the_end_of_its_line(size: int, hold: int) -> None:
    """Stricter than the whole text: a line that cannot be cut comes out as a placeholder with its length."""
    text = "before\n" + "x" * 2_000 + " and more of the line\nafter\n"
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    given_out = "".join(streamed(DEFAULT.stream(hold=hold), chunks))
    assert "x" not in given_out
    assert given_out.endswith("characters]\nafter\n") or hold == 1
    assert "[redacted:" in given_out


@settings(max_examples=400)
@given(text=texts, places=st.lists(st.integers(0, 10_000), max_size=8), hold=st.integers(1, 80))
def test_a_short_hold_gives_out_no_secret(text: str, places: list[int], hold: int) -> None:
    """Whatever is let out with little held back would be let out with all of it held back."""
    given_out = "".join(streamed(ALL.stream(hold=hold), cut(text, places)))
    whole = ALL.text(text)
    for _, token in TOKENS:
        if token not in whole:
            assert token not in given_out


def test_the_rest_of_a_private_key_that_is_too_long_never_comes_out() -> None:
    """Nor what comes after it: where its end would be is no longer known."""
    key = private_key()
    given_out = "".join(streamed(DEFAULT.stream(hold=100), [*key, "\n", "after\n"]))
    assert given_out == f"[redacted:{len(key) + len('after') + 2}-characters]"


def test_after_a_long_match_of_an_own_pattern_nothing_comes_out() -> None:
    """A match without an end would else end where the patience does."""
    redactor = Redactor([], patterns={"acme": "acme.*"})
    assert streamed(redactor.stream(hold=10), ["see acme 1", " and so\n", "on\n"])[:1] == ["see "]
    assert (
        "".join(streamed(redactor.stream(hold=10), ["see acme 1", " and so\n", "on\n"]))
        == "see [redacted:17-characters]"
    )


def test_a_redactor_of_ones_own_is_given_whole_lines() -> None:
    """It is asked for each line, however the text was cut."""
    asked: list[str] = []

    def also(text: str) -> str:
        asked.append(text)
        return text.replace("acme key", "[redacted:acme]")

    stream = Redactor(also=also).stream()
    assert (
        "".join(streamed(stream, list("an acme key\nand an acme key"))) == "an [redacted:acme]\nand an [redacted:acme]"
    )
    assert asked == ["an acme key\n", "and an acme key"]


@pytest.mark.parametrize("hold", [0, -1, True, 2.5, "8"])
def test_a_hold_that_is_no_length_is_refused(hold: object) -> None:
    """It says so at once."""
    with pytest.raises(InvalidRedactor, match="hold"):
        DEFAULT.stream(hold=hold)  # type: ignore[arg-type]
