"""The layer **exhausted**: every case up to a size, the smallest first; the size is chosen by the time it takes.

What "size" means is said in `_sizes` and in `enumerations`: how many items the lists of a case have together, each
counting what is unusual about it. `the_loop_is_the_fold` is, besides, run over every chain up to a length.
"""

from collections.abc import Mapping
from time import process_time

from seamlaw_spec._law import Law

from ._evidence import Evidence
from ._sizes import Domain
from ._spelled import as_test
from ._trial import trouble
from .agreement import disagreement
from .enumerations import cases

__all__ = ["COSTLY", "DEEP", "QUICK", "check", "size_within"]

QUICK, DEEP = 8_000, 400_000  # cases
LARGEST = 12
COSTLY: Mapping[str, float] = {  # how many times as long a case takes as one of a stream of answers
    "double_negation": 20,  # it compares hashes
    "the_loop_is_the_fold": 6.9,
    "deciding_never_raises": 14,
    "deciding_is_deterministic": 6.9,
    "every_failure_is_reported": 2,
    "gate_order_is_irrelevant": 0.5,
    "a_block_is_never_undone": 0.8,
    "a_note_never_enforces": 0.8,
}
CHAINS_QUICK, CHAINS_DEEP = 3, 5  # answers


def size_within(domain: Domain, limit: int, largest: int = LARGEST) -> int:
    """The largest size up to which there are no more cases than the limit; 0 if there are more already there."""
    sizes = [size for size in range(largest + 1) if domain.count(size) and domain.how_many(size) <= limit]
    return max(sizes, default=0)


def check(law: Law, *, deep: bool = False, size: int | None = None) -> Evidence:
    """Run a law on every case."""
    started, domain = process_time(), cases(law)
    if size is None:
        size = size_within(domain, int((DEEP if deep else QUICK) / COSTLY.get(law.name, 1)))
    tried, bound = 0, f"size <= {size}"
    for case in domain.up_to(size):
        tried += 1
        if wrong := trouble(law, case):
            return Evidence(
                law.name, "exhausted", False, tried, "cases", bound, process_time() - started, wrong, as_test(law, case)
            )
    if law.name != "the_loop_is_the_fold":
        return Evidence(law.name, "exhausted", True, tried, "cases", bound, process_time() - started)
    longest = CHAINS_DEEP if deep else CHAINS_QUICK
    chains, wrong, told = disagreement(longest)
    bound += f", chains <= {longest}"
    return Evidence(
        law.name, "exhausted", not wrong, tried + chains, "cases", bound, process_time() - started, wrong, told
    )
