"""Conditions, with three truth values: it holds, it does not, or it cannot be told."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import frozen

from seamlaw import Condition, Operation

from ._demands import INDEX
from ._json import ABSENT, KINDS, Json, constant, equal, number
from ._texts import Texts
from ._z3 import all_of, any_of, implies, negation, z3

__all__ = ["NO", "YES", "Truth", "all_hold", "condition_truth", "if_then"]


@frozen(eq=False)
class Truth:
    """That it holds, and that it cannot be told; never both."""

    yes: Any
    unknown: Any = False

    @property
    def no(self) -> Any:
        """That it does not hold."""
        return negation(any_of((self.yes, self.unknown)))

    def opposite(self) -> "Truth":
        """What denies it."""
        return Truth(self.no, self.unknown)


YES, NO, UNKNOWN = Truth(True), Truth(False), Truth(False, True)


def if_then(condition: Any, then: Truth, otherwise: Truth) -> Truth:
    """One truth if a condition holds, else the other."""
    return Truth(_if(condition, then.yes, otherwise.yes), _if(condition, then.unknown, otherwise.unknown))


def _if(condition: Any, a: Any, b: Any) -> Any:
    return all_of((implies(condition, a), implies(negation(condition), b)))


def all_hold(truths: Iterable[Truth]) -> Truth:
    """Kleene's conjunction."""
    listed = list(truths)
    no = any_of(truth.no for truth in listed)
    yes = all_of(truth.yes for truth in listed)
    return Truth(yes, all_of((negation(no), negation(yes))))


def condition_truth(condition: Condition, arguments: Json, texts: Texts) -> Truth:
    """Whether a condition holds of arguments."""
    return _at(arguments, condition.at, condition.test, texts)


def _at(value: Json, keys: tuple[str, ...], test: Operation, texts: Texts) -> Truth:
    if not keys:
        return _truth(test, value, texts)
    key, *rest = keys
    in_object = _at(value.field(key), tuple(rest), test, texts) if _can_be(value, "object") else NO
    in_array = UNKNOWN
    if INDEX.fullmatch(key) and _can_be(value, "array"):
        in_array = _at(value.item(int(key)), tuple(rest), test, texts)
    nowhere = if_then(value.is_a("null", "absent"), _truth(test, ABSENT, texts), UNKNOWN)
    return if_then(value.is_a("object"), in_object, if_then(value.is_a("array"), in_array, nowhere))


def _can_be(value: Json, kind: str) -> bool:
    return value.is_a(kind) is not False


def _truth(test: Operation, value: Json, texts: Texts) -> Truth:
    if test.operator == "not":
        return _truth(test.operand, value, texts).opposite()
    if value.is_a("absent") is True:
        return NO
    return if_then(value.is_a("absent"), NO, TRUTHS[test.operator](value, test.operand, texts))


def _of(kinds: Iterable[str], value: Json, holds: Any) -> Truth:
    """What holds of values of some kinds, and cannot be told of others."""
    suits = value.is_a(*kinds)
    return Truth(all_of((suits, holds)), negation(suits))


def _of_text(value: Json, holds: Callable[[Any], Any]) -> Truth:
    return UNKNOWN if value.text is None else _of(("string",), value, holds(value.text))


def _kind(value: Any, texts: Texts) -> str:
    return KINDS[int(constant(value, None, texts).kind)]


def _equals(value: Json, operand: Any, texts: Texts) -> Truth:
    return _of((_kind(operand, texts),), value, equal(value, operand, texts))


def _one_of(value: Json, operand: Any, texts: Texts) -> Truth:
    return _of({_kind(one, texts) for one in operand}, value, any_of(equal(value, one, texts) for one in operand))


def _contains(value: Json, operand: Any, texts: Texts) -> Truth:
    has = any_of(equal(element, operand, texts) for element in value.elements)
    in_array = _of(("array",), value, has)
    if not isinstance(operand, str):
        return in_array
    in_text = _of_text(value, lambda term: z3.Contains(term, texts.literal(operand)))
    return if_then(value.is_a("string"), in_text, in_array)


def _under(value: Json, operand: Any, texts: Texts) -> Truth:
    if value.text is None:
        return UNKNOWN
    inside, untold = texts.under(value.text, operand)
    return Truth(all_of((value.is_a("string"), inside)), any_of((negation(value.is_a("string")), untold)))


def _length(value: Json, operand: Any, texts: Texts) -> Truth:
    of_text = UNKNOWN if value.text is None else _truth(operand, Json(3, number=z3.Length(value.text)), texts)
    of_others = _truth(operand, Json(3, number=value.size), texts)
    told = if_then(value.is_a("string"), of_text, of_others)
    return if_then(value.is_a("string", "array", "object"), told, UNKNOWN)


def _any(value: Json, operand: Any, texts: Texts) -> Truth:
    each = [if_then(e.is_a("absent"), NO, _truth(operand, e, texts)) for e in value.elements]
    some = all_hold(truth.opposite() for truth in each).opposite()
    return if_then(value.is_a("array"), some, UNKNOWN)


ANY_KIND = ("null", "boolean", "number", "string", "array", "object")
TRUTHS: Mapping[str, Callable[[Json, Any, Texts], Truth]] = {
    "equals": _equals,
    "one_of": _one_of,
    "starts_with": lambda v, x, t: _of_text(v, lambda term: z3.PrefixOf(t.literal(x), term)),
    "ends_with": lambda v, x, t: _of_text(v, lambda term: z3.SuffixOf(t.literal(x), term)),
    "contains": _contains,
    "matches": lambda v, x, t: _of_text(v, lambda term: t.matches(term, x)),
    "under": _under,
    "less": lambda v, x, _: _of(("number",), v, v.number < number(x)),
    "greater": lambda v, x, _: _of(("number",), v, v.number > number(x)),
    "exists": lambda v, x, _: YES,
    "type_is": lambda v, x, _: Truth(v.is_a(x)),
    "length": _length,
    "any": _any,
}
