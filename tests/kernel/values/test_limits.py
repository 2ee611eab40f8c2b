"""The limits of a value, each on both sides of its boundary, and refusals that name the place."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import InvalidValue, ProviderRequest, ToolCall, canonical, digest, freeze
from seamlaw.values import _frozen


def nested(levels: int, inside: Any = None) -> Any:
    """Put lists and objects around a value, alternating."""
    value = [] if inside is None else inside
    for level in range(levels - (inside is None)):
        value = [value] if level % 2 else {"k": value}
    return value


def test_a_hundred_levels_are_fine_and_one_more_is_refused() -> None:
    """Counted in containers."""
    freeze(nested(100))
    freeze(nested(100, inside="x"))
    with pytest.raises(InvalidValue, match="nested deeper than 100 levels, or a cycle"):
        freeze(nested(101))


def test_the_depth_of_what_is_frozen_already_counts() -> None:
    """Putting frozen parts together makes no value that could not be made at once."""
    part = freeze(nested(60))
    freeze(nested(40, inside=part))
    with pytest.raises(InvalidValue, match="nested deeper than 100 levels"):
        freeze(nested(41, inside=part))


def test_nesting_ten_thousand_deep_is_refused_without_a_crash() -> None:
    """Before the stack ends; the path says where it got too deep."""
    with pytest.raises(InvalidValue) as refusal:
        freeze(nested(10_000))
    assert refusal.value.path.count("/") == 100


def cyclic_dict() -> Any:
    """Make a dict that holds itself."""
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def cyclic_list() -> Any:
    """Make a list that holds itself, over a dict."""
    value: list[Any] = []
    value.append({"up": value})
    return value


class Ring(list[Any]):
    """A list of a class of its own that holds itself."""


def cyclic_subclass() -> Any:
    """Make one."""
    ring = Ring()
    ring.append(ring)
    return ring


@pytest.mark.parametrize("make", [cyclic_dict, cyclic_list, cyclic_subclass])
def test_a_cycle_is_refused(make: Callable[[], Any]) -> None:
    """By freezing, by naming, by making a call of it."""
    for use in (freeze, lambda value: freeze({"a": value}), lambda value: ToolCall("1", "x", {"a": value})):
        with pytest.raises(InvalidValue, match=r"a cycle|deeper"):
            use(make())


@pytest.mark.parametrize("make", [cyclic_dict, cyclic_list])
def test_a_cycle_has_no_digest(make: Callable[[], Any]) -> None:
    """It is refused, not followed."""
    for use in (digest, canonical):
        with pytest.raises(InvalidValue):
            use(make())


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "NaN and infinities are no JSON"),
        (float("inf"), "NaN and infinities are no JSON"),
        (-float("inf"), "NaN and infinities are no JSON"),
        ("a\ud800", "a lone surrogate is no text"),
        ("\udfff", "a lone surrogate is no text"),
        (2**4096, "an integer of more than 4096 bits"),
        (-(2**4096), "an integer of more than 4096 bits"),
    ],
    ids=lambda it: repr(it)[:20],
)
def test_what_json_cannot_carry_is_refused_with_the_place(value: Any, problem: str) -> None:
    """Alone, in a list, under a key; with `objects` it is held, and is no JSON."""
    for whole, path in ((value, ""), ([0, value], "/1"), ({"a": {"b": value}}, "/a/b")):
        with pytest.raises(InvalidValue) as refusal:
            freeze(whole)
        assert (refusal.value.path, refusal.value.problem) == (path, problem)
    assert freeze({"a": value}, objects=True)["a"] is value


def test_a_pair_of_surrogates_that_is_a_character_is_text() -> None:
    """Only a lone one is none."""
    assert freeze("\U0001f600") == "😀"


@pytest.mark.parametrize("value", [2**53, 2**53 + 1, 2**64, -(2**64), 2**4096 - 1, -(2**4096 - 1)])
def test_large_integers_are_kept_exactly(value: int) -> None:
    """64-bit ids are real."""
    assert (type(freeze(value)), freeze([value])[0] - value) == (int, 0)


KEYS: list[tuple[Any, str]] = [
    (1, "a key is int, not a string"),
    (None, "a key is NoneType, not a string"),
    (True, "a key is bool, not a string"),
    (1.5, "a key is float, not a string"),
    (("a",), "a key is tuple, not a string"),
    (b"a", "a key is bytes, not a string"),
    ("\ud800", "a key: a lone surrogate is no text"),
]


@pytest.mark.parametrize(("key", "problem"), KEYS, ids=repr)
def test_a_key_that_is_no_text_is_refused_with_the_place_of_its_object(key: Any, problem: str) -> None:
    """The key itself may be a secret too."""
    with pytest.raises(InvalidValue) as refusal:
        freeze({"a": [{key: 1}]})
    assert (refusal.value.path, refusal.value.problem) == ("/a/0", problem)


class Key(str):
    """A text that is equal to no other."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def test_two_keys_that_are_the_same_text_are_refused() -> None:
    """One of the two values would be lost."""
    with pytest.raises(InvalidValue, match="two keys are the same string"):
        freeze({Key("a"): 1, Key("a"): 2})


