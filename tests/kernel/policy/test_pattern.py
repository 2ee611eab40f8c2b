"""Patterns: they match what `re` matches, refuse what is not regular, and take linear time."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import itertools
import re
import sys
from typing import Any

import pytest

from seamlaw import Pattern
from seamlaw.policy._pattern import END, REMEMBERED, START, CharSet, tree

# patterns that `re` reads alike, but for `.` and `$`, which here do not treat line feeds apart
ALIKE = r"""
a
ab
a|b
a|
|a
a*
a+
a?
a*?
a+?
a??
(a|b)*a
(?:ab)+
(a)(b)
(?P<name>a)b
a{2}
a{1,2}
a{,2}
a{2,}
(ab|c){2}
[ab]
[^ab]
[a-c]b
[-a]
[a-]
[]a]
[^]a]
\d
\D
\w
\W
\s
\S
[\d\s]
[^\d\s]
[\W]
\.
\*
\\
\n
\x61
\u0061
^a
a\Z
\Aab
^
^$
^a*\Z
(^a|b)
(a|b\Z)
(a*)*
(a*)+b
(a|a)*b
(a|ab)(c|bcd)?
(?i)a
(?i)[a-b]c
(?i)[^a]
push .*--force
""".strip().split("\n")
SHORT = ["".join(text) for size in range(5) for text in itertools.product("abC", repeat=size)]
ODD = [
    "a.b",
    "a*b",
    "a\\b",
    "1",
    "a1 b",
    " ",
    "\t",
    "-",
    "]",
    "A",
    "AB",
    "_",
    "\xe4",
    "\u0663",
    "\u2003",
    "push -f --force",
]
TEXTS = [*SHORT, *ODD, "push -f --force"]


@pytest.mark.parametrize("pattern", ALIKE)
def test_it_finds_what_re_finds(pattern: str) -> None:
    """In every text over three letters of up to four characters, and some others."""
    ours, theirs = Pattern(pattern), re.compile(pattern)
    assert [text for text in TEXTS if ours.search(text)] == [text for text in TEXTS if theirs.search(text)]


CASED = "KkSs\u212a\u017f\xc5\xe5\u212b\u03c3\u03c2\u03a3\xb5\u03bc\xdf\u1e9eiI\u0131\u0130\u01c4\u01c5\u01c6\ufb01"


@pytest.mark.parametrize("letter", list(CASED))
def test_without_regard_to_case_it_misses_nothing_that_re_finds(letter: str) -> None:
    """A refusal must not be slipped past by a letter that looks the same to the tool."""
    for other in CASED:
        if re.search(f"(?i){letter}", other):
            assert (letter, other, Pattern(f"(?i){letter}").search(other)) == (letter, other, True)
            assert Pattern(f"(?i)[{letter}x]").search(other)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (".", "\n", True),
        ("a.b", "a\nb", True),
        ("^b", "a\nb", False),
        ("a$", "a\n", False),
        ("a$", "ba", True),
        ("$", "", True),
        ("", "", True),
        ("", "x", True),
        ("^$", "x", False),
        ("(?s).", "\n", True),
    ],
)
def test_a_line_feed_is_a_character_and_an_end_is_the_end(pattern: str, text: str, found: bool) -> None:
    """Where `re` would treat it apart, and let a second line slip by."""
    assert Pattern(pattern).search(text) is found


REFUSED: list[tuple[str, str]] = [
    ("(", "no regular expression"),
    ("a)", "no regular expression"),
    ("[a", "no regular expression"),
    ("a**", "no regular expression"),
    ("*a", "no regular expression"),
    ("a{2,1}", "no regular expression"),
    ("\\", "no regular expression"),
    (r"\q", "no regular expression"),
    ("(?P<a>b)(?P<a>c)", "no regular expression"),
    ("(?=a)", "not regular: assert"),
    ("(?!a)", "not regular: assert_not"),
    ("(?<=a)b", "not regular: assert"),
    ("(?<!a)b", "not regular: assert_not"),
    (r"(a)\1", "not regular: groupref"),
    ("(?P<n>a)(?P=n)", "not regular: groupref"),
    ("(a)?(?(1)b|c)", "not regular: groupref_exists"),
    (r"a\b", "not regular: at_boundary"),
    (r"a\B", "not regular: at_non_boundary"),
    ("(?>a)", "not regular: atomic_group"),
    ("a*+", "not regular: possessive_repeat"),
    ("(?m)a", "of the flags only (?i) can be set"),
    ("(?x)a", "of the flags only (?i) can be set"),
    ("(?a)a", "of the flags only (?i) can be set"),
    ("(?i:a)b", "not regular: subpattern"),
    ("(?-i:a)", "not regular: subpattern"),
    ("a^", "^ and $ can match only at the ends of the text"),
    ("$a", "^ and $ can match only at the ends of the text"),
    ("(^a)*", "^ and $ can match only at the ends of the text"),
    ("a{1001}", "repeated more than 1000 times"),
    ("a{1,1001}", "repeated more than 1000 times"),
    ("a{99999999999999999999}", "no regular expression"),
    ("(a{100}){100}", "longer than 1000 positions"),
    ("(){1000}" * 40, "longer than 1000 positions"),
    ("((((){1000}){1000}){1000}){1000}", "longer than 1000 positions"),
    ("a" * 1001, "longer than 1000 positions"),
    ("[[a]", "in a set, [ and doubled - & ~ | are written with a backslash"),
    ("[a--b]", "in a set"),
    ("[a&&b]", "in a set"),
    ("[a||b]", "in a set"),
    ("[a~~b]", "in a set"),
    ("(" * 2_000 + "a" + ")" * 2_000, "no regular expression"),
]


@pytest.mark.parametrize(("pattern", "problem"), REFUSED, ids=lambda it: it[:30])
def test_what_is_no_regular_expression_is_refused(pattern: str, problem: str) -> None:
    """With a `ValueError` that says what is wrong: at load, never at a call."""
    with pytest.raises(ValueError, match=re.escape(problem)):
        Pattern(pattern)


FINE = ["a" * 1000, "a{1000}", "(ab){500}", "(" * 50 + "a" + ")" * 50, r"[\[\]]", r"[a\-\-b]", "[:alpha:]"]


@pytest.mark.parametrize("pattern", FINE)
def test_up_to_the_limits_it_is_read(pattern: str) -> None:
    """A thousand positions, and escapes in sets."""
    assert Pattern(pattern).text == pattern


def steps_of(pattern: Any, text: str) -> int:
    """Count the lines that a search runs."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        pattern.search(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a|aa)+$", "(.*)(.*)(.*)x", "(a*)*b", "a?" * 30 + "b"])
