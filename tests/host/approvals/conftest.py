"""Stores of approvals: a file, and a real PostgreSQL where there is one."""

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.host.ledger.conftest import postgres as postgres  # the server is one for all


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A file that is not there yet."""
    return f"sqlite:///{tmp_path}/approvals.db"


def new_database(server: str) -> str:
    """Make a database in a server, and give its URL."""
    import psycopg

    name = f"approvals_{secrets.token_hex(6)}"
    with psycopg.connect(server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type,unused-ignore]
    return server.rpartition("/")[0].replace("+psycopg", "") + f"/{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty store."""
    if request.param == "sqlite":
        made: str = request.getfixturevalue("sqlite_url")
        return made
    return new_database(request.getfixturevalue("postgres"))


@pytest.fixture
def now() -> Callable[[float], float]:
    """A clock that a test moves: called with seconds, it goes on."""
    at = [1_000_000.0]

    def clock(forward: float = 0.0) -> float:
        at[0] += forward
        return at[0]

    return clock
