"""Values that a rule's conditions hold for, and others close by."""

from collections.abc import Callable
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamlaw import Condition, Default, Globs, Operation, Pattern, Rule, thaw
from seamlaw.policy._conditions import MISSING

__all__ = ["arguments_for", "matching", "met_by", "named_by"]

SHORT = st.text(st.sampled_from("ab/._- \n"), max_size=4)
SCALARS: SearchStrategy[Any] = st.none() | st.booleans() | st.integers(-2, 2) | SHORT
BY_TYPE: dict[str, SearchStrategy[Any]] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "number": st.integers(-2, 100) | st.floats(-2, 2),
    "string": SHORT,
    "array": st.lists(SCALARS, max_size=3),
    "object": st.dictionaries(SHORT, SCALARS, max_size=3),
}
ANY = st.one_of(*BY_TYPE.values())


def matching(pattern: str) -> SearchStrategy[str]:
    """Texts in which a pattern occurs, and texts that nearly are such."""
    try:
        found = st.from_regex(pattern).filter(_is_text).map(lambda text: text[:200])
        found.validate()
    except Exception:  # what `re` takes and this cannot spell
        return SHORT
    return found


def _is_text(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def met_by(test: Operation) -> SearchStrategy[Any]:
    """Values that a test may hold for."""
    made = MET_BY.get(test.operator)
    return ANY if made is None else made(test.operand)


def _contains(operand: Any) -> SearchStrategy[Any]:
    inside = SHORT.map(lambda text: f"{text}{operand}") if isinstance(operand, str) else st.nothing()
    return inside | st.just([thaw(operand)])


def _matches(operand: Pattern) -> SearchStrategy[Any]:
    return matching(operand.text)


def _near(operand: Any) -> SearchStrategy[Any]:
    return st.sampled_from([operand, operand - 1, operand + 1])


MET_BY: dict[str, Callable[[Any], SearchStrategy[Any]]] = {
    "equals": lambda operand: st.just(thaw(operand)),
    "one_of": lambda operand: st.sampled_from(thaw(operand)),
    "starts_with": lambda operand: SHORT.map(lambda text: f"{operand}{text}"),
    "ends_with": lambda operand: SHORT.map(lambda text: f"{text}{operand}"),
    "contains": _contains,
    "matches": _matches,
    "under": lambda operand: SHORT | st.builds("{}/{}".format, st.just(operand), st.sampled_from(["", "a", "../x"])),
    "less": _near,
    "greater": _near,
    "type_is": lambda operand: BY_TYPE[operand],
    "any": lambda operand: st.lists(met_by(operand), max_size=2),
    "not": lambda operand: met_by(operand) | ANY,
    "length": lambda _: st.integers(0, 4).flatmap(lambda n: st.sampled_from(["a" * n, [0] * n])),
}


def named_by(globs: Globs) -> SearchStrategy[str] | None:
    """Names that the globs let through; `None` where they let every name."""
    made = [_spelled(pattern) for pattern in globs.patterns]
    return st.one_of(*made) if made else None


def _spelled(pattern: str) -> SearchStrategy[str]:
    parts: list[SearchStrategy[str]] = []
    at = 0
    while at < len(pattern):
        character, end = pattern[at], at + 1
        if character == "*":
            parts.append(st.sampled_from(["", "a", "_x", "\n"]))
        elif character == "?":
            parts.append(st.sampled_from(["a", "1", "\n"]))
        elif character == "[":
            end = pattern.index("]", at) + 1
            parts.append(_one_of(pattern[at + 1 : end - 1]))
        else:
            parts.append(st.just(character))
        at = end
    return st.tuples(*parts).map("".join)


def _one_of(inside: str) -> SearchStrategy[str]:
    return st.sampled_from([c for c in "azAZ09_-" if c not in inside] if inside[0] == "!" else [inside[0], inside[-1]])


def arguments_for(rule: Rule | Default, loosely: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    """Arguments that meet a rule: at each pointer what its conditions are for, or whatever else there is."""
    conditions = (*rule.only.when, *rule.only.unless)
    aimed = [(condition.at, _at(condition, loosely)) for condition in conditions if condition.at]
    aimed += [(rule.at, st.just(MISSING) | loosely)] if isinstance(rule, Default) else []
    values = st.tuples(*(strategy for _, strategy in aimed))
    return values.map(lambda drawn: _put([keys for keys, _ in aimed], drawn))


def _at(condition: Condition, loosely: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return met_by(condition.test) | met_by(condition.test) | st.just(MISSING) | ANY | loosely


def _put(places: list[tuple[str, ...]], drawn: tuple[Any, ...]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for keys, value in zip(places, drawn, strict=True):
        if value is not MISSING:
            _set(made, keys, value)
    return made


def _set(inside: dict[str, Any], keys: tuple[str, ...], value: Any) -> None:
    for key in keys[:-1]:
        found: Any = inside.setdefault(key, {})
        if not isinstance(found, dict):
            return
        inside = cast("dict[str, Any]", found)
    inside[keys[-1]] = value
