"""The end of a replay, for a person."""

from collections.abc import Iterator

from seamlaw import Verdict
from seamlaw_host.replay import Tally

from ._render import COLOURS
from ._screen import Screen, fitted

__all__ = ["summary_lines"]

MOST_TOOLS = 12


def summary_lines(screen: Screen, shape: str, tally: Tally) -> Iterator[str]:
    """Sum up: calls by verdict, what was changed and withheld, what nobody looked at, what it cost."""
    counts = ", ".join(_count(screen, tally, verdict) for verdict in Verdict)
    yield f"{screen.paint(_plural(tally.calls, 'call'), bold=True)} ({shape}): {counts}"
    yield f"  changed     {_plural(tally.changed, 'call')}, {_plural(tally.results_changed, 'result')}"
    yield f"  withheld    {tally.results_withheld} of {_plural(tally.results, 'recorded result')}"
    yield f"  noted       {_plural(tally.notes, 'note')}, {_plural(tally.faults, 'fault')}"
    if tally.malformed:
        unreadable = f"{tally.malformed} could not be read, {tally.undecided} of them known to be calls"
        yield "  malformed   " + screen.paint(unreadable, "red")
    yield f"  ungoverned  {_ungoverned(tally)}"
    if tally.recorded:
        yield f"  differs     {_differing(screen, tally)}"
    if tally.calls:
        mean = tally.nanoseconds / tally.calls / 1000
        yield f"  time        {mean:.0f} µs a call, the slowest {tally.slowest / 1000:.0f} µs"


def _count(screen: Screen, tally: Tally, verdict: Verdict) -> str:
    number = tally.verdicts[verdict]
    return screen.paint(f"{number} {verdict.value}", COLOURS[verdict] if number else None)


def _differing(screen: Screen, tally: Tally) -> str:
    told = f"{tally.differing} of {_plural(tally.recorded, 'recorded decision')}"
    unsure = f"; {tally.unreliable} not sure, for not all is recorded" if tally.unreliable else ""
    return screen.paint(told, "yellow" if tally.differing else None) + unsure


def _ungoverned(tally: Tally) -> str:
    if not tally.calls:
        return "no tool: there was no call"
    if not tally.ungoverned:
        return "no tool: every call met a rule or an interceptor"
    listed = [f"{fitted(tool, 40)} ({number})" for tool, number in tally.ungoverned.most_common(MOST_TOOLS)]
    others = len(tally.ungoverned) - len(listed)
    more = [f"{others} more tools"] if others else []
    return ", ".join([*listed, *more, *(["and others"] if tally.ungoverned_others else [])])


def _plural(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
