import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamlaw import Default, InvalidRule, Rule, parse_rules, rules_data
from seamlaw_spec.rule_domains import Rulebook
from seamlaw_spec.strategies import of
from seamlaw_spec.value_domains import is_array, is_object

ODD: list[Any] = [
    *(None, True, 0, -1, 10**400, 2**5000, float("nan"), float("inf"), 1j, "", "\ud800", "a\0", "[", "(", "~", "/~2"),
    *([], {}, (), set[str](), [[]], [{}], {"a": 1}, {1: 2}, {None: 1}, {("a",): 1}, [None], object(), b"x", range(2)),
    *({"at": "/a"}, {"at": "/a", "equals": 1}, [{"at": "/a", "not": {"any": {"length": {"less": 1}}}}], 10**5000),
    *("(?:a?){600}{600}", "(?:" * 30 + "a" + ")*" * 30, "[[a]", "(?i)(?s)x", "a{,3}", "(?P<n>a)(?P=n)", "\\Z", "\\b"),
]
KEYS: list[Any] = [
    *(
        "refuse",
        "ask",
        "note",
        "default",
        "tools",
        "agents",
        "when",
        "unless",
        "name",
        "severity",
        "target",
        "timeout_s",
    ),
    *("at", "equals", "one_of", "matches", "under", "less", "any", "not", "length", "exists", "value", "tool", "tolls"),
    *(1, None, ("a",), "\ud800"),
]


def _places(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    keys: list[Any] = list(data) if is_object(data) else list(range(len(data))) if is_array(data) else []
    return [here, *(place for key in keys for place in _places(data[key], (*here, key)))]


def _changed(data: Any, place: tuple[Any, ...], how: str, key: Any, odd: Any) -> Any:
    """A document with one thing put, added or left out."""
    if not place:
        return odd if how == "put" else data
    made = copy.deepcopy(data)
    inside = made
    for step in place[:-1]:
        inside = inside[step]
    if how == "drop":
        del inside[place[-1]]
    elif how == "add" and isinstance(inside, dict):
        inside[key] = odd
    else:
        inside[place[-1]] = odd
    return made


@settings(max_examples=200)
@given(book=of(Rulebook), data=st.data())
def test_no_document_does_anything_but_be_read_or_be_refused(book: Rulebook, data: st.DataObject) -> None:
    """However a document is mutated, it is refused as a rule or read to what writes it down again."""
    document: Any = [copy.deepcopy(dict(rule)) for rule in book.rules]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(_places(document)))
        how, key = data.draw(st.sampled_from(["put", "add", "drop"])), data.draw(st.sampled_from(KEYS))
        document = _changed(document, place, how, key, data.draw(st.sampled_from(ODD)))
    try:
        rules = parse_rules(document)
    except InvalidRule as refused:
        rules, told = (), (refused.place[:5], bool(refused.problem))
    else:
        told = ("rules", True)
    assert told == ("rules", True)
    assert parse_rules(rules_data(rules)) == rules
    assert all(isinstance(rule, Rule | Default) for rule in rules)


@given(book=of(Rulebook))
def test_rules_and_data_are_each_other(book: Rulebook) -> None:
    """What is read from a document is written down so that it reads the same."""
    rules = parse_rules(list(book.rules))
    assert parse_rules(rules_data(rules)) == rules
    assert rules_data(parse_rules(rules_data(rules))) == rules_data(rules)


def test_a_rule_that_says_nothing_more_goes_there_and_back() -> None:
    """The round trip holds for rules made by hand, too."""
    rules = (Rule("refuse", "no"), Rule("note", "x", name="n"))
    assert parse_rules(rules_data(rules)) == rules


def nested(levels: int) -> list[Any]:
    """A rule with a negation of a negation, and so on."""
    test: Any = {"equals": 1}
    for _ in range(levels):
        test = {"not": test}
    return [{"refuse": "no", "when": [{"at": "/a", **test}]}]


REFUSABLE: list[Any] = [
    pytest.param(nested(5000), id="a negation nested deeper than the stack"),
    pytest.param(
        [{"refuse": "no", "when": [{"at": "/a", "matches": "(?:" * 250 + "a" + ")*" * 250}]}],
        id="a pattern nested deeper than the stack",
    ),
    pytest.param(
        [{"refuse": "no", 10**5000: 1}],
        id="a key that is too large to be shown",
    ),
    pytest.param(
        [{"refuse": "no", "when": [{"at": "/\ud800", "equals": 1}]}],
        id="a pointer that is no text",
    ),
    pytest.param(
        [{"refuse": "no", "tools": ["\ud800"]}],
        id="a glob that is no text",
    ),
]


@pytest.mark.parametrize("document", REFUSABLE)
def test_an_extreme_document_is_refused(document: Any) -> None:
    """What is too deep, too large or no text is refused like anything else that is no rule."""
    with pytest.raises(InvalidRule):
        parse_rules(document)
