"""What passes a seam: each field of each value, what it takes, what it refuses, and where it says so."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import copy
import pickle
from typing import Any

import pytest
from attrs import evolve, fields
from attrs.exceptions import FrozenInstanceError

from seamlaw import (
    FrozenDict,
    FrozenList,
    InvalidValue,
    MemoryItem,
    Message,
    ProviderRequest,
    Scope,
    ToolCall,
    ToolResult,
    freeze,
)

CALL = ToolCall("1", "bash", {"command": "ls"})

# kind, one of each field that is taken, one that is not and what is said of it
TAKEN: list[tuple[type[Any], dict[str, Any]]] = [
    (ToolCall, {"id": "1", "name": "bash", "arguments": {"a": [1, {"b": None}]}}),
    (ToolResult, {"output": {"a": [1]}, "error": "e", "metadata": {"exit": 1}}),
    (Message, {"role": "user", "content": "text", "tool_calls": [CALL], "call_id": "1", "extra": {"name": "n"}}),
    (Message, {"role": "user", "content": [{"type": "text", "text": "t"}, {"type": "image", "source": {}}]}),
    (
        ProviderRequest,
        {
            "model": "m",
            "messages": [Message("user")],
            "tools": [{"name": "t"}],
            "kwargs": {"temperature": 0.5},
            "headers": {"x": "y"},
        },
    ),
    (MemoryItem, {"content": {"any": ["json"]}, "id": "1", "score": 0.5, "metadata": {"a": 1}}),
    (Scope, {"session": "s", "agent": "a", "role": "r", "trust": "t", "chain": ["a", "b"], "domain": "d"}),
]


@pytest.mark.parametrize(("kind", "given"), TAKEN, ids=lambda it: getattr(it, "__name__", ""))
def test_each_field_is_taken_and_frozen(kind: Any, given: dict[str, Any]) -> None:
    """JSON becomes frozen JSON, lists of values become tuples, text stays; what is made equals what was given."""
    made = kind(**given)
    for name, value in given.items():
        held = getattr(made, name)
        assert held == (tuple(value) if isinstance(held, tuple) else value)
        assert type(held) in (str, float, tuple, FrozenDict, FrozenList)
    with pytest.raises(FrozenInstanceError):
        made.role = "x"
    for again in (copy.deepcopy(made), pickle.loads(pickle.dumps(made)), evolve(made)):
        assert (type(again), again) == (kind, made)


NOTHING: dict[str, Any] = {
    "arguments": {},
    "metadata": {},
    "extra": {},
    "kwargs": {},
    "tools": [],
    "tool_calls": (),
} | {
    "messages": (),
    "chain": (),
}


@pytest.mark.parametrize(
    ("kind", "needed"),
    [
        (ToolCall, ["1", "x"]),
        (ToolResult, []),
        (Message, ["u"]),
        (ProviderRequest, ["m"]),
        (MemoryItem, ["c"]),
        (Scope, []),
    ],
)
def test_what_need_not_be_given_is_empty_or_none(kind: Any, needed: list[str]) -> None:
    """Empty containers and `None`, never shared with anybody who could change them."""
    made = kind(*needed)
    for field in fields(kind)[len(needed) :]:
        assert getattr(made, field.name) == NOTHING.get(field.name)


S = object()
NO_TEXT: list[Any] = [None, 7, b"x", ["x"], S]
NO_OBJECT: list[Any] = [None, 7, "x", [], S]
NO_CHAIN: list[Any] = ["abc", [7], [None], ["a", "\ud800"]]
NO_BLOCK: list[Any] = ["x", None, [], S]
NO_CALL: list[Any] = [None, {}, "x", ToolCall]
WHO = ("session", "agent", "role", "trust", "domain")
NO_LIST: list[Any] = [None, 7, "x", {}, S]

WRONG: list[tuple[type[Any], dict[str, Any], str]] = [
    *[(ToolCall, {"id": it, "name": "x"}, "/id: ") for it in NO_TEXT],
    *[(ToolCall, {"id": "1", "name": it}, "/name: ") for it in NO_TEXT],
    *[(ToolCall, {"id": "1", "name": "x", "arguments": it}, "/arguments: ") for it in NO_OBJECT],
    (ToolCall, {"id": "1", "name": "x", "arguments": {"a": [0, {S}]}}, "/arguments/a/1: set is no JSON"),
    (ToolCall, {"id": "1", "name": "\ud800"}, "/name: a lone surrogate is no text"),
    *[(ToolResult, {"error": it}, "/error: ") for it in NO_TEXT[1:]],
    *[(ToolResult, {"metadata": it}, "/metadata: ") for it in NO_OBJECT],
    *[(Message, {"role": it}, "/role: ") for it in NO_TEXT],
    *[(Message, {"role": "u", "content": it}, "/content: ") for it in (7, b"x", {"type": "text"}, S)],
    *[(Message, {"role": "u", "content": [{}, it]}, "/content/1: ") for it in NO_BLOCK],
    *[(Message, {"role": "u", "tool_calls": it}, "/tool_calls: ") for it in NO_LIST],
    *[(Message, {"role": "u", "tool_calls": [CALL, it]}, "/tool_calls/1: ") for it in NO_CALL],
    *[(Message, {"role": "u", "call_id": it}, "/call_id: ") for it in NO_TEXT[1:]],
    *[(Message, {"role": "u", "extra": it}, "/extra: ") for it in NO_OBJECT],
    *[(ProviderRequest, {"model": it}, "/model: ") for it in NO_TEXT],
    *[(ProviderRequest, {"model": "m", "messages": it}, "/messages: ") for it in NO_LIST],
    *[(ProviderRequest, {"model": "m", "messages": [it]}, "/messages/0: ") for it in NO_CALL],
    *[(ProviderRequest, {"model": "m", "tools": it}, "/tools: ") for it in NO_LIST],
    *[(ProviderRequest, {"model": "m", "kwargs": it}, "/kwargs: ") for it in NO_OBJECT[:4]],
    *[(ProviderRequest, {"model": "m", "headers": it}, "/headers: ") for it in NO_LIST[1:3]],
    *[(ProviderRequest, {"model": "m", "headers": {"x": it}}, "/headers/x: ") for it in NO_BLOCK[1:]],
    *[(MemoryItem, {"content": it}, "/content: ") for it in (S, b"x", (1,), float("nan"))],
    *[(MemoryItem, {"content": "c", "id": it}, "/id: ") for it in NO_TEXT[1:]],
    *[(MemoryItem, {"content": "c", "score": it}, "/score: ") for it in ("1", True, [], float("nan"), float("inf"), S)],
    *[(MemoryItem, {"content": "c", "metadata": it}, "/metadata: ") for it in NO_OBJECT],
    *[(Scope, {name: it}, f"/{name}: ") for name in WHO for it in NO_TEXT[1:]],
    *[(Scope, {"chain": it}, "/chain: ") for it in NO_CHAIN],
]


@pytest.mark.parametrize(("kind", "given", "place"), WRONG)
def test_what_does_not_fit_is_refused_with_its_field(kind: Any, given: dict[str, Any], place: str) -> None:
    """The path is from the value: the field, then the place inside."""
    with pytest.raises(InvalidValue) as refusal:
        kind(**given)
    assert str(refusal.value).startswith(place)
    assert refusal.value.path == place.partition(":")[0]


class Text(str):
    """A text of a class of its own."""


def test_text_of_a_class_of_its_own_becomes_plain() -> None:
    """So that nobody's methods are called later."""
    call = ToolCall(Text("1"), Text("bash"))
    assert (type(call.id), type(call.name), call) == (str, str, ToolCall("1", "bash"))
    assert [type(name) for name in Scope(chain=[Text("a")]).chain] == [str]


