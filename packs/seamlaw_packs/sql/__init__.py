"""Allows and denies SQL by what it would do: it parses it, with sqlglot, in the dialect of the database.

DRAFT
"""

from ._functions import ACTING as ACTING
from ._sql import Sql as Sql
