"""What the solvers are told: types and definitions made from what was extracted, and the axioms of the loops."""

from collections.abc import Mapping

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

__all__ = ["theories"]


def theories(model: Model) -> Mapping[str, tuple[Theory, tuple[Claim, ...]]]:
    """The theories over a model, each with the claims that are made in it."""
    seam, covers = seam_theory(model), coverage(model)
    return {
        "seam": (gates_theory(seam), (*covers, *CHAIN, *PRECEDENCE, *GATES)),
        "kept": (kept_theory(seam), (*covers, *KEPT)),
        "bundles": (bundles_theory(), BUNDLES),
        "asks": (asks_theory(), ASKS),
        "policies": (policies_theory(model), POLICIES),
        "rules": (rules_theory(), RULES),
    }
