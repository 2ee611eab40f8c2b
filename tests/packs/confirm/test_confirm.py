"""A person is asked where a pattern is found, in the fields that were chosen, or else in all."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.confirm.tables import asked, corpus
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Globs, ToolCall, decide
from seamlaw_packs import confirm
from seamlaw_packs._texts import BLANKS, plain, visible
from seamlaw_packs.confirm import Confirm
from seamlaw_packs.errors import InvalidPack

FORCE = Confirm({"removes files": r"rm\s+-rf?", "rewrites history": "push .*--force"}, fields=["command"])
WORDS = st.text(st.sampled_from("abx -"), max_size=12)


def said(pack: Confirm, **arguments: Any) -> str:
    """Decide a call; what is asked, or nothing."""
    return decide(pack.interceptors(), TOOL_CALL, ToolCall("1", "bash", arguments)).reason


# The corpora


def test_every_hostile_text_is_asked_about_and_no_harmless_one() -> None:
    """Wide, mathematical and enclosed letters, odd spaces, and what nobody sees, hide nothing and add nothing."""
    hostile, harmless = corpus("hostile"), corpus("harmless")
    assert len(hostile) >= 300 <= len(harmless)
    assert asked("hostile").total() == len(hostile)
    assert asked("harmless") == {}


def test_no_text_is_in_a_corpus_twice() -> None:
    """Each counts once."""
    texts = [text for name in ("hostile", "harmless") for _, text in corpus(name)]
    assert len(set(texts)) == len(texts)


def test_a_pack_that_reads_texts_as_they_stand_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: two in five of the hostile texts pass then; in the others the words stand as they are."""

    def as_it_stands(text: str) -> tuple[str]:
        return (text,)

    monkeypatch.setattr(confirm, "as_read", as_it_stands)
    assert asked("hostile").total() < 0.6 * len(corpus("hostile"))


# The laws


@given(st.text())
def test_a_plain_text_has_nothing_odd_left_in_it(text: str) -> None:
    """Making it plain leaves no blank that is no space and nothing unseen, and changes no ASCII that is printable."""
    assert visible(plain(text)) == plain(text)
    assert not BLANKS.search(plain(text))
    assert plain(text) == text or not (text.isascii() and text.isprintable())


def test_it_asks_about_what_is_found_and_names_it() -> None:
    """All that is found is named in one ask; nothing of the arguments is."""
    assert said(FORCE, command="rm -rf build") == "Needs confirmation: removes files"
    assert said(FORCE, command="rm -r a; git push --force") == "Needs confirmation: removes files, rewrites history"
    assert said(FORCE, command="git push") == ""


@given(WORDS, WORDS, WORDS)
def test_a_chosen_field_that_is_there_is_all_that_is_looked_at(command: str, other: str, key: str) -> None:
    """Where none of the chosen fields is there, it is the whole: each text, and each key."""
    pack = Confirm(["x"], fields=["command"])
    assert bool(said(pack, command=command, other=other)) is ("x" in command)
    assert bool(said(pack, **{f"_{key}": [other, {"in": command}]})) is ("x" in other + command + key)
    assert bool(said(Confirm(["x"]), command=command, other=other)) is ("x" in command + other)


@pytest.mark.parametrize(
    "command",
    [
        "rm\u3000-rf /",
        "rm\u00a0-rf /",
        "\uff52\uff4d -rf /",
        "r\u200bm -rf /",
        "rm \uff0drf /",
        "rm\n-rf /",
        ["rm -rf", "/"],
        {"argv": "rm -rf"},
    ],
)
def test_odd_characters_hide_nothing(command: object) -> None:
    """Ideographic and no-break spaces, full-width letters, zero-width spaces, and lists of texts."""
    assert said(FORCE, command=command) == "Needs confirmation: removes files"


def test_a_pattern_may_be_about_the_json_of_the_whole() -> None:
    """Numbers, flags and names in it are there as canonical JSON writes them."""
    assert said(Confirm(['"force":true']), force=True, n=1)
    assert said(Confirm(["^7$"], fields=["n"]), n=7)
    assert not said(Confirm(['"force":true']), force=False)


def test_what_is_too_long_is_asked_about() -> None:
    """It is not searched."""
    assert said(Confirm(["z"], longest=50), text="x" * 60) == "Needs confirmation: the arguments are too long to search"
    assert said(Confirm(["z"], longest=50, fields=["text"]), text="x" * 50) == ""


def test_whom_it_asks_and_how_long() -> None:
    """As the kernel's ask."""
    pack = Confirm(["x"], target="finance", timeout_s=60, tools="pay*")
    (asked,) = decide(pack.interceptors(), TOOL_CALL, ToolCall("1", "pay", {"to": "x"})).asks
    assert (asked.target, asked.timeout_s, asked.interceptor) == ("finance", 60, "confirm")
    assert said(pack, to="x") == ""


def test_a_pack_may_be_made_of_another() -> None:
    """Its fields are what it takes."""
    assert evolve(FORCE, fields=["command"]) == FORCE


def test_other_words_for_the_same_are_not_found() -> None:
    """A limit: it knows texts, and no shell; and a field that was not chosen is not looked at."""
    assert said(FORCE, command="find . -delete") == ""
    assert said(FORCE, command="r''m -rf /") == ""
    assert said(FORCE, command="ls", then="rm -rf /") == ""


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"patterns": {}}, "patterns"),
        ({"patterns": []}, "patterns"),
        ({"patterns": "rm"}, "patterns"),
        ({"patterns": 5}, "patterns"),
        ({"patterns": (("rm", "rm"),)}, "patterns[0]"),
        ({"patterns": ["a"], "tools": Globs()}, "tools"),
        ({"patterns": ["a", "(b"]}, "patterns[1]"),
        ({"patterns": {"x": r"\brm"}}, "patterns['x']"),
        ({"patterns": ["a"], "fields": "command"}, "fields"),
        ({"patterns": ["a"], "target": ""}, "target"),
        ({"patterns": ["a"], "timeout_s": -1}, "timeout_s"),
        ({"patterns": ["a"], "longest": 0}, "longest"),
        ({"patterns": ["a"], "tools": []}, "tools"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        Confirm(**options)
    assert raised.value.place == place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green."""
    words: list[Any] = ["rm -rf x", "git push --force", "ls", "rm", 7, None, ["rm -r", "a"]]
    calls = [ToolCall("1", "bash", {key: word}) for key in ("command", "other") for word in words]
    assert broken(FORCE, strategies={"tool_call": st.sampled_from(calls)}) == []
