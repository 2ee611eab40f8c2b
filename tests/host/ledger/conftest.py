"""A real PostgreSQL, where there is one."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

HOW = "PostgreSQL is not here; on Debian and Ubuntu: apt install postgresql (as root: its user postgres is taken)"


def _binaries() -> Path | None:
    found = shutil.which("initdb")
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if found is None else [Path(found).parent]
    return next((place for place in reversed(places) if (place / "initdb").exists()), None)


def _as_postgres() -> list[str]:
    """How to run a command as somebody who is not root, whom PostgreSQL refuses."""
    return [] if os.geteuid() else ["runuser", "-u", "postgres", "--"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Start a server in a folder of its own, and give the URL of its database."""
    binaries = _binaries()
    if binaries is None or (not os.geteuid() and shutil.which("runuser") is None):
        pytest.skip(HOW)
    folder = Path(tempfile.mkdtemp(prefix="seamlaw-postgres-"))
    if not os.geteuid():
        shutil.chown(folder, "postgres")
    data, log, port = folder / "data", folder / "log", _free_port()

    def run(command: str, *arguments: object) -> None:
        told = [*_as_postgres(), str(binaries / command), *map(str, arguments)]
        subprocess.run(told, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    run("initdb", "-D", data, "-A", "trust", "-U", "seamlaw", "-N")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run("pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "start")
    try:
        yield f"postgresql+psycopg://seamlaw@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
