"""What was looked up lately: each name once while it is asked for, and no more than so much."""

import sys
import threading
from collections import Counter
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw.values._recent import HEAVIEST, LONGEST, REMEMBERED, Recent

Found = tuple[tuple[object, ...], str]


class Looked:
    """Finds something for every name, and counts how often it had to."""

    def __init__(self, size: int = 1) -> None:
        self.times: Counter[tuple[str | None, str | None]] = Counter()
        self.size = size

    def find(self, name: str | None, agent: str | None) -> Found:
        """Find what depends on both names."""
        self.times[name, agent] += 1
        return (None,) * self.size, f"{name!r} by {agent!r}"


def remembering(looked: Looked, *, by_agent: bool = True) -> Recent[Found]:
    """A memory of what is found there."""
    return Recent(looked.find, by_agent=by_agent)


def remembered(recent: Recent[Found]) -> list[Found]:
    """All that is kept."""
    return [found for generation in recent.generations for found in generation.values()]


NAMES = st.none() | st.sampled_from(["", "a", "b", "None", "x" * LONGEST, "x" * (LONGEST + 1)]) | st.text(max_size=3)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=50), st.booleans())
def test_what_is_remembered_is_what_is_found(asked: list[tuple[str | None, str | None]], by_agent: bool) -> None:
    """For every name and agent, however often and in whatever order they are asked for."""
    looked = Looked()
    recent = Recent(lambda name, agent: looked.find(name, agent if by_agent else None), by_agent=by_agent)
    for name, agent in asked:
        assert recent.get(name, agent) == looked.find(name, agent if by_agent else None)


def test_a_name_that_is_asked_for_again_is_looked_up_once() -> None:
    """Also after it went into the older generation."""
    looked = Looked()
    recent = remembering(looked)
    for number in range(10 * REMEMBERED):
        recent.get("hot", "a")
        recent.get(f"flood {number}", "a")
    assert looked.times["hot", "a"] == 1
    assert max(looked.times.values()) == 1


@pytest.mark.parametrize("every", [2, 100, REMEMBERED - 1])
def test_a_hot_name_stays_known_in_a_flood(every: int) -> None:
    """Where it comes once in so many calls, and all others are new."""
    looked = Looked()
    recent = remembering(looked)
    for number in range(20 * REMEMBERED):
        recent.get(f"flood {number}" if number % every else "hot", None)
    assert looked.times["hot", None] == 1


def test_a_flood_forgets_itself() -> None:
    """What is kept is bounded in number, and what comes back after too many others is looked up anew."""
    looked = Looked()
    recent = remembering(looked)
    for number in range(5 * REMEMBERED):
        recent.get(f"flood {number}", None)
        assert len(remembered(recent)) <= 2 * REMEMBERED
    recent.get("flood 0", None)
    assert looked.times["flood 0", None] == 2


def test_a_long_name_is_not_kept() -> None:
    """A model may write a megabyte where a name is due: a thousand of these would be a gigabyte."""
    looked = Looked()
    recent = remembering(looked)
    for number in range(100):
        recent.get(f"{number:0{LONGEST + 1}}", None)
        recent.get("tool", f"{number:0{LONGEST}}")
    assert remembered(recent) == []
    recent.get("x" * LONGEST, None)
    recent.get("tool", "x" * (LONGEST - 4))
    assert len(remembered(recent)) == 2


def test_what_is_found_is_bounded_in_all() -> None:
    """Ten thousand interceptors that are asked about every tool are not kept a thousand times."""
    recent = remembering(Looked(size=10_000))
    for number in range(200):
        recent.get(f"flood {number}", None)
        assert sum(len(found[0]) for found in remembered(recent)) <= 2 * (HEAVIEST + 10_000)
    assert remembered(recent) != []


def test_an_agent_counts_only_where_it_is_asked_about() -> None:
    """Else a flood of agents would be a flood of names."""
    looked = Looked()
    recent = remembering(looked, by_agent=False)
    assert {recent.get("tool", agent) for agent in ("a", "b", None)} == {((None,), "'tool' by 'a'")}
    recent = remembering(looked)
    assert len({recent.get("tool", agent) for agent in ("a", "b", None)}) == 3


def test_threads_that_race_get_what_is_found() -> None:
    """Eight of them, switched as often as can be, over a flood that turns the generations many times."""
    looked = Looked()
    recent, wrong, start = remembering(looked), list[object](), threading.Barrier(8)

    def ask(thread: int) -> None:
        start.wait()
        for number, agent in zip(range(6 * REMEMBERED), cycle(("a", None, "b"))):
            name = "hot" if number % 3 == 0 else f"{number if number % 2 else thread * 10_000 + number}"
            if recent.get(name, agent)[1] != f"{name!r} by {agent!r}":
                wrong.append((name, agent))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask, args=(thread,)) for thread in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []
    assert len(remembered(recent)) <= 2 * (REMEMBERED + 8)  # each may add one before it sees the others'


def test_the_bounds_are_these() -> None:
    """Enough for the tools of many hosts, and some megabytes at the most."""
    assert (REMEMBERED, HEAVIEST, LONGEST) == (512, 65_536, 256)
    assert remembering(Looked()).weight == 0


@pytest.mark.parametrize(
    ("name", "agent", "kept"),
    [
        ("x" * LONGEST, None, 1),
        (None, "x" * LONGEST, 1),
        ("x" * LONGEST, "", 1),
        ("x" * (LONGEST + 1), None, 0),
        (None, "x" * (LONGEST + 1), 0),
        ("x" * LONGEST, "y", 0),
    ],
)
def test_a_name_that_is_not_known_takes_no_room(name: str | None, agent: str | None, kept: int) -> None:
    """Both names together may have so many characters."""
    recent = remembering(Looked())
    recent.get(name, agent)
    assert len(remembered(recent)) == kept


def test_a_generation_is_full_at_just_so_much() -> None:
    """The one that fills it still belongs to it, by number and by weight."""
    for size, most in ((1, REMEMBERED), (HEAVIEST, 2)):
        recent = remembering(Looked(size))
        for number in range(most):
            recent.get(str(number), None)
        assert [len(generation) for generation in recent.generations] == [most, 0]
        recent.get("one more", None)
        assert [len(generation) for generation in recent.generations] == [1, most]
        assert recent.weight == size
