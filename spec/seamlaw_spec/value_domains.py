"""What the laws of values range over, and a naive account of what a value is: its canonical text, and sameness.

The account follows RFC 8785 from its text. It shares nothing with the kernel: numbers are written from `Decimal`, by
the steps of ECMAScript's Number::toString, strings character by character, keys sorted by lists of UTF-16 units.
"""

import struct
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeGuard

from attrs import frozen

__all__ = [
    "SAFE",
    "Plain",
    "Planted",
    "Twins",
    "is_array",
    "is_object",
    "number_text",
    "numbers_in",
    "reordered",
    "same_json",
    "spelled_alike",
    "text_of",
    "units",
]

SAFE = 2**53  # up to here a double holds every integer


@frozen
class Plain:
    """A JSON value in plain containers."""

    value: Any


@frozen
class Twins:
    """Two JSON values that are the same, or nearly."""

    one: Any
    other: Any


@frozen
class Planted:
    """A value that no seam carries: something bad stands at the end of `path`, and a secret in it and around it."""

    value: Any
    path: tuple[str, ...]
    secret: str


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is a JSON object, plain or frozen."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON array, plain or frozen."""
    return isinstance(value, list)


def same_json(a: Any, b: Any, alike: Callable[[Any, Any], bool] | None = None) -> bool:
    """Whether two values are the same JSON: numbers by their exact value (or if `alike`), objects in any order."""
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return type(a) is type(b) and a == b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return alike(a, b) if alike else Fraction(a) == Fraction(b)
    if is_object(a) and is_object(b):
        return sorted(a) == sorted(b) and all(same_json(a[key], b[key], alike) for key in a)
    if is_array(a) and is_array(b):
        return len(a) == len(b) and all(same_json(*pair, alike) for pair in zip(a, b, strict=True))
    return type(a) is type(b) and a == b


def spelled_alike(a: Any, b: Any) -> bool:
    """Whether two numbers are equal and, where one is a double and one an integer, RFC 8785 spells them alike.

    Past 2^53 a double is spelled by the fewest digits that tell it, which need not be those of the integer it equals.
    """
    return Fraction(a) == Fraction(b) and (type(a) is type(b) or _spelled(a) == _spelled(b))


def _spelled(number: Any) -> str:
    return number_text(number) if isinstance(number, float) else str(number)


def reordered(value: Any) -> Any:
    """The same value with the keys of every object in the opposite order."""
    if is_object(value):
        return {key: reordered(value[key]) for key in reversed(list(value))}
    return [reordered(item) for item in value] if is_array(value) else value


def text_of(value: Any) -> str:
    """The canonical text of a JSON value (RFC 8785), for numbers that a double holds exactly."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return number_text(float(value))
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, value)) + '"'
    if is_array(value):
        return "[" + ",".join(map(text_of, value)) + "]"
    return "{" + ",".join(text_of(key) + ":" + text_of(value[key]) for key in sorted(value, key=units)) + "}"


def units(text: str) -> list[int]:
    """The UTF-16 code units of a text."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [unit for (unit,) in struct.iter_unpack("<H", data)]


def _escaped(character: str) -> str:
    short = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    if character in short:
        return short[character]
    return f"\\u{ord(character):04x}" if ord(character) < 0x20 else character


def number_text(value: float) -> str:
    """Number::toString of ECMAScript, for a finite double, after its steps: `s` are the digits, `n` is the place."""
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number_text(-value)
    exact = Decimal(repr(value)).normalize()
    s = "".join(map(str, exact.as_tuple().digits))
    k, n = len(s), exact.adjusted() + 1
    if k <= n <= 21:
        return s + "0" * (n - k)
    if 0 < n <= 21:
        return s[:n] + "." + s[n:]
    if -6 < n <= 0:
        return "0." + "0" * -n + s
    sign = "+" if n > 0 else "-"
    return s[:1] + ("." + s[1:] if k > 1 else "") + "e" + sign + str(abs(n - 1))


def numbers_in(value: Any) -> Iterable[int | float]:
    """Every number in a value."""
    inside: Iterable[Any] = value.values() if is_object(value) else value if is_array(value) else ()
    for item in inside:
        yield from numbers_in(item)
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield value
