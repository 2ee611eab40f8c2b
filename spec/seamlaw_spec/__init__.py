"""The laws of Seamlaw, and the checks that hold the kernel and your own policies to them."""

from ._law import Law, law
from .laws import LAWS

__all__ = ["LAWS", "Law", "law"]
