"""A real Redis, where there is one, and states of both kinds."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from seamlaw_host.state import MemoryState, RedisState, State, StateUnavailable

HOW = "no redis-server here; on Debian and Ubuntu: apt-get install redis-server"


class Server:
    """A Redis in a folder of its own, that keeps nothing on disk."""

    def __init__(self, *options: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="redis-")  # a short path: that of a socket has 108 characters at most
        self.url = f"unix://{self.folder}/redis.sock"
        self.options = options
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        program = shutil.which("redis-server")
        if program is None:
            pytest.skip(HOW)
        socket = f"{self.folder}/redis.sock"
        nothing = ["--port", "0", "--save", "", "--appendonly", "no", "--dir", self.folder]
        self.process = subprocess.Popen(
            [program, *nothing, "--unixsocket", socket, *self.options], stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + 30
        while not self.answers():
            assert self.process.poll() is None, "redis-server does not start"
            assert time.monotonic() < until, "redis-server does not answer"
            time.sleep(0.02)

    def answers(self) -> bool:
        """Whether it can be asked."""
        with closing(RedisState(self.url, namespace="probe")) as state:
            try:
                return state.attempts(("probe",)) >= 0
            except StateUnavailable as problem:
                return "maxmemory" in str(problem)

    def stop(self) -> None:
        """Stop it; what it held is gone."""
        self.process.terminate()
        self.process.wait(30)
        Path(self.folder, "redis.sock").unlink(missing_ok=True)

    def remove(self) -> None:
        """Stop it and leave nothing."""
        self.stop()
        shutil.rmtree(self.folder)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Server]:
    """One server for all tests that do not stop it."""
    pytest.importorskip("redis", reason="no redis-py here: pip install 'seamlaw[redis]'")
    server = Server()
    yield server
    server.remove()


@pytest.fixture
def start_redis() -> Iterator[Callable[..., Server]]:
    """Start a server of one's own, with options."""
    pytest.importorskip("redis", reason="no redis-py here: pip install 'seamlaw[redis]'")
    started: list[Server] = []

    def start(*options: str) -> Server:
        started.append(Server(*options))
        return started[-1]

    yield start
    for server in started:
        server.remove()


@pytest.fixture
def in_redis(redis_server: Server) -> Iterator[Callable[..., RedisState]]:
    """Make a state in Redis, in a namespace of its own."""
    made: list[RedisState] = []

    def make(**options: Any) -> RedisState:
        defaults: dict[str, Any] = {"namespace": token_hex(8), "timeout_s": 20.0}
        made.append(RedisState(redis_server.url, **(defaults | options)))
        return made[-1]

    yield make
    for state in made:
        state.close()


@pytest.fixture(params=["memory", "redis"])
def make_state(request: pytest.FixtureRequest) -> Callable[..., State]:
    """Make a state, of each kind in turn."""
    made: Callable[..., State] = MemoryState if request.param == "memory" else request.getfixturevalue("in_redis")
    return made


@pytest.fixture
def state(make_state: Callable[..., State]) -> State:
    """A state, of each kind in turn."""
    return make_state()
