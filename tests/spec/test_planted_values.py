"""A broken digest, or a broken freezing, is rejected by a law that says in its name what is wrong."""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import pytest

from seamlaw import InvalidValue
from seamlaw.values import _canonical as digests
from seamlaw.values import _frozen as frozen

pytestmark = pytest.mark.slow

Catches: TypeAlias = Callable[[str], bool]
write, array, text_of, freeze = digests._write, frozen._array, frozen._text, frozen._freeze


def _object_by(order: Callable[[dict[str, Any]], list[str]]) -> Callable[[dict[str, Any], list[str]], bool]:
    def write_object(value: dict[str, Any], out: list[str]) -> bool:
        exact = True
        for index, key in enumerate(order(value)):
            out.append(("," if index else "{") + f'"{key}":')
            exact &= digests._write(value[key], out)
        out.append("}" if order(value) else "{}")
        return exact

    return write_object


def true_is_one(value: Any, out: list[str]) -> bool:
    """`true` is written as 1."""
    return write(int(value) if isinstance(value, bool) else value, out)


def null_is_absent(value: dict[str, Any]) -> list[str]:
    """A key whose value is null is left out."""
    return sorted(key for key in value if value[key] is not None)


def order_of_items_is_lost(value: list[Any], out: list[str], write: Callable[[Any, list[str]], bool]) -> bool:
    """An array is a set: its items are written in order of their text."""
    texts = list[list[str]]()
    exact = True
    for item in value:
        texts.append([])
        exact &= write(item, texts[-1])
    out.append("[" + ",".join(sorted("".join(text) for text in texts)) + "]")
    return exact


def shallow(value: list[Any], levels: int, objects: bool) -> Any:
    """The items of an array are not frozen."""
    made = array([], levels, objects)
    cast(Any, list).extend(made, value)
    return made


def as_a_double(value: int) -> str:
    """An integer is written as the double nearest to it."""
    return digests._float(float(value))


def not_at_all(value: Any, levels: int, objects: bool) -> Any:
    """An object is not frozen."""
    return value


def stripped(value: str, objects: bool) -> str:
    """A text loses the white space around it."""
    return value.strip()


def quoting(value: str, objects: bool) -> str:
    """A refusal quotes the text that it refuses."""
    try:
        return text_of(value, objects)
    except InvalidValue:
        raise InvalidValue("", f"{value!r} is no text") from None


def showing_the_cause(value: str, objects: bool) -> str:
    """A refusal keeps, and shows, the error that quotes the text."""
    value.encode()
    return text_of(value, objects)


def unescaped(key: str, rest: str = "") -> str:
    """A pointer does not write `/` as `~1`."""
    return f"/{key}{rest}"


def without_the_rest(key: str, _: str = "") -> str:
    """A pointer names only the first step."""
    return f"/{key}"


def tolerant(value: Any, levels: int, objects: bool) -> Any:
    """NaN passes."""
    return value if isinstance(value, float) else freeze(value, levels, objects)


PLANTED: list[tuple[Any, str, Callable[..., Any], str]] = [
    (digests, "_write_object", _object_by(list), "digest_is_canonical"),
    (digests, "_write_object", _object_by(sorted), "digest_is_canonical"),  # by code points, and nothing escaped
    (digests, "_write_object", _object_by(null_is_absent), "digest_is_canonical"),
    (digests, "_write", true_is_one, "digest_is_canonical"),
    (digests, "_write_list", order_of_items_is_lost, "digest_is_canonical"),
    (digests, "_integer", as_a_double, "digest_is_canonical"),
    (digests, "_integer", str, "digest_is_canonical"),
    (digests, "_float", repr, "digest_is_canonical"),
    (digests, "encode_basestring", ascii, "digest_is_canonical"),
    (frozen, "_array", shallow, "frozen_equals_plain"),
    (frozen, "_object", not_at_all, "frozen_equals_plain"),
    (frozen, "_text", stripped, "frozen_equals_plain"),
    (frozen, "_text", quoting, "bad_values_name_the_place_not_the_value"),
    (frozen, "_text", showing_the_cause, "bad_values_name_the_place_not_the_value"),
    (frozen, "pointer", unescaped, "bad_values_name_the_place_not_the_value"),
    (frozen, "pointer", without_the_rest, "bad_values_name_the_place_not_the_value"),
    (frozen, "_freeze", tolerant, "bad_values_name_the_place_not_the_value"),
]


@pytest.mark.parametrize(("where", "what", "bug", "name"), PLANTED)
def test_a_bug_in_values_is_caught(
    where: Any, what: str, bug: Callable[..., Any], name: str, monkeypatch: pytest.MonkeyPatch, catches: Catches
) -> None:
    """The law that says what is wrong notices it."""
    with monkeypatch.context() as broken:
        broken.setattr(where, what, bug)
        assert catches(name)
