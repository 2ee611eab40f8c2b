"""The benchmarks work: each is run once, and nothing is timed."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_every_benchmark_runs() -> None:
    """With the peers that are installed; each of them lets the call through and stops what it must."""
    command = [sys.executable, "-m", "pytest", "benchmarks", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-3000:]
    assert "passed" in found.stdout
