"""A grant between processes that die or race: used at most once, and not lost before it is used."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from seamlaw_host.approvals import ApprovalStore

CLAIMER = str(Path(__file__).with_name("claimer.py"))
DONE = "done with main"


def begun(url: str, ready: Path, how: str = "call") -> "subprocess.Popen[str]":
    """Start a process that will call."""
    return subprocess.Popen([sys.executable, CLAIMER, url, str(ready), how], stdout=subprocess.PIPE, text=True)


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Wait for it: exit code, what it said."""
    told, _ = process.communicate(timeout=60)
    return process.returncode, told.strip()


def granted(url: str, ready: Path) -> str:
    """Let a process park its call, and grant it."""
    ready.touch()
    _, told = ended(begun(url, ready))
    assert "pending approval" in told
    store = ApprovalStore(url)
    (one,) = store.list("pending")
    store.grant(one.id, by="anna")
    return one.id


def test_of_racing_processes_one_uses_the_grant(url: str, tmp_path: Path) -> None:
    """Four processes make the same call at the same moment: one proceeds, the others wait for a new approval."""
    ready = tmp_path / "ready"
    id = granted(url, ready)
    ready.unlink()
    processes = [begun(url, ready) for _ in range(4)]
    ready.touch()
    told = [ended(process)[1] for process in processes]
    assert told.count(DONE) == 1
    store = ApprovalStore(url)
    (waits,) = store.list("pending")
    assert sorted({it for it in told if it != DONE}) == [f"may it? (pending approval {waits.id})"]
    assert (waits.id != id, store.get(id).state) == (True, "used")


@pytest.mark.parametrize("how", ["die before", "die"])
def test_a_process_killed_between_grant_and_start(how: str, url: str, tmp_path: Path) -> None:
    """Killed (kill -9) before it uses the grant, the next can use it; after, it is gone: never is one used twice."""
    ready = tmp_path / "ready"
    id = granted(url, ready)
    assert ended(begun(url, ready, how)) == (-signal.SIGKILL, "")
    assert ApprovalStore(url).get(id).state == ("granted" if how == "die before" else "used")
    told = ended(begun(url, ready))[1]
    assert (told == DONE) == (how == "die before")
    assert ApprovalStore(url).get(id).state == "used"


def test_a_process_killed_while_it_parks_leaves_a_store_that_works(sqlite_url: str, tmp_path: Path) -> None:
    """Whenever it is killed, the next one parks, is granted and proceeds."""
    ready = tmp_path / "ready"
    ready.touch()
    for wait_s in (0.2, 0.3, 0.4, 0.5, 0.6):
        process = begun(sqlite_url, ready)
        try:
            process.wait(wait_s)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
    store = ApprovalStore(sqlite_url)
    assert len(store.list()) <= 1
    _, told = ended(begun(sqlite_url, ready))
    (one,) = store.list("pending")
    assert told == f"may it? (pending approval {one.id})"
    store.grant(one.id, by="anna")
    assert ended(begun(sqlite_url, ready))[1] == DONE
