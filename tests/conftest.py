"""What holds for all tests."""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

# A slow machine is no failure; timing has its own place.
settings.register_profile("seamlaw", deadline=None, print_blob=True)
settings.load_profile("seamlaw")

NO_SKIPS = "SEAMLAW_NO_SKIPS"  # set where all that tests need is there: what is skipped there would go unnoticed


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail what is skipped, where nothing may be."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get(NO_SKIPS):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"{NO_SKIPS} is set, and this was skipped. {reason}"
    return report
