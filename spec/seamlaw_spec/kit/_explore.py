"""Try a part on many values first: find the keys that it asks for, and one small value for each thing that it says."""

from collections import Counter
from collections.abc import Callable
from operator import itemgetter
from time import perf_counter
from typing import Any, TypeVar

from attrs import Factory, define, frozen

from seamlaw import TOOL_CALL

from ._constants import constants_of
from ._faults import heard_with_fault
from ._parts import Heard, Part, Shown, Trace
from ._shrink import shrink_shown
from ._twins import asked_keys
from ._watchdog import Overran
from .errors import MissingExtra

try:
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as missing:
    raise MissingExtra("Hypothesis") from missing

from ._values import near, shown_at, traces_of

__all__ = ["Explored", "explore", "generated"]

T = TypeVar("T")
MOST_SAID = 8
EVERY_CHECK: Any = HealthCheck
MOST_HUNG, SLOWEST = 2, 2
DIVES, DEEPEST = 60, 5
ROUNDS = 3


@frozen
class Explored:
    """The traces that a part is tried on, a small value for each thing it said, and how often it said what.

    `slow` are the values that it did not answer, and those that took it longest.
    """

    traces: tuple[Trace, ...]
    telling: tuple[Shown, ...]
    slow: tuple[Trace, ...]
    counts: dict[str, int]


def generated(strategy: SearchStrategy[T], examples: int, seeded: int = 0) -> list[T]:
    """Draw so many values; the same every time for the same seed."""
    made: list[T] = []

    @seed(seeded)
    @settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=[*EVERY_CHECK],
    )
    @given(strategy)
    def draw(value: T) -> None:
        made.append(value)

    draw()
    return made


def explore(part: Part, *, examples: int, given: SearchStrategy[Any] | None = None, seeded: int = 0) -> Explored:
    """Find out what a part says, and make the traces that its laws are checked on."""
    keys, found = _keys_of(part, given, seeded), constants_of(part.fresh())
    shown = shown_at(part, found, keys, given)
    if given is None and part.seam == TOOL_CALL and (deepest := _deepest(part, shown, seeded)):
        shown = shown | near(part, found, keys, deepest)
    heard = _Heard(part)
    for trace in generated(traces_of(shown), examples, seeded):
        if len(heard.hung) < MOST_HUNG:
            heard.try_on(trace)
    telling = [shrink_shown(one, _says(part, sign)) for sign, one in heard.said.items()]
    pairs: list[Trace] = [[one, other] for one in telling[:4] for other in telling[:4]]
    slow = [trace[-1:] for _, trace in sorted(heard.answered, key=itemgetter(0))[-SLOWEST:]]
    traces = [*([one] for one in telling), *(trace for _, trace in heard.answered), *pairs]
    return Explored(tuple(traces), tuple(telling), (*heard.hung, *slow), dict(heard.counts))


@define
class _Heard:
    """What a part said to what it was tried on."""

    part: Part
    said: dict[object, Shown] = Factory(dict[object, Shown])
    counts: Counter[str] = Factory(Counter[str])
    answered: list[tuple[float, Trace]] = Factory(list[tuple[float, Trace]])
    hung: list[Trace] = Factory(list[Trace])

    def try_on(self, trace: Trace) -> None:
        """Show it a trace, and keep what is new."""
        begun = perf_counter()
        try:
            answers = self.part.play(trace)
        except Overran:
            self.hung.append(trace[-1:])
            return
        self.answered.append((perf_counter() - begun, trace))
        for one, heard in zip(trace, answers, strict=True):
            self.counts[_word(heard)] += 1
            if (sign := _sign(heard)) is not None and len(self.said) < MOST_SAID:
                self.said.setdefault(sign, one)


def _deepest(part: Part, shown: SearchStrategy[Shown], seeded: int) -> list[Shown]:
    """The values that take a part furthest, each by a way of its own: what it looks at and calls on the way."""
    ways: dict[tuple[str, ...], Shown] = {}
    for one in generated(shown, DIVES, seeded):
        try:
            _, injector = heard_with_fault(part, [one], -1)
        except Overran:
            continue
        ways.setdefault(tuple(injector.places), one)
    return [ways[way] for way in sorted(ways, key=len, reverse=True)[:DEEPEST]]


def _keys_of(part: Part, given: SearchStrategy[Any] | None, seeded: int) -> set[str]:
    """The keys that are asked for, in rounds: what is asked next may hang on what was found."""
    keys = set[str]()
    for _ in range(ROUNDS):
        shown = shown_at(part, constants_of(part.fresh()), keys, given)
        asked = {key for one in generated(shown, 25, seeded) for key in _asked(part, one)}
        if asked <= keys:
            break
        keys |= asked
    return keys


def _asked(part: Part, shown: Shown) -> set[str]:
    try:
        return asked_keys(part, shown)
    except Overran:
        return set()


def _word(heard: Heard) -> str:
    if heard.is_fault:
        return "fault"
    return heard.entries[0].kind.value if heard.entries else "nothing"


def _sign(heard: Heard) -> object:
    """What tells one answer from another: its kinds and reasons, or the type of what was raised."""
    if heard.error is not None:
        return type(heard.error)
    return tuple((entry.kind, entry.reason[:40]) for entry in heard.entries) or None


def _says(part: Part, sign: object) -> Callable[[Shown], bool]:
    def says(shown: Shown) -> bool:
        try:
            return _sign(part.after(())(shown)) == sign
        except Overran:
            return False

    return says