class Turning(list[Any]):
    """A list that shows something else the second time."""

    turned = False

    def __iter__(self) -> Any:
        shown = [7] if self.turned else [CALL]
        self.turned = True
        return iter(shown)


def test_a_list_is_read_once() -> None:
    """What was checked is what is kept."""
    for held in (CALL, 7):
        turning: Any = Turning([held])
        assert Message("u", tool_calls=turning).tool_calls == (CALL,)


@pytest.mark.parametrize("wrong", [None, 7])
def test_a_chain_that_is_no_list_is_refused_with_its_field(wrong: Any) -> None:
    """As every other field."""
    with pytest.raises(InvalidValue, match="/chain: "):
        Scope(chain=wrong)


def test_a_result_may_hold_any_python_object() -> None:
    """Its output, its metadata and a request's options are held by reference where they are no JSON."""
    it = object()
    assert ToolResult(it).output is it
    assert freeze({"a": [it]}, objects=True)["a"][0] is it
    assert ToolResult(metadata={"a": it}).metadata["a"] is it
    assert ProviderRequest("m", kwargs={"client": it}).kwargs["client"] is it
    assert ToolCall("1", "x", freeze({"a": it}, objects=True)).arguments["a"] is it


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("plain", "plain"),
        ([], ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image", "text": "alt"}], ""),
        ([{"type": "text"}, {"type": "text", "text": 7}, {"text": "x"}, {}], ""),
    ],
)
def test_the_text_of_a_message(content: Any, text: str) -> None:
    """Its own, or that of its text blocks, one a line; blocks that are not text, or say no text, give none."""
    assert Message("user", content).text == text


def test_unknown_fields_of_a_message_are_kept() -> None:
    """What this library does not know, somebody does."""
    message = Message("assistant", "hi", extra={"refusal": None, "audio": {"id": "x"}})
    assert evolve(message, content="ho").extra == {"refusal": None, "audio": {"id": "x"}}


def test_no_value_is_made_a_second_time_in_place() -> None:
    """Calling its `__init__` again would be a way to change it."""
    call: Any = ToolCall("1", "ls")
    for given in (["1", "rm"], []):
        with pytest.raises(TypeError, match="ToolCall is immutable: make another one"):
            call.__init__(*given)
    assert call == ToolCall("1", "ls")


def test_no_value_can_be_derived_from() -> None:
    """A class of somebody's own could lie about its fields."""
    for kind in (ToolCall, ToolResult, Message, ProviderRequest, MemoryItem):
        with pytest.raises(TypeError, match=f"{kind.__name__} cannot be subclassed"):
            type("Derived", (kind,), {})


def test_what_is_frozen_is_taken_as_it_is() -> None:
    """Freezing once is enough."""
    arguments = freeze({"a": [1]})
    assert ToolCall("1", "x", arguments).arguments is arguments
    assert evolve(CALL, id="2").arguments is CALL.arguments
