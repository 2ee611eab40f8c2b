"""How long an answer takes."""

from collections.abc import Iterator
from math import inf
from time import perf_counter

from seamlaw_spec.kit._law import law
from seamlaw_spec.kit._parts import Part, Trace
from seamlaw_spec.kit._twins import map_texts
from seamlaw_spec.kit._watchdog import Overran

__all__ = ["stays_within_its_time"]

LONGEST = 20_000
MOST_SEEDS, RUNS = 4, 4
TAILS = ("", "!", "\n")


@law(tried_once=True)
def stays_within_its_time(part: Part, trace: Trace) -> bool:
    """Each answer comes within the budget of a call, however long the text it reads and however it repeats.

    Texts grow step by step, and the best of some runs counts, so that neither a slow machine nor a pattern that takes
    forever spoils the measure.
    """
    if _best(part, None, trace) == inf:
        return part.remark("it does not answer at all")
    seeds = {text for text in _texts(trace) if text} | {"a"}
    for seed in sorted(seeds, key=len)[:MOST_SEEDS]:
        for tail in TAILS:
            for length in _lengths():
                text = (seed * (length // len(seed) + 1))[:length] + tail
                took = _best(part, text, trace)
                if took > part.budget_s:
                    told = "no answer" if took == inf else f"{took:.2f} s"
                    return part.remark(f"{told} for {len(text)} characters of {seed[:20]!r}, and then {tail!r}")
    return True


def _texts(trace: Trace) -> set[str]:
    found: set[str] = set()

    def note(text: str, _: str) -> str:
        found.add(text[:40])
        return text

    map_texts(trace[-1], note)
    return found


def _lengths() -> Iterator[int]:
    """Close together where a pattern may take twice as long for each character more."""
    length = 16
    while length < LONGEST:
        yield length
        length = length + 4 if length < 40 else length * 2
    yield LONGEST


def _best(part: Part, text: str | None, trace: Trace) -> float:
    """The best of some runs; the first that is within the budget will do."""
    best = inf
    for _ in range(RUNS):
        best = min(best, _measured(part, text, trace))
        if best <= part.budget_s:
            break
    return best


def _measured(part: Part, text: str | None, trace: Trace) -> float:
    shown = map_texts(trace[-1], lambda old, at: old if at == "/name" or text is None else text)
    hear = part.after(trace[:-1])
    begun = perf_counter()
    try:
        hear(shown)
    except Overran:
        return inf
    return perf_counter() - begun