def test_hostile_text_costs_no_more_than_its_length(pattern: str) -> None:
    """Twice the text, twice the steps: where `re` would take longer than anybody waits."""
    assert steps_of(Pattern(pattern), "a" * 4_000) < 2.5 * steps_of(Pattern(pattern), "a" * 2_000)


def test_hostile_text_does_not_make_the_next_text_dearer() -> None:
    """Whatever was searched before, a text costs what it costs."""
    fresh, used = Pattern("[a-y]{50}z"), Pattern("[a-y]{50}z")
    used.search("".join(map(chr, range(0x4E00, 0x4E00 + 3_000))))
    assert steps_of(used, "ab" * 500) < 3 * steps_of(fresh, "ab" * 500)


def test_text_of_many_different_characters_costs_little_more_than_other_text() -> None:
    """A model can send any: a ring of two thousand characters is no dearer than a ring of two."""
    many, few = "".join(map(chr, range(0x4E00, 0x4E00 + 2_000))) * 2, "ab" * 2_000
    assert steps_of(Pattern("[a-y]{50}z"), many) < 10 * steps_of(Pattern("[a-y]{50}z"), few)


def test_a_pattern_is_a_value() -> None:
    """Known by its text."""
    assert (Pattern("a+") == Pattern("a+"), Pattern("a+") == Pattern("a")) == (True, False)
    assert hash(Pattern("a")) == hash(Pattern("a"))


def test_what_a_pattern_remembers_is_bounded_and_changes_nothing() -> None:
    """Text of more characters than anybody uses is searched as well as the first one was."""
    pattern = Pattern("(?i)needle$")
    many = "".join(map(chr, range(0x4E00, 0x4E00 + 3_000)))
    for _ in range(2):
        assert (pattern.search(many), pattern.search(many + "NEEDLE"), pattern.search("needle" + many)) == (
            False,
            True,
            False,
        )
    assert max(len(pattern.automaton.takes), len(pattern.automaton.follows)) <= 1_100


_re: Any = re
EXTRA: dict[int, tuple[int, ...]] = _re._casefix._EXTRA_CASES


