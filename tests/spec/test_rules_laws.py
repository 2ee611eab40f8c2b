import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamlaw import InvalidRule, Pattern, Rule, parse_rules
from seamlaw_spec.laws import rules as laws
from seamlaw_spec.rule_cases import PROBES
from seamlaw_spec.rule_domains import ABSENT, Rulebook, searched
from seamlaw_spec.strategies.rules import PATTERNS, SLOW_PATTERNS


def test_conditions_are_classical_exhausted() -> None:
    """Every operator of the table meets every value, and absence."""
    assert [probe for probe in PROBES if not laws.conditions_are_classical(probe)] == []


@pytest.mark.parametrize("verb", ["refuse", "ask", "note", "default"])
@pytest.mark.parametrize("key", ["when", "unless"])
def test_rules_are_their_interceptors_exhausted(verb: str, key: str) -> None:
    """Every verb under every condition, met by every value, decides as its interceptor does."""
    said: Any = {"tool": "*", "at": "/b", "value": 1} if verb == "default" else "why"
    for probe in PROBES:
        rule = {"name": "r", verb: said, key: [{"at": "/a", probe.operator: probe.operand}]}
        book = Rulebook((rule,), "bash", {} if probe.met is ABSENT else {"a": probe.met})
        assert laws.a_rule_is_its_interceptor(book), probe


TEXTS = st.text(
    st.sampled_from([*"abA_0zZ", " ", "\n", "\r", "é", "É", "-", "²", "½", "٣", "\u0085", "\u3000", "\x1c"]), max_size=6
)


@settings(max_examples=500)
@given(pattern=PATTERNS, text=TEXTS)
def test_a_pattern_finds_what_re_finds(pattern: str, text: str) -> None:
    r"""A pattern of the shared syntax finds what `re` finds, where `.` is any character and `$` is `\Z`."""
    assert Pattern(pattern).search(text) is searched(pattern, text)


ONE_LETTER = [("(?i)kill", "k\u0131ll"), ("(?i)\u017f", "s"), ("(?i)\u00b5", "\u03bc"), ("(?i)[a-z]", "\u0131")]
NO_LETTER = [("(?i)[A-Z]", "\u0130"), (r"(?i)\W", "\u03b9"), (r"(?i)[^\W]", "\u03b9"), (r"(?i)\w", "\u0345")]


@pytest.mark.parametrize(("pattern", "text"), [*ONE_LETTER, *NO_LETTER])
def test_case_is_ignored_as_re_ignores_it(pattern: str, text: str) -> None:
    """Letters that are one letter but for case match, whichever form stands in the pattern, and no others."""
    assert Pattern(pattern).search(text) is searched(pattern, text)


def test_case_is_ignored_for_every_letter() -> None:
    """Every character of the basic plane finds its other cases, and is found by them, as in `re`."""
    letters = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    for letter in letters:
        forms = {form for form in (letter.lower(), letter.upper(), letter.casefold()) if len(form) == 1} - {letter}
        for one, other in [pair for form in forms for pair in ((letter, form), (form, letter))]:
            pattern = "(?i)" + re.escape(one)
            assert Pattern(pattern).search(other) is searched(pattern, other), (hex(ord(one)), hex(ord(other)))


def test_a_line_feed_at_the_end_hides_nothing() -> None:
    """`$` is the very end, so that a pattern that refuses is not slipped past, nor one that allows loosened."""
    assert not Pattern("^rm$").search("rm\n")
    assert re.search("^rm$", "rm\n")
    assert Pattern("^rm.*x$").search("rm\n\nx")


@pytest.mark.parametrize(("pattern", "parts"), SLOW_PATTERNS)
def test_what_is_slow_for_re_is_linear(pattern: str, parts: int) -> None:
    """A pattern that backtracks for ages reads a long text at the pace of a short one."""
    judge = Pattern(pattern)
    for text in ("a" * 50_000 + "!", "ab" * 25_000, "x" * 50_000):
        began = time.process_time()
        judge.search(text)
        assert time.process_time() - began < 5, (pattern, text[:3])


@pytest.mark.parametrize(
    ("glob", "name"),
    [
        ("*a*a*a*a*a*b", "a" * 20_000),
        ("*ab*ab*ab*c", "ab" * 10_000),
        ("[a-z]*[!b]?*c", "a" * 20_000),
        ("?*?*?*b", "a" * 20_000),
    ],
)
def test_globs_do_not_backtrack(glob: str, name: str) -> None:
    """A tool's name comes from a model: whatever its length, a glob is done with it soon."""
    (rule,) = parse_rules([{"refuse": "no", "tools": glob}])
    began = time.process_time()
    assert isinstance(rule, Rule)
    rule.only.tools.admit(name)
    assert time.process_time() - began < 2


CONDITION: dict[str, Any] = {"at": "/a", "equals": 1}


def rule(**more: Any) -> list[dict[str, Any]]:
    """A rule that can be read, and more."""
    return [{"refuse": "no", **more}]


def when(**test: Any) -> list[dict[str, Any]]:
    """A rule with one condition."""
    return rule(when=[{"at": "/a", **test}])


