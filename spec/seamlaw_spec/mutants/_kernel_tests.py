"""The last resort: the tests of the kernel, for what no law speaks of (the words of errors, checks of arguments)."""

from pathlib import Path
from typing import Any

from ._mutate import Mutant
from ._run import Verdict, forked

__all__ = ["judge_by_tests"]

SECONDS = 240
FIRST = {  # besides the file that is called as the module
    "seamlaw._decisions": ("test_makers.py", "test_hostile.py"),
    "seamlaw._seams": ("test_own_seams.py",),
    "seamlaw._step": ("test_secrets.py", "test_pipeline.py"),
}
SLOW = ("test_allocations.py", "test_threads.py")
ALONE = ("-q", "-x", "--no-header", "-p", "no:randomly", "-p", "no:cacheprovider", "-n", "0")
LOADED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # what was loaded before the fork


class _FirstFailure:
    """Remembers what failed first."""

    nodeid = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Called by pytest for each phase of a test."""
        if report.failed and not self.nodeid:
            self.nodeid = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        """Called by pytest for each file."""
        self.pytest_runtest_logreport(report)


def judge_by_tests(mutant: Mutant, tests: Path, *, near: bool = False) -> Verdict:
    """Run the tests of the kernel on a mutant until one fails: those of its module, then (or not) all others."""
    batches = _near_first(mutant.module, tests)[: 1 if near else None]
    return forked(mutant, SECONDS, lambda: {"law": "", "how": _failing(batches, tests)})


def _near_first(module: str, tests: Path) -> list[list[Path]]:
    own = f"test_{module.rpartition('.')[2].strip('_')}.py"
    wanted = (own, *FIRST.get(module, ()))
    every = sorted(tests.rglob("test_*.py"))
    near = [path for path in every if path.name in wanted]
    slow = [path for path in every if path.name in SLOW]
    return [near, [path for path in every if path not in near and path not in slow], slow]


def _failing(batches: list[list[Path]], tests: Path) -> str:
    import pytest

    for batch in filter(None, batches):
        seen = _FirstFailure()
        if pytest.main([*ALONE, *LOADED, *map(str, batch)], plugins=[seen]) != 0:
            path, _, name = seen.nodeid.partition("::")
            return f"tests/ {tests.name}/{path.rpartition(tests.name + '/')[2]}::{name.partition('[')[0]}"
    return ""
