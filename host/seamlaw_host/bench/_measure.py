"""What a bundle costs: each seam where somebody listens, each interceptor that is asked there, and how it was asked."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import Any, TypeAlias, cast

from attrs import frozen

from seamlaw import SEAMS, Consultation, Interceptor, Interceptors, Kind, Scope, Seam, consult, deciding, plan

from ._paired import PAIRS, SAMPLE_S, Cost, Pairing, Work, undisturbed
from ._samples import Given

__all__ = ["PartCost", "Report", "SeamCost", "measure"]

Call: TypeAlias = tuple[Callable[..., object], tuple[Any, ...]]
FEWEST = 3  # pairs, however long they take


@frozen
class PartCost:
    """What one interceptor costs when it is asked: processor time or, if it waits for something, wall time.

    `asked`: on how many of the values. `calls`: how many calls of an empty function take as long. `share`: of the time
    of its seam, over all values.
    """

    name: str
    kind: str
    asked: int
    time_ns: float
    waits: bool
    calls: float
    share: float


@frozen
class SeamCost:
    """What one decision at a seam costs, on average over the values.

    `ratio`: to a bare loop that calls the same interceptors with the same values. `calls`: to a call of an empty
    function. `parts`: the dearest first; what is missing to 1 in their shares is the kernel's. `faulted`: how many
    faults each interceptor that failed had, on how many of the values.
    """

    seam: str
    values: int
    time_ns: float
    waits: bool
    bare_ns: float
    ratio: float
    calls: float
    parts: tuple[PartCost, ...]
    faulted: Mapping[str, int]
    unsteady: bool

    @property
    def kernel(self) -> float:
        """The share of the kernel itself."""
        return max(0.0, 1 - sum(part.share for part in self.parts))


@frozen
class Report:
    """What was measured; `unmeasured` names the seams where somebody listens, but no value is known."""

    seams: tuple[SeamCost, ...]
    unmeasured: tuple[str, ...]


def measure(
    bundle: Interceptors,
    given: Mapping[Seam[Any], Sequence[Given]],
    *,
    seconds: float = 5.0,
    tell: Callable[[str], object] = lambda _: None,
) -> Report:
    """Measure a bundle on values: everything is asked many times over, and nothing is run.

    `seconds` is about what it takes; each figure takes three pairs at least.
    """
    listened = [seam for seam in (*SEAMS.values(), *(seam for seam, _ in bundle.seams)) if _listens(bundle, seam)]
    known = [seam for seam in listened if given.get(seam)]
    traces = {seam: [_trace(bundle, seam, one) for one in given[seam]] for seam in known}
    figures = sum(2 + len(_asked(traces[seam])) for seam in known)
    each = seconds / max(figures, 1)
    found: list[SeamCost] = []
    with undisturbed():
        for seam in known:
            tell(seam.name)
            found.append(_seam(bundle, seam, list(given[seam]), traces[seam], each))
    return Report(tuple(found), tuple(seam.name for seam in listened if seam not in known))


def _listens(bundle: Interceptors, seam: Seam[Any]) -> bool:
    return any(asked.function is not None for asked in bundle.ordered(seam))


@frozen
class _Heard:
    """One who was asked, as a bare call, and what kinds of answers came."""

    interceptor: Interceptor
    call: Call
    kinds: tuple[Kind, ...]


def _trace(bundle: Interceptors, seam: Seam[Any], one: Given) -> list[_Heard]:
    """Who is asked about a value, with what."""
    procedure = deciding(bundle, seam, one.value, *one.beside, scope=one.scope)
    heard: list[_Heard] = []
    try:
        question = next(procedure)
        while True:
            entries = list(consult(question))
            if question.interceptor.function is not None:
                heard.append(_Heard(question.interceptor, _bare(question), tuple(entry.kind for entry in entries)))
            question = procedure.send(entries)
    except StopIteration:
        return heard


def _bare(question: Consultation[Any]) -> Call:
    """The function of an interceptor, with the arguments that it declares."""
    takes, function = question.interceptor.takes, cast("Callable[..., object]", question.interceptor.function)
    given = question.offered[: takes.count]
    if takes.scope == "by name":
        return partial(function, scope=question.scope), given
    if takes.scope or takes.count == len(question.offered) + 1:
        return function, (*given, question.scope)
    return function, given


def _asked(traces: list[list[_Heard]]) -> dict[int, list[_Heard]]:
    """Every interceptor that was asked, by its identity."""
    asked: dict[int, list[_Heard]] = {}
    for heard in (one for trace in traces for one in trace):
        asked.setdefault(id(heard.interceptor), []).append(heard)
    return asked


def _seam(
    bundle: Interceptors, seam: Seam[Any], given: list[Given], traces: list[list[_Heard]], seconds: float
) -> SeamCost:
    decide = _deciding(bundle, seam, given)
    bare = _timed(decide, _loops(traces), seconds)
    empty = _timed(decide, _empties(given), seconds)
    values = len(given)
    parts = sorted(_parts(bundle, seam, traces, empty, seconds), key=lambda part: -part.share)
    again = [_trace(bundle, seam, one) for one in given]
    return SeamCost(
        seam=seam.name,
        values=values,
        time_ns=empty.time_ns / values,
        waits=empty.waits,
        bare_ns=(bare.floor_wall_ns if empty.waits else bare.floor_cpu_ns) / values,
        ratio=bare.wall_ratio if empty.waits else bare.ratio,
        calls=empty.calls,
        parts=tuple(parts),
        faulted=Counter(h.interceptor.name for trace in traces for h in trace if Kind.FAULT in h.kinds),
        unsteady=_kinds(again) != _kinds(traces),
    )


def _kinds(traces: list[list[_Heard]]) -> list[list[tuple[str, tuple[Kind, ...]]]]:
    return [[(heard.interceptor.name, heard.kinds) for heard in trace] for trace in traces]


def _parts(
    bundle: Interceptors, seam: Seam[Any], traces: list[list[_Heard]], whole: Cost, seconds: float
) -> Iterator[PartCost]:
    names = Counter[str]()
    asked = _asked(traces)
    for interceptor in bundle.ordered(seam):
        heard = asked.pop(id(interceptor), None)
        if heard is None:
            continue
        names[interceptor.name] += 1
        number = names[interceptor.name]
        cost = _timed(_calls([one.call for one in heard]), _empty_calls(len(heard)), seconds)
        yield PartCost(
            name=interceptor.name if number == 1 else f"{interceptor.name} #{number}",
            kind=_kind(interceptor),
            asked=len(heard),
            time_ns=cost.time_ns / len(heard),
            waits=cost.waits,
            calls=cost.calls,
            share=min(1.0, cost.time_ns / whole.time_ns),
        )


def _kind(interceptor: Interceptor) -> str:
    if hasattr(interceptor.function, "only"):
        return "rule" if interceptor.is_gate else "default"
    return "gate" if interceptor.is_gate else "chain"


# The work, and its floors; each does all values once


def _who(one: Given) -> dict[str, Scope]:
    return {"scope": one.scope} if one.scope != Scope() else {}


def _deciding(bundle: Interceptors, seam: Seam[Any], given: list[Given]) -> Work:
    ready = plan(bundle)
    if ready is None:
        raise ValueError("nobody listens")
    run = getattr(ready, seam.name) if seam.name in SEAMS else ready.at(seam)
    decide = [partial(run, one.value, *one.beside, **_who(one)) for one in given]

    def work(number: int) -> None:
        for _ in repeat(None, number):
            for one in decide:
                one()

    return work


def _loops(traces: list[list[_Heard]]) -> Work:
    """A bare loop for each value, over those who are asked about it."""
    loops = [_loop([heard.call for heard in trace]) for trace in traces]

    def work(number: int) -> None:
        for _ in repeat(None, number):
            for loop in loops:
                loop()

    return work


def _loop(calls: list[Call]) -> Callable[[], object]:
    """The loop as somebody writes it: where all are given the same one value, with that."""
    functions = tuple(function for function, _ in calls)
    if calls and all(len(given) == 1 and given[0] is calls[0][1][0] for _, given in calls):
        value = calls[0][1][0]

        def loop() -> None:
            for function in functions:
                try:  # noqa: SIM105 - suppress() costs more than what is measured
                    function(value)
                except Exception:  # noqa: S110 - a fault; the kernel would log it
                    pass

        return loop
    return partial(_calls(calls), 1)


def _calls(calls: list[Call]) -> Work:
    def work(number: int) -> None:
        for _ in repeat(None, number):
            for function, given in calls:
                try:  # noqa: SIM105
                    function(*given)
                except Exception:  # noqa: S110
                    pass

    return work


def _nothing(_: object) -> None:
    return None


def _empties(given: list[Given]) -> Work:
    return _empty_calls(len(given))


def _empty_calls(count: int) -> Work:
    return _calls([(_nothing, (None,))] * count)


def _timed(work: Work, floor: Work, seconds: float) -> Cost:
    """Measure for so long."""
    pairing = Pairing(work, floor, SAMPLE_S)
    until = time.monotonic() + seconds
    for taken in range(PAIRS):
        if taken >= FEWEST and time.monotonic() > until:
            break
        pairing.before()
        pairing.run()
    return pairing.cost()
