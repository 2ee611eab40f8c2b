"""Running the layers on the kernel: which checks there must be, and what came of them.

No law is skipped in silence: where the book marks a mechanism there is evidence, or a written waiver, or the run fails.
"""

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter

from attrs import frozen

from ._law import MECHANISMS
from .book import BOOK
from .evidence import recorded_seconds, write
from .laws import LAWS
from .layers import Evidence
from .layers._workers import Task, run
from .orphans import Shelf, problems
from .vectors import run as run_vectors
from .waivers import WAIVERS, Waiver

__all__ = ["Report", "lacking", "marked", "record", "tasks", "verify", "versions"]

PATIENCE = {False: 120.0, True: 3_600.0}  # seconds for a task, deep or not
ALL_AT_ONCE = "proved"  # the model is extracted once for all laws
Check = tuple[str, str]  # a law and a mechanism


@frozen
class Report:
    """What came of a run of these checks."""

    checks: tuple[Check, ...]
    evidence: tuple[Evidence, ...]
    lacking: tuple[str, ...]
    waived: tuple[Waiver, ...]
    seconds: float
    deep: bool
    vectors: int = 0  # how many test vectors were run; those that are wrong are lacking

    @property
    def failed(self) -> tuple[Evidence, ...]:
        """What does not hold, or could not be shown."""
        return tuple(one for one in self.evidence if not one.holds)

    @property
    def ok(self) -> bool:
        """Whether every law holds by every mechanism that the book marks for it."""
        return not self.failed and not self.lacking


def marked(book: Mapping[str, Mapping[str, str]] = BOOK) -> tuple[Check, ...]:
    """Every check that the book asks for."""
    return tuple((law, MECHANISMS[letter]) for laws in book.values() for law, by in laws.items() for letter in by)


def tasks(checks: Iterable[Check], *, deep: bool) -> list[Task]:
    """Make tasks of checks, those first that took longest when the evidence was recorded."""
    listed = list(checks)
    together = tuple(law for law, mechanism in listed if mechanism == ALL_AT_ONCE)
    alone = [check for check in listed if check[1] != ALL_AT_ONCE]
    alone.sort(key=lambda check: -recorded_seconds(*check))
    made = [Task(mechanism, (law,), deep, PATIENCE[deep]) for law, mechanism in alone]
    return [Task(ALL_AT_ONCE, together, deep, PATIENCE[True]), *made] if together else made


def lacking(checks: Iterable[Check], evidence: Iterable[Evidence], waivers: Iterable[Waiver] = WAIVERS) -> list[str]:
    """Say which checks left no evidence and are not waived."""
    there = {(one.law, one.mechanism) for one in evidence} | {(one.law, one.mechanism) for one in waivers}
    return [f"{law} must be {mechanism}, and was not" for law, mechanism in checks if (law, mechanism) not in there]


def verify(
    laws: Sequence[str] = (),
    layers: Sequence[str] = (),
    *,
    deep: bool = False,
    workers: int = 2,
    fresh: bool = False,
    tell: Callable[[int, int, Evidence], None] = lambda done, of, evidence: None,
) -> Report:
    """Check the laws (all, unless some are named) by the layers (all, unless some are named).

    `tell` is called with how many checks are done, of how many, and the newest evidence. A run of everything fails,
    too, where the recorded evidence does not agree with the laws, unless it is `fresh`, and about to be recorded; and
    where a test vector is wrong.
    """
    started = perf_counter()
    checks = [(law, by) for law, by in marked() if (not laws or law in laws) and (not layers or by in layers)]
    waived = tuple(one for one in WAIVERS if (one.law, one.mechanism) in checks)
    wanted = [check for check in checks if check not in {(one.law, one.mechanism) for one in waived}]
    found = list[Evidence]()
    for _, evidence in run(tasks(wanted, deep=deep), workers):
        for one in evidence:
            found.append(one)
            tell(len(found), len(wanted), one)
    order = {check: at for at, check in enumerate(checks)}
    found.sort(key=lambda one: order[one.law, one.mechanism])
    open_ends = lacking(checks, found)
    vectors = 0
    if not (laws or layers):
        vectors, wrong = run_vectors()
        open_ends += map(str, wrong)
    if not (laws or layers or fresh):
        open_ends += problems(Shelf.as_it_is())
    return Report(tuple(checks), tuple(found), tuple(open_ends), waived, perf_counter() - started, deep, vectors)


def record(report: Report) -> None:
    """Record the evidence of a run of everything; raises `ValueError` for a run that leaves anything open."""
    if not report.ok or lacking(marked(), report.evidence):
        raise ValueError("only a run of all laws by all layers that they hold by is recorded")
    write(LAWS.values(), report.evidence, seconds=report.seconds, versions=versions())


def versions() -> dict[str, str]:
    """What the evidence was found with."""
    found = {"python": platform.python_version()}
    for package in ("seamlaw", "crosshair-tool", "cvc5", "hypothesis", "z3-solver"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
