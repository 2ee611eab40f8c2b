"""Reads the configuration of a pack, which may be Python's values or those of TOML and JSON."""

from collections.abc import Iterable, Mapping
from typing import cast

from seamlaw import Globs, Pattern

from .errors import InvalidPack

__all__ = [
    "are_pairs",
    "argument_names_at",
    "arguments_by_tool_at",
    "flag",
    "globs_at",
    "mapping_at",
    "pattern_at",
    "target_at",
    "text_at",
    "texts_at",
    "whole_number",
]


def text_at(place: str, given: object) -> str:
    """Take a text that is not empty."""
    if type(given) is not str or not given:
        raise InvalidPack(place, "must be text that is not empty")
    return given


def texts_at(place: str, given: object, *, empty: bool = False) -> tuple[str, ...]:
    """Take a list of texts."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise InvalidPack(place, "must be a list of texts")
    listed = tuple(text_at(f"{place}[{index}]", item) for index, item in enumerate(cast("Iterable[object]", given)))
    if not (listed or empty):
        raise InvalidPack(place, "must not be empty")
    return listed


def are_pairs(given: object, *kinds: type) -> bool:
    """Whether this is what a pack that was made has of a mapping: pairs of these kinds."""
    listed = cast("tuple[object, ...]", given) if isinstance(given, tuple) else ()
    found = [tuple(map(type, cast("tuple[object, ...]", one))) for one in listed if isinstance(one, tuple)]
    return bool(listed) and found == [kinds] * len(listed)


def argument_names_at(place: str, given: object) -> tuple[str, ...]:
    """Take names of arguments; one that ends in `?` is of one that may be absent."""
    names = texts_at(place, given)
    for index, name in enumerate(names):
        bare = name.removesuffix("?")
        if not bare or bare.endswith("?"):
            raise InvalidPack(f"{place}[{index}]", "must be the name of an argument, with one ? behind it at most")
    return names


def arguments_by_tool_at(place: str, given: object) -> tuple[tuple[Globs, tuple[str, ...]], ...]:
    """Take globs of tools, each with the names of its arguments that matter."""
    return tuple(
        (globs_at(f"{place}[{glob!r}]", glob), argument_names_at(f"{place}[{glob!r}]", names))
        for glob, names in mapping_at(place, given).items()
    )


def globs_at(place: str, given: object) -> Globs:
    """Take one glob or several; none at all would be every tool, and is refused."""
    if isinstance(given, Globs) and given.patterns:
        return given
    given = given.patterns if isinstance(given, Globs) else given
    try:
        return Globs(texts_at(place, (given,) if isinstance(given, str) else given))
    except InvalidPack:
        raise
    except ValueError as error:
        raise InvalidPack(place, str(error)) from None


def mapping_at(place: str, given: object) -> dict[str, object]:
    """Take a mapping of texts to something; it must not be empty."""
    if not isinstance(given, Mapping) or not given:
        raise InvalidPack(place, "must be a mapping that is not empty")
    items = cast("Mapping[object, object]", given).items()
    return {text_at(f"a key of {place}", key): value for key, value in items}


def pattern_at(place: str, given: object) -> Pattern:
    """Take a pattern of the kind that rules have: regular, so that no text can slow it down."""
    try:
        return given if isinstance(given, Pattern) else Pattern(text_at(place, given))
    except InvalidPack:
        raise
    except ValueError as error:
        raise InvalidPack(place, str(error)) from None


def whole_number(place: str, given: object, least: int) -> int:
    """Take a whole number that is not less than this."""
    if type(given) is not int or given < least:
        raise InvalidPack(place, f"must be a whole number, at least {least}")
    return given


def flag(place: str, given: object) -> bool:
    """Take `True` or `False`."""
    if type(given) is not bool:
        raise InvalidPack(place, "must be true or false")
    return given


def target_at(given: str | None) -> str | None:
    """Take whom to ask, as a URI such as `cli://`, or nobody in particular."""
    return None if given is None else text_at("target", given)
