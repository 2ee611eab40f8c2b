"""Refuse a change that makes a seam slower: ratios in one run, with the slack that a shared machine needs.

    python -m benchmarks.gate

Between two runs on a shared machine the median of such a ratio drifts by 6 %, at worst by a quarter, so each limit
stands a quarter or more above its target. A case passes with the first of a few attempts that is within its limit:
what disturbs a measurement only adds to it, while what has become slower is slower each time.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from attrs import frozen

from benchmarks.cases import (
    LENGTHS,
    Case,
    Ready,
    block_at_first,
    chain,
    none_seam,
    realistic,
    rules_for_others,
    rules_memoised,
    rules_missed,
    silent,
)
from seamlaw import plan
from seamlaw_host.bench import Cost, paired

__all__ = ["GATES", "Gate", "Measured", "held", "main"]

ATTEMPTS, PAUSE_S = 5, 0.5
PAIRS, SAMPLE_S = 21, 0.001
MANY = 10_000


@frozen
class Gate:
    """A ratio that is aimed at, and the limit that refuses a change; `case` makes what is measured, of a plan."""

    name: str
    target: float
    limit: float
    case: Callable[[Ready], Case]


@frozen
class Measured:
    """A gate with what was measured at the attempt that counts: the first within the limit, or else the best."""

    gate: Gate
    cost: Cost
    attempts: int

    @property
    def holds(self) -> bool:
        """Whether the ratio is within the limit."""
        return self.cost.ratio <= self.gate.limit


def _no_plan(_: Ready) -> Case:
    return none_seam()


def _silent(count: int, ready: Ready) -> Case:
    return chain("silent", silent(count), ready)


def _realistic(count: int, ready: Ready) -> Case:
    return chain("realistic", realistic(count), ready)


GATES = (
    Gate("no plan, beside an attribute check", 1.0, 2.0, _no_plan),
    *(Gate(f"{count} that say nothing, beside a bare loop", 1.3, 1.5, partial(_silent, count)) for count in LENGTHS),
    *(
        Gate(f"{count} realistic ones, beside a bare loop", 1.15, 1.3, partial(_realistic, count))
        for count in LENGTHS
        if count >= 4
    ),
    Gate("10,000 rules beside 10, the tool known", 1.1, 1.5, partial(rules_memoised, MANY)),
    Gate(
        "10,000 rules beside 10, the tool not known",
        1.2,
        2.0,
        partial(rules_missed, "exact miss", rules_for_others, MANY),
    ),
    Gate("a block by the first of 64, beside the only one", 1.1, 1.5, partial(block_at_first, 64)),
    # A block takes as long as some forty silent interceptors: only among many more does it show if all are asked.
    Gate("a block by the first of 1,024, beside the only one", 1.1, 1.5, partial(block_at_first, 1_024)),
)


def measured(gate: Gate, ready: Ready = plan, attempts: int = ATTEMPTS) -> Measured:
    """Measure until the ratio is within the limit, or the attempts are used up."""
    case = gate.case(ready)
    found: list[Cost] = []
    while len(found) < attempts:
        if found:
            time.sleep(PAUSE_S)
        found.append(paired(case.work, case.floor, pairs=PAIRS, sample_s=SAMPLE_S))
        if found[-1].ratio <= gate.limit:
            break
    return Measured(gate, min(found, key=lambda cost: cost.ratio), len(found))


def held(ready: Ready = plan, attempts: int = ATTEMPTS) -> Iterator[Measured]:
    """Measure all."""
    return (measured(gate, ready, attempts) for gate in GATES)


def main() -> int:
    """Tell each ratio, beside what is aimed at and what is refused."""
    begun, refused = time.monotonic(), 0
    print(f"{'':<50}{'ratio':>7}{'aim':>7}{'limit':>7}  attempts")
    for found in held():
        gate, refused = found.gate, refused + (not found.holds)
        verdict = "" if found.holds else "  too slow"
        print(
            f"{gate.name:<50}{found.cost.ratio:>7.2f}{gate.target:>7.2f}{gate.limit:>7.2f}{found.attempts:>10}{verdict}",
            flush=True,
        )
    print(f"{len(GATES)} ratios in {time.monotonic() - begun:.0f} seconds, {refused} too slow")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
