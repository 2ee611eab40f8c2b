"""Rules as data as formulas, so that z3 can answer questions about every call."""

from ._questions import Answer, Found, Witness, find

__all__ = ["Answer", "Found", "Witness", "find"]
