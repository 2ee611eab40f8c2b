"""That the extracted tables leave nothing out: each input has a row, and only one."""

from itertools import combinations

from seamlaw_spec.proofs._claims import Claim
from seamlaw_spec.proofs.extraction import Model

from ._text import all_of, any_of, where
from .seam import guard, steps

__all__ = ["coverage"]


def coverage(model: Model) -> tuple[Claim, ...]:
    """The claims that `step`, `level` and `heard` are defined by just one row for each input they are for."""
    consulted = [
        all_of((f"((_ is {deed}) d)", where("(is_gate h)", holds=is_gate))) for deed, is_gate in model.consults.heard
    ]
    return (
        Claim("step_has_one_row_for_each_shape", "s:State e:Entry", _just_one([row for row, _ in steps(model)])),
        Claim(
            "level_has_one_row_for_each_shape_but_allow",
            "e:Entry",
            _just_one([guard(shape) for shape in model.grades]),
            given="(not ((_ is Allow) (answer e)))",
        ),
        Claim("consult_has_one_row_for_each_deed", "d:Deed h:Who", _just_one(consulted)),
    )


def _just_one(guards: list[str]) -> str:
    exclusive = (f"(not (and {a} {b}))" for a, b in combinations(guards, 2))
    return all_of((any_of(guards), *exclusive))
