"""Every chain over the alphabet of answers, up to a length: the plan and both drivers against the fold of `step`.

The interceptors of a length are made once, and answer what is laid out for them, so that hundreds of thousands of
chains can be run. Each chain is run with every number of gates at its end, on an open and on a closed seam.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, cast

from seamlaw import (
    ALLOW,
    Allow,
    Ask,
    Block,
    Consultation,
    Entry,
    Interceptor,
    Interceptors,
    Note,
    Outcome,
    Replace,
    Seam,
    Severity,
    State,
    conclude,
    consult,
    decide,
    decide_async,
    plan,
    step,
)
from seamlaw_spec.domains import CLOSED, OPEN
from seamlaw_spec.ways import nothing_is_awaited

__all__ = ["ALPHABET", "disagreement"]


class _Raises:
    """The answer of one that raises instead."""


ALPHABET: Mapping[str, object] = {
    "None": None,
    "ALLOW": ALLOW,
    "Allow()": Allow(),
    "Replace(0)": Replace(0),
    "Replace(1)": Replace(1),
    'Note("n")': Note("n"),
    'Ask("a")': Ask("a"),
    'Block("b", Severity.LOW)': Block("b", Severity.LOW),
    'Block("c")': Block("c"),
    "raise": _Raises(),
    "True": True,
}
Run = Callable[[int], "Outcome[int] | None"]


class _Bench:
    """Interceptors that answer what is laid out, and who was asked about what."""

    def __init__(self, length: int, gates: int, seam: Seam[int]) -> None:
        self.answers: list[object] = [None] * length
        self.asked: list[tuple[int, int]] = []
        self.seam = seam
        everyone = (Interceptor(self._answer(at), f"i{at}", at >= length - gates) for at in range(length))
        self.bundle = Interceptors(seams={seam: tuple(everyone)})
        self.order = self.bundle.ordered(seam)
        ready = plan(self.bundle)
        self.ways: dict[str, Run] = {"decide": self._decide, "decide_async": self._awaited}
        self.ways["plan"] = cast(Run, ready.at(seam)) if ready else lambda _: None

    def _answer(self, at: int) -> Callable[[int], object]:
        def answer(value: int) -> object:
            self.asked.append((at, value))
            said = self.answers[at]
            if type(said) is _Raises:
                raise RuntimeError
            return said

        return answer

    def _decide(self, value: int) -> Outcome[int]:
        return decide(self.bundle, self.seam, value)

    def _awaited(self, value: int) -> Outcome[int]:
        async def ask(question: Consultation[Any]) -> Iterable[Entry]:
            return consult(question)

        return nothing_is_awaited(decide_async(self.bundle, self.seam, value, ask=ask))

    def folded(self, value: int) -> Outcome[int]:
        """The semantics."""
        state = State(value)
        for asked in self.order:
            if not state.stopped:
                for entry in consult(Consultation(asked, self.seam, state.value)):
                    state = step(state, entry)
        return conclude(self.seam, value, (), value, state)

    def disagrees(self) -> str:
        """The name of a way that does not do as the fold."""
        told, consulted = self._run(self.folded)
        for name, way in self.ways.items():
            outcome, asked = self._run(way)
            if asked != consulted or outcome != (told if told.log or name != "plan" else None):
                return name
        return ""

    def _run(self, way: Callable[[int], Any]) -> tuple[Any, list[tuple[int, int]]]:
        self.asked.clear()
        return way(0), self.asked.copy()


def disagreement(longest: int) -> tuple[int, str, str]:
    """Run every chain up to a length: how many there were, what is wrong with the first that disagrees, and which."""
    tried = 0
    for seam, bench, names in _chains(longest):
        tried += 1
        bench.answers[:] = [ALPHABET[name] for name in names]
        try:
            way = bench.disagrees()
        except Exception as error:
            way = f"a way that raises {type(error).__name__}"
        if way:
            gates = sum(asked.is_gate for asked in bench.order)
            told = f"# at {seam.name}, the last {gates} as gates, these answers: {', '.join(names)}\n"
            return tried, f"{way} does not do as the fold", told
    return tried, "", ""


def _chains(longest: int) -> Iterator[tuple[Seam[int], _Bench, tuple[str, ...]]]:
    for length in range(longest + 1):
        for gates in range(length + 1):
            for seam in (OPEN, CLOSED):
                bench = _Bench(length, gates, seam)
                for names in product(ALPHABET, repeat=length):
                    yield seam, bench, names
