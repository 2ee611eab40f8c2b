"""Paired samples: ratios that hold on any machine."""

import gc
import time
from collections.abc import Sequence
from itertools import repeat

import pytest

from seamlaw_host.bench import Cost, Pairing, calling, paired, undisturbed
from seamlaw_host.bench._paired import Sample, numbered


def count_to(number: int) -> None:
    """Do something that takes so much longer the larger the number is."""
    for _ in repeat(None, number):
        pass


def cost(taken: Sequence[tuple[tuple[float, float], tuple[float, float]]]) -> Cost:
    """What pairs come to, each of a floor's and the work's processor and wall time."""
    pairing = Pairing(lambda _: None, lambda _: None, 1e-6)
    pairing.taken = [(Sample(*floor), Sample(*work)) for floor, work in taken]
    return pairing.cost()


def test_work_against_itself_costs_one() -> None:
    """The ratio of a thing to itself is one, give or take what a crowded machine adds."""
    measured = min(paired(calling(count_to, 100), calling(count_to, 100)).ratio for _ in range(3))
    assert 0.7 < measured < 1.4


def test_ten_times_the_work_costs_about_ten_times_as_much() -> None:
    """The ratio is that of the work."""
    measured = paired(calling(count_to, 10_000), calling(count_to, 1_000))
    assert 5 < measured.ratio < 20
    assert measured.low <= measured.ratio <= measured.high


def test_the_ratio_is_the_median_of_ratios_of_pairs() -> None:
    """A pair that was disturbed as a whole changes nothing, and one that was disturbed in part little."""
    assert cost([((1, 1), (3, 3))] * 4 + [((50, 50), (150, 150))]).ratio == 3
    assert cost([((1, 1), (3, 3))] * 4 + [((1, 1), (900, 900))]).ratio == 3


def test_what_waits_is_told_by_its_idle_time_and_counted_by_the_wall() -> None:
    """What always waits much longer than it computes is measured by wall time, and what did once is not."""
    waiting = cost([((100, 100), (10_000, 20_000_000)), ((100, 100), (10_000, 21_000_000))])
    assert (waiting.waits, waiting.time_ns, waiting.calls) == (True, 20_500_000, 205_000)
    disturbed = cost([((100, 100), (10_000, 20_000_000)), ((100, 100), (10_000, 10_500))])
    assert (disturbed.waits, disturbed.time_ns, disturbed.calls) == (False, 10_000, 100)


def test_work_that_sleeps_is_not_repeated_until_it_has_used_the_processor() -> None:
    """A sample of something that waits ends after a while of wall time."""
    assert numbered(lambda number: time.sleep(0.03 * number), 0.001) == 1


def test_work_that_is_long_is_done_once() -> None:
    """What fills a sample alone is not repeated."""
    assert numbered(lambda number: count_to(1_000_000 * number), 0.001) == 1


def test_the_garbage_collector_waits_while_it_is_measured() -> None:
    """It is off within, and as it was after, also after an error."""
    assert gc.isenabled()
    within: list[bool] = []
    with pytest.raises(ZeroDivisionError), undisturbed():
        within.append(gc.isenabled() or bool(1 / 0))
    with undisturbed():
        within.append(gc.isenabled())
    assert within == [False]
    assert gc.isenabled()


def test_a_callable_is_called_as_often_as_is_asked_with_what_it_takes() -> None:
    """With one argument, with several, with none."""
    called: list[object] = []
    calling(called.append, 1)(3)
    calling(dict[int, int]().__setitem__, 1, 2)(2)
    calling(called.copy)(2)
    calling(called.insert, 0, 2)(2)
    assert called == [2, 2, 1, 1, 1]
