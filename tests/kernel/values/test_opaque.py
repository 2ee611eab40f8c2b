"""What holds a Python object has an opaque digest, so that no approval is ever replayed onto it."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from collections import OrderedDict
from typing import Any

import attrs
import pytest

from seamlaw import (
    ToolCall,
    ToolResult,
    canonical,
    digest,
    freeze,
)


@attrs.define
class Account:
    """A host's own object."""

    owner: str
    balance: int = attrs.field(default=0, eq=False)


class Lying(dict[str, Any]):
    """A dict that shows nothing."""

    def __iter__(self) -> Any:
        return iter(())


OBJECTS: list[Any] = [
    object(),
    Account("a"),
    OrderedDict(a=1),
    Lying(a=1),
    {1: 2},
    type("Text", (str,), {})("a"),
    b"a",
    len,
    float("nan"),
    float("inf"),
]


@pytest.mark.parametrize("it", OBJECTS, ids=lambda it: type(it).__name__)
def test_what_holds_a_python_object_has_an_opaque_digest(it: Any) -> None:
    """In a list, under a key, in a call, in a result: no approval ever covers it again."""
    for value in (
        freeze([it], objects=True),
        freeze({"a": {"b": it}}, objects=True),
        ToolCall("1", "x", freeze({"a": it}, objects=True)),
        ToolResult([it]),
        ToolResult(it),
        (ToolResult({"a": it}), ToolCall("1", "x")),
    ):
        assert digest(value).startswith("opaque:")
        assert canonical(value) is None
        assert digest(value) == digest(value)


def test_objects_that_look_alike_have_different_digests() -> None:
    """The digest is of that very object."""
    one, other = Account("a"), Account("a")
    assert one == other
    assert digest(freeze([one], objects=True)) != digest(freeze([other], objects=True))
    assert digest(ToolResult(one)) != digest(ToolResult(other))


def test_a_tuple_of_json_is_named_by_what_is_in_it() -> None:
    """It cannot change; beside an object it is as opaque as that."""
    assert digest(ToolResult((1, "a"))) == digest(ToolResult((1, "a")))
    assert digest(ToolResult((1, Account("a")))).startswith("opaque:")


class Secretive(type):
    """A class that will not say whether it is of attrs."""

    def __getattribute__(cls, name: str) -> Any:
        if name in ("__attrs_attrs__", "__dict__"):
            raise RuntimeError(name)
        return super().__getattribute__(name)


def test_an_object_of_a_hostile_class_is_a_python_object() -> None:
    """Nothing that it raises leaves."""
    it = Secretive("It", (), {})()
    assert digest(it).startswith("opaque:")
    assert digest(ToolResult(it)).startswith("opaque:")


def test_an_object_that_does_not_tell_its_fields_is_opaque() -> None:
    """Of a host's own seam: what it raises when it is read does not leave."""

    class Shy(Account):
        def __getattribute__(self, name: str) -> Any:
            if name == "owner":
                raise RuntimeError(name)
            return super().__getattribute__(name)

    assert digest(attrs.define(Shy)("a")).startswith("opaque:")
    assert not digest(Account("a")).startswith("opaque:")
    assert digest(Account("a")) == digest(Account("a")) != digest(Account("a", 1))