@pytest.mark.parametrize("code", EXTRA, ids=hex)
def test_every_other_case_of_a_character_is_that_character(code: int) -> None:
    """Those too that no change of case gives, as `re` knows them."""
    for other in EXTRA[code]:
        assert Pattern(f"(?i){chr(code)}").search(chr(other))
        assert re.search(f"(?i){chr(code)}", chr(other))


@pytest.mark.parametrize("pattern", ["(?i)[h-j]", "(?i)[H-J]", "(?i)i", "(?i)I", "(?i)\u0130"])
@pytest.mark.parametrize("text", ["i", "I", "\u0130"])
def test_the_dotted_capital_is_an_i_also_in_a_range(pattern: str, text: str) -> None:
    """In small it is two characters, of which the first counts."""
    assert Pattern(pattern).search(text) is (re.search(pattern, text) is not None)


@pytest.mark.parametrize("number", range(1, 10))
def test_no_group_is_referred_to_by_its_number(number: int) -> None:
    """Whatever else that number means to `re`."""
    with pytest.raises(ValueError, match="not regular: groupref"):
        Pattern("".join(f"({letter})" for letter in "abcdefghi") + f"\\{number}")


def test_as_many_nodes_as_there_may_be() -> None:
    """A pattern of nothing takes time to read as any other."""
    most = "(){1000}" * 9 + "(){994}()"
    assert Pattern(most).search("")
    with pytest.raises(ValueError, match="longer than 1000 positions"):
        Pattern(most + "()")


def test_signs_that_meet_only_without_what_is_escaped_between_are_refused() -> None:
    """On the safe side: a later `re` may take them for operators."""
    with pytest.raises(ValueError, match="in a set, "):
        Pattern(r"[+-\--]")


def test_a_set_of_characters_is_plain_unless_it_says_otherwise() -> None:
    """It holds one character, in its own case."""
    small = CharSet((("a", "b"),))
    assert [small.holds(symbol) for symbol in ("a", "b", "c", "A", "ab", "")] == [True, True, *[False] * 4]


def test_the_tree_of_a_pattern_is_of_these_nodes() -> None:
    """What a solver is told is made of it."""
    one, two = CharSet((("a", "a"),)), CharSet((("b", "b"),))
    assert tree("ab") == ("cat", (one, two))
    assert tree("a|^b$") == ("cat", (("alt", (("cat", (one,)), ("cat", (START, two, END)))),))
    assert tree("a{2,}") == ("cat", (("cat", (("cat", (one,)), ("plus", ("cat", (one,))))),))
    assert tree("a{1,2}b*") == (
        "cat",
        (("cat", (("cat", (one,)), ("opt", ("cat", (one,))))), ("cat", (("opt", ("plus", ("cat", (two,)))),))),
    )


def test_so_much_is_remembered() -> None:
    """Of each automaton, twice."""
    assert REMEMBERED == 1_024


WHOLE = ["a+", "a?", "a*", "(ab)+", "(a|b)*", "a{2,}", "(a?b)+", "(ab?)*", "(a+b)?", "a{1,3}b", "(a*b+)+", "(a|ab)+b?"]


@pytest.mark.parametrize("pattern", WHOLE)
def test_a_whole_text_is_repeated_as_often_as_it_may(pattern: str) -> None:
    """As `re` says, of every text of two letters, up to six."""
    whole = Pattern(f"^({pattern})$")
    for length in range(7):
        for letters in itertools.product("ab", repeat=length):
            text = "".join(letters)
            assert whole.search(text) is (re.fullmatch(pattern, text) is not None)


def test_what_was_worked_out_is_kept_until_there_is_too_much_of_it() -> None:
    """Then all of it is worked out anew."""
    machine = Pattern("ab").automaton
    assert Pattern("ab").search("xab")
    for symbol in "xab":
        machine.taken(symbol)
        machine.allowed(machine.taken(symbol))
    assert (set(machine.takes), set(machine.follows)) == ({"x", "a", "b"}, {0, 1, 2})
    memo = dict.fromkeys(range(REMEMBERED - 1), 0)
    machine.remember(memo, -1, 1)
    assert (len(memo), memo[-1]) == (REMEMBERED, 1)
    machine.remember(memo, -2, 2)
    assert memo == {-2: 2}


def test_the_automaton_of_a_pattern_follows_from_its_text() -> None:
    """It cannot be given, and is not shown."""
    made: Any = Pattern
    with pytest.raises(TypeError):
        made("a", automaton=Pattern("b").automaton)
    assert repr(Pattern("a")) == "Pattern(text='a')"
