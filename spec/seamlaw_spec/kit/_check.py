"""Check a policy: every law on every part, with the smallest counterexample of each that is broken."""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import define, field, frozen

from ._law import RECORDED, KitLaw
from ._laws.history import is_deterministic
from ._laws.pairs import commutes_or_is_reported
from ._parts import Part, Shown, Subject, Trace, parts_of
from ._shrink import shrink, shrink_shown
from ._subjects import subject_of
from ._watchdog import Overran
from .errors import UnknownLaw

if TYPE_CHECKING:
    from ._explore import Explored

__all__ = ["LAWS", "PAIRS", "Checked", "Options", "Report", "Told", "Verifier", "check", "named_laws"]

LAWS: Mapping[str, KitLaw] = RECORDED
PAIRS, CHANCE = commutes_or_is_reported.__name__, is_deterministic.__name__
OF_RULES, OF_HINTS = 60, 80  # examples
ONCE = 4  # values on which a law that makes its own is tried
NOT_EVERY_TIME = "; not every time, so it answers by chance or by what it remembers from before"
Told: TypeAlias = Callable[[str], None]


@frozen
class Checked:
    """What came of one law on one part: whether it holds on so many examples, or the smallest that breaks it."""

    law: str
    statement: str
    level: Literal["law", "hint", "report"]
    part: Part
    holds: bool
    examples: int
    seconds: float
    remark: str = ""
    trace: tuple[Shown, ...] = ()
    other: Part | None = None  # of a pair


@frozen
class Report:
    """What came of verifying a policy: each check, and what each part said how often."""

    subject: Subject
    checks: tuple[Checked, ...]
    said: Mapping[Part, Mapping[str, int]]
    seconds: float

    def broken(self, *levels: str) -> tuple[Checked, ...]:
        """The checks that failed, of these levels."""
        return tuple(one for one in self.checks if not one.holds and one.level in levels)

    @property
    def silent(self) -> tuple[str, ...]:
        """The parts that never said anything, so that little was checked of them."""
        return tuple(part.label for part, counts in self.said.items() if not set(counts) - {"nothing"})


@frozen
class Options:
    """How a policy is checked: see `check`."""

    examples: int = 200
    strategies: Mapping[str, Any] = field(factory=dict[str, Any])
    secrets: tuple[str, ...] = field(default=(), converter=tuple[str, ...])
    budget_s: float = 0.1
    seed: int = 0


