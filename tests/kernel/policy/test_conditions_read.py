"""Conditions that cannot be read, and values that no condition can judge."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from contextlib import suppress
from typing import Any

import pytest

from seamlaw import Condition, InvalidRule, Mismatch, freeze

NO_TEXT: list[Any] = ["", None, 7, ["a"]]
NO_LIST: list[Any] = [[], "ab", None, {}, 7]
NO_NUMBER: list[Any] = ["5", None, True, float("nan"), float("inf"), -float("inf"), [5]]
NO_PATTERN: list[Any] = ["(", "a**", "[b", "(?=a)", r"(a)\1", "a{2000}", "\\"]
NO_PATH: list[Any] = ["~", "~/x", "a\0", "C:\\x", "C:/x", "file:///x", " /x", "/x "]
NO_KIND: list[Any] = ["int", None, 7, [], "String"]
NO_LENGTH: list[Any] = [None, "5", True, [], {}, float("nan")]
NO_TEST: list[Any] = [None, 7, {}, {"equals": 1, "less": 2}, []]
UNREAD: list[tuple[Any, str, str]] = [
    (7, "here", "must be a table, not int"),
    ({"equals": 1}, "here", "at is missing"),
    ({"at": "/x"}, "here", "must be one operator with its operand; the operators are equals, one_of"),
    ({"at": "/x", "equals": 1, "less": 2}, "here", "must be one operator"),
    ({"at": "/x", "equal": 1}, "here.equal", "unknown key; did you mean equals?"),
    ({"at": "/x", "regex": "a"}, "here.regex", "unknown key; known are at, equals"),
    ({"at": "/x", 7: "a"}, "here", "a key is no string"),
    *[({"at": at, "equals": 1}, "here.at", "must be a JSON pointer") for at in ("x", "x/y", None, 7, ["x"], "#/x")],
    *[({"at": at, "equals": 1}, "here.at", "~ is written ~0") for at in ("/~", "/~2", "/a~")],
    *[({"at": "/x", "equals": it}, "here.equals", "") for it in (float("nan"), {1}, "\ud800", {1: 2}, object())],
    *[({"at": "/x", "one_of": it}, "here.one_of", "must be a list that is not empty") for it in NO_LIST],
    ({"at": "/x", "one_of": [float("inf")]}, "here.one_of", "NaN"),
    *[({"at": "/x", "starts_with": it}, "here.starts_with", "must be a string that is not empty") for it in NO_TEXT],
    *[({"at": "/x", "ends_with": it}, "here.ends_with", "must be a string that is not empty") for it in NO_TEXT],
    *[({"at": "/x", "matches": it}, "here.matches", "must be a string that is not empty") for it in NO_TEXT],
    *[({"at": "/x", "under": it}, "here.under", "must be a string that is not empty") for it in NO_TEXT],
    ({"at": "/x", "contains": float("nan")}, "here.contains", "NaN"),
    *[({"at": "/x", "matches": it}, "here.matches", "") for it in NO_PATTERN],
    ({"at": "/x", "under": "../x"}, "here.under", "a relative root must not begin with .."),
    ({"at": "/x", "under": "a/../.."}, "here.under", "a relative root must not begin with .."),
    *[({"at": "/x", "under": it}, "here.under", "must be a plain path") for it in NO_PATH],
    *[({"at": "/x", "less": it}, "here.less", "") for it in NO_NUMBER],
    *[({"at": "/x", "greater": it}, "here.greater", "") for it in NO_NUMBER],
    *[({"at": "/x", "exists": it}, "here.exists", "must be true or false") for it in (1, 0, None, "true")],
    *[({"at": "/x", "type_is": it}, "here.type_is", "must be one of null, boolean") for it in NO_KIND],
    *[({"at": "/x", "length": it}, "here.length", "") for it in NO_LENGTH],
    ({"at": "/x", "length": {"les": 5}}, "here.length.les", "did you mean less?"),
    *[({"at": "/x", "any": it}, "here.any", "") for it in NO_TEST],
    ({"at": "/x", "any": {"at": "/y", "equals": 1}}, "here.any.at", "unknown key"),
    ({"at": "/x", "not": {"not": {"les": 5}}}, "here.not.not.les", "did you mean less?"),
    *[({"at": "/x", "not": it}, "here.not", "") for it in NO_TEST],
]


@pytest.mark.parametrize(("data", "place", "problem"), UNREAD, ids=lambda it: it if isinstance(it, str) else "")
def test_what_cannot_be_read_is_refused_with_its_place(data: Any, place: str, problem: str) -> None:
    """Never is a condition skipped, and never is it true by mistake."""
    with pytest.raises(InvalidRule) as refusal:
        Condition.read(data, "here")
    assert refusal.value.place == place
    assert problem in refusal.value.problem


def test_a_length_is_not_compared_as_text() -> None:
    """What could never hold is refused at load."""
    with pytest.raises(InvalidRule):
        Condition.read({"at": "/x", "length": {"starts_with": "a"}}, "here")


# Values that are no JSON: arguments of Python functions guarded directly


INSIDE: list[dict[str, Any]] = [{"equals": [1]}, {"one_of": [[1], [2]]}, {"contains": 1}, {"any": {"equals": 1}}]


@pytest.mark.parametrize("test", INSIDE, ids=str)
def test_a_python_object_inside_a_list_cannot_be_compared_either(test: dict[str, Any]) -> None:
    """It might be equal to anything, so that nothing is known."""
    for held in (test, {"not": test}):
        with pytest.raises(Mismatch, match=r"^/x: "):
            Condition.read({"at": "/x", **held}, "here").holds(freeze({"x": [object()]}, objects=True))


class Lying(str):
    """A text that is equal to nothing and starts with nothing."""

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 7

    def startswith(self, *_: Any) -> bool:
        """Lie."""
        return False


TESTS: list[dict[str, Any]] = [
    {"equals": 1},
    {"less": 5},
    {"greater": 5},
    {"starts_with": "a"},
    {"length": 1},
    {"any": {"equals": 1}},
]


@pytest.mark.parametrize("it", [float("nan"), float("inf"), object(), (1, 2), b"rm"], ids=lambda it: type(it).__name__)
def test_a_python_object_is_of_no_type_that_an_operator_is_for(it: Any) -> None:
    """It is a mismatch, so that a rule refuses what it cannot judge; above all it is not greater than nothing."""
    for test in TESTS:
        condition = Condition.read({"at": "/x", **test}, "here")
        with pytest.raises(Mismatch):
            condition.holds(freeze({"x": it}, objects=True))


@pytest.mark.parametrize("test", [{"equals": "rm"}, {"starts_with": "r"}])
def test_a_text_of_a_class_of_its_own_is_not_believed(test: dict[str, Any]) -> None:
    """What it holds counts, or it is a mismatch; a refusal must not miss it."""
    with suppress(Mismatch):
        assert Condition.read({"at": "/x", **test}, "here").holds(freeze({"x": Lying("rm")}, objects=True))


def test_a_python_object_that_is_there_exists() -> None:
    """Existence is known of whatever stands there."""
    assert Condition.read({"at": "/x", "exists": True}, "here").holds(freeze({"x": object()}, objects=True))


@pytest.mark.parametrize("at", ["", "/", "/a~1b", "/m~0n", "/~01", "/~10/~00~11", "/a//b", "/0/-"])
def test_a_pointer_is_written_as_it_was_read(at: str) -> None:
    """With what stands for ~ and for / in a key."""
    assert Condition.read({"at": at, "exists": True}, "here").data() == {"at": at, "exists": True}


def test_a_pointer_is_text_that_can_be_encoded() -> None:
    """No key has a lone surrogate, so the rule could never match."""
    with pytest.raises(InvalidRule, match=r"^here\.at: a lone surrogate is no text"):
        Condition.read({"at": "/\ud800", "exists": True}, "here")


@pytest.mark.parametrize(
    "test",
    [{"equals": "a"}, {"one_of": [1, "a"]}, {"contains": 1}, {"type_is": "number"}, {"not": {"equals": "a"}}],
    ids=str,
)
def test_a_length_is_compared_with_numbers_alone(test: dict[str, Any]) -> None:
    """By what compares numbers."""
    with pytest.raises(InvalidRule, match=r"^here\.length: must be a number, or equals, one_of, less, greater or not"):
        Condition.read({"at": "/x", "length": test}, "here")
