"""The call id beside the theory of one seam: what `Seam.keep` was found to do on every path through it."""

from seamlaw_spec.proofs._claims import Theory
from seamlaw_spec.proofs._smt import Recursion

from .seam import SIGHTS

__all__ = ["kept_theory"]

KEEPS = "(assert (forall ((v Value) (r Value)) (! (= (id (keep v r)) (id v)) :pattern ((keep v r)))))"
SHOW_ONLY = Recursion(
    "show_only",
    "s:Sights i:Id",
    "Bool",
    "s",
    SIGHTS,
    {"none": "true", "saw": "(and (= (id what) i) (show_only before i))"},
)


def kept_theory(seam: Theory) -> Theory:
    """Put the id beside the theory of the seam."""
    return seam.beside("(declare-sort Id 0)", "(declare-fun id (Value) Id)", KEEPS, SHOW_ONLY)
