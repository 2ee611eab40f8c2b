"""Conditions on arguments: a JSON pointer and one operator of a closed set.

Classical: an operator on an absent field is false and its negation true. An operator on a value of a type it is not
for is a `Mismatch`, which makes the whole condition unknown; `all_hold` combines them by Kleene's strong logic.
`OPERATORS` is the table: what operand each takes, what types of value it is for, and when it holds.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from posixpath import normpath
from typing import Any, cast

from attrs import frozen

from seamlaw.errors import InvalidRule, InvalidValue, Telling
from seamlaw.values._frozen import FrozenDict, FrozenList, freeze, thaw

from ._pattern import Pattern

__all__ = [
    "MISSING",
    "OPERATORS",
    "Condition",
    "Mismatch",
    "Operation",
    "all_hold",
    "holds",
    "locate",
    "only_keys",
]


class Absence(Enum):
    """What a pointer finds where there is nothing."""

    MISSING = "missing"


MISSING = Absence.MISSING


class Mismatch(Telling):
    """An operator met a value of a type that it is not for."""


def kind_of(value: object) -> str:
    """The JSON type of a value: null, boolean, number, string, array, object; else `absent` or `no JSON`."""
    if type(value) is float and not math.isfinite(value):
        return "no JSON"
    return _KIND_OF.get(type(value), "no JSON")  # of exact types: a subclass may lie about what it holds


_KIND_OF: dict[type, str] = {
    Absence: "absent",
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    FrozenList: "array",
    list: "array",
    FrozenDict: "object",
    dict: "object",
}


KINDS = ("null", "boolean", "number", "string", "array", "object")


@frozen
class Operator:
    """A row of the table: read the operand, the types of value it is for, and when it holds."""

    operand: Callable[[Any, str], Any]
    kinds: Callable[[Any], Iterable[str]]
    holds: Callable[[Any, Any], bool]


@frozen
class Operation:
    """One operator with its operand."""

    operator: str
    operand: Any


def holds(test: Operation, value: object) -> bool:
    """Whether a test holds for a value, or for `MISSING`; raises `Mismatch`."""
    if test.operator == "not":
        return not holds(test.operand, value)
    if value is MISSING:
        return False
    operator = OPERATORS[test.operator]
    kind = kind_of(value)
    if kind not in operator.kinds(test.operand):
        raise Mismatch(f"{test.operator} is not for {kind}")
    return operator.holds(value, test.operand)


def all_hold(claims: Iterable[Callable[[], bool]]) -> bool:
    """Kleene's conjunction: false if any is false, else the first `Mismatch`, else true."""
    unknown: Mismatch | None = None
    for claim in claims:
        try:
            if not claim():
                return False
        except Mismatch as mismatch:
            unknown = unknown or mismatch
    if unknown is not None:
        raise unknown
    return True


