"""The last resort: the tests of the kernel, for what no law speaks of (the words of errors, checks of arguments)."""

import os
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["failing", "run_tests"]

# As they are, but for what other tools want of them: no order, no plugins of others, the same examples on every run.
PLAIN = ("-q", "--no-header", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib")
LOADED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # what was loaded before the fork


class _SameExamples:
    """Makes Hypothesis try the same examples on every run."""

    def pytest_sessionstart(self) -> None:
        """Called by pytest once `conftest.py` has chosen the settings, and before there is a test."""
        from hypothesis import settings

        settings.register_profile("mutants", parent=settings(), derandomize=True, database=None)
        settings.load_profile("mutants")


class _Told:
    """Tells which test is about to run, and whether one failed, or could not be had."""

    def __init__(self, begins: Callable[[str], None], again: Callable[[], None]) -> None:
        self.begins, self.again = begins, again

    def pytest_collectreport(self, report: Any) -> None:
        """Called by pytest for each file."""
        if report.failed:
            self.begins(report.nodeid)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Called by pytest before each test."""
        self.again()
        self.begins(nodeid)


def failing(nodes: Iterable[str], begins: Callable[[str], None], again: Callable[[], None]) -> bool:
    """Run tests until one fails: tells each before it begins, and whether the last one failed."""
    return run_tests([*nodes], "-x", plugins=[_Told(begins, again)]) != 0


def run_tests(nodes: Iterable[str], *options: str, plugins: Iterable[object]) -> int:
    """Run tests in this process."""
    import pytest

    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return int(pytest.main([*PLAIN, *LOADED, *options, *nodes], plugins=[_SameExamples(), *plugins]))