def named_laws(only: Iterable[str] = (), skip: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of these laws, or of all, but some; raises `UnknownLaw`."""
    listed, left = list(only), set(skip)
    known = [*LAWS, PAIRS]
    for name in (*listed, *left):
        if name not in known:
            raise UnknownLaw(name, known)
    return tuple(name for name in known if (not listed or name in listed) and name not in left)


def check(
    policy: object,
    *,
    only: Iterable[str] = (),
    skip: Iterable[str] = (),
    examples: int = 200,
    strategies: Mapping[str, Any] | None = None,
    secrets: Iterable[str] = (),
    budget_s: float = 0.1,
    seed: int = 0,
    told: Told | None = None,
) -> Report:
    """Verify a policy, or what names one.

    `strategies` maps the name of a seam to a Hypothesis strategy for its values (or for `Shown`), in place of what is
    made around the policy's constants; `secrets` are texts that no redactor may let through; `budget_s` is for each
    call, in seconds; `told` hears how far it is. Raises `NotAPolicy`, `UnknownLaw`, `MissingExtra`.
    """
    names, begun = named_laws(only, skip), perf_counter()
    options = Options(examples, strategies or {}, tuple(secrets), budget_s, seed)
    verifier = Verifier(subject_of(policy), options, told or (lambda _: None))
    checks = [one for part in verifier.parts for one in verifier.check_part(part, names)]
    checks += verifier.check_pairs() if PAIRS in names else []
    said = {part: verifier.explored(part).counts for part in verifier.parts}
    return Report(verifier.subject, tuple(checks), said, perf_counter() - begun)


@define
class Verifier:
    """A policy under check; what its parts were tried on is kept, so that laws can be asked about one by one."""

    subject: Subject
    options: Options = Options()
    told: Told = field(default=lambda _: None)
    parts: tuple[Part, ...] = field(init=False)
    _explored: "dict[Part, Explored]" = field(init=False, factory=dict["Part", "Explored"])

    def __attrs_post_init__(self) -> None:
        self.parts = parts_of(self.subject, secrets=self.options.secrets, budget_s=self.options.budget_s)

    def explored(self, part: Part) -> "Explored":
        """What a part is tried on."""
        from ._explore import explore

        if part not in self._explored:
            self.told(f"exploring {part.label}")
            options = self.options
            examples = min(options.examples, OF_RULES) if part.rule() else options.examples
            given = options.strategies.get(part.seam.name)
            self._explored[part] = explore(part, examples=examples, given=given, seeded=options.seed)
        return self._explored[part]

    def check_part(self, part: Part, names: Iterable[str]) -> list[Checked]:
        """Check these laws on a part; where it answers by chance, none that compares answers."""
        checks, by_chance, is_rule = list[Checked](), False, part.rule() is not None
        listed = [law for law in LAWS.values() if law.name in names and law.concerns(part)]
        for law in sorted(listed, key=lambda law: law.name != CHANCE):
            if (law.of_rules or not is_rule) and not (by_chance and law.compares):
                self.told(f"{law.name}: {part.label}")
                checks.append(_check(law, part, self.traces(law, part)))
                by_chance = by_chance or (law.name == CHANCE and not checks[-1].holds)
        return checks

    def traces(self, law: KitLaw, part: Part) -> list[Trace]:
        """What a law is tried on: a law that makes its own values on what was slow, and on one for each thing said."""
        explored = self.explored(part)
        if law.tried_once:
            return [*explored.slow, *([one] for one in explored.telling[:ONCE])]
        return list(explored.traces[: OF_HINTS if law.level == "hint" else None])

    def check_pairs(self) -> list[Checked]:
        """Try all pairs of rewriters of one seam, but those that answer by chance."""
        steady = [part for part in self.parts if not part.is_gate and not self._by_chance(part)]
        pairs = [(one, other) for one, other in combinations(steady, 2) if one.seam == other.seam]
        return [_pair(one, other, (*self._values(one), *self._values(other))) for one, other in pairs]

    def _by_chance(self, part: Part) -> bool:
        law = LAWS[CHANCE]
        return part.rule() is None and any(_breaks(law, part, trace) for trace in self.traces(law, part)[:ONCE])

    def _values(self, part: Part) -> tuple[Shown, ...]:
        explored = self.explored(part)
        return (*explored.telling, *(trace[0] for trace in explored.traces[:50]))


def _check(law: KitLaw, part: Part, traces: Iterable[Trace]) -> Checked:
    """Check one law on these traces, and make the first that breaks it small."""
    begun, number = perf_counter(), 0
    for trace in traces:
        number += 1
        if _breaks(law, part, trace):
            least = tuple(trace if law.tried_once else shrink(trace, lambda other: _breaks(law, part, other)))
            again = _breaks(law, part, least)
            remark = part.journal[-1] + ("" if again else NOT_EVERY_TIME)
            took = perf_counter() - begun
            return Checked(law.name, law.statement, law.level, part, False, number, took, remark, least)
    return Checked(law.name, law.statement, law.level, part, True, number, perf_counter() - begun)


def _breaks(law: KitLaw, part: Part, trace: Trace) -> bool:
    try:
        return not law.holds(part, trace)
    except Overran:  # which is another law's business
        return False


def _pair(one: Part, other: Part, values: tuple[Shown, ...]) -> Checked:
    statement = " ".join((commutes_or_is_reported.__doc__ or "").split())
    begun = perf_counter()

    def differ(shown: Shown) -> bool:
        try:
            return not commutes_or_is_reported(one, other, shown)
        except Overran:
            return False

    for number, shown in enumerate(values, 1):
        if differ(shown):
            least = shrink_shown(shown, differ)
            remark = one.journal[-1] + ("" if differ(least) else NOT_EVERY_TIME)
            took = perf_counter() - begun
            return Checked(PAIRS, statement, "report", one, False, number, took, remark, (least,), other)
    return Checked(PAIRS, statement, "report", one, True, len(values), perf_counter() - begun, other=other)
