"""The proxy as a process between a client and a server: pipes, signals, crashes, size."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from tests.host.mcp.wire import call, line

from seamlaw_host.ledger import read_ledger, verify

POLICY = """
[[rules]]
name = "no-rm"
refuse = "nothing is removed"
tools = ["rm"]

[[rules]]
default = { tool = "echo", at = "/n", value = 7 }
"""
SERVER = str(Path(__file__).with_name("scripted_server.py"))


class Proxy:
    """A proxy that runs."""

    def __init__(self, folder: Path, *options: str, policy: str | None = None, server: list[str] | None = None) -> None:
        (folder / "p.toml").write_text(POLICY, "utf-8")
        self.lines = folder / "lines"
        server = server or [sys.executable, SERVER, str(self.lines)]
        command = ["-m", "seamlaw_host", "mcp", "--policy", policy or str(folder / "p.toml"), *options, "--", *server]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, *command], stdin=pipe, stdout=pipe, stderr=pipe)

    def ask(self, *messages: Any) -> None:
        """Send lines."""
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write(message if isinstance(message, bytes) else line(message))
        self.process.stdin.flush()

    def hear(self) -> bytes:
        """Read a line."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def told(self, count: int = 1) -> list[Any]:
        """Read messages, in the order of their ids."""
        return sorted((json.loads(self.hear()) for _ in range(count)), key=lambda told: str(told["id"]))

    def end(self) -> tuple[int, bytes, bytes]:
        """Say no more, and wait for the end: exit code, what else was said, standard error."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err

    @property
    def received(self) -> bytes:
        """What the server was sent."""
        return self.lines.read_bytes() if self.lines.exists() else b""


Start = Callable[..., Proxy]


@pytest.fixture
def start(tmp_path: Path) -> Generator[Start]:
    """Start proxies, and leave none behind."""
    started: list[Proxy] = []

    def begin(*options: str, **more: Any) -> Proxy:
        started.append(Proxy(tmp_path, *options, **more))
        return started[-1]

    yield begin
    for proxy in started:
        proxy.process.kill()
        proxy.process.communicate()


def text(told: Any) -> str:
    """The text of a result."""
    return str(told["result"]["content"][0]["text"])


def test_a_session_passes_with_its_calls_decided(start: Start, tmp_path: Path) -> None:
    """To the byte where nothing was changed, and with the code 0 of the server at the end."""
    proxy = start("--ledger", f"{tmp_path}/audit.jsonl", "--agent", "coder", "--session", "s-9")
    ping = b'{"jsonrpc": "2.0",  "id":"p","method":"ping"}\r\n'
    proxy.ask(ping)
    assert proxy.hear() == b'{"id": "p",   "jsonrpc": "2.0", "result": {} }\n'
    proxy.ask(call(1, "rm", path="/"), call(2, "echo", a=1), call(3, "ls"))
    denied, changed, plain = proxy.told(3)
    assert (denied["result"]["isError"], text(denied)) == (True, "Blocked by interceptor: nothing is removed")
    assert (json.loads(text(changed)), text(plain)) == ({"a": 1, "n": 7}, "{}")
    assert proxy.end()[:2] == (0, b"")
    assert proxy.received.startswith(ping)
    assert b'"rm"' not in proxy.received
    records: Any = [found[1] for found in read_ledger(tmp_path / "audit.jsonl")]  # type: ignore[index]
    assert sorted((it.tool, it.seam, it.verdict) for it in records) == [
        ("echo", "tool_call", "proceed"),
        ("echo", "tool_result", "proceed"),
        ("ls", "tool_call", "proceed"),
        ("ls", "tool_result", "proceed"),
        ("rm", "tool_call", "block"),
    ]
    assert {(it.session, it.agent) for it in records} == {("s-9", "coder")}
    assert verify(tmp_path / "audit.jsonl").ok


def test_ten_megabytes_pass_both_ways(start: Start) -> None:
    """In one line, and without waiting for one another."""
    proxy = start()
    proxy.ask(call(1, "big", size=10_000_000))
    assert len(proxy.hear()) > 10_000_000
    proxy.ask(call(2, "ls", text="x" * 10_000_000))
    assert len(text(proxy.told()[0])) > 10_000_000


def test_many_calls_at_once(start: Start) -> None:
    """Each gets its own answer, while one has none."""
    proxy = start()
    proxy.ask(call("never", "never"), *(call(n, "rm" if n % 3 == 0 else "ls", n=n) for n in range(100, 300)))
    for told in proxy.told(200):
        wanted = "Blocked" if told["id"] % 3 == 0 else json.dumps({"n": told["id"]})
        assert text(told).startswith(wanted)


def test_what_is_no_message_is_not_passed_on(start: Start) -> None:
    """It is told on standard error; and what the server says there comes through."""
    proxy = start()
    proxy.ask(call(1, "noise"), call(2, "stderr"))
    assert [text(told) for told in proxy.told(2)] == ["said", "said"]
    proxy.ask(b"nonsense\n")
    assert proxy.told()[0]["error"]["code"] == -32700
    code, _, told = proxy.end()
    assert code == 0
    assert b"a line of the server\n" in told
    assert b"20 bytes that were not passed on" in told


@pytest.mark.parametrize("code", [0, 7])
def test_a_server_that_ends_ends_the_proxy_with_its_code(start: Start, code: int) -> None:
    """Whoever waits is told that no answer will come."""
    proxy = start()
    proxy.ask(call(1, "never"), call(2, "crash", code=code))
    for told in proxy.told(2):
        assert told["result"]["isError"] is True
    assert proxy.hear() == b""
    assert proxy.end()[0] == code


def test_what_was_asked_before_the_client_left_is_still_answered(start: Start) -> None:
    """As with `printf … | server`; the server sees the end of its input, and answers."""
    proxy = start()
    proxy.ask(call(1, "late"), line(call(2, "ls")).rstrip(b"\n"))
    code, out, _ = proxy.end()
    assert (code, sorted(json.loads(told)["id"] for told in out.splitlines())) == (0, [1, 2])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_both(start: Start, number: signal.Signals) -> None:
    """It is passed on, and the exit code tells which it was."""
    proxy = start()
    proxy.ask(call(1, "ls"))
    proxy.hear()
    proxy.process.send_signal(number)
    assert proxy.process.wait(timeout=60) == 128 + number
    assert proxy.hear() == b""


def test_a_client_that_closes_its_ears_ends_it(start: Start) -> None:
    """Nobody hears the answers any more."""
    proxy = start()
    proxy.ask(call(1, "ls"))
    proxy.hear()
    assert proxy.process.stdout is not None
    proxy.process.stdout.close()
    for number in range(2, 50):
        try:
            proxy.ask({"jsonrpc": "2.0", "id": number, "method": "ping"})
        except BrokenPipeError:
            break
        time.sleep(0.05)
        if proxy.process.poll() is not None:
            break
    assert proxy.process.wait(timeout=60) == 141


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--policy", "/nowhere/p.toml", "--", "cat"], "/nowhere/p.toml"),
        (["--policy", "{policy}", "--", "/nowhere/server"], "/nowhere/server: No such file or directory"),
        (["--policy", "{policy}"], "Name the server"),
        (["--policy", "{policy}", "--http", "http://x", "--", "cat"], "Name the server"),
        (["--policy", "{policy}", "--http", "ftp://x/"], "http or https"),
        (["--policy", "{policy}", "--http", "http://x/", "--listen", "8808"], "HOST:PORT"),
        (["--policy", "{policy}", "--deadline", "-1", "--", "cat"], "deadline_s"),
        (["--policy", "{policy}", "--ledger", "/proc/nowhere/a.jsonl", "--", "cat"], "/proc/nowhere"),
        (["--", "cat"], "--policy"),
    ],
)
def test_a_mistake_starts_nothing(tmp_path: Path, options: list[str], told: str) -> None:
    """Exit code 2 and a word on standard error, and never a server without its policy."""
    (tmp_path / "p.toml").write_text(POLICY, "utf-8")
    given = [option.format(policy=tmp_path / "p.toml") for option in options]
    command = [sys.executable, "-m", "seamlaw_host", "mcp", *given]
    ran = subprocess.run(command, input=b'{"jsonrpc":"2.0"}\n', capture_output=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert told in ran.stderr.decode()


CODE = """
import os, subprocess, sys
from seamlaw import Interceptors, gate
@gate
def noisy(call):
    print("{}")
    os.write(1, b"{}\\n")
    subprocess.run(["sh", "-c", "echo '{}'; cat"])
    assert sys.stdin.read() == ""
