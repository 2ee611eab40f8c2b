"""Paired samples: what a piece of work costs, as a ratio to a floor that is measured just before it.

A shared machine changes its speed from one moment to the next. Two samples that touch meet the same machine, so their
ratio stays where neither of them does. The figure is the median of many such ratios, of processor time; wall time
stands beside it.
"""

import gc
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import repeat
from statistics import median, quantiles
from typing import TypeAlias

from attrs import define, field, frozen

__all__ = ["Cost", "Pairing", "Work", "calling", "paired", "undisturbed"]

Work: TypeAlias = Callable[[int], object]
"""Does something so many times."""

SAMPLE_S = 0.002  # what one sample takes: many ticks of the clock, and less than a slice of the scheduler
PAIRS = 41
MOST_WAITING = 25  # samples of wall time in one of processor time, where the work waits for something
WAITING_NS = 50_000.0
# The processor time of Windows advances in steps of 15 ms.
processor_ns = time.perf_counter_ns if sys.platform == "win32" else time.process_time_ns


@frozen
class Cost:
    """What one time takes, in nanoseconds, and the ratio to the floor: medians over all pairs.

    `low` and `high` are the quartiles of the ratio. Of the least there are the processor time of the work and of the
    floor, and the time in which the work did not use the processor.
    """

    cpu_ns: float
    wall_ns: float
    floor_cpu_ns: float
    floor_wall_ns: float
    ratio: float
    low: float
    high: float
    wall_ratio: float
    least_ns: float
    floor_least_ns: float
    idle_ns: float
    pairs: int

    @property
    def waits(self) -> bool:
        """Whether it always waits for something other than the processor, longer than a crowded machine lets it."""
        return self.idle_ns > max(2 * self.cpu_ns, WAITING_NS)

    @property
    def time_ns(self) -> float:
        """What counts: processor time, or wall time of what waits."""
        return self.wall_ns if self.waits else self.cpu_ns

    @property
    def calls(self) -> float:
        """How many times of the floor take as long."""
        return self.wall_ns / self.floor_cpu_ns if self.waits else self.ratio


@frozen
class Sample:
    """What one time took, on average over one sample."""

    cpu_ns: float
    wall_ns: float


def sample(work: Work, number: int) -> Sample:
    """Do it so many times, and say what one of them took."""
    wall, cpu = time.perf_counter_ns(), processor_ns()
    work(number)
    cpu, wall = processor_ns() - cpu, time.perf_counter_ns() - wall
    return Sample(max(cpu, 1) / number, max(wall, 1) / number)


def numbered(work: Work, sample_s: float) -> int:
    """Find how many times fill a sample, by the least of three: one that is disturbed would give too few."""
    number, full = 1, sample_s * 1e9
    while True:
        three = [sample(work, number)] if number == 1 else []
        if three and three[0].cpu_ns > full:
            return 1
        three += [sample(work, number) for _ in range(2)]
        took, passed = min(one.cpu_ns for one in three) * number, min(one.wall_ns for one in three) * number
        if took >= full / 4 or passed >= full * MOST_WAITING:
            return max(1, min(round(number * full / took), round(number * full * MOST_WAITING / passed)))
        number *= 2 if took > full / 32 else 8


@define
class Pairing:
    """A piece of work and its floor; `before` takes a sample of the floor, `run` one of the work."""

    work: Work
    floor: Work
    sample_s: float = SAMPLE_S
    taken: list[tuple[Sample, Sample]] = field(factory=list[tuple[Sample, Sample]])
    _numbers: tuple[int, int] = field(init=False)
    _floor_sample: Sample = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._numbers = numbered(self.work, self.sample_s), numbered(self.floor, self.sample_s)

    def before(self) -> None:
        """Take a sample of the floor."""
        self._floor_sample = sample(self.floor, self._numbers[1])

    def run(self) -> None:
        """Take a sample of the work, which makes a pair with the floor's last."""
        self.taken.append((self._floor_sample, sample(self.work, self._numbers[0])))

    def cost(self) -> Cost:
        """What the pairs come to."""
        ratios = sorted(work.cpu_ns / floor.cpu_ns for floor, work in self.taken)
        low, _, high = quantiles(ratios, method="inclusive") if len(ratios) > 1 else ratios * 3
        return Cost(
            cpu_ns=median(work.cpu_ns for _, work in self.taken),
            wall_ns=median(work.wall_ns for _, work in self.taken),
            floor_cpu_ns=median(floor.cpu_ns for floor, _ in self.taken),
            floor_wall_ns=median(floor.wall_ns for floor, _ in self.taken),
            ratio=median(ratios),
            low=low,
            high=high,
            wall_ratio=median(work.wall_ns / floor.wall_ns for floor, work in self.taken),
            least_ns=min(work.cpu_ns for _, work in self.taken),
            floor_least_ns=min(floor.cpu_ns for floor, _ in self.taken),
            idle_ns=min(work.wall_ns - work.cpu_ns for _, work in self.taken),
            pairs=len(ratios),
        )


@contextmanager
def undisturbed() -> Generator[None]:
    """Measure without the garbage collector, as `timeit` does: it would stop whichever is measured just then."""
    was = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def paired(work: Work, floor: Work, *, pairs: int = PAIRS, sample_s: float = SAMPLE_S) -> Cost:
    """Measure a piece of work against a floor."""
    with undisturbed():
        pairing = Pairing(work, floor, sample_s)
        for _ in range(pairs):
            pairing.before()
            pairing.run()
    return pairing.cost()


def calling(function: Callable[..., object], *given: object) -> Work:
    """Call a function with these arguments, as often as is asked."""
    if len(given) == 1:
        (only,) = given

        def call_one(number: int) -> None:
            for _ in repeat(None, number):
                function(only)

        return call_one

    def call(number: int) -> None:
        for _ in repeat(None, number):
            function(*given)

    return call