REFUSED: list[tuple[Any, str, str]] = [  # data, where, and a part of what is said
    (rule(tool="bash"), "rules[0].tool", "did you mean tools?"),
    (rule(whem=[CONDITION]), "rules[0].whem", "did you mean when?"),
    (rule(zzz=1), "rules[0].zzz", "known are"),
    ([{"tools": "bash"}], "rules[0]", "exactly one of refuse, ask, note, default"),
    ([{"refuse": "no", "ask": "yes"}], "rules[0]", "exactly one"),
    ([{}], "rules[0]", "exactly one"),
    ([{"allow": "yes"}], "rules[0].allow", "unknown key"),
    (None, "rules", "must be a list"),
    ("refuse", "rules", "must be a list"),
    ({"rule": []}, "rules.rule", "did you mean rules?"),
    ({}, "rules", "rules is missing"),
    ([1], "rules[0]", "must be a table"),
    (rule(when=[]), "rules[0].when", "not empty"),
    (rule(unless=[]), "rules[0].unless", "not empty"),
    (rule(when=CONDITION), "rules[0].when", "must be a list"),
    (rule(when=[{"equals": 1}]), "rules[0].when[0]", "at is missing"),
    (rule(when=[{"at": "/a"}]), "rules[0].when[0]", "one operator"),
    (rule(when=[{"at": "/a", "equals": 1, "less": 2}]), "rules[0].when[0]", "one operator"),
    (rule(when=[{"at": "a", "equals": 1}]), "rules[0].when[0].at", "JSON pointer"),
    (rule(when=[{"at": "/a~2", "equals": 1}]), "rules[0].when[0].at", "~0"),
    (rule(when=[{"at": "/a~", "equals": 1}]), "rules[0].when[0].at", "~0"),
    (rule(when=[{"at": 1, "equals": 1}]), "rules[0].when[0].at", "JSON pointer"),
    (when(equal=1), "rules[0].when[0].equal", "did you mean equals?"),
    (when(less=float("nan")), "rules[0].when[0].less", "NaN"),
    (when(less=float("inf")), "rules[0].when[0].less", "infinit"),
    (when(greater="1"), "rules[0].when[0].greater", "number"),
    (when(greater=True), "rules[0].when[0].greater", "number"),
    (when(equals=float("nan")), "rules[0].when[0].equals", "NaN"),
    (when(equals={1: 2}), "rules[0].when[0].equals", "key"),
    (when(one_of=[]), "rules[0].when[0].one_of", "not empty"),
    (when(one_of="a"), "rules[0].when[0].one_of", "list"),
    (when(matches="("), "rules[0].when[0].matches", "no regular expression"),
    (when(matches="(a)\\1"), "rules[0].when[0].matches", "not regular"),
    (when(matches="(?=a)"), "rules[0].when[0].matches", "not regular"),
    (when(matches="a$b"), "rules[0].when[0].matches", "ends of the text"),
    (when(matches="a{2000}"), "rules[0].when[0].matches", "1000"),
    (when(matches=""), "rules[0].when[0].matches", "not empty"),
    (when(matches="[[a]"), "rules[0].when[0].matches", "backslash"),
    (when(under="~/x"), "rules[0].when[0].under", "path"),
    (when(under="../x"), "rules[0].when[0].under", ".."),
    (when(under="a\0"), "rules[0].when[0].under", "NUL"),
    (when(type_is="text"), "rules[0].when[0].type_is", "string"),
    (when(exists=1), "rules[0].when[0].exists", "true or false"),
    (when(length="1"), "rules[0].when[0].length", "table"),
    (when(length={"starts_with": "a"}), "rules[0].when[0].length", "number"),
    (when(any={}), "rules[0].when[0].any", "one operator"),
    (when(**{"not": {"equals": 1, "less": 1}}), "rules[0].when[0].not", "one operator"),
    (when(starts_with=1), "rules[0].when[0].starts_with", "string"),
    (rule(tools=[]), "rules[0].tools", "not be empty"),
    (rule(tools="[a"), "rules[0].tools", "glob"),
    (rule(tools=["a", 1]), "rules[0].tools", "glob 1"),
    (rule(tools={"a": 1}), "rules[0].tools", "globs"),
    (rule(agents=[""]), "rules[0].agents", "glob"),
    (rule(severity="grave"), "rules[0].severity", "low, medium or high"),
    (rule(timeout_s=1), "rules[0].timeout_s", "unknown key"),
    ([{"ask": "?", "timeout_s": 0}], "rules[0].timeout_s", "positive"),
    ([{"ask": "?", "timeout_s": float("nan")}], "rules[0].timeout_s", "positive"),
    ([{"ask": "?", "timeout_s": True}], "rules[0].timeout_s", "positive"),
    ([{"ask": "?", "target": 1}], "rules[0].target", "text"),
    ([{"refuse": ""}], "rules[0].refuse", "not empty"),
    ([{"refuse": None}], "rules[0].refuse", "text"),
    ([{"default": {"tool": "t", "at": "/a"}}], "rules[0].default", "value is missing"),
    ([{"default": {"tool": "t", "at": "", "value": 1}}], "rules[0].default.at", "argument"),
    ([{"default": {"tool": "t", "at": "/a", "value": float("nan")}}], "rules[0].default.value", "NaN"),
    ([{"default": {"tool": "t", "at": "/a", "value": {"b": {1}}}}], "rules[0].default.value/b", "no JSON"),
    ([{"default": {"tools": "t", "at": "/a", "value": 1}}], "rules[0].default.tools", "did you mean tool?"),
    ([{"default": {"tool": "t", "at": "/a", "value": 1}, "tools": "t"}], "rules[0].tools", "unknown key"),
]


@pytest.mark.parametrize(("data", "place", "said"), REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(data: Any, place: str, said: str) -> None:
    """A rule that cannot be read is never skipped and never an allow: it is refused, saying where and why."""
    with pytest.raises(InvalidRule) as caught:
        parse_rules(data)
    assert (caught.value.place, said in caught.value.problem) == (place, True), str(caught.value)
