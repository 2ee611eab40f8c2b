"""The layer **confirmed**: CrossHair, over all paths, for every shape of a case up to a size.

CrossHair runs the law with symbolic scalars (`shapes`), forks wherever something depends on one of them, and is done
when every path was taken. What it cannot finish is not confirmed, and counts as failed.
"""

from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

from seamlaw_spec._law import Law

from ._evidence import Evidence
from ._sizes import Domain
from ._spelled import as_test
from .data_parts import DATA_PARTS
from .exhausted import size_within
from .shapes import SHAPES

__all__ = ["COSTLY", "DEEP", "QUICK", "check", "subject"]

QUICK, DEEP = 700, 12_000  # shapes
LARGEST = 3
COSTLY: Mapping[str, int] = {  # how many times as long a shape takes as a stream of answers
    "double_negation": 25,  # it compares hashes
    "a_note_never_enforces": 4,
    "a_fault_is_an_unknown": 2,
    "not_turns_pass_and_fail": 2,
    "a_rule_is_its_interceptor": 5,
    "merge_keeps_order_and_inputs": 5,
    "merging_nothing_is_none": 5,
    "and_gathers": 3,
    "de_morgan": 3,
    "or_needs_one_clean_pass": 2,
    "merge_is_a_monoid": 3,
    "plugins_run_before_host": 3,
}


def check(law: Law, *, deep: bool = False, size: int | None = None, seconds: float | None = None) -> Evidence:
    """Have CrossHair confirm a law, or the part of it that is about data alone."""
    holds, domain = subject(law)
    if size is None:
        limit = (DEEP if deep else QUICK) // COSTLY.get(law.name, 1)
        size = size_within(domain, limit, LARGEST)
    return _confirm(law, holds, domain, size, seconds or (600.0 if deep else 45.0))


def subject(law: Law) -> tuple[Callable[..., bool], Domain]:
    """What CrossHair is given: the law itself, or the part of it that is about data; and the shapes of its cases."""
    if law.name in DATA_PARTS:
        part = DATA_PARTS[law.name]
        return part.holds, part.shapes
    return law.holds, SHAPES.cases(law.holds)


def _confirm(law: Law, holds: Callable[..., bool], domain: Domain, size: int, seconds: float) -> Evidence:
    from .symbolic import explore

    part = DATA_PARTS.get(law.name)
    started, paths, bound = process_time(), 0, f"size <= {size}" + (f" of {holds.__name__}" if part else "")

    def evidence(ok: bool, problem: str = "", case: Mapping[str, Any] | None = None) -> Evidence:
        told = as_test(law, case, holds) if case is not None else ""
        return Evidence(
            law.name,
            "confirmed",
            ok,
            paths,
            "paths",
            bound,
            process_time() - started,
            problem,
            told,
            unsaid=f"More than this part: {part.says}" if part else "",
        )

    for shape in domain.up_to(size):
        explored = explore(holds, shape, seconds - (process_time() - started))
        paths += explored.paths
        if explored.case is not None and _holds_after_all(holds, explored.case):
            return evidence(False, "CrossHair took a path that values do not take")
        if explored.problem:
            return evidence(False, explored.problem, explored.case)
    return evidence(True)


def _holds_after_all(holds: Callable[..., bool], case: Mapping[str, Any]) -> bool:
    """Whether a counterexample of CrossHair is none when it is played with real values."""
    try:
        return holds(**case) is True
    except Exception:
        return False
