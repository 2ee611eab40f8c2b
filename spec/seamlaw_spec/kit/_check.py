"""Check a policy: every law on every part, with the smallest counterexample of each that is broken."""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from time import perf_counter
from typing import Any, Literal, TypeAlias

from attrs import frozen

from ._law import RECORDED, KitLaw
from ._parts import Part, Shown, Subject, Trace, parts_of
from ._shrink import shrink, shrink_shown
from ._subjects import subject_of
from ._watchdog import Overran
from .errors import UnknownLaw
from .laws.history import is_deterministic
from .laws.pairs import commutes_or_is_reported

__all__ = ["LAWS", "Checked", "Report", "Told", "check", "check_law", "named_laws"]

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
    begun, subject, names = perf_counter(), subject_of(policy), named_laws(only, skip)
    parts = parts_of(subject, secrets=secrets, budget_s=budget_s)
    checks, said, values = list[Checked](), dict[Part, Mapping[str, int]](), dict[Part, tuple[Shown, ...]]()
    for part in parts:
        done, counts, values[part] = _check_part(
            part, names, examples, (strategies or {}).get(part.seam.name), seed, told or (lambda _: None)
        )
        checks += done
        said[part] = counts
    if PAIRS in names:
        by_chance = {one.part for one in checks if one.law == CHANCE and not one.holds}
        checks += _pairs([part for part in parts if part not in by_chance], values)
    return Report(subject, tuple(checks), said, perf_counter() - begun)


def _check_part(
    part: Part, names: Iterable[str], examples: int, given: Any, seed: int, told: Told
) -> tuple[list[Checked], Mapping[str, int], tuple[Shown, ...]]:
    from ._explore import explore

    told(f"exploring {part.label}")
    is_rule = part.rule() is not None
    explored = explore(part, examples=min(examples, OF_RULES) if is_rule else examples, given=given, seeded=seed)
    once = [*explored.slow, *([one] for one in explored.telling[:ONCE])]
    checks = list[Checked]()
    concerned = [
        law for name, law in LAWS.items() if name in names and law.concerns(part) and (law.of_rules or not is_rule)
    ]
    by_chance = False
    for law in sorted(concerned, key=lambda law: law.name != CHANCE):
        if not (by_chance and law.compares):
            told(f"{law.name}: {part.label}")
            traces = once if law.tried_once else explored.traces[: OF_HINTS if law.level == "hint" else None]
            checks.append(check_law(law, part, traces))
            by_chance = by_chance or (law.name == CHANCE and not checks[-1].holds)
    return checks, explored.counts, (*explored.telling, *(trace[0] for trace in explored.traces[:50]))


def check_law(law: KitLaw, part: Part, traces: Iterable[Trace]) -> Checked:
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


def _pairs(parts: Iterable[Part], values: Mapping[Part, tuple[Shown, ...]]) -> list[Checked]:
    rewriters = [part for part in parts if not part.is_gate]
    return [
        _pair(one, other, (*values[one], *values[other]))
        for one, other in combinations(rewriters, 2)
        if one.seam == other.seam
    ]


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
            again = differ(least)
            remark = one.journal[-1] + ("" if again else NOT_EVERY_TIME)
            return Checked(
                PAIRS, statement, "report", one, False, number, perf_counter() - begun, remark, (least,), other
            )
    return Checked(PAIRS, statement, "report", one, True, len(values), perf_counter() - begun, other=other)
