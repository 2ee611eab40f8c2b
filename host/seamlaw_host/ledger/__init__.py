"""The ledger: what was decided, redacted, in memory, in files and in databases."""

from ._happening import Happening as Happening
from ._happening import Mode as Mode

__all__ = ["Happening", "Mode"]
