"""Rules that cannot be read: each is refused with its place, and none is skipped."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from contextlib import suppress
from typing import Any

import pytest

from seamlaw import InvalidRule, parse_rules

NO_TEXT: list[Any] = ["", None, 7, True, ["no"], {}]
NO_GLOBS: list[Any] = ["", [], None, 7, {}, ["["], [""], [None], {"bash": 1}]
NO_SECONDS: list[Any] = [0, -1, float("nan"), float("inf"), "60", True, [60]]
NO_SEVERITY: list[Any] = ["critical", "HIGH", None, 3, [], {}]
NO_CONDITIONS: list[Any] = [[], None, {}, {"at": "/x", "equals": 1}, "x", 7]

NO_TABLE: list[Any] = [None, 7, "refuse", ["refuse"]]
NO_DEFAULT: list[Any] = [None, 7, "x", [], {}, {"tool": "*", "at": "/x"}]
UNREAD: list[tuple[Any, str, str]] = [
    *[(it, "rules", "must be a list of rules, not ") for it in (None, 7, "rules", b"", {1: 2}.keys())],
    ({}, "rules", "rules is missing"),
    ({"rules": []} | {"rule": []}, "rules.rule", "unknown key; did you mean rules?"),
    ({"rules": None}, "rules", "must be a list of rules, not NoneType"),
    ({"rules": {"refuse": "no"}}, "rules", "must be a list of rules, not dict"),
    *[([it], "rules[0]", "must be a table, not ") for it in NO_TABLE],
    ([{}], "rules[0]", "must have exactly one of refuse, ask, note, default"),
    ([{"tools": "bash"}], "rules[0]", "must have exactly one of refuse, ask, note, default"),
    ([{"allow": "yes"}], "rules[0].allow", "unknown key"),
    ([{"refuse": "no", "ask": "may it?"}], "rules[0]", "must have exactly one of"),
    ([{"refuse": "no"}, {"refuse": "no", "note": "n"}], "rules[1]", "must have exactly one of"),
    ([{"refuse": "no", "tool": "bash"}], "rules[0].tool", "unknown key; did you mean tools?"),
    ([{"refuse": "no", "unles": []}], "rules[0].unles", "unknown key; did you mean unless?"),
    ([{"refuse": "no", 7: 1}], "rules[0]", "a key is no string"),
    ([{"refuse": "no", "target": "t"}], "rules[0].target", "unknown key"),
    ([{"note": "n", "timeout_s": 5}], "rules[0].timeout_s", "unknown key"),
    ([{"default": {"tool": "*", "at": "/x", "value": 1}, "tools": "x"}], "rules[0].tools", "unknown key"),
    ([{"default": {"tool": "*", "at": "/x", "value": 1}, "severity": "low"}], "rules[0].severity", "unknown key"),
    *[([{"refuse": it}], "rules[0].refuse", "must be text that is not empty") for it in NO_TEXT],
    *[([{"ask": it}], "rules[0].ask", "must be text that is not empty") for it in NO_TEXT],
    *[([{"note": it}], "rules[0].note", "must be text that is not empty") for it in NO_TEXT],
    *[([{"note": "n", "name": it}], "rules[0].name", "must be text that is not empty") for it in NO_TEXT],
    ([{"refuse": "\ud800"}], "rules[0].refuse", "a lone surrogate is no text"),
    *[([{"ask": "a", "target": it}], "rules[0].target", "must be text") for it in NO_TEXT[2:]],
    *[([{"ask": "a", "timeout_s": it}], "rules[0].timeout_s", "must be a positive number") for it in NO_SECONDS],
    *[([{"note": "n", "severity": it}], "rules[0].severity", "must be low, medium or high") for it in NO_SEVERITY],
    *[([{"refuse": "no", "tools": it}], "rules[0].tools", "") for it in NO_GLOBS],
    *[([{"refuse": "no", "agents": it}], "rules[0].agents", "") for it in NO_GLOBS],
    *[([{"refuse": "no", "when": it}], "rules[0].when", "must be a list of conditions") for it in NO_CONDITIONS],
    *[([{"refuse": "no", "unless": it}], "rules[0].unless", "must be a list of conditions") for it in NO_CONDITIONS],
    ([{"refuse": "no", "when": [None]}], "rules[0].when[0]", "must be a table"),
    (
        [{"refuse": "no", "when": [{"at": "/x", "equals": 1}, {"at": "x", "equals": 1}]}],
        "rules[0].when[1].at",
        "JSON pointer",
    ),
    ([{"refuse": "no", "unless": [{"at": "/x", "less": float("nan")}]}], "rules[0].unless[0].less", "NaN"),
    ([{"refuse": "no", "when": [{"at": "/x", "matches": "("}]}], "rules[0].when[0].matches", "no regular expression"),
    *[([{"default": it}], "rules[0].default", "") for it in NO_DEFAULT],
    ([{"default": {"tool": "*", "at": "/x", "value": 1, "when": []}}], "rules[0].default.when", "unknown key"),
    ([{"default": {"tool": "*", "at": "", "value": 1}}], "rules[0].default.at", "must name an argument"),
    ([{"default": {"tool": "*", "at": "x", "value": 1}}], "rules[0].default.at", "must be a JSON pointer"),
    ([{"default": {"tool": "*", "at": "/x", "value": float("nan")}}], "rules[0].default.value", "NaN"),
    ([{"default": {"tool": "*", "at": "/x", "value": {"a": {1}}}}], "rules[0].default.value/a", "set is no JSON"),
    *[([{"default": {"tool": it, "at": "/x", "value": 1}}], "rules[0].", "") for it in NO_GLOBS],
]


@pytest.mark.parametrize(("data", "place", "problem"), UNREAD, ids=lambda it: repr(it)[:50])
def test_what_cannot_be_read_is_refused_with_its_place(data: Any, place: str, problem: str) -> None:
    """The whole is refused: never a rule skipped, never one that allows."""
    with pytest.raises(InvalidRule) as refusal:
        parse_rules(data)
    assert refusal.value.place == place or (place.endswith(".") and refusal.value.place.startswith(place))
    assert problem in refusal.value.problem
    assert str(refusal.value) == f"{refusal.value.place}: {refusal.value.problem}"


def test_the_place_begins_with_what_the_caller_says() -> None:
    """A host names its file and table."""
    with pytest.raises(InvalidRule) as refusal:
        parse_rules([{"refuse": "no", "when": [{"at": "x"}]}], place="policy.toml: rules")
    assert refusal.value.place == "policy.toml: rules[0].when[0].at"


@pytest.mark.parametrize(
    "verb",
    [
        {"refuse": "no", "when": [{"at": "/x", "less": 10**400}]},
        {"ask": "a", "timeout_s": 10**400},
        {"ask": "a", "timeout_s": 1e-300},
        {"refuse": "no", "when": [{"at": "/x", "equals": 2**4095}]},
        {"refuse": "x" * 100_000},
    ],
    ids=lambda it: repr(it)[:40],
)
def test_what_is_large_is_read_or_refused_but_does_not_crash(verb: dict[str, Any]) -> None:
    """Numbers that no float can hold, above all."""
    with suppress(InvalidRule):
        assert len(parse_rules([verb])) == 1


def nested(levels: int) -> dict[str, Any]:
    """A condition inside as many negations."""
    test: dict[str, Any] = {"equals": 1}
    for _ in range(levels):
        test = {"not": test}
    return {"refuse": "no", "when": [{"at": "/x", **test}]}


def test_what_is_nested_too_deeply_is_refused_without_a_crash() -> None:
    """And what is nested less is read, written and decided."""
    assert parse_rules([nested(50)])
    for levels in (1_000, 100_000):
        with pytest.raises(InvalidRule, match=r"^rules\[0\]: is nested too deeply"):
            parse_rules([nested(levels)])


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("refuze", "refuse"), ("Ask", "ask"), ("defaults", "default"), ("notes", "note")],
)
def test_a_misspelt_verb_is_told_what_was_meant(written: str, wanted: str) -> None:
    """The most likely mistake has the best message."""
    with pytest.raises(InvalidRule, match=f"did you mean {wanted}"):
        parse_rules([{written: "no", "tools": "bash"}])


@pytest.mark.parametrize("key", ["tools", "agents"])
@pytest.mark.parametrize("nothing", [(), [], "", None])
def test_a_filter_of_nothing_is_no_filter_for_all(key: str, nothing: Any) -> None:
    """Whoever means all leaves it out."""
    with pytest.raises(InvalidRule, match=rf"^rules\[0\]\.{key}: must not be empty; leave it out for all$"):
        parse_rules([{"refuse": "no", key: nothing}])
