"""What the solvers are told: types and definitions made from what was extracted, and the axioms of the loops."""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from seamlaw_spec.proofs._claims import Claim, Theory
from seamlaw_spec.proofs.claims import ASKS, BUNDLES, CHAIN, GATES, KEPT, POLICIES, PRECEDENCE, RULES
from seamlaw_spec.proofs.extraction import Model

from .asks import asks_theory
from .bundles import bundles_theory
from .coverage import coverage
from .gates import gates_theory
from .kept import kept_theory
from .policies import policies_theory
from .rules import rules_theory
from .seam import seam_theory

__all__ = ["THEORIES", "theory_of"]

Made: TypeAlias = tuple[Theory, tuple[Claim, ...]]
THEORIES: dict[str, Callable[[Model], Made]] = {  # each with the claims that are made in it
    "seam": lambda model: (gates_theory(seam_theory(model)), (*coverage(model), *CHAIN, *PRECEDENCE, *GATES)),
    "kept": lambda model: (kept_theory(seam_theory(model)), (*coverage(model), *KEPT)),
    "bundles": lambda _: (bundles_theory(), BUNDLES),
    "asks": lambda _: (asks_theory(), ASKS),
    "policies": lambda model: (policies_theory(model), POLICIES),
    "rules": lambda _: (rules_theory(), RULES),
}


@cache
def theory_of(name: str, model: Model) -> Made:
    """A theory over a model, and its claims; made once."""
    return THEORIES[name](model)
