"""The agent loop of the examples, with its real HTTP client, against a scripted model on this machine."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from seamlaw_host.ledger import Record, read_ledger

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/agent_loop/agent_loop.py"
TOKEN = "ghp_" + "a1B2" * 9
TURNS: list[list[tuple[str, Any]]] = [
    [("list_files", {}), ("read_file", {"path": "notes.txt"})],
    [("read_file", {"path": "../secret.txt"}), ("read_file", {"path": "a/../../secret.txt", "limit": 9})],
    [("write_file", {"path": "out.txt", "content": "tidy"}), ("delete_file", {"path": "notes.txt"})],
    [("no_such_tool", {}), ("read_file", "{not json")],
    [],
]


class Model(ThreadingHTTPServer):
    """Speaks OpenAI's chat completions: a turn of the script for each request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The next turn."""
        turn = TURNS[len(self.requests)]
        self.requests.append(request)
        calls = [
            {
                "id": f"call_{len(self.requests)}_{number}",
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for number, (name, given) in enumerate(turn)
        ]
        message = {"role": "assistant", "content": None if calls else "All tidy."} | (
            {"tool_calls": calls} if calls else {}
        )
        return {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}]}


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        server: Any = self.server
        server.keys.append(self.headers.get("authorization"))
        body = json.dumps(server.answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))).encode()
        self.send_response(200 if self.path == "/v1/chat/completions" else 404)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def model() -> Generator[Model]:
    """A model that listens."""
    with Model() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


def test_the_loop_does_what_the_policy_lets_it(model: Model, tmp_path: Path) -> None:
    """It works to its end; what was denied did not happen, what was asked about neither, and all of it is on record."""
    workspace = tmp_path / "work"
    workspace.mkdir()
    (tmp_path / "secret.txt").write_text("hunter2", "utf-8")
    (workspace / "notes.txt").write_text(f"the token is {TOKEN}\n" + "x" * 5000, "utf-8")
    command = [sys.executable, str(EXAMPLE), "Tidy up", "--base-url", f"http://127.0.0.1:{model.server_port}/v1"]
    command += ["--workspace", str(workspace), "--ledger", str(tmp_path / "audit.jsonl"), "--model", "scripted"]
    environment = {**os.environ, "OPENAI_API_KEY": "k-1"}
    ran = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=60, start_new_session=True
    )
    assert (ran.returncode, ran.stdout) == (0, "All tidy.\n"), ran.stderr

    assert sorted(path.name for path in workspace.iterdir()) == ["notes.txt", "out.txt"]
    assert set(model.keys) == {"Bearer k-1"}
    last = model.requests[-1]
    assert [tool["function"]["name"] for tool in last["tools"]] == "list_files read_file write_file delete_file".split()
    said = {message["tool_call_id"]: message["content"] for message in last["messages"] if message["role"] == "tool"}
    assert json.loads(said["call_1_0"]) == ["notes.txt"]
    assert TOKEN not in json.dumps(model.requests)
    assert len(json.loads(said["call_1_1"])) < 2100
    outside = "Blocked by interceptor: files stay in the workspace"
    assert (said["call_2_0"], said["call_2_1"], json.loads(said["call_3_0"])) == (outside, outside, "written")
    assert said["call_3_1"].startswith("Blocked by interceptor: a file is removed for good")  # there is no terminal
    assert said["call_4_0"] == "Blocked by interceptor: no policy covers this tool"
    assert "cannot be read" in last["messages"][-1]["content"]

    records = [found[1] for found in read_ledger(tmp_path / "audit.jsonl") if isinstance(found, tuple)]
    of_calls: list[Record] = [record for record in records if record.seam == "tool_call"]
    assert [(record.tool, record.verdict) for record in of_calls] == [
        ("list_files", "proceed"),
        ("read_file", "proceed"),
        ("read_file", "block"),
        ("read_file", "block"),
        ("write_file", "proceed"),
        ("delete_file", "block"),
        ("no_such_tool", "block"),
    ]
    assert sum(record.seam == "provider_request" for record in records) == len(TURNS)
    assert TOKEN not in (tmp_path / "audit.jsonl").read_text("utf-8")
