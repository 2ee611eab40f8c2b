"""What holds for all tests is itself tested."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import tests.conftest

TESTS = """
import pytest

def test_skipped():
    pytest.skip("no server here")

@pytest.mark.xfail(strict=True)
def test_expected():
    raise ValueError
"""


@pytest.mark.parametrize(("value", "code"), [("", 0), ("1", 1)])
def test_a_skip_fails_where_nothing_may_be_skipped(value: str, code: int, tmp_path: Path) -> None:
    """With the variable set a skip is a failure that says why; what is expected to fail is none."""
    (tmp_path / "conftest.py").write_text(Path(tests.conftest.__file__).read_text("utf-8"), "utf-8")
    (tmp_path / "test_it.py").write_text(TESTS, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, tests.conftest.NO_SKIPS: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code
    assert ("SEAMLAW_NO_SKIPS is set, and this was skipped. Skipped: no server here" in ran.stdout) is bool(code)
    assert ("1 failed, 1 xfailed" if code else "1 skipped, 1 xfailed") in ran.stdout
