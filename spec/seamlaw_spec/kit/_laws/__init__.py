"""The laws for policies, one module a group."""

from .answers import *
from .faults import *
from .history import *
from .secrets import *
from .spelling import *
from .time import *
from .values import *
