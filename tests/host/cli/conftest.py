"""The command line, run in this process and in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

from seamlaw_host.cli._main import seamlaw

POLICY = """\
[[rules]]
name = "no-rm"
refuse = "nothing is removed"
tools = ["rm"]

[[rules]]
name = "push"
ask = "pushing is public"
target = "the owner"
timeout_s = 60
tools = ["push"]

[[rules]]
name = "fill"
default = { tool = "bash", at = "/timeout", value = 60 }

[[rules]]
name = "seen"
note = "a shell"
tools = ["bash"]
"""
STEERS_OUTPUT = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM")


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run a command here."""

    def invoke(*arguments: str, stdin: str = "") -> Result:
        return CliRunner().invoke(seamlaw, list(arguments), input=stdin, prog_name="seamlaw")

    return invoke


@pytest.fixture
def start() -> Callable[..., "subprocess.Popen[bytes]"]:
    """Begin a command in a process of its own, without what steers its output from outside."""

    def popen(*arguments: str, env: Mapping[str, str] | None = None, **options: Any) -> "subprocess.Popen[bytes]":
        outside = {key: value for key, value in os.environ.items() if key not in STEERS_OUTPUT}
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, "-m", "seamlaw_host", *arguments]
        made = subprocess.Popen(command, env={**outside, **(env or {})}, **(pipes | options))
        return cast("subprocess.Popen[bytes]", made)

    return popen


@pytest.fixture
def policy(tmp_path: Path) -> str:
    """Write a policy."""
    path = tmp_path / "policy.toml"
    path.write_text(POLICY, "utf-8")
    return str(path)


@pytest.fixture
def session(tmp_path: Path) -> Callable[..., str]:
    """Write a session of lines, and give its path."""

    def write(*lines: str) -> str:
        path = tmp_path / "session.jsonl"
        path.write_text("".join(line + "\n" for line in lines), "utf-8")
        return str(path)

    return write
