"""Conditions: every operator over every type of value, present and absent, and what cannot be read."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from typing import Any

import pytest

from seamlaw import Condition, Filter, Mismatch, ToolCall, freeze
from seamlaw.policy._conditions import MISSING, kind_of

VALUES: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "number": 5,
    "string": "five",
    "array": [1, "two", [3]],
    "object": {"a": 1},
}


def verdict(condition: dict[str, Any], value: Any, *, at: str = "/x") -> bool | None:
    """Whether it holds for the argument `x`; `None` where that cannot be known."""
    try:
        return Condition.read({"at": at, **condition}, "here").holds(freeze(value))
    except Mismatch:
        return None


# operator, operand: the values that it is true for, those that it is false for; all else is a mismatch
T: list[tuple[dict[str, Any], list[Any], list[Any]]] = [
    ({"equals": None}, [None], []),
    ({"equals": True}, [True], [False]),
    ({"equals": 5}, [5, 5.0], [4, 5.5, -5]),
    ({"equals": "a"}, ["a"], ["A", "", "a ", "aa"]),
    ({"equals": [1, "a"]}, [[1, "a"], [1.0, "a"]], [[], [1], ["a", 1], [True, "a"], [1, "a", None]]),
    ({"equals": {"a": 1, "b": None}}, [{"b": None, "a": 1}], [{}, {"a": 1}, {"a": 1, "b": 0}, {"a": True, "b": None}]),
    ({"equals": 2**53 + 1}, [2**53 + 1], [2**53, 2.0**53]),
    ({"equals": 1e21}, [10**21, 1e21], [10**21 + 1]),
    ({"equals": [2.0**60, {"n": 1e21}]}, [[2**60, {"n": 10**21}]], [[2**60 + 1, {"n": 1e21}]]),
    ({"one_of": ["a", 5, None]}, ["a", 5, 5.0, None], ["b", "", 6]),
    ({"one_of": [[1], True]}, [[1], True], [[], [2], False]),
    ({"starts_with": "ab"}, ["ab", "abc"], ["", "a", "xab", "Ab"]),
    ({"ends_with": "ab"}, ["ab", "xab"], ["", "b", "abx"]),
    ({"contains": "ab"}, ["ab", "xabx", ["ab"], ["x", "ab"]], ["", "a", [], ["xab"], [["ab"]]]),
    ({"contains": 1}, [[1], [2, 1.0]], [[], [True], ["1"], [[1]]]),
    ({"contains": None}, [[None]], [[], [0]]),
    ({"contains": [1]}, [[[1]]], [[1], []]),
    ({"contains": ""}, ["", "a", [""]], [[], ["a"]]),
    ({"matches": "a+b"}, ["ab", "xaaby"], ["", "b", "AB"]),
    ({"matches": "^a$"}, ["a"], ["aa", "a\n", ""]),
    ({"under": "/srv/w"}, ["/srv/w", "/srv/w/", "/srv/w/a", "/srv/./w/a", "//srv/w", "/x/../srv/w/a"], []),
    (
        {"under": "/srv/w"},
        [],
        ["/srv/w2", "/srv", "/srv/w/../x", "/srv/w/../../etc", "/", "/srv/w/a/../../x", "/SRV/W"],
    ),
    ({"under": "/"}, ["/", "/etc", "/../etc"], []),
    ({"under": "src"}, ["src", "src/a", "./src/a", "src/../src/a"], [".", "srcs", "src/..", "src/../x", "../src"]),
    ({"under": "."}, [".", "a", "a/../b", "..a"], ["..", "../a", "a/../../b"]),
    ({"less": 5}, [4, 4.999, -1, -(2**70)], [5, 5.0, 6, 2**70]),
    ({"greater": 5}, [6, 5.001, 2**70], [5, 5.0, 4]),
    ({"greater": 10**400}, [10**401], [0, 1e308]),
    ({"exists": True}, list(VALUES.values()), []),
    ({"exists": False}, [], list(VALUES.values())),
    ({"type_is": "null"}, [None], [0, "", False, [], {}]),
    ({"type_is": "boolean"}, [True, False], [None, 0, 1, "true"]),
    ({"type_is": "number"}, [0, 1.5, 2**70], [True, "1", None]),
    ({"type_is": "string"}, ["", "a"], [None, 1, ["a"]]),
    ({"type_is": "array"}, [[], [1]], [{}, "a", None]),
    ({"type_is": "object"}, [{}, {"a": 1}], [[], None]),
    ({"length": 2}, ["ab", "漢字", [1, 2], {"a": 1, "b": 2}], ["", "a", [], {}, "abc"]),
    ({"length": {"greater": 1}}, ["ab", [1, 2]], ["", "a", [1], {}]),
    ({"length": {"not": {"less": 1}}}, ["a", [1], {"a": 1}], ["", [], {}]),
    ({"length": {"one_of": [0, 2]}}, ["", "ab", []], ["a", [1]]),
    ({"any": {"equals": 1}}, [[1], [2, 1], ["a", 1], [[], 1]], [[], [2], [2, 3]]),
    ({"any": {"starts_with": "-"}}, [["-r"], ["a", "-r"], [7, "-r"]], [[], ["a"]]),
    ({"any": {"any": {"equals": 1}}}, [[[1]], [[], [2, 1]]], [[], [[]], [[2]]]),
    ({"any": {"not": {"equals": 1}}}, [[2], [1, 2]], [[], [1], [1, 1]]),
]


@pytest.mark.parametrize(("test", "true", "false"), T, ids=lambda it: str(it)[:40] if isinstance(it, dict) else "")
def test_an_operator_holds_for_these(test: dict[str, Any], true: list[Any], false: list[Any]) -> None:
    """And its negation for the others; in an object and as the whole."""
    for values, holds in ((true, True), (false, False)):
        for value in values:
            assert (value, verdict(test, {"x": value})) == (value, holds)
            assert (value, verdict({"not": test}, {"x": value})) == (value, not holds)
            assert verdict({"not": {"not": test}}, {"x": value}) is holds
            assert verdict(test, value, at="") is holds


# operator: the types of value that it is for
FOR: list[tuple[dict[str, Any], str]] = [
    ({"equals": 1}, "number"),
    ({"equals": "a"}, "string"),
    ({"equals": None}, "null"),
    ({"equals": True}, "boolean"),
    ({"equals": []}, "array"),
    ({"equals": {}}, "object"),
    ({"one_of": ["a", 1]}, "string number"),
    ({"starts_with": "a"}, "string"),
    ({"ends_with": "a"}, "string"),
    ({"contains": "a"}, "string array"),
    ({"contains": 1}, "array"),
    ({"matches": "a"}, "string"),
    ({"under": "a"}, "string"),
    ({"less": 1}, "number"),
    ({"greater": 1}, "number"),
    ({"exists": True}, "null boolean number string array object"),
    ({"type_is": "null"}, "null boolean number string array object"),
    ({"length": 1}, "string array object"),
    ({"any": {"exists": True}}, "array"),
]


@pytest.mark.parametrize(("test", "kinds"), FOR, ids=lambda it: str(it))
def test_a_value_of_another_type_is_a_mismatch(test: dict[str, Any], kinds: str) -> None:
    """For the operator and for its negation; it names the place, the operator and the type."""
    for kind, value in VALUES.items():
        known = kind in kinds.split()
        assert (kind, verdict(test, {"x": value}) is not None) == (kind, known)
        assert (kind, verdict({"not": test}, {"x": value}) is not None) == (kind, known)
    for kind in set(VALUES) - set(kinds.split()):
        with pytest.raises(Mismatch, match=rf"^/x: {next(iter(test))} is not for {kind}$"):
            Condition.read({"at": "/x", **test}, "here").holds({"x": VALUES[kind]})


ABSENT: list[tuple[Any, str]] = [
    ({}, "/x"),
    ({"y": 1}, "/x/y/0"),
    ({"x": None}, "/x/y"),
    ({"x": []}, "/x/0"),
    ({"x": [1]}, "/x/7"),
]


@pytest.mark.parametrize("test", [row[0] for row in T], ids=str)
def test_an_absent_value_makes_an_operator_false_and_its_negation_true(test: dict[str, Any]) -> None:
    """Also where it would stand inside something absent or null."""
    absent = next(iter(test.values())) is False
    for arguments, at in ABSENT:
        assert verdict(test, arguments, at=at) is absent
        assert verdict({"not": test}, arguments, at=at) is not absent


@pytest.mark.parametrize(
    ("value", "told"),
    [([1, "a"], None), (["a", 1], None), ([2, "a"], True), (["a", 2], True), (["a"], None), ([1], False)],
)
def test_any_is_true_as_soon_as_one_is_and_unknown_where_it_might_be(value: list[Any], told: bool | None) -> None:
    """Kleene's logic: an item that cannot be judged leaves it open, unless another decides."""
    assert verdict({"any": {"equals": 2}}, {"x": value}) is told


