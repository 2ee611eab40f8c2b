"""A part of a policy: one interceptor at its seam, made anew for each trace, and what it answers to one."""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from seamlaw import (
    SEAMS,
    Consultation,
    Default,
    Entry,
    Fault,
    Interceptor,
    Interceptors,
    Kind,
    Level,
    Replace,
    Rule,
    Scope,
    Seam,
    consult,
    pick,
)

from ._plain import plain
from ._watchdog import within

__all__ = ["STRICTNESS", "Heard", "Part", "Shown", "Subject", "Trace", "hear", "parts_of"]

STRICTNESS = list(Level)  # from allow to block
HANGS_AFTER = 1.0  # seconds


@frozen
class Shown:
    """What an interceptor is shown once: a seam's value, what stands beside it, and who is calling."""

    value: Any
    beside: tuple[Any, ...] = ()
    scope: Scope = Scope()

    @property
    def offered(self) -> tuple[Any, ...]:
        """What an interceptor is called with, before the scope."""
        return (self.value, *self.beside)


Trace: TypeAlias = Sequence[Shown]


@frozen
class Heard:
    """What came of showing it: the answer itself, or what was raised, and the entries that the kernel makes of it."""

    answer: object = None
    error: BaseException | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def level(self) -> Level:
        """How far the answer goes; an interceptor that is skipped goes nowhere."""
        worst = pick(self.entries)
        return Level.ALLOW if worst is None else worst.level

    @property
    def strictness(self) -> int:
        """The level as a number, to compare."""
        return STRICTNESS.index(self.level)

    @property
    def replacement(self) -> Replace | None:
        """The replacement that proceeds, if there is one."""
        return next((e.answer for e in self.entries if isinstance(e.answer, Replace) and not e.is_gate), None)

    @property
    def is_fault(self) -> bool:
        """Whether the interceptor raised, or answered what is no decision."""
        return any(isinstance(entry.answer, Fault) for entry in self.entries) or self.error is not None

    def gist(self) -> object:
        """What counts of an answer when two are compared: not the words of a reason, which may quote what was met."""
        if self.error is not None:
            return type(self.error)
        replaced = None if self.replacement is None else plain.of(self.replacement.value)
        return [(entry.kind, entry.level) for entry in self.entries if entry.kind is not Kind.REPLACE], replaced


@frozen
class Subject:
    """A policy that is verified: what it is called, how a fresh one is made, and the code that names it."""

    name: str
    fresh: Callable[[], Interceptors]
    code: str = "policy"
    is_factory: bool = True
    imports: str = ""  # what a test must import for the code

    def part(self, seam: Seam[Any], at: int) -> Callable[[], Interceptor]:
        """What makes a fresh instance of what stands at this place; it is copied where there is no factory."""
        if self.is_factory:
            return lambda: self.fresh().ordered(seam)[at]
        asked = self.fresh().ordered(seam)[at]
        try:
            pristine = deepcopy(asked.function)
            stays = deepcopy(pristine) is asked.function
        except Exception:  # it holds what cannot be copied
            stays, pristine = True, None
        return (lambda: asked) if stays else lambda: evolve(asked, function=deepcopy(pristine))


@frozen
class Part:
    """One interceptor of a policy: where it stands, and how a fresh one is made for each trace."""

    subject: Subject
    seam: Seam[Any]
    at: int
    name: str
    is_gate: bool
    fresh: Callable[[], Interceptor] = field(eq=False, repr=False)
    secrets: tuple[str, ...] = ()
    budget_s: float = 0.1
    journal: list[str] = field(factory=list[str], eq=False, repr=False)  # what laws remark on a counterexample

    @property
    def label(self) -> str:
        """The seam and the name."""
        return f"{self.seam.name}: {self.name}"

    def rule(self) -> Rule | Default | None:
        """The rule as data that it stands for, if it does."""
        function = self.fresh().function
        return function if isinstance(function, Rule | Default) else None

    def play(self, trace: Trace) -> list[Heard]:
        """Show a fresh instance all of a trace."""
        asked = self.fresh()
        return [hear(self, asked, shown) for shown in trace]

    def after(self, before: Trace) -> Callable[[Shown], Heard]:
        """Make a fresh instance, let it see what came before, and give what hears it on one thing more."""
        asked = self.fresh()
        for shown in before:
            hear(self, asked, shown)
        return lambda shown: hear(self, asked, shown)

    def remark(self, text: str) -> bool:
        """Keep what a law found, for the report; gives `False`, which is what the law then answers."""
        self.journal.append(text)
        return False


def hear(part: Part, asked: Interceptor, shown: Shown) -> Heard:
    """Consult an interceptor as the kernel would, and keep what it answered itself.

    Nothing leaves but an interrupt, and `Overran` where it does not answer.
    """
    if not asked.matches(part.seam.tool(shown.offered), shown.scope.agent):
        return Heard()
    question = Consultation(asked, part.seam, shown.value, shown.beside, shown.scope)
    answer: object = None
    error: BaseException | None = None
    try:
        with within(HANGS_AFTER):
            answer = asked.ask(shown.offered, shown.scope)
    except (Exception, SystemExit, GeneratorExit) as raised:
        error = raised
    return Heard(answer, error, consult(question, lambda: _again(answer, error)))


def _again(answer: object, error: BaseException | None) -> object:
    if error is not None:
        raise error if isinstance(error, Exception) else RuntimeError(type(error).__name__)
    return answer


def parts_of(subject: Subject, *, secrets: Iterable[str] = (), budget_s: float = 0.1) -> tuple[Part, ...]:
    """All parts of a policy: what is consulted at each seam, in order; observers and handlers are not."""
    bundle, seams = subject.fresh(), dict[str, Seam[Any]]()
    for seam in (*SEAMS.values(), *(own for own, _ in bundle.seams)):
        seams.setdefault(seam.name, seam)
    kept = tuple(secrets)
    return tuple(
        Part(subject, seam, at, asked.name, asked.is_gate, subject.part(seam, at), kept, budget_s)
        for seam in seams.values()
        for at, asked in enumerate(bundle.ordered(seam))
        if asked.function is not None
    )
