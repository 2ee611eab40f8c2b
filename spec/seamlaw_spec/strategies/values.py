"""JSON values, twins of them, and values with something bad planted inside."""

import math
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from seamlaw_spec.value_domains import Plain, Planted, Twins, is_array, is_object, reordered

from ._lookup import register

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
ODD_TEXT = st.sampled_from(["", "\x00", "\x1f", "\x7f", '"', "\\", "/", "~", "~1", "é", "\u2028", "\ufb33", "𝄞", "😀"])
ODD_NUMBERS = st.sampled_from(
    [
        *(
            0,
            1,
            -1,
            2**53 - 1,
            2**53,
            2**53 + 1,
            2**53 + 2,
            2**60,
            1152921504606847000,
            10**21,
            10**22,
            2**4095,
            -(2**64),
        ),
        *(-0.0, 1.0, 0.1, 1e-6, 1e-7, 1e20, 1e21, 5e-324, 1.7976931348623157e308, 9007199254740994.0, 2.0**60, 1e22),
    ]
)
INTEGERS = st.integers() | st.integers(0, 70).flatmap(lambda n: st.integers(-3, 3).map(lambda by: 2**n + by))
NUMBERS = st.integers(-2, 2) | INTEGERS | st.floats(allow_nan=False, allow_infinity=False) | ODD_NUMBERS
SCALARS = st.none() | st.booleans() | NUMBERS | TEXT | ODD_TEXT
KEYS: st.SearchStrategy[str] = TEXT | ODD_TEXT | st.sampled_from(["a", "b", "\u20ac", "\ud7ff", "\ue000", "\U00010000"])
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


def _deep(levels: int, inner: Any) -> Any:
    for level in range(levels):
        inner = [inner] if level % 2 else {"k": inner}
    return inner


DEEP = st.builds(_deep, st.integers(1, 99), SCALARS)


@st.composite
def _nearly(draw: st.DrawFn, value: Any) -> Any:
    """The same value, or one that differs in one place, or only looks different."""
    inside = draw(st.booleans())
    if inside and is_object(value) and value:
        key = draw(st.sampled_from(sorted(value)))
        kept = {name: item for name, item in value.items() if name != key}
        return draw(st.sampled_from([kept, {**value, key: None}, {**value, key: draw(_nearly(value[key]))}]))
    if inside and is_array(value) and value:
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], draw(_nearly(value[at])), *value[at + 1 :]]
    if isinstance(value, int | float):
        near: list[Any] = [value, int(value), value + 1, bool(value), str(value)]
        near += [float(value), math.nextafter(float(value), math.inf)] if abs(value) < 1e300 else []
        return draw(st.sampled_from(near))
    others: list[Any] = [reordered(value), value, [value], {"a": value}, None, ""]
    return draw(st.sampled_from(others))


SECRET = "sk-" + "s3cr3t" * 3  # one that nobody has
SURROGATE = SECRET + "\ud800"


class Subject:
    """An object that says its secret to whoever asks."""

    def __repr__(self) -> str:
        return SECRET

    __str__ = __repr__


class Text(str):
    """Text of a class of its own, which forges what it shows."""

    __slots__ = ()

    def __str__(self) -> str:
        return SECRET


BAD: st.SearchStrategy[Any] = st.sampled_from(
    [
        *(math.nan, math.inf, -math.inf, SURROGATE, Text(SURROGATE), Subject(), (SECRET,), {SECRET}, SECRET.encode()),
        *({1: SECRET}, {None: SECRET}, {(SECRET,): 1}, {SURROGATE: 1}, 2**5000, 1j, range(3)),
    ]
)


@st.composite
def _planted(draw: st.DrawFn) -> Planted:
    """Something bad inside harmless containers that hold the secret, at any depth."""
    value: Any = draw(BAD)
    path = list[str]()
    for _ in range(draw(st.integers(0, 6) | st.integers(60, 95))):
        if draw(st.booleans()):
            key = draw(KEYS)
            value = {"first": SECRET, key: value, "\ufeff": SECRET} if key != "\ufeff" else {key: value}
            path.insert(0, key)
        else:
            before = draw(st.integers(0, 2))
            value = [*[SECRET] * before, value, SECRET]
            path.insert(0, str(before))
    return Planted(value, tuple(path), SECRET)


register(Plain, st.builds(Plain, JSON | DEEP))


def _of_numbers(number: float) -> st.SearchStrategy[Twins]:
    """A number past 2^53 beside its neighbours, the double nearest to it, and the integer that this is spelled as."""
    double = float(number)
    beside = [int(number), int(number) + 1, int(number) - 1, double, int(double), int(Decimal(repr(double)))]
    return st.builds(Twins, st.sampled_from(beside), st.sampled_from(beside))


LARGE = st.integers(53, 80).flatmap(lambda n: st.integers(-3, 3).map(lambda by: 2**n + by)) | st.integers(2**53, 2**70)
register(
    Twins,
    JSON.flatmap(lambda value: st.builds(Twins, st.just(value), _nearly(value) | JSON)) | LARGE.flatmap(_of_numbers),
)


def _too_deep(levels: int) -> Planted:
    path = tuple("0" if (levels - at) % 2 == 0 else "k" for at in range(100))
    return Planted(_deep(levels, SECRET), path, SECRET)


register(Planted, _planted() | st.integers(101, 150).map(_too_deep))
