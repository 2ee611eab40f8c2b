"""What passes a seam: frozen all the way down, with an identity, and refused without being quoted."""

import json
from traceback import format_exception
from typing import Any

from seamlaw import FrozenDict, FrozenList, InvalidValue, canonical, digest, freeze, thaw
from seamlaw_spec._law import law
from seamlaw_spec.value_domains import (
    SAFE,
    Plain,
    Planted,
    Twins,
    is_array,
    is_object,
    numbers_in,
    reordered,
    same_json,
    spelled_alike,
    text_of,
)

__all__ = ["bad_values_name_the_place_not_the_value", "digest_is_canonical", "frozen_equals_plain"]


@law(by="H")
def frozen_equals_plain(plain: Plain) -> bool:
    """A frozen value equals its plain form, is a `dict` or `list` where that is, and dumps to the same JSON.

    Freezing what is frozen gives the very same object; thawing gives back the plain form, in containers of its own.
    """
    value = plain.value
    frozen = freeze(value)
    thawed = thaw(frozen)
    return (
        frozen == value
        and value == frozen
        and (isinstance(frozen, dict), isinstance(frozen, list)) == (isinstance(value, dict), isinstance(value, list))
        and json.dumps(frozen) == json.dumps(value)
        and freeze(frozen) is frozen
        and _is_frozen(frozen)
        and _spelled(thawed) == _spelled(value)
        and not _shares_containers(thawed, value)
    )


def _is_frozen(value: object) -> bool:
    if is_object(value):
        return type(value) is FrozenDict and all(map(_is_frozen, value.values()))
    return not is_array(value) or (type(value) is FrozenList and all(map(_is_frozen, value)))


def _spelled(value: Any) -> str:
    return repr(value)  # tells 1, 1.0 and True apart, and a frozen container from a plain one only by their types


def _shares_containers(thawed: Any, value: Any) -> bool:
    """Whether a thawed value has any container that is frozen, or that is not its own."""
    if not is_object(thawed) and not is_array(thawed):
        return False
    if thawed is value or type(thawed) not in (dict, list):
        return True
    if is_object(thawed):
        thawed, value = list(thawed.values()), [value[key] for key in thawed]
    return any(map(_shares_containers, thawed, value))


@law(by="H")
def digest_is_canonical(twins: Twins) -> bool:
    """Two values have the same digest iff they are the same JSON: key order does not count, an absent key does.

    Numbers are the same by their exact value, but that past 2^53 an integer and a double are only where RFC 8785 spells
    them alike. The text behind the digest is that of RFC 8785 wherever every number is a double or within 2^53; a
    frozen value has the digest of its plain form.
    """
    one, other = twins.one, twins.other
    same = same_json(one, other, spelled_alike)
    exact = all(abs(number) <= SAFE or isinstance(number, float) for number in numbers_in(one))
    return (
        (digest(one) == digest(other)) is same
        and (canonical(one) == canonical(other)) is same
        and digest(one) == digest(reordered(one)) == digest(freeze(one))
        and digest({"key": one}) != digest({"key": one, "absent": None}) != digest({})
        and (not exact or canonical(one) == text_of(one))
    )


@law(by="H")
def bad_values_name_the_place_not_the_value(planted: Planted) -> bool:
    """A value that no seam carries is refused with the JSON pointer to it, and no word of what stands there.

    Neither the error, its parts, nor the traceback that is printed quotes the value or what stands around it.
    """
    try:
        freeze(planted.value)
    except InvalidValue as error:
        told = [str(error), repr(error), *map(str, error.args), error.path, error.problem, *_printed(error)]
        place = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in planted.path)
        return error.path == place and not any(planted.secret in text for text in told)
    return False


def _printed(error: InvalidValue) -> list[str]:
    """The traceback as it is printed, without the source lines of those who called."""
    return [line for line in format_exception(error) if not line.startswith("  File ")]
