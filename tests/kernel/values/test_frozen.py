"""Frozen JSON: what may be in it, where the limits lie, and that it is a dict and a list that nobody changes."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import copy
import json
import pickle
from collections import UserDict
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from seamlaw import FrozenDict, FrozenList, InvalidValue, ToolCall, freeze, thaw
from seamlaw.values import _frozen

PLAIN: list[Any] = [
    None,
    True,
    0,
    -1,
    2**53 + 1,
    2**4095,
    0.0,
    -0.0,
    1e-320,
    1.7e308,
    "",
    "wäre 漢字 🙂",
    "\x00\n",
    [],
    {},
    [[], [[]], {}],
    {"": None, "a": {"b": [1, {"c": "d"}]}, "/~": 1},
    {"argv": ["rm", "-rf"], "n": 1.5},
]


@pytest.mark.parametrize("value", PLAIN, ids=lambda it: repr(it)[:30])
def test_a_frozen_value_equals_its_plain_form_and_thaws_to_it(value: Any) -> None:
    """In both directions, to the type, at any depth; what is frozen is not copied again."""
    frozen = freeze(value)
    assert (frozen == value, value == frozen, json.dumps(frozen) == json.dumps(value)) == (True, True, True)
    assert freeze(frozen) is frozen
    thawed = thaw(frozen)
    assert (thawed == value, kinds(thawed) == kinds(value), repr(thawed) == repr(value)) == (True, True, True)


def kinds(value: Any) -> Any:
    """The types of a value, all the way down."""
    if isinstance(value, dict):
        return type(value), [(type(key), kinds(item)) for key, item in value.items()]
    return (type(value), list(map(kinds, value))) if isinstance(value, list) else type(value)


def test_containers_are_what_a_policy_author_expects() -> None:
    """They are a dict and a list: comparison, `isinstance`, `match`, unpacking, slices and joins work as ever."""
    arguments = freeze({"argv": ["rm", "-rf", "/"], "env": {"A": "1"}})
    assert (type(arguments), type(arguments["argv"]), type(arguments["env"])) == (FrozenDict, FrozenList, FrozenDict)
    assert isinstance(arguments, dict)
    assert isinstance(arguments["argv"], list)
    assert arguments["argv"] == ["rm", "-rf", "/"]
    match arguments:
        case {"argv": ["rm", *rest]}:
            assert rest == ["-rf", "/"]
        case _:
            pytest.fail("no match")
    assert {**arguments} | {"new": 1} == arguments | {"new": 1} == {**arguments, "new": 1}
    assert [*arguments["argv"], "x"] == arguments["argv"] + ["x"] == ["rm", "-rf", "/", "x"]
    assert (arguments["argv"][:1], arguments["argv"] * 2, sorted(arguments)) == (
        ["rm"],
        ["rm", "-rf", "/"] * 2,
        ["argv", "env"],
    )


CHANGING: dict[str, list[tuple[str, tuple[Any, ...]]]] = {
    "dict": [
        ("__setitem__", ("a", 2)),
        ("__delitem__", ("a",)),
        ("__ior__", ({"a": 2},)),
        ("clear", ()),
        ("pop", ("a",)),
        ("popitem", ()),
        ("setdefault", ("z", 2)),
        ("update", ({"a": 2},)),
        ("__init__", ({"a": 2},)),
        ("__setattr__", ("weight", (0, 0))),
        ("__setattr__", ("other", 1)),
        ("__delattr__", ("weight",)),
    ],
    "list": [
        ("__setitem__", (0, 9)),
        ("__delitem__", (0,)),
        ("__iadd__", ([9],)),
        ("__imul__", (2,)),
        ("append", (9,)),
        ("clear", ()),
        ("extend", ([9],)),
        ("insert", (0, 9)),
        ("pop", ()),
        ("remove", (1,)),
        ("reverse", ()),
        ("sort", ()),
        ("__init__", ([9],)),
        ("__setattr__", ("weight", (0, 0))),
        ("__delattr__", ("weight",)),
    ],
}


@pytest.mark.parametrize(
    ("kind", "name", "given"), [(k, *change) for k, changes in CHANGING.items() for change in changes]
)
def test_no_method_changes_one(kind: str, name: str, given: tuple[Any, ...]) -> None:
    """Each says that it cannot, and what to do instead."""
    frozen: Any = freeze({"a": 1, "b": 2} if kind == "dict" else [1, 2])
    with pytest.raises(TypeError, match=r"is immutable: make one with freeze\(\), a plain copy with thaw\(\)"):
        getattr(frozen, name)(*given)
    assert frozen == ({"a": 1, "b": 2} if kind == "dict" else [1, 2])


def test_every_method_that_could_change_one_is_in_that_list() -> None:
    """A method that a new Python adds is looked at before it is trusted."""
    reading_dict = set("copy fromkeys get items keys values".split())
    reading_list = set("copy count index".split())
    assert public(dict) - reading_dict == {name for name, _ in CHANGING["dict"] if not name.startswith("_")}
    assert public(list) - reading_list == {name for name, _ in CHANGING["list"] if not name.startswith("_")}
    in_place = {name for name in dir(list) + dir(dict) if name.startswith("__i")}
    assert in_place - {"__init__", "__iter__", "__init_subclass__"} == {"__iadd__", "__imul__", "__ior__"}


def public(kind: type) -> set[str]:
    """The methods that are not hidden."""
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize("kind", [FrozenDict, FrozenList])
def test_one_is_made_by_freezing_alone(kind: Any) -> None:
    """Not by its class, whatever it is given."""
    for given in list[Any]([(), ((),), ({},), ([1],)]):
        with pytest.raises(TypeError, match="immutable"):
            kind(*given)


def test_copies_are_the_same_object_and_pickles_are_frozen_again() -> None:
    """What cannot change need not be copied; with its height and size."""
    frozen = freeze({"a": [1, {"b": "c"}]})
    assert copy.copy(frozen) is copy.deepcopy(frozen) is frozen
    assert copy.copy(frozen["a"]) is copy.deepcopy(frozen["a"]) is frozen["a"]
    again = pickle.loads(pickle.dumps(frozen))
    assert (again, kinds(again), again.weight) == (frozen, kinds(frozen), frozen.weight)
    assert type(frozen.copy()) is dict
    assert type(frozen["a"].copy()) is list


def test_what_is_frozen_is_shared() -> None:
    """A part of one value is put into another as it is."""
    part = freeze({"deep": [1, 2, 3]})
    whole = freeze({"one": part, "two": [part]})
    assert whole["one"] is whole["two"][0] is part


def test_freezing_copies_what_the_host_may_still_change() -> None:
    """And keeps nothing of it."""
    inner = [1]
    plain = {"a": inner}
    frozen = freeze(plain)
    inner.append(2)
    plain["b"] = []
    assert frozen == {"a": [1]}


class Colour(Enum):
    """Not JSON."""

    RED = "red"


class Point(NamedTuple):
    """A tuple with names."""

    x: int
    y: int


NO_JSON: list[Any] = [
    (1, 2),
    {1, 2},
    b"bytes",
    bytearray(b"x"),
    object(),
    Decimal(1),
    Fraction(1),
    1j,
    Colour.RED,
    UserDict(a=1),
    range(3),
    iter([]),
    len,
    int,
    Point(1, 2),
    ...,
    NotImplemented,
    memoryview(b"x"),
]


@pytest.mark.parametrize("value", NO_JSON, ids=lambda it: type(it).__name__)
def test_what_is_no_json_is_refused_with_its_type_and_place(value: Any) -> None:
    """Alone, and deep inside."""
    with pytest.raises(InvalidValue, match=rf"^the value: {type(value).__name__} is no JSON"):
        freeze(value)
    with pytest.raises(InvalidValue) as refusal:
        freeze({"a": [0, {"b/c~": value}]})
    assert refusal.value.path == "/a/1/b~1c~0"


@pytest.mark.parametrize("value", NO_JSON, ids=lambda it: type(it).__name__)
def test_with_objects_it_is_held_by_reference(value: Any) -> None:
    """For Python functions guarded directly."""
    assert freeze({"a": [value]}, objects=True)["a"][0] is value


def test_limits_are_named() -> None:
    """They are constants of the module; the docs quote them."""
    assert (_frozen.MAX_DEPTH, _frozen.MAX_SIZE, _frozen.MAX_INTEGER_BITS) == (100, 64 * 2**20, 4096)


@pytest.mark.parametrize(
    ("value", "weight"),
    [
        ({}, (1, 128)),
        ([], (1, 128)),
        ([1, None, 2.5], (1, 512)),
        (["ab", "c"], (1, 128 + 130 + 129)),
        ({"key": "ab"}, (1, 128 + 3 + 130)),
        ({"a": {"b": [1]}, "c": [[]]}, (3, 128 + 1 + (128 + 1 + 256) + 1 + 256)),
        ([{}, {"a": {}}], (3, 128 + 128 + (128 + 1 + 128))),
        ([[], [["ab"]]], (3, 128 + 128 + (128 + 128 + 130))),
    ],
)
def test_a_container_knows_its_height_and_its_size(value: Any, weight: tuple[int, int]) -> None:
    """So that what holds frozen parts is weighed without being read again."""
    assert freeze(value).weight == weight
    assert freeze([value]).weight == freeze([freeze(value)]).weight == (weight[0] + 1, weight[1] + 128)


@pytest.mark.parametrize("value", [{"held": {1, 2}}, [{1, 2}], [[{"held": {1}}]]], ids=repr)
def test_what_holds_python_objects_survives_being_pickled(value: Any) -> None:
    """It is held by reference, whatever it is."""
    again = pickle.loads(pickle.dumps(freeze(value, objects=True)))
    assert (again, type(again)) == (value, type(freeze(value, objects=True)))


def test_a_value_made_a_second_time_in_place_is_refused() -> None:
    """It would be another one, behind everybody's back."""
    call: Any = ToolCall("1", "bash")
    with pytest.raises(TypeError, match="ToolCall is immutable: make another one"):
        call.__init__("2", "rm")
    assert call == ToolCall("1", "bash")


def test_a_key_of_a_class_of_its_own_is_read_as_it_is() -> None:
    """Not as it says, and never with a lone surrogate, among ASCII ones or not."""
    lies = type(
        "Lies", (str,), {"isascii": lambda self: True, "__str__": lambda self: "lie", "encode": lambda self: b""}
    )
    frozen = freeze({lies("key"): 1, "é": 2})
    assert [(type(key), key) for key in frozen] == [(str, "key"), (str, "é")]
    for key in ("\ud800", lies("\ud800")):
        with pytest.raises(InvalidValue, match="a key: a lone surrogate is no text"):
            freeze({key: 1})