def _any(items: Iterable[object], test: Operation) -> bool:
    return not all_hold(partial(holds, Operation("not", test), item) for item in items)


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same JSON: numbers by value, `true` is not 1; what is no JSON is a `Mismatch`."""
    kind = kind_of(a)
    if kind == "no JSON":
        raise Mismatch("what is no JSON cannot be compared")
    if kind != kind_of(b):
        return False
    if kind == "array":
        return len(a) == len(b) and all(map(same, a, b))
    if kind == "object":
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return bool(a == b)


_NO_PLAIN_PATH = re.compile(r"^$|^~|^[A-Za-z][A-Za-z0-9+.-]*:|^\s|\s$|[\0\\]")


def _under(value: str, root: str) -> bool:
    if _NO_PLAIN_PATH.search(value) or value.startswith("/") != root.startswith("/"):
        raise Mismatch(
            "under is for plain paths: no ~, drive, scheme, backslash, NUL, outer space; relative as the root"
        )
    path = normpath("/" + value.lstrip("/") if value.startswith("/") else value)
    return root in (path, "/") or path.startswith(root + "/") or (root == "." and path.split("/")[0] != "..")


def _json(operand: Any, place: str) -> Any:
    try:
        return freeze(operand)
    except InvalidValue as error:
        raise InvalidRule(place, error.problem) from None


def _text(operand: Any, place: str) -> str:
    if not isinstance(operand, str) or not operand:
        raise InvalidRule(place, "must be a string that is not empty")
    return str(_json(operand, place))


def _number(operand: Any, place: str) -> Any:
    if type(operand) not in (int, float):
        raise InvalidRule(place, "must be a finite number")
    return _json(operand, place)


def _list(operand: Any, place: str) -> Any:
    if not isinstance(operand, list | tuple) or not operand:
        raise InvalidRule(place, "must be a list that is not empty")
    return _json([*cast("list[object]", operand)], place)


def _root(operand: Any, place: str) -> str:
    path = _text(operand, place)
    if _NO_PLAIN_PATH.search(path):
        raise InvalidRule(place, "must be a plain path: no ~, drive, scheme, backslash, NUL or outer space")
    path = normpath("/" + path.lstrip("/") if path.startswith("/") else path)
    if path.split("/")[0] == "..":
        raise InvalidRule(place, "a relative root must not begin with ..")
    return path


def _pattern(operand: Any, place: str) -> Pattern:
    try:
        return Pattern(_text(operand, place))
    except ValueError as error:
        raise error if isinstance(error, InvalidRule) else InvalidRule(place, str(error)) from None


def _kind(operand: Any, place: str) -> str:
    if operand not in KINDS:
        raise InvalidRule(place, f"must be one of {', '.join(KINDS)}")
    return str(operand)


def _operation(data: Any, place: str) -> Operation:
    given = only_keys(data, place, OPERATORS)
    if len(given) != 1:
        raise InvalidRule(place, f"must be one operator with its operand; the operators are {', '.join(OPERATORS)}")
    ((name, operand),) = given.items()
    read = OPERATORS[name].operand(operand, f"{place}.{name}")
    return Operation("not", Operation(name, True)) if name == "exists" and not read else Operation(name, read)


def _flag(operand: Any, place: str) -> bool:
    if type(operand) is not bool:
        raise InvalidRule(place, "must be true or false")
    return operand


def _length(operand: Any, place: str) -> Operation:
    if type(operand) in (int, float):
        return Operation("equals", _number(operand, place))
    read = _operation(operand, place)
    if not _is_numeric(read):
        raise InvalidRule(place, "must be a number, or equals, one_of, less, greater or not, on numbers")
    return read


def _is_numeric(test: Operation) -> bool:
    if test.operator == "not":
        return _is_numeric(test.operand)
    numbers = test.operand if test.operator == "one_of" else [test.operand]
    return test.operator in ("equals", "one_of", "less", "greater") and all(kind_of(n) == "number" for n in numbers)


def _always(kinds: Iterable[str]) -> Callable[[Any], Iterable[str]]:
    return lambda _: kinds


OPERATORS: dict[str, Operator] = {
    # operator              operand    for values of type                        holds when
    "equals": Operator(_json, lambda x: (kind_of(x),), same),
    "one_of": Operator(_list, lambda xs: map(kind_of, xs), lambda v, xs: any(same(v, x) for x in xs)),
    "starts_with": Operator(_text, _always(("string",)), lambda v, x: v.startswith(x)),
    "ends_with": Operator(_text, _always(("string",)), lambda v, x: v.endswith(x)),
    "contains": Operator(
        _json,
        lambda x: ("string", "array") if isinstance(x, str) else ("array",),
        lambda v, x: x in v if isinstance(v, str) else any(same(item, x) for item in v),
    ),
    "matches": Operator(_pattern, _always(("string",)), lambda v, x: x.search(v)),
    "under": Operator(_root, _always(("string",)), _under),
    "less": Operator(_number, _always(("number",)), lambda v, x: v < x),
    "greater": Operator(_number, _always(("number",)), lambda v, x: v > x),
    "exists": Operator(_flag, _always((*KINDS, "no JSON")), lambda v, x: True),
    "type_is": Operator(_kind, _always(KINDS), lambda v, x: kind_of(v) == x),
    "length": Operator(_length, _always(("string", "array", "object")), lambda v, x: holds(x, len(v))),
    "any": Operator(_operation, _always(("array",)), _any),
    "not": Operator(_operation, _always(KINDS), lambda v, x: not holds(x, v)),
}


def tokens(pointer: object, place: str) -> tuple[str, ...]:
    """Split a JSON pointer (RFC 6901)."""
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise InvalidRule(place, "must be a JSON pointer: empty, or /key/key")
    _json(pointer, place)
    if re.search("~(?![01])", pointer):
        raise InvalidRule(place, "in a JSON pointer ~ is written ~0, and / in a key ~1")
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:])


def locate(inside: object, keys: Iterable[str]) -> Any:
    """Follow a pointer's keys; `MISSING` where nothing is, `Mismatch` where it leads through what holds nothing."""
    found: Any = inside
    for key in keys:
        kind = kind_of(found)
        if kind == "object":
            found = found.get(key, MISSING)
        elif kind == "array" and re.fullmatch("0|[1-9][0-9]{0,8}", key):
            found = found[int(key)] if int(key) < len(found) else MISSING
        elif kind in ("null", "absent"):
            return MISSING
        else:
            raise Mismatch(f"the pointer leads through {kind}")
    return found


@frozen
class Condition:
    """A test of what stands at a JSON pointer into a call's arguments."""

    at: tuple[str, ...]
    test: Operation

    def holds(self, arguments: object) -> bool:
        """Whether it holds; raises `Mismatch`, naming the place and the types."""
        try:
            return holds(self.test, locate(arguments, self.at))
        except Mismatch as mismatch:
            raise Mismatch(f"{pointer(self.at) or 'the arguments'}: {mismatch}") from None

    def data(self) -> dict[str, Any]:
        """The condition as data, as `read` takes it."""
        return {"at": pointer(self.at), **operation_data(self.test)}

    @classmethod
    def read(cls, data: object, place: str) -> "Condition":
        """Read a condition; raises `InvalidRule`."""
        given = only_keys(data, place, ("at", *OPERATORS), required=("at",))
        at = tokens(given.pop("at"), f"{place}.at")
        return cls(at, _operation(given, place))


def pointer(keys: Iterable[str]) -> str:
    """Write a JSON pointer."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)


def operation_data(test: Operation) -> dict[str, Any]:
    """A test as data."""
    operand = test.operand
    if isinstance(operand, Operation):
        return {test.operator: operation_data(operand)}
    return {test.operator: operand.text if isinstance(operand, Pattern) else thaw(operand)}


def only_keys(data: object, place: str, known: Iterable[str], required: Iterable[str] = ()) -> dict[str, Any]:
    """Take a mapping with no key but these, as a plain dict; raises `InvalidRule`."""
    if not isinstance(data, Mapping):
        raise InvalidRule(place, f"must be a table, not {type(data).__name__}")
    given: dict[str, Any] = dict(cast("Mapping[str, Any]", data))
    if not all(isinstance(cast(object, key), str) for key in given):
        raise InvalidRule(place, "a key is no string")
    names = list(known)
    for key in given:
        if key not in names:
            from difflib import get_close_matches  # only a mistake pays for it

            close = get_close_matches(str(key), names, 1)
            hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
            raise InvalidRule(f"{place}.{key}", f"unknown key; {hint}")
    for key in required:
        if key not in given:
            raise InvalidRule(place, f"{key} is missing")
    return given
