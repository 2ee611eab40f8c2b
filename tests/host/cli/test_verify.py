import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from seamlaw_spec import LAWS

Run = Callable[..., Result]
ROOT = Path(__file__).resolve().parents[3]
FAST = ("verify", "--law", "precedence_is_a_semilattice", "--layer", "exhausted")


def test_a_law_that_holds_is_told_in_a_table(run: Run) -> None:
    """Law, count, bound, and the verdict in the last line; nothing else goes to standard output."""
    result = run(*FAST)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["law", "tested", "confirmed", "proved", "exhausted", "seconds"]
    assert lines[1].startswith("precedence_is_a_semilattice")
    assert lines[-1].endswith(": all hold")
    assert "1 of 1 checks" in result.stderr


def test_json_is_one_object_of_a_stated_schema(run: Run) -> None:
    """A machine reads one line."""
    result = run(*FAST, "--json")
    (line,) = result.stdout.splitlines()
    told = json.loads(line)
    assert (told["schema"], told["type"], told["ok"]) == ("seamlaw/1", "verify", True)
    (law,) = told["laws"]
    assert law["statement"] == LAWS["precedence_is_a_semilattice"].statement
    assert (law["evidence"][0]["mechanism"], law["evidence"][0]["count"]) == ("exhausted", 64)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--law", "nothing_fails"), "no law is called nothing_fails"),
        (("--layer", "believed"), "'believed' is not one of"),
        (("--record", "--law", "first_block_wins"), "--record is for a run of all laws"),
    ],
)
def test_what_cannot_be_done_is_refused_with_exit_code_2(run: Run, arguments: tuple[str, ...], complaint: str) -> None:
    """Nothing is checked by mistake."""
    result = run("verify", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in re.sub(r"\s+", " ", result.stderr)


@pytest.mark.slow
def test_a_broken_kernel_fails_by_every_layer(tmp_path: Path) -> None:
    """A block that does not stop the chain is found by examples, paths, proofs and cases; the exit code is 1."""
    for folder in ("kernel", "spec", "host"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    module = tmp_path / "kernel/seamlaw/_step.py"
    text, broken = module.read_text("utf-8"), "stopped=False"
    assert text.count("stopped=not entry.is_gate") == 1
    module.write_text(text.replace("stopped=not entry.is_gate", broken), "utf-8")
    path = os.pathsep.join(str(tmp_path / folder) for folder in ("kernel", "spec", "host"))
    command = [sys.executable, "-m", "seamlaw_host", "verify", "--law", "block_is_terminal", "--json"]
    environment = {**os.environ, "PYTHONPATH": path}
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    (law,) = json.loads(result.stdout)["laws"]
    found = {one["mechanism"]: one["holds"] for one in law["evidence"]}
    assert found == {"tested": False, "confirmed": False, "proved": False, "exhausted": False}
