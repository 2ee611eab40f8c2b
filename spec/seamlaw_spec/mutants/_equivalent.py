"""Mutants that nothing can notice, each with the reason: the changed kernel does the same."""

from collections.abc import Mapping

__all__ = ["EQUIVALENT"]

EQUIVALENT: Mapping[str, str] = {}
