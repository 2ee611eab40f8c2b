"""Where the recorders run, where samples go, and what each sample is checked for before it is kept."""

from __future__ import annotations

import getpass
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parents[2] / "tests" / "samples"
DEMO = Path("/tmp/demo")  # the agent's workspace, made anew for each recording
OUTSIDE = Path("/tmp/demo-outside")  # beside the workspace: what a policy should keep an agent out of
HOME = Path("/tmp/demo-home")  # an empty home, so that nobody's settings get in
NODE = Path("/tmp/demo-node")  # npm packages under test, kept between runs
LIMIT = 60_000  # bytes in a sample
KEYS = ("sk-test",)


def fresh(*folders: Path) -> None:
    """Make each folder anew, empty."""
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)


def workspace() -> None:
    """A small git project without a remote in DEMO, with an `.env` and a `build` folder, and OUTSIDE."""
    fresh(DEMO, OUTSIDE)
    files = {
        "README.md": "# demo\n\nA small service.\n",
        "src/app.py": 'def greet(name: str) -> str:\n    return "Hello " + name\n',
        ".env": "DATABASE_URL=postgres://demo@localhost/demo\nAPI_TOKEN=not-a-real-token\n",
        ".gitignore": ".env\nbuild/\n",
        "build/app.o": "object\n",
    }
    for name, text in files.items():
        path = DEMO / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (OUTSIDE / "keep.txt").write_text("not part of the demo\n")
    git = ["git", "-c", "user.name=Demo", "-c", "user.email=demo@example.invalid"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run([*git, *command], cwd=DEMO, check=True)


def npm_bin(package: str, version: str, program: str) -> str:
    """The path of a program from an npm package at this version, installed when missing."""
    home = NODE / package.replace("/", "_") / version
    path = home / "node_modules" / ".bin" / program
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text("{}")
        install = ["npm", "install", "--no-audit", "--no-fund", f"{package}@{version}"]
        subprocess.run(install, cwd=home, check=True, stdout=subprocess.DEVNULL)
    return str(path)


def lines(values: Iterable[Any]) -> str:
    """Values as JSON Lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def read_lines(path: Path) -> list[Any]:
    """The values of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def save(name: str, text: str) -> None:
    """Write a sample; refuse one that is too large or that tells on the machine that made it."""
    here = Path(__file__).resolve().parents[2]
    words = [*KEYS, str(here), f"{Path.home()}/", socket.gethostname(), f'"{getpass.getuser()}"', sys.prefix]
    told = [word for word in words if word in text]
    if told or len(text.encode()) > LIMIT:
        raise SystemExit(f"{name}: not kept: {len(text.encode())} bytes, tells {told}")
    SAMPLES.mkdir(parents=True, exist_ok=True)
    (SAMPLES / name).write_text(text)
    print(f"{name}: {len(text.encode())} bytes")
