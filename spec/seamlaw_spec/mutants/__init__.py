"""The measure of the measure: every small change of the kernel must be noticed by a law, every law notices one."""

from ._figures import figures, rows
from ._mutate import MODULES, Mutant, mutants_of
from ._record import Judged, Matrix, read

__all__ = ["MODULES", "Judged", "Matrix", "Mutant", "figures", "mutants_of", "read", "rows"]
