"""Judge the mutants: `python -m seamlaw_spec.mutants [--module NAME …] [--record] [--jobs N]`.

What was recorded of a function that has not changed since is not judged again, so an interrupted run goes on where it
stopped. Exit code 1: something survives, a law notices nothing, or (without --record) something was not judged yet.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path

from seamlaw_spec import LAWS

from ._equivalent import EQUIVALENT
from ._kernel_tests import judge_by_tests
from ._mutate import MODULES, Mutant
from ._record import Matrix, read, write
from ._run import Verdict, judge

EVERY = 20  # mutants between two writings


def main() -> int:
    """Run it."""
    import_module("hypothesis.strategies")  # once, and not in every child
    options = _options()
    matrix = read()
    for module in options.module or MODULES:
        matrix = _judged(matrix, module, options)
    if not options.module:
        matrix = _shown(matrix)
    if options.record:
        write(matrix)
    return _report(matrix)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m seamlaw_spec.mutants", description=__doc__)
    parser.add_argument("--module", action="append", choices=MODULES, help="only this one; can be given again")
    parser.add_argument("--record", action="store_true", help="write what was found into the package")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tests", type=Path, help="the folder of tests, for what no law notices")
    parser.add_argument("--again", action="store_true", help="judge survivors once more")
    return parser.parse_args()


def _judged(matrix: Matrix, module: str, options: argparse.Namespace) -> Matrix:
    verdicts = matrix.known(module)
    left = matrix.left(module)
    if options.again:
        left += [m for m, v in verdicts.items() if not v.killed and m.key not in EQUIVALENT]
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, (mutant, verdict) in enumerate(
            zip(left, pool.map(partial(_verdict, tests=options.tests), left), strict=True), start=1
        ):
            verdicts[mutant] = verdict
            mark = verdict.law or verdict.how or "SURVIVES"
            print(f"{module} {number}/{len(left)} {mutant.function}: {mutant.operator} -> {mark}", flush=True)
            if options.record and number % EVERY == 0:
                write(matrix.with_module(module, verdicts))
    matrix = matrix.with_module(module, verdicts)
    if options.record:
        write(matrix)
    return matrix


def _verdict(mutant: Mutant, tests: Path | None) -> Verdict:
    found = judge(mutant, "quick")
    if tests is not None and not found.killed and mutant.key not in EQUIVALENT:
        found = judge(mutant, "thorough")
        if not found.killed:
            found = judge_by_tests(mutant, tests)
    return found


def _shown(matrix: Matrix) -> Matrix:
    """For every law that was nowhere the first to notice: a mutant that it notices."""
    shown = {law: key for law, key in matrix.shown.items() if law in LAWS}
    first = {one.verdict.law for one in matrix.everyone}
    for law in LAWS:
        if law in first or law in shown:
            continue
        print(f"looking for a mutant that {law} notices", flush=True)
        found = next((one for one in matrix.of("law") if judge(one.mutant, "quick", [law]).killed), None)
        if found is not None:
            shown[law] = found.mutant.key
    return Matrix(matrix.judged, matrix.hashes, shown)


def _report(matrix: Matrix) -> int:
    counts = {kind: len(matrix.of(kind)) for kind in ("law", "test", "crash", "equivalent", "survivor")}
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()), f"of {len(matrix.everyone)} mutants")
    problems = matrix.problems()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
