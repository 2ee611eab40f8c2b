"""Judge the mutants: `python -m seamlaw_spec.mutants [--module NAME …] [--record] [--jobs N]`.

What was recorded of a function that has not changed since is not judged again, so an interrupted run goes on where it
stopped. Exit code 1: something survives, or a law notices nothing. With --recheck all that is recorded is run anew,
and what changed since is judged; exit code 1: something is noticed no more, or survives that is not recorded to.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from time import time

from seamlaw_spec import LAWS

from ._equivalent import EQUIVALENT
from ._mutate import MODULES, Mutant
from ._record import Matrix, read, write
from ._run import Verdict, judge, judge_by_proofs, judge_by_tests
from ._survey import Check, survey, within_seconds

EVERY = 20  # mutants between two writings


def main() -> int:
    """Run it."""
    options = _options()
    for library in ("hypothesis.strategies", "pytest", "seamlaw_spec.strategies"):  # once, and not in every child
        import_module(library)
    matrix = read()
    if options.recheck:
        return _recheck(matrix, options)
    survey(options.tests)
    for module in options.module or MODULES:
        matrix = _judged(matrix, module, options)
    if not options.module:
        matrix = _shown(matrix, options.tests)
    if options.record:
        write(matrix)
    return _report(matrix)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m seamlaw_spec.mutants", description=__doc__)
    parser.add_argument("--module", action="append", choices=MODULES, help="only this one; can be given again")
    parser.add_argument("--record", action="store_true", help="write what was found into the package")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tests", type=Path, help="the folder of the kernel's tests, for what no law notices")
    parser.add_argument(
        "--within",
        type=float,
        default=math.inf,
        help="seconds of laws and of tests for a mutant, and no proofs: a first look",
    )
    parser.add_argument("--again", action="store_true", help="judge survivors once more")
    parser.add_argument("--thorough", action="store_true", help="and what only a test noticed, by more of each law")
    parser.add_argument("--every", type=int, default=1, help="with --recheck: one of so many")
    parser.add_argument("--recheck", action="store_true", help="run what is recorded anew, and judge what changed")
    return parser.parse_args()


def _judged(matrix: Matrix, module: str, options: argparse.Namespace) -> Matrix:
    verdicts = matrix.known(module)
    left = matrix.left(module)
    if options.again or options.thorough:
        left += [m for m, v in verdicts.items() if not v.killed and m.key not in EQUIVALENT]
    if options.thorough:
        left += [m for m, v in verdicts.items() if v.how.startswith("tests/")]
    ask = partial(_verdict, tests=options.tests, within=options.within, thorough=options.thorough)
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, (mutant, verdict) in enumerate(zip(left, pool.map(ask, left), strict=True), start=1):
            verdicts[mutant] = verdict
            mark = verdict.law or verdict.how or "SURVIVES"
            print(f"{module} {number}/{len(left)} {mutant.function}: {mutant.operator} -> {mark}", flush=True)
            if options.record and number % EVERY == 0:
                write(matrix.with_module(module, verdicts))
    matrix = matrix.with_module(module, verdicts)
    if options.record:
        write(matrix)
    return matrix


def _verdict(mutant: Mutant, tests: Path | None, *, within: float = math.inf, thorough: bool = False) -> Verdict:
    looked = survey(tests)
    laws = within_seconds(PROMISING.ordered(mutant.module, looked.laws_for(mutant)), within)
    for stage in ("quick", "thorough")[: 2 if thorough else 1]:
        found = judge(mutant, stage, map(_law, laws))
        PROMISING.learn(mutant.module, laws, found)
        if found.killed:
            return found
    if within == math.inf and looked.is_extracted(mutant):
        found = judge_by_proofs(mutant)
        if found.killed:
            return found
    own, others = looked.tests_for(mutant)
    if within < math.inf:
        others = within_seconds(others[: int(100 * within)], within)  # to collect them takes longer than to run them
    listed = [*own, *others]
    return judge_by_tests(mutant, tests, map(_test, listed)) if tests else Verdict()


class _Promising:
    """Which laws noticed mutants of a module before: these are asked first, so that most mutants cost little."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str, str]] = Counter()
        self.noticed: Counter[tuple[str, str, str]] = Counter()

    def ordered(self, module: str, laws: Iterable[Check]) -> list[Check]:
        """By the seconds it will take until one notices, if it goes on as it went."""

        def costs(check: Check) -> float:
            key = module, check.how, check.name
            known = (self.asked[key] + 4) / (self.noticed[key] + 0.5)
            return (check.seconds + 0.002) * known * (1 if check.runs(module) else 20)

        return sorted(laws, key=costs)

    def learn(self, module: str, laws: Iterable[Check], found: Verdict) -> None:
        """Take in who noticed, and who did not."""
        for check in laws:
            key = module, check.how, check.name
            self.asked[key] += 1
            if check.name == found.law and found.how.startswith(check.how):
                self.noticed[key] += 1
                break


