"""The configuration that a pack takes, as a JSON Schema that is made of the types of its parameters.

Of a field with a converter, the type is what the converter takes. What JSON cannot say (a function, another object) is
left out, and is given in Python alone. What types do not say, a field adds, by `metadata={"schema": {"minimum": 1}}`.
"""

import inspect
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import isfinite
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import attrs

from seamlaw import Globs

from ._pack import MakesPack, suggestion
from .errors import Misconfigured

__all__ = ["USE", "check", "schema_of", "words"]

Schema = dict[str, Any]
USE = "use"  # the one key of a pack's table that is not the pack's own
NAMES: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
LISTS = (list, tuple, set, frozenset, Iterable, Collection, Sequence, AbstractSet)
TABLES = (dict, Mapping)
NOTHING = inspect.Parameter.empty


def schema_of(makes: MakesPack) -> Schema:
    """Give the JSON Schema (draft 2020-12) of what a pack can be configured by, in a file."""
    properties = dict[str, Schema]()
    required = list[str]()
    for name, kind, default, added in _parameters(makes):
        said = _said(kind)
        if said is not None:
            properties[name] = said | _default(default, said) | dict(added)
        if default is NOTHING:
            required.append(name)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def check(makes: MakesPack, given: object) -> dict[str, object]:
    """Refuse a configuration that the schema does not allow; raises `Misconfigured`, with a suggestion for a typo."""
    schema = schema_of(makes)
    if not isinstance(given, Mapping):
        raise Misconfigured("", "must be a table")
    table = cast("Mapping[object, object]", given)
    in_python = {name for name, *_ in _parameters(makes)} - set(schema["properties"])
    for key in table:
        if key in in_python:
            raise Misconfigured(str(key), "is given in Python alone")
        if key not in schema["properties"]:
            raise Misconfigured(str(key), f"unknown key; {suggestion(str(key), schema['properties'])}")
    for key in schema["required"]:
        if key not in table:
            raise Misconfigured("", f"lacks {key}" + (", which is given in Python alone" if key in in_python else ""))
    for key, value in table.items():
        found = _mismatch(schema["properties"][key], value, str(key))
        if found is not None:
            raise Misconfigured(*found)
    return {str(key): value for key, value in table.items()}


def _parameters(makes: MakesPack) -> list[tuple[str, object, object, Mapping[str, object]]]:
    """Each parameter: its name, its type, its default, and what it adds to the schema."""
    if attrs.has(cast(type, makes)):
        hints = _hints(makes)
        return [
            (one.alias, _taken(one, hints), _default_of(one), one.metadata.get("schema", {}))
            for one in attrs.fields(cast(Any, makes))
            if one.init
        ]
    hints = _hints(cast(Any, makes).__init__ if isinstance(makes, type) else makes)
    return [
        (one.name, hints.get(one.name, NOTHING), one.default, {})
        for one in inspect.signature(makes).parameters.values()
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    ]


def _hints(of: object) -> dict[str, Any]:
    try:
        return get_type_hints(of)
    except (NameError, TypeError):  # a type that is there for a type checker alone
        return {}


def _taken(one: "attrs.Attribute[Any]", hints: Mapping[str, Any]) -> object:
    converter: Any = cast(Any, one).converter
    if converter is None:
        return hints.get(one.name, NOTHING)
    parameters = list(inspect.signature(converter).parameters) if inspect.isfunction(converter) else []
    return _hints(converter).get(parameters[0], NOTHING) if parameters else NAMES_ITSELF.get(converter, NOTHING)


NAMES_ITSELF: Mapping[object, object] = {kind: kind for kind in NAMES}  # `converter=str`


def _default_of(one: "attrs.Attribute[Any]") -> object:
    return NOTHING if one.default is attrs.NOTHING else one.default


def _said(kind: object) -> Schema | None:
    """Say a type in JSON Schema; `None` where JSON has no such value."""
    if kind is Any or kind is object:
        return {}
    if kind is None or (isinstance(kind, type) and kind in NAMES):
        return {"type": NAMES[type(None) if kind is None else kind]}
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return _union(inner)
    if origin in TABLES and inner and inner[0] is str:
        return _of("object", "additionalProperties", inner[1])
    if origin is tuple and inner[1:] != (...,):
        return None
    if origin in LISTS and inner:
        return _of("array", "items", inner[0])
    return None


def _of(name: str, key: str, kind: object) -> Schema | None:
    items = _said(kind)
    return None if items is None else {"type": name, key: items}


def _union(kinds: Iterable[object]) -> Schema | None:
    said = [one for one in map(_said, kinds) if one is not None]
    if all(one == {"type": "null"} for one in said):  # it could only be left out
        return None
    return said[0] if len(said) == 1 else {"anyOf": said}


def _default(default: object, said: Schema) -> Schema:
    """The default, where a file could say it."""
    plain: object = default.patterns if isinstance(default, Globs) else default
    plain = list(cast("tuple[object, ...]", plain)) if isinstance(plain, tuple) else plain
    return {"default": plain} if default is not NOTHING and _mismatch(said, plain, "") is None else {}


# -- holding a value to a schema of the kind that is made here


def _mismatch(schema: Mapping[str, Any], value: object, place: str) -> tuple[str, str] | None:
    """Find the first place where a value is not what the schema says, and what it must be."""
    if "anyOf" in schema:
        found = [_mismatch(one, value, place) for one in schema["anyOf"]]
        deeper = [one for one in found if one is not None and one[0] != place]
        return None if None in found else next(iter(deeper), (place, f"must be {words(schema)}"))
    if "enum" in schema and not any(value == one and type(value) is type(one) for one in schema["enum"]):
        return place, f"must be {words(schema)}"
    if "type" in schema and not IS[schema["type"]](value):
        return place, f"must be {words(schema)}"
    for inner, key, said in _inside(schema, value):
        found_inside = _mismatch(said, inner, f"{place}{key}")
        if found_inside is not None:
            return found_inside
    return None


def _inside(schema: Mapping[str, Any], value: object) -> list[tuple[object, str, Mapping[str, Any]]]:
    if isinstance(value, list):
        listed = cast("list[object]", value)
        return [(item, f"[{index}]", schema.get("items", {})) for index, item in enumerate(listed)]
    if isinstance(value, dict):
        table = cast("dict[object, object]", value)
        return [(item, f".{key}", schema.get("additionalProperties", {})) for key, item in table.items()]
    return []


def _is_table(value: Any) -> bool:
    keys: Iterable[Any] = value
    return isinstance(value, dict) and all(type(key) is str for key in keys)


IS: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: type(value) is str,
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) is int or (type(value) is float and isfinite(value)),
    "boolean": lambda value: type(value) is bool,
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": _is_table,
}
WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "a table",
}


def words(schema: Mapping[str, Any]) -> str:
    """Say what a value must be."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(words(one) for one in schema["anyOf"] if one != {"type": "null"}))
    if "enum" in schema:
        return " or ".join(f"'{one}'" if isinstance(one, str) else str(one) for one in schema["enum"])
    return WORDS[schema["type"]]
