"""Does a new policy stop whatever the old one stopped? (`pip install 'seamlaw[verify]'`)."""

from ._compare import refine
from ._refinement import Refinement, Verdict

__all__ = ["Refinement", "Verdict", "refine"]
