"""The configuration schema of a pack: made of its types, and held to by what a file says."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, cast

import jsonschema
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import Globs, Interceptors
from seamlaw_host.plugins import Misconfigured, configured, find_pack, schema_of
from seamlaw_host.plugins._bundled import BUNDLED
from seamlaw_host.plugins._schema import USE, check


def _globs(given: str | Iterable[str] | Globs) -> Globs:
    return given if isinstance(given, Globs) else Globs((given,) if isinstance(given, str) else tuple(given))


@frozen
class Sample:
    """A pack with a field of every kind."""

    name: ClassVar[str] = "sample"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "A pack to be configured."

    text: str
    count: int = field(default=3, metadata={"schema": {"minimum": 1}})
    share: float = 0.5
    on: bool = True
    then: Literal["block", "ask"] = "block"
    tools: Globs = field(default=Globs("*"), converter=_globs)
    names: tuple[str, ...] = ()
    by_role: Mapping[str, tuple[str, ...]] = field(factory=dict[str, tuple[str, ...]])
    target: str | None = None
    anything: Any = None
    clock: Callable[[], float] | None = None
    _own: str = field(default="", alias="own")
    hidden: int = field(init=False, default=0)

    def interceptors(self) -> Interceptors:
        """Nothing."""
        return Interceptors()


STRINGS = {"type": "array", "items": {"type": "string"}}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([0.5, math.pi]) | st.text(max_size=3) | st.just("ask"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=5,
)


def test_the_types_are_the_schema() -> None:
    """Each field that a file can say is in the schema as its type, or what its converter takes, says."""
    assert schema_of(Sample) == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "count": {"type": "integer", "default": 3, "minimum": 1},
            "share": {"type": "number", "default": 0.5},
            "on": {"type": "boolean", "default": True},
            "then": {"enum": ["block", "ask"], "default": "block"},
            "tools": {"anyOf": [{"type": "string"}, STRINGS], "default": ["*"]},
            "names": {**STRINGS, "default": []},
            "by_role": {"type": "object", "additionalProperties": STRINGS},
            "target": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            "anything": {"default": None},
            "own": {"type": "string", "default": ""},
        },
        "required": ["text"],
        "additionalProperties": False,
    }


@given(st.sampled_from(sorted(schema_of(Sample)["properties"])), PLAIN)
def test_a_file_is_held_to_the_schema(key: str, value: object) -> None:
    """What is taken is what a validator of JSON Schema takes, for every key and every value."""
    table: Any = {"text": "a", key: value}
    if key == "count" and type(value) is int and value < 1:  # what is added is the pack's own business
        return
    validator: Any = jsonschema.Draft202012Validator(schema_of(Sample))
    by_library = validator.is_valid(table)
    try:
        check(Sample, table)
    except Misconfigured:
        assert not by_library
    else:
        assert by_library


@pytest.mark.parametrize("name", BUNDLED)
def test_the_schema_of_every_pack(name: str) -> None:
    """Each bundled pack has a schema that is one, is JSON, allows its own defaults, and leaves the host's key free."""
    schema = schema_of(find_pack(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    assert USE not in schema["properties"]
    for said in schema["properties"].values():
        if "default" in said:
            jsonschema.validate(said["default"], said)


@pytest.mark.parametrize(
    ("table", "place", "problem"),
    [
        ({}, "", "lacks text"),
        ([], "", "must be a table"),
        ({"text": "a", "tool": "x"}, "tool", "unknown key; did you mean tools?"),
        ({"text": "a", "qqq": 1}, "qqq", "unknown key; there are text, count, share, on, then, tools, names, "),
        ({"text": "a", "hidden": 1}, "hidden", "unknown key; "),
        ({"text": "a", "clock": "now"}, "clock", "is given in Python alone"),
        ({"text": 1}, "text", "must be text"),
        ({"text": "a", "count": True}, "count", "must be a whole number"),
        ({"text": "a", "count": 1.0}, "count", "must be a whole number"),
        ({"text": "a", "share": math.nan}, "share", "must be a number"),
        ({"text": "a", "share": True}, "share", "must be a number"),
        ({"text": "a", "on": 1}, "on", "must be true or false"),
        ({"text": "a", "then": "allow"}, "then", "must be 'block' or 'ask'"),
        ({"text": "a", "tools": 1}, "tools", "must be text or a list"),
        ({"text": "a", "tools": ["x", 1]}, "tools[1]", "must be text"),
        ({"text": "a", "names": "x"}, "names", "must be a list"),
        ({"text": "a", "by_role": {"dev": ["a", 2]}}, "by_role.dev[1]", "must be text"),
        ({"text": "a", "by_role": []}, "by_role", "must be a table"),
        ({"text": "a", "target": 1}, "target", "must be text"),
    ],
)
def test_what_is_refused(table: object, place: str, problem: str) -> None:
    """What the schema does not allow is refused with its place, a suggestion, and never the value."""
    with pytest.raises(Misconfigured) as refused:
        configured(Sample, table)
    assert refused.value.place == place
    assert refused.value.problem.startswith(problem)


def test_a_function_makes_packs_too() -> None:
    """A pack that is made by a function, or is no attrs class, is configured by its parameters."""

    def make(*, text: str, clock: Callable[[], float], **_: object) -> Sample:
        return Sample(text, clock=clock)

    class Plain:
        def __init__(self, limit: int = 2) -> None:
            self.limit = limit

    assert schema_of(Plain)["properties"] == {"limit": {"type": "integer", "default": 2}}
    Plain.__init__.__annotations__["limit"] = "NotThere"
    assert schema_of(make)["properties"] == {"text": {"type": "string"}}
    with pytest.raises(Misconfigured, match="lacks clock, which is given in Python alone"):
        configured(make, {"text": "a"})
    assert schema_of(Plain)["properties"] == {}  # a type that cannot be found says nothing, and nothing is guessed


def test_what_goes_wrong_in_a_pack() -> None:
    """A pack that raises is told by the kind and place of what it raised, not its text, which may quote a secret."""

    def make(key: str) -> object:
        if key == "none":
            return object()
        raise RuntimeError(key)

    with pytest.raises(Misconfigured, match=r"cannot be made: RuntimeError at test_schema.py:\d+$"):
        configured(make, {"key": "hunter2"})
    with pytest.raises(Misconfigured, match="is no pack"):
        configured(make, {"key": "none"})


def test_a_table_makes_the_pack() -> None:
    """What a file says arrives at the pack."""
    made = cast(Sample, configured(Sample, {"text": "a", "tools": "bash", "names": ["x"], "own": "y"}))
    assert (made.text, made.tools, list(made.names), made.count) == ("a", Globs("bash"), ["x"], 3)
