"""Trying a law on one case."""

from collections.abc import Mapping
from typing import Any

from seamlaw_spec._law import Law

__all__ = ["trouble"]


def trouble(law: Law, case: Mapping[str, Any]) -> str:
    """Say what is wrong with a law on a case: empty where it holds; an `Exception` that it raises is a failure."""
    try:
        return "" if law.holds(**case) is True else "it does not hold"
    except Exception as error:
        return f"it raises {type(error).__name__}"
