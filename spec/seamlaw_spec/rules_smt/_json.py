"""JSON for the solver: a value as its kind and what goes with it, as deep as rules ask.

A list of any length is stood for by the items that are asked for by their index and by one element for each question
about elements in general; the rest repeats one of these, which changes no answer.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

from attrs import Factory, frozen

from seamlaw_spec.kit._fields import items_of

from ._demands import Demand
from ._texts import Texts
from ._z3 import all_of, any_of, implies, negation, written, z3

__all__ = ["ABSENT", "KINDS", "Json", "choose", "constant", "equal", "number", "python", "unknown"]

KINDS = ("absent", "null", "boolean", "number", "string", "array", "object")


@frozen(eq=False)
class Json:
    """A value: terms for its kind and for what each kind carries, and the values inside it."""

    kind: Any
    boolean: Any = False
    number: Any = 0
    text: Any = None
    size: Any = 0
    fields: "Mapping[str, Json]" = Factory(dict[str, "Json"])
    items: "Mapping[int, Json]" = Factory(dict[int, "Json"])
    others: "tuple[Json, ...]" = ()

    def is_a(self, *kinds: str) -> Any:
        """Whether it is of one of these kinds."""
        return any_of(_same(self.kind, KINDS.index(kind)) for kind in kinds)

    def field(self, key: str) -> "Json":
        """A field, absent where there is none."""
        return self.fields.get(key, ABSENT)

    def item(self, index: int) -> "Json":
        """An item, absent past the end."""
        return self.items.get(index, ABSENT)

    @property
    def elements(self) -> "list[Json]":
        """All elements that matter; those that are absent are none."""
        return [*self.items.values(), *self.others]


ABSENT = Json(0)


def _same(term: Any, number: int) -> Any:
    return term == number


def constant(value: Any, demand: Demand | None, texts: Texts) -> Json:
    """A value that is known."""
    demand = demand or Demand()
    match value:
        case None:
            return Json(1)
        case bool():
            return Json(2, boolean=value)
        case int() | float():
            return Json(3, number=number(value))
        case str():
            return Json(4, text=texts.literal(value))
        case list():
            listed = items_of(value)
            items = {i: constant(listed[i], inner, texts) for i, inner in demand.items.items() if i < len(listed)}
            others = tuple(constant(item, demand.element, texts) for item in listed) if demand.element else ()
            return Json(5, size=len(listed), items=items, others=others)
        case _:
            known = cast("dict[str, Any]", value)
            fields = {key: constant(known[key], inner, texts) for key, inner in demand.fields.items() if key in known}
            return Json(6, size=len(known), fields=fields)


def number(value: float) -> Any:
    """A number, exactly."""
    exact = Fraction(value)
    return z3.Q(exact.numerator, exact.denominator)


def unknown(name: str, demand: Demand, texts: Texts, claims: list[Any]) -> Json:
    """Any value; `claims` gets what holds of every one."""
    made = Json(
        z3.Int(f"{name} kind"),
        z3.Bool(f"{name} boolean"),
        z3.Real(f"{name} number"),
        z3.String(f"{name} text"),
        z3.Int(f"{name} size"),
        {key: unknown(f"{name}/{key}", inner, texts, claims) for key, inner in demand.fields.items()},
        {at: unknown(f"{name}[{at}]", inner, texts, claims) for at, inner in demand.items.items()},
        tuple(unknown(f"{name}[{n}?]", demand.element, texts, claims) for n in range(demand.witnesses))
        if demand.element
        else (),
    )
    claims += [made.kind >= 0, made.kind < len(KINDS), made.size >= 0, z3.InRe(made.text, texts.anything)]
    claims += [implies(negation(made.is_a("object")), field.is_a("absent")) for field in made.fields.values()]
    present = z3.Sum([0, *(z3.If(negation(f.is_a("absent")), 1, 0) for f in made.fields.values())])
    claims.append(implies(made.is_a("object"), made.size >= present))
    claims += _of_array(made)
    return made


def _of_array(made: Json) -> list[Any]:
    """That what stands for a list fits into it, and that a list which is not empty has an element that matters."""
    is_array, held = made.is_a("array"), [negation(other.is_a("absent")) for other in made.others]
    claims = [negation(item.is_a("absent")) == all_of((is_array, made.size > at)) for at, item in made.items.items()]
    claims += [implies(one, is_array) for one in held]
    listed = z3.Sum([0, *(z3.If(made.size > at, 1, 0) for at in made.items)])
    claims.append(implies(is_array, made.size - listed >= z3.Sum([0, *(z3.If(one, 1, 0) for one in held)])))
    if made.others:
        some = any_of((*held, *(negation(item.is_a("absent")) for item in made.items.values())))
        claims.append(implies(all_of((is_array, made.size > 0)), some))
    return claims


def choose(condition: Any, a: Json, b: Json) -> Json:
    """One value if a condition holds, else the other."""
    if isinstance(condition, bool):
        return a if condition else b
    return Json(
        _if(condition, a.kind, b.kind),
        _if(condition, a.boolean, b.boolean),
        _if(condition, a.number, b.number),
        a.text if b.text is None else b.text if a.text is None else _if(condition, a.text, b.text),
        _if(condition, a.size, b.size),
        {key: choose(condition, a.field(key), b.field(key)) for key in {**a.fields, **b.fields}},
        {at: choose(condition, a.item(at), b.item(at)) for at in {**a.items, **b.items}},
        (
            *(choose(condition, other, ABSENT) for other in a.others),
            *(choose(condition, ABSENT, other) for other in b.others),
        ),
    )


def _if(condition: Any, a: Any, b: Any) -> Any:
    return a if a is b or (isinstance(a, int) and isinstance(b, int) and a == b) else z3.If(condition, a, b)


def equal(value: Json, other: Any, texts: Texts) -> Any:
    """Whether a value is this known one."""
    match other:
        case None:
            return value.is_a("null")
        case bool():
            return all_of((value.is_a("boolean"), value.boolean == other))
        case int() | float():
            return all_of((value.is_a("number"), value.number == number(other)))
        case str():
            return all_of((value.is_a("string"), _is_text(value.text, texts.literal(other))))
        case list():
            items = items_of(cast(Any, other))
            each = (equal(value.item(at), item, texts) for at, item in enumerate(items))
            return all_of((value.is_a("array"), value.size == len(items), *each))
        case _:
            fields = cast("dict[str, Any]", other)
            each = (equal(value.field(key), item, texts) for key, item in fields.items())
            return all_of((value.is_a("object"), value.size == len(fields), *each))


def _is_text(term: Any, literal: Any) -> Any:
    return False if term is None else term == literal


def python(value: Json, model: Any, texts: Texts) -> Any:
    """A value of a model, as Python has it; raises `OverflowError` for one that no call can hold."""
    kind: str = KINDS[int(model.eval(value.kind, model_completion=True).as_long())]
    match kind:
        case "null":
            return None
        case "boolean":
            return bool(z3.is_true(model.eval(value.boolean, model_completion=True)))
        case "number":
            return _as_number(model.eval(value.number, model_completion=True))
        case "string":
            return texts.read(written(model.eval(value.text, model_completion=True)))
        case "array":
            return _as_list(value, model, texts)
        case "object":
            return _as_object(value, model, texts)
        case _:
            raise OverflowError


def _as_number(term: Any) -> int | float:
    exact = Fraction(term.numerator_as_long(), term.denominator_as_long())
    if exact.denominator == 1:
        return exact.numerator
    near = float(exact)
    if not math.isfinite(near) or Fraction(near) != exact:
        near = float(f"{near:.6g}")
    return near


MOST = 10_000  # elements of what is shown


def _is_there(value: Json, model: Any) -> bool:
    return bool(model.eval(value.kind, model_completion=True).as_long())


def _as_list(value: Json, model: Any, texts: Texts) -> list[Any]:
    size = model.eval(value.size, model_completion=True).as_long()
    if size > MOST:
        raise OverflowError
    made: list[Any] = [_as_list] * size  # a mark for the places that are free
    for at, item in value.items.items():
        if at < size:
            made[at] = python(item, model, texts)
    free = [at for at, item in enumerate(made) if item is _as_list]
    extra = [python(other, model, texts) for other in value.others if _is_there(other, model)]
    filler = extra or [item for item in made if item is not _as_list] or [None]
    for number, at in enumerate(free):
        made[at] = extra[number] if number < len(extra) else filler[0]
    return made


def _as_object(value: Json, model: Any, texts: Texts) -> dict[str, Any]:
    size = model.eval(value.size, model_completion=True).as_long()
    if size > MOST:
        raise OverflowError
    made = {key: python(field, model, texts) for key, field in value.fields.items() if _is_there(field, model)}
    number = 0
    while len(made) < size:
        if (key := f"other{number}") not in value.fields:
            made[key] = None
        number += 1
    return made