PROMISING = _Promising()  # each worker learns for itself


def _law(check: Check) -> tuple[str, str, float]:
    return check.how, check.name, check.seconds


def _test(check: Check) -> tuple[str, float]:
    return check.name, check.seconds


def _recheck(matrix: Matrix, options: argparse.Namespace) -> int:
    """Run recorded mutants against what noticed them, and judge those of which it does not, or that were never judged.

    With --every N of each N that are recorded one, another each day.
    """
    known = [(m, v) for module in options.module or MODULES for m, v in matrix.known(module).items() if v.killed]
    known = known[int(time() // 86_400) % options.every :: options.every]
    left = [mutant for module in options.module or MODULES for mutant in matrix.left(module)]
    with ProcessPoolExecutor(options.jobs) as pool:
        found = pool.map(partial(_once_more, tests=options.tests), known)
        for number, ((mutant, then), now) in enumerate(zip(known, found, strict=True), start=1):
            print(f"{number}/{len(known)} {mutant.key}: {now.law or now.how or f'no more by {then}'}", flush=True)
            left += [] if now.killed else [mutant]
    if left:
        survey(options.tests)
    unlisted = [mutant for mutant in left if mutant.key not in EQUIVALENT]
    worse = [f"nothing notices {one.key}" for one in unlisted if not _verdict(one, options.tests).killed]
    print("\n".join(worse) or f"all {len(known)} that were looked at are noticed")
    return 1 if worse else 0


def _once_more(recorded: tuple[Mutant, Verdict], tests: Path | None) -> Verdict:
    """Ask what noticed a mutant then, and nothing else."""
    mutant, then = recorded
    how, *rest = then.how.split()
    if how == "tests/":
        return judge_by_tests(mutant, tests, [(f"{tests.parent}/{rest[0]}", 0)]) if tests else then
    if how == "proved:":
        return judge_by_proofs(mutant)
    if then.law:
        return judge(mutant, "thorough" if "thorough" in rest else "quick", [(how, then.law, 1)])
    return judge(mutant, "quick", ())


def _shown(matrix: Matrix, tests: Path | None) -> Matrix:
    """For every law that was nowhere the first to notice: a mutant that it notices, best one that few others run."""
    there = {one.mutant.key for one in matrix.everyone}
    shown = {law: key for law, key in matrix.shown.items() if law in LAWS and key in there}
    first = {one.verdict.law for one in matrix.everyone}
    asked = {one.mutant: survey(tests).laws_for(one.mutant) for one in matrix.of("law")}
    for law in LAWS:
        if law in first or law in shown:
            continue
        print(f"looking for a mutant that {law} notices", flush=True)
        for mutant in sorted((m for m in asked if any(c.name == law for c in asked[m])), key=lambda m: len(asked[m])):
            if judge(mutant, "quick", [_law(check) for check in asked[mutant] if check.name == law]).law:
                shown[law] = mutant.key
                break
    return Matrix(matrix.judged, matrix.hashes, shown)


def _report(matrix: Matrix) -> int:
    counts = {kind: len(matrix.of(kind)) for kind in ("law", "test", "crash", "equivalent", "survivor")}
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()), f"of {len(matrix.everyone)} mutants")
    problems = matrix.problems()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
