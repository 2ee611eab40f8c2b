"""z3, loaded when it is needed, and the few connectives, which keep what is known as `True` or `False`."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from seamlaw_spec.kit.errors import MissingExtra

__all__ = ["all_of", "any_of", "implies", "is_true", "negation", "text", "written", "z3"]


class _Lazy:
    """The module `z3`, imported when the first name is asked of it."""

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(import_module("z3"), name)
        except ModuleNotFoundError:
            raise MissingExtra("z3") from None


z3: Any = _Lazy()


def all_of(claims: Iterable[Any]) -> Any:
    """Conjunction."""
    open_claims: list[Any] = []
    for claim in claims:
        if claim is False:
            return False
        if claim is not True:
            open_claims.append(claim)
    return (z3.And(open_claims) if len(open_claims) > 1 else open_claims[0]) if open_claims else True


def any_of(claims: Iterable[Any]) -> Any:
    """Disjunction."""
    return negation(all_of(map(negation, claims)))


def negation(claim: Any) -> Any:
    """Negation."""
    return not claim if isinstance(claim, bool) else z3.Not(claim)


def implies(claim: Any, other: Any) -> Any:
    """Implication."""
    return any_of((negation(claim), other))


def is_true(formula: Any) -> bool | None:
    """Whether a formula without variables holds; `None` if z3 cannot tell."""
    if isinstance(formula, bool):
        return formula
    found = z3.simplify(formula)
    if z3.is_true(found) or z3.is_false(found):
        return bool(z3.is_true(found))
    solver = z3.Solver()
    solver.set("timeout", 5_000)
    solver.add(found)
    return {"sat": True, "unsat": False}.get(str(solver.check()))


def text(characters: Iterable[int]) -> Any:
    """A text of these code points, each escaped, so that none is read as an escape of z3's own."""
    return z3.StringVal("".join(f"\\u{{{code:x}}}" for code in characters))


def written(value: Any) -> list[int]:
    """The code points of a text of a model."""
    import re

    found = re.findall(r"\\u\{([0-9a-fA-F]+)\}|(.)", value.as_string(), re.DOTALL)
    return [int(code, 16) if code else ord(character) for code, character in found]
