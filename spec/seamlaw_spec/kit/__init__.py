"""The kit that holds a policy of your own to laws: `check(policy)`, or `seamlaw verify module:name`.

A law takes a part of a policy and a trace of what that is shown, and answers whether it holds; so a counterexample
that was found is a test of one line. Only `check` needs Hypothesis (`pip install 'seamlaw[verify]'`).
"""

from ._check import LAWS, Checked, Report, check
from ._law import KitLaw
from ._laws import *
from ._laws.pairs import commutes_or_is_reported
from ._parts import Heard, Part, Shown, Subject, Trace
from ._report import as_data, as_lines, as_test
from ._subjects import part_of, subject_of
from ._tests import laws
from .errors import *

__all__ = [
    "LAWS",
    "Checked",
    "Heard",
    "KitLaw",
    "Part",
    "Report",
    "Shown",
    "Subject",
    "Trace",
    "as_data",
    "as_lines",
    "as_test",
    "check",
    "commutes_or_is_reported",
    "laws",
    "part_of",
    "subject_of",
]
