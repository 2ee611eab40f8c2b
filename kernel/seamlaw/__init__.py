"""Seamlaw decides what an AI agent may do, at the seams of its turn; this is its pure kernel.

Read `_step.py`, `_seams.py` and `_precedence.py` first: the semantics, and the two tables it rests on.
"""

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
from .policy import *
from .values import *
