"""Seamlaw decides what an AI agent may do, at the seams of its turn; this is its pure kernel.

Read `_step.py`, `_seams.py` and `_precedence.py` first: the semantics, and the two tables it rests on.
"""

from typing import TYPE_CHECKING

from ._asks import *
from ._bundle import *
from ._decisions import *
from ._interceptors import *
from ._outcome import *
from ._plan import *
from ._precedence import *
from ._seams import *
from ._step import *
from ._watch import *
from .errors import *
from .values import *

if TYPE_CHECKING:
    from .policy import *


def __getattr__(name: str) -> object:
    """Load the policies with the first of their names: a host that writes none does not wait for them."""
    import seamlaw.policy as policy

    if name in policy.__all__:
        return getattr(policy, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
