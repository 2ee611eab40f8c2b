"""What a mutant is asked: the two layers that need no solver, cut short and the same on every run."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from seamlaw_spec._law import Law
from seamlaw_spec.layers._trial import trouble
from seamlaw_spec.layers.enumerations import cases
from seamlaw_spec.layers.exhausted import COSTLY, size_within

__all__ = ["HOLDS", "LIMITS", "in_all_cases", "in_examples"]

Holds: TypeAlias = Callable[[Law, int], bool]


def in_all_cases(law: Law, limit: int) -> bool:
    """Whether a law holds in all of so many cases, the smallest first; true of a law that is not exhausted."""
    if "E" not in law.by:
        return True
    try:
        domain = cases(law)
        size = size_within(domain, int(limit / COSTLY.get(law.name, 1)))
        return not any(trouble(law, case) for case in domain.up_to(size))
    except Exception:  # a broken kernel may break what makes the cases
        return False


def in_examples(law: Law, limit: int) -> bool:
    """Whether a law holds on so many examples; true of a law that is not tested."""
    from hypothesis import HealthCheck, Phase, given, settings

    from seamlaw_spec.strategies import given_for

    if "H" not in law.by:
        return True
    unwanted: list[Any] = list(HealthCheck)

    try:

        @settings(
            max_examples=limit,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=unwanted,
        )
        @given(**given_for(law))
        def holds(**case: Any) -> None:
            if trouble(law, case):
                raise AssertionError

        holds()
    except Exception:
        return False
    return True


HOLDS: Mapping[str, Holds] = {"exhausted": in_all_cases, "tested": in_examples}
# How much of each layer is tried: cases, examples. The second where the first finds nothing.
LIMITS: Mapping[str, Mapping[str, int]] = {
    "quick": {"exhausted": 200, "tested": 25},
    "thorough": {"exhausted": 1_000, "tested": 150},
}
