"""Judge the mutants: `python -m seamlaw_spec.mutants [--module NAME …] [--record] [--jobs N]`.

What was recorded of a function that has not changed since is not judged again, so an interrupted run goes on where it
stopped. Exit code 1: something survives, or a law notices nothing. With --recheck all that is recorded is run anew,
and what changed since is judged; exit code 1: something is noticed no more, or survives that is not recorded to.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path

from seamlaw_spec import LAWS

from ._equivalent import EQUIVALENT
from ._kernel_tests import judge_by_tests
from ._mutate import MODULES, Mutant
from ._record import Matrix, read, write
from ._run import Verdict, judge, judge_by_proofs

EVERY = 20  # mutants between two writings


def main() -> int:
    """Run it."""
    import_module("hypothesis.strategies")  # once, and not in every child
    options = _options()
    matrix = read()
    if options.recheck:
        return _recheck(matrix, options)
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
    parser.add_argument("--tests", type=Path, help="the folder of the kernel's tests, for what no law notices")
    parser.add_argument("--again", action="store_true", help="judge survivors once more")
    parser.add_argument("--recheck", action="store_true", help="run what is recorded anew, and judge what changed")
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
    if found.killed or mutant.key in EQUIVALENT:
        return found
    found = judge_by_proofs(mutant)
    return found if found.killed or tests is None else judge_by_tests(mutant, tests)


def _recheck(matrix: Matrix, options: argparse.Namespace) -> int:
    """Run each recorded mutant against what noticed it, and judge those of functions that changed since."""
    worse: list[str] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for module in options.module or matrix.judged:
            known = [m for m, v in matrix.known(module).items() if v.killed]
            left = matrix.left(module)
            found = pool.map(partial(_once_more, matrix=matrix, tests=options.tests), known + left)
            worse += _survivors(module, known + left, found)
    print("\n".join(worse) or "all that is recorded to be noticed is noticed")
    return 1 if worse else 0


def _survivors(module: str, mutants: Sequence[Mutant], found: Iterable[Verdict]) -> Iterator[str]:
    for number, (mutant, verdict) in enumerate(zip(mutants, found, strict=True), start=1):
        print(f"{module} {number}/{len(mutants)} -> {verdict.law or verdict.how or 'SURVIVES'}", flush=True)
        if not verdict.killed and mutant.key not in EQUIVALENT:
            yield f"nothing notices {mutant.key}"


def _once_more(mutant: Mutant, matrix: Matrix, tests: Path | None) -> Verdict:
    then = matrix.known(mutant.module).get(mutant, Verdict())
    if then.law and not then.how.startswith("proved"):
        found = judge(mutant, "thorough" if then.how.endswith("(thorough)") else "quick", [then.law])
        return found if found.killed else _verdict(mutant, tests)
    if then.how.startswith("tests/"):
        return judge_by_tests(mutant, tests, near=True) if tests else then
    return _verdict(mutant, tests)


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
