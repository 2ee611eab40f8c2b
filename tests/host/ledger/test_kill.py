"""kill -9 at any moment leaves a ledger that verifies, and the next start goes on from it."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seamlaw_host.ledger import JsonlSink, read_ledger, verify

ROOT = Path(__file__).resolve().parents[3]
KILLS = 20


def killed(path: Path, durability: str, start: int, after_s: float) -> list[int]:
    """Let a process append, kill it so many seconds after its first append, and give the appends that returned."""
    command = [sys.executable, "-m", "tests.host.ledger.writer", str(path), durability, str(start)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(after_s)
        os.kill(writer.pid, signal.SIGKILL)
        told = (first + writer.stdout.read()).split(b"\n")[:-1]
    assert writer.returncode == -signal.SIGKILL, "it ended by itself"
    return [int(number) for number in told]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
@pytest.mark.parametrize("durability", ["none", "batch", "each"])
def test_a_kill_at_any_moment_leaves_a_verifiable_prefix_and_the_next_start_goes_on(
    tmp_path: Path, durability: str
) -> None:
    """Twenty kills of one ledger, at random moments: what is there is a prefix of what was appended, each time.

    With `each` every append that returned is there.
    """
    path, chance = tmp_path / "audit.jsonl", random.Random(durability)
    expected: list[int] = []
    for kill in range(KILLS):
        start = 1_000_000 * (kill + 1)
        returned = killed(path, durability, start, chance.choice([0.0, chance.random() * 0.02, chance.random() * 0.08]))
        found = verify(path)
        assert found.problems == (), f"kill {kill}"
        kept = [int(one[1].attempt[8:]) for one in read_ledger(path) if isinstance(one, tuple)]
        mine = kept[len(expected) :]
        assert kept[: len(expected)] == expected, "what was there before is there"
        assert mine == list(range(start, start + len(mine))), "a prefix of what was appended, in order"
        if durability == "each":
            assert mine[: len(returned)] == returned, "every append that returned is there"
            assert len(mine) <= len(returned) + 1
        expected = kept
    JsonlSink(path).close()
    assert verify(path).problems == ()
    assert len(expected) > KILLS if durability == "each" else True
