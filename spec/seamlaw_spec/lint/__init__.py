"""Find what is likely a mistake in a policy; about rules z3 is asked (`pip install 'seamlaw[verify]'`)."""

from ._finding import Finding, Level
from ._lint import lint

__all__ = ["Finding", "Level", "lint"]