@gate(tools="leave")
def leave(call):
    sys.exit(0)
both = Interceptors(tool_call=[noisy, leave])
"""


def test_a_policy_can_neither_speak_nor_read_in_the_place_of_a_side(start: Start, tmp_path: Path) -> None:
    """What it prints goes to standard error; one that exits ends all, and the tool does not run."""
    (tmp_path / "rules.py").write_text(CODE, "utf-8")
    proxy = start(policy=f"{tmp_path}/rules.py:both")
    proxy.ask(call(1, "ls"))
    assert text(proxy.told()[0]) == "{}"
    proxy.ask(call(2, "leave"))
    code, out, err = proxy.end()
    assert (code, out) == (2, b"")
    assert err.count(b"{}\n") >= 3
    assert b'"leave"' not in proxy.received


def test_asks_wait_in_a_store_and_proceed_once_granted(start: Start, tmp_path: Path) -> None:
    """With `--approvals`, by `seamlaw approvals grant`."""
    (tmp_path / "ask.toml").write_text('[[rules]]\nask = "may it?"\ntools = ["push"]\n', "utf-8")
    store = f"sqlite:///{tmp_path}/approvals.db"
    proxy = start("--approvals", store, policy=f"{tmp_path}/ask.toml")
    proxy.ask(call(1, "push", branch="main"))
    (told,) = proxy.told()
    assert "pending approval" in text(told)
    identity = text(told).rpartition("pending approval ")[2].rstrip(")")
    grant = [sys.executable, "-m", "seamlaw_host", "approvals", "grant", identity, "--store", store]
    subprocess.run(grant, check=True, capture_output=True)
    proxy.ask(call(2, "push", branch="main"))
    assert json.loads(text(proxy.told()[0])) == {"branch": "main"}
    proxy.ask(call(3, "push", branch="main"))
    assert "pending approval" in text(proxy.told()[0])


def test_a_server_that_does_not_end_is_ended(start: Start) -> None:
    """Gently first, and then not."""
    code = "import sys, time\nsys.stdin.read()\ntime.sleep(60)"
    proxy = start(server=[sys.executable, "-c", code])
    begun = time.monotonic()
    assert proxy.end()[0] == 128 + signal.SIGTERM
    assert 4 < time.monotonic() - begun < 60
