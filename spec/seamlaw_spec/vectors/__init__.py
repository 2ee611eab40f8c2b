"""Test vectors: what must come of given cases, as plain JSON that an implementation in any language can run.

They are made from the reference model and the naive accounts of this package, not from the kernel; the kernel runs
them like any other implementation. `docs/test-vectors.md` says what a runner does.
"""

from ._files import FOLDER, NAMES, SCHEMA, Document, Vector, read
from ._run import DRIVERS, Wrong, run

__all__ = ["DRIVERS", "FOLDER", "NAMES", "SCHEMA", "Document", "Vector", "Wrong", "read", "run"]