POINTERS: list[tuple[str, Any]] = [
    ("", {"a": 1, "": 2, "a/b": 3, "m~n": 4, "l": [5, [6]], "01": 7, "-": 8}),
    ("/", 2),
    ("/a", 1),
    ("/a~1b", 3),
    ("/m~0n", 4),
    ("/l/0", 5),
    ("/l/1/0", 6),
    ("/01", 7),
    ("/-", 8),
]


@pytest.mark.parametrize(("at", "found"), POINTERS)
def test_a_pointer_finds_what_stands_there(at: str, found: Any) -> None:
    """As RFC 6901 says."""
    assert verdict({"equals": found}, POINTERS[0][1], at=at) is True


@pytest.mark.parametrize("at", ["/l/01", "/l/-", "/l/x", "/l/-1", "/l/", "/l/1e0", "/l/9999999999", "/a/b", "/s/0"])
def test_a_pointer_through_what_holds_nothing_is_a_mismatch(at: str) -> None:
    """An index that is none, or a key into a text or number, cannot be followed."""
    with pytest.raises(Mismatch, match=r"the pointer leads through (array|number|string)"):
        Condition.read({"at": at, "exists": True}, "here").holds({"a": 1, "s": "text", "l": [1]})


PATHS = ["~/x", "~", "~root/x", "..\\x", "a\\b", "a\0b", "/etc", "//x", "C:\\x", "C:/x", "c:x"]
MORE_PATHS = ["", "file:///etc/passwd", "https://x/y", " a", "a\n", "\ta"]