@pytest.mark.parametrize("size", [0, 1])
def test_the_size_is_counted_on_the_way(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large is refused where it gets too large, not after all of it was copied."""
    monkeypatch.setattr(_frozen, "MAX_SIZE", 10 * _frozen.NODE)
    fits: list[Any] = ["x" * (9 * _frozen.NODE - _frozen.NODE)]
    assert freeze(fits) == fits
    with pytest.raises(InvalidValue, match=f"larger than {10 * _frozen.NODE} characters"):
        freeze(["x" * (9 * _frozen.NODE), object()][: 2 - size])
    with pytest.raises(InvalidValue, match="larger than"):
        freeze({"k" * (10 * _frozen.NODE): 1})
    with pytest.raises(InvalidValue, match="larger than"):
        freeze([[1, 2, 3, 4], [1, 2, 3, 4]])


def test_one_text_may_be_as_large_as_the_limit_and_no_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text alone is a value too."""
    monkeypatch.setattr(_frozen, "MAX_SIZE", 1_000)
    freeze("x" * 1_000)
    with pytest.raises(InvalidValue, match="larger than"):
        freeze("x" * 1_001)


def test_shared_parts_count_as_often_as_they_stand_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value of aliases must not unfold into all memory."""
    monkeypatch.setattr(_frozen, "MAX_SIZE", 10_000)
    value: Any = ["lol"] * 9
    for _ in range(30):
        value = [value] * 9
    with pytest.raises(InvalidValue, match="larger than"):
        freeze(value)
    part = freeze(["x" * 4_000])
    with pytest.raises(InvalidValue, match="larger than"):
        freeze([part, part, part])


def raises(self: object) -> None:
    """Raise."""
    raise RuntimeError("no class")


Liar: Any = type("Liar", (), {"__class__": property(raises)})


def test_a_value_that_will_not_say_what_it_is_is_refused_as_any_other() -> None:
    """Its type is asked for, not its word."""
    for whole in (Liar(), [Liar()], {"a": Liar()}):
        with pytest.raises(InvalidValue, match="Liar is no JSON"):
            freeze(whole)


def test_a_key_that_will_not_say_what_it_is_is_refused_as_any_other() -> None:
    """The same for what stands in the place of a key."""
    with pytest.raises(InvalidValue, match="a key is Liar, not a string"):
        freeze({Liar(): 1})


def test_a_text_of_a_value_is_no_longer_than_any_other() -> None:
    """A field that must be text is checked as text inside of JSON is."""
    longest = "x" * _frozen.MAX_SIZE
    assert freeze(longest) is longest
    assert ToolCall("1", longest).name is longest
    with pytest.raises(InvalidValue, match=f"^/name: larger than {_frozen.MAX_SIZE} characters$"):
        ToolCall("1", longest + "x")


@pytest.mark.parametrize("wrong", [b"bash", 5, None, ["bash"], "\ud800"], ids=repr)
def test_what_is_no_text_is_refused_where_text_must_be(wrong: Any) -> None:
    """Bytes that are ASCII too."""
    with pytest.raises(
        InvalidValue, match=r"^/name: (must be a string, not|a lone surrogate is no text|bytes is no JSON)"
    ):
        ToolCall("1", wrong)


def test_what_must_be_an_object_or_a_list_says_so() -> None:
    """With the field and the type of what was given."""
    made: Any = ToolCall
    request: Any = ProviderRequest
    with pytest.raises(InvalidValue, match=r"^/arguments: must be an object, not \w+$"):
        made("1", "bash", [1])
    with pytest.raises(InvalidValue, match=r"^/tools: must be an array, not \w+$"):
        request("m", tools={"a": 1})
