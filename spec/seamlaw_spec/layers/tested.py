"""The layer **tested**: so many examples that Hypothesis makes up, and the smallest that it finds to fail."""

from time import process_time
from typing import Any

from seamlaw_spec._law import Law

from ._evidence import Evidence
from ._spelled import as_test
from ._trial import trouble

__all__ = ["DEEP", "QUICK", "check"]

QUICK, DEEP = 100, 2_000  # examples


def check(law: Law, *, deep: bool = False) -> Evidence:
    """Test a law on examples."""
    from hypothesis import HealthCheck, given, settings

    from seamlaw_spec.strategies import given_for

    unwanted: list[Any] = list(HealthCheck)
    started, tried = process_time(), 0
    found: list[tuple[dict[str, Any], str]] = []

    @settings(max_examples=DEEP if deep else QUICK, deadline=None, database=None, suppress_health_check=unwanted)
    @given(**given_for(law))
    def holds(**case: Any) -> None:
        nonlocal tried
        tried += 1
        if wrong := trouble(law, case):
            found.append((case, wrong))
            raise AssertionError(wrong)

    try:
        holds()
    except Exception as error:  # the last that failed is the smallest
        case, wrong = found[-1] if found else ({}, f"Hypothesis stopped: {type(error).__name__}: {error}")
        told = as_test(law, case) if found else ""
        return Evidence(law.name, "tested", False, tried, "examples", "", process_time() - started, wrong, told)
    return Evidence(law.name, "tested", True, tried, "examples", "", process_time() - started)