@pytest.mark.parametrize("path", PATHS + MORE_PATHS)
def test_a_path_that_cannot_be_told_from_its_text_is_a_mismatch(path: str) -> None:
    """A home to expand, a backslash, NUL, an absolute path under a relative root."""
    assert verdict({"under": "."}, {"x": path}) is None
    assert verdict({"not": {"under": "."}}, {"x": path}) is None


@pytest.mark.parametrize("test", [row[0] for row in T], ids=str)
def test_a_condition_is_read_back_from_its_data(test: dict[str, Any]) -> None:
    """Two that were written alike are equal."""
    condition = Condition.read({"at": "/a~1b/0", **test}, "here")
    assert Condition.read(condition.data(), "there") == condition
    assert condition.data()["at"] == "/a~1b/0"


@pytest.mark.parametrize(
    ("root", "path", "told"),
    [
        ("/srv", "/!srv/a", False),
        ("/!srv", "/!srv/a", True),
        ("/!srv", "/srv/a", False),
        ("//srv", "/srv/a", True),
        ("///srv/./w", "//srv/w", True),
        ("/srv!", "/srv!/a", True),
        ("/srv", "/srv!/a", False),
    ],
)
def test_of_a_path_only_slashes_and_dots_are_taken_together(root: str, path: str, told: bool) -> None:
    """Two slashes that begin a path are one, in the root too; no other sign is dropped."""
    assert verdict({"under": root}, {"x": path}) is told


HELD: list[tuple[dict[str, Any], Any, bool]] = [
    ({"one_of": [1, "x"]}, "1", False),
    ({"equals": 1}, 1, True),
    ({"equals": [1]}, [1, 2], False),
    ({"any": {"equals": 1}}, [2, 3], False),
    ({"any": {"equals": 1}}, [2, 1], True),
    ({"not": {"equals": 1}}, 1, False),
    ({"contains": 1}, [2], False),
    ({"exists": True}, float("nan"), True),
    ({"exists": False}, float("nan"), False),
]


@pytest.mark.parametrize(("test", "value", "told"), HELD)
def test_what_holds_is_true_and_what_does_not_is_false(test: dict[str, Any], value: Any, told: bool) -> None:
    """And nothing else: a plain value is judged as a frozen one."""
    condition = Condition.read({"at": "/x", **test}, "here")
    assert condition.holds({"x": value}) is condition.holds(freeze({"x": value}, objects=True)) is told


def test_what_is_not_known_is_told_by_the_first_that_is_not() -> None:
    """By the type of what was met, never by what it is."""
    with pytest.raises(Mismatch, match=r"^/x: less is not for string$"):
        Condition.read({"at": "/x", "any": {"less": 5}}, "here").holds({"x": ["secret", None, {}]})
    with pytest.raises(Mismatch, match=r"^/x: less is not for no JSON$"):
        Condition.read({"at": "/x", "less": 5}, "here").holds({"x": float("nan")})
    only = Filter(when=(Condition.read({"at": "/x", "equals": 1}, "here"),))
    assert only.holds(ToolCall("1", "t", {"x": 2})) is False
    assert only.holds(ToolCall("1", "t", {"x": 1})) is True


def test_types_are_told_by_their_names_in_json() -> None:
    """Of what is plain as of what is frozen; what is not there has one, too."""
    values: list[Any] = [MISSING, None, True, 1, 1.5, "", [], freeze([]), {}, freeze({}), float("inf"), object()]
    told = ["absent", "null", "boolean", "number", "number", "string", "array", "array", "object", "object"]
    assert [kind_of(value) for value in values] == [*told, "no JSON", "no JSON"]
