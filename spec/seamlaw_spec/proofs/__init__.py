"""What is **proved**: unbounded, by z3, with base and step, over a model extracted from the shipped functions.

The shipped `step`, `consult` and `Entry.level` are run on every shape of their inputs, with payloads that nobody may
look into; tables are read whole; loops are run on words of tokens and held to a few axioms; bytecode and syntax are
checked so that what holds for short words holds for long ones. Of that the solvers' definitions are made, and each law
marked P follows from them, by induction where it is about chains of any length; cvc5 checks every query again.

Interceptors are stateful and have effects here: what one answers may depend on all that ran before it. What is trusted,
and what a proof does not say, is told with each (`Proved`). Threads are not covered. What does *not* hold is told as
well, each by its smallest witness, replayed on the shipped code (`NON_LAWS`).
"""

from ._nonlaws import NON_LAWS, NonLaw
from ._prove import Proved, StatementChanged, prove
from .extraction import NotExtracted

__all__ = ["NON_LAWS", "NonLaw", "NotExtracted", "Proved", "StatementChanged", "prove"]
