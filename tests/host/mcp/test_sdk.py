"""The official SDK on both sides, and the proxy between them as a process of its own."""

import asyncio
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from seamlaw_host.ledger import read_ledger

SERVER = str(Path(__file__).with_name("sdk_server.py"))
POLICY = """
from seamlaw import Interceptors, ToolCall, ToolResult, block, interceptor, parse_rules, replace, thaw

def clean(value):
    if isinstance(value, str):
        return value.replace("hunter2", "[secret]")
    if isinstance(value, dict):
        return {key: clean(part) for key, part in value.items()}
    return [clean(part) for part in value] if isinstance(value, list) else value

def results(result):
    if "WITHHELD" in str(result.output):
        return block("not for you")
    return replace(ToolResult(clean(thaw(result.output)))) if "hunter2" in str(result.output) else None

@interceptor(tools="echo")
def calls(call):
    return replace(ToolCall(call.id, "echo", {"text": "safe"})) if call.arguments.get("text") == "change" else None

policy = Interceptors(
    tool_call=[calls], tool_result=[results], rules=parse_rules([{"refuse": "nothing is removed", "tools": ["remove"]}])
)
"""
PROXY = [sys.executable, "-m", "seamlaw_host", "mcp", "--hide-denied"]


@asynccontextmanager
async def over_stdio(folder: Path, mode: Any) -> AsyncGenerator[Client]:
    """A client, the proxy, and the server as its child."""
    args = [*PROXY[1:], "-p", f"{folder}/p.py:policy", "--", sys.executable, SERVER, "stdio", str(folder / "log")]
    async with Client(StdioServerParameters(command=PROXY[0], args=args), mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(folder: Path, mode: Any) -> AsyncGenerator[Client]:
    """The same with a server that is there already, and a port of the proxy's own."""
    log = folder / "log"
    server = subprocess.Popen([sys.executable, SERVER, "http", str(log)], stdout=-3, stderr=-3)
    proxy = None
    try:
        until = time.monotonic() + 60
        while not (log.exists() and log.read_text("utf-8")) or await _refuses(int(log.read_text("utf-8").split()[0])):
            assert time.monotonic() < until
            await asyncio.sleep(0.05)
        url = f"http://127.0.0.1:{log.read_text('utf-8').split()[0]}/mcp"
        command = [*PROXY, "-p", f"{folder}/p.py:policy", "--http", url, "--listen", "127.0.0.1:0"]
        command += ["--ledger", str(folder / "audit.jsonl")]
        proxy = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert proxy.stderr is not None
        listening = re.search(r"http://\S+", proxy.stderr.readline())
        assert listening
        async with Client(listening[0], mode=mode) as client:
            yield client
    finally:
        for process, code in ((proxy, 128 + signal.SIGTERM), (server, None)):
            if process is not None:
                process.terminate()
                process.communicate(timeout=60)
                assert code in (None, process.returncode)


async def _refuses(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return True
    writer.close()
    return False


async def text(client: Client, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Call a tool: whether it is an error, and what it says."""
    found: Any = await client.call_tool(tool, arguments)
    return bool(found.is_error), str(found.content[0].text)


async def all_of_it(client: Client) -> None:
    """Denied, changed, redacted, withheld, failed, unknown, with progress, at once; and what is no call."""
    assert [tool.name for tool in (await client.list_tools()).tools] == ["echo", "big", "fail", "crash", "slow"]
    assert await text(client, "echo", text="é\u2028") == (False, "é\u2028")
    assert await text(client, "remove", path="/") == (True, "Blocked by interceptor: nothing is removed")
    assert await text(client, "echo", text="change") == (False, "safe")
    changed: Any = await client.call_tool("echo", {"text": "it is hunter2"})
    assert (changed.content[0].text, changed.structured_content) == ("it is [secret]", {"result": "it is [secret]"})
    withheld = "[tool result withheld by interceptor: not for you]"
    assert await text(client, "echo", text="WITHHELD") == (True, withheld)
    assert (await text(client, "fail", text="x"))[0]
    assert "Unknown tool" in (await text(client, "nothing"))[1]
    steps: list[float] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    slow: Any = await client.call_tool("slow", {"steps": 3}, progress_callback=told)
    assert (slow.content[0].text, steps) == ("done", [0, 1, 2])
    many = await asyncio.gather(*(text(client, "echo", text=str(number)) for number in range(20)))
    assert [said for _, said in many] == [str(number) for number in range(20)]
    assert await text(client, "big", size=100_000) == (False, "x" * 100_000)
    contents: Any = (await client.read_resource("note://one")).contents
    assert contents[0].text == "a note"


@pytest.mark.slow
@pytest.mark.parametrize(("transport", "mode"), [(over_stdio, "auto"), (over_http, "legacy")])
def test_a_client_and_a_server_of_the_official_sdk(tmp_path: Path, transport: Any, mode: str) -> None:
    """Over both transports and in both generations of the protocol; what was denied did not run."""
    (tmp_path / "p.py").write_text(POLICY, "utf-8")

    async def work() -> None:
        async with transport(tmp_path, mode) as client:
            await asyncio.wait_for(all_of_it(client), 60)

    asyncio.run(work())
    if transport is over_http:
        records: Any = [found[1] for found in read_ledger(tmp_path / "audit.jsonl")]  # type: ignore[index]
        assert sum(record.seam == "tool_result" for record in records) == 28
        assert [record.tool for record in records if record.verdict == "block"] == ["remove", "echo"]
    ran = (tmp_path / "log").read_text("utf-8").split()
    assert "remove" not in ran
    assert ran.count("echo") == 24
