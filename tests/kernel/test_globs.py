"""Globs over names: which match, and which are none."""

import re
from typing import Any

import pytest

from seamlaw import Globs, InvalidInterceptor, gate


def admitted(patterns: Any, *names: str) -> list[str]:
    """The names that a filter lets through."""
    tools = gate(lambda call: None, tools=patterns).tools  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    return [name for name in names if tools.admit(name)]


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("bash", ["bash"], ["Bash", "bash ", " bash", "bash\n", "bas", "bashh", ""]),
        ("b*", ["b", "bash", "b*", "b\n", "b/x"], ["", "ab", "B"]),
        ("*sh", ["sh", "bash", "\nsh", "*sh"], ["sh ", "shx", "SH"]),
        ("*", ["", "a", "\n", "*", "漢"], []),
        ("**", ["", "a", "ab"], []),
        ("b?sh", ["bash", "b?sh", "b\nsh", "b漢sh"], ["bsh", "baash"]),
        ("[ab]c", ["ac", "bc"], ["cc", "c", "abc", "[ab]c"]),
        ("[!ab]c", ["cc", "!c", "\nc"], ["ac", "bc", "c"]),
        ("[a^]c", ["^c", "ac"], ["bc"]),
        ("[a-c]", ["a", "b", "c"], ["d", "-", "B"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[a!]", ["a", "!"], ["b"]),
        ("a.c", ["a.c"], ["abc"]),
        ("a+(b|c)$", ["a+(b|c)$"], ["ab", "aab"]),
        ("a\\*", ["a\\", "a\\x"], ["a*"]),
        ("mcp__*__read_*", ["mcp__fs__read_file", "mcp____read_"], ["mcp__fs__write_file"]),
        ("git_*[0-9]", ["git_1", "git_log2"], ["git_", "git_log"]),
        ("*a*b*", ["ab", "xaxbx"], ["ba", "a"]),
    ],
)
def test_a_glob_admits_just_these(pattern: str, matching: list[str], other: list[str]) -> None:
    """Case counts, the whole name counts, and a line feed is a character; alone and beside another glob."""
    assert admitted(pattern, *matching, *other) == matching
    assert admitted([pattern, "nothing-like-it"], *matching, *other) == matching
    assert admitted(["no?", pattern, "n*t"], *matching, *other) == matching


def test_no_pattern_admits_everything_and_an_unknown_name_passes_every_filter() -> None:
    """So that nobody slips past a gate by not being known."""
    assert Globs().admit("anything")
    assert Globs(("bash",)).admit(None)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "[",
        "[]",
        "[!]",
        "a[b",
        "[[a]",
        "[a[b]",
        "a]",
        "]",
        "a\x00",
        "[!!]",
        "[a\x00]",
        "\ud800",
        "a[\udfff]",
        "[^a]c",
    ],
)
def test_what_is_no_glob_is_refused_with_its_place(wrong: str) -> None:
    """A filter that could never match, or matches by accident, is a mistake."""
    with pytest.raises(InvalidInterceptor, match="glob 1 is no glob"):
        admitted(["fine", wrong])


@pytest.mark.parametrize("empty", list[Any]([[], set(), frozenset()]), ids=str)
def test_a_list_of_no_globs_is_refused(empty: Any) -> None:
    """It would be for all where none was meant."""
    with pytest.raises(InvalidInterceptor, match="must not be empty; leave it out for all"):
        admitted(empty)


def test_a_range_that_runs_backwards_is_refused() -> None:
    """It would match nothing, in silence."""
    for wrong in ("[z-a]", "x[0-9z-a]*"):
        with pytest.raises(InvalidInterceptor, match="glob 0 has a range that runs backwards"):
            admitted(wrong)


@pytest.mark.parametrize("wrong", [None, 7, {"a": 1}, b"bash", iter(["bash"])], ids=lambda it: type(it).__name__)
def test_what_is_no_list_of_globs_is_refused(wrong: Any) -> None:
    """A string, or a list, tuple or set of strings."""
    with pytest.raises(InvalidInterceptor, match="globs are a string, or a list of strings"):
        admitted(wrong)


@pytest.mark.parametrize("many", [["bash", "l*"], ("bash", "l*"), {"bash", "l*"}, frozenset({"bash", "l*"})])
def test_several_are_a_list_a_tuple_or_a_set(many: Any) -> None:
    """Any of them admits."""
    assert admitted(many, "bash", "ls", "cat") == ["bash", "ls"]


def test_globs_made_by_hand_of_one_text_are_one_glob() -> None:
    """A filter must not miss the tool it names."""
    one: Any = "rm*"
    assert [name for name in ("rm", "rmdir", "r", "m", "*") if Globs(one).admit(name)] == ["rm", "rmdir"]


def test_globs_may_be_given_as_they_are() -> None:
    """A filter that is made once serves many."""
    assert Globs(Globs(("bash", "l*"))) == Globs(("bash", "l*"))
    assert admitted(Globs("l*"), "ls", "bash") == ["ls"]


def test_globs_are_a_value() -> None:
    """Equal if they were written alike, and sorted by what is cheap to ask."""
    one, other = Globs(("bash", "l*", "*d", "c?t")), Globs(("bash", "l*", "*d", "c?t"))
    assert (one == other, hash(one) == hash(other)) == (True, True)
    assert (one.exact, one.prefixes, one.suffixes) == (frozenset({"bash"}), ("l",), ("d",))
    assert one.other is not None
    assert [name for name in ("bash", "ls", "sed", "cat") if one.other.match(name)] == ["cat"]


def test_a_hostile_name_takes_no_time() -> None:
    """A name that comes from a model cannot make a glob backtrack."""
    assert admitted("*a*a*a*a*a*a*a*a*b", "a" * 5_000) == []


def test_globs_agree_with_a_regular_expression() -> None:
    """Each of a family of globs over each of a family of names, against the expression that says the same."""
    parts = {"a": "a", "*": "(?s:.*)", "?": "(?s:.)", "[ab]": "[ab]", "[!a]": "[^a]"}
    names = ["", "a", "b", "ab", "ba", "aa", "bb", "aba", "\n", "a\n"]
    for first in parts:
        for second in parts:
            expression = re.compile(parts[first] + parts[second])
            assert admitted(first + second, *names) == [name for name in names if expression.fullmatch(name)]


def test_a_range_of_one_is_a_range() -> None:
    """Only one that runs backwards is refused."""
    assert admitted("[a-a]b", "ab", "bb", "-b") == ["ab"]


def test_filters_without_whole_names_share_their_empty_set() -> None:
    """Of its own each would take two hundred bytes, and there may be ten thousand."""
    assert Globs("a*").exact is Globs(["*b", "?"]).exact


@pytest.mark.parametrize("derived", ["exact", "prefixes", "suffixes", "other"])
def test_what_is_derived_of_the_globs_cannot_be_given(derived: str) -> None:
    """Nor is it shown: a filter is its globs."""
    given: dict[str, Any] = {derived: ()}
    with pytest.raises(TypeError):
        Globs("a", **given)
    assert repr(Globs(["a", "b*"])) == "Globs(patterns=('a', 'b*'))"
