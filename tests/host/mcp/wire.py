"""A client and a server that are lists of lines, with the proxy between them."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from seamlaw import Interceptors
from seamlaw_host.engine import Engine
from seamlaw_host.mcp._exchange import Caller, Exchange

Reply = Callable[[dict[str, Any]], Any]


def call(number: object = 1, tool: object = "ls", **arguments: Any) -> dict[str, Any]:
    """A tools/call."""
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def line(message: Any) -> bytes:
    """A message on a line."""
    return json.dumps(message).encode() + b"\n"


def result(number: object, text: str = "done", **fields: Any) -> dict[str, Any]:
    """What a server answers to a call."""
    return {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": text}], **fields}}


class Wire:
    """What each side was sent, and a server that answers each call it is given with `reply`, if there is one."""

    def __init__(self, engine: Engine | Interceptors, *, reply: Reply | None = None, hide_denied: bool = False) -> None:
        self.client: list[bytes] = []
        self.server: list[bytes] = []
        self._reply = reply
        made = engine if isinstance(engine, Engine) else Engine(engine)
        caller = Caller("s-1", role="tester")
        self.exchange = Exchange(made, self._to_client, self._to_server, caller=caller, hide_denied=hide_denied)

    async def _to_client(self, sent: bytes) -> None:
        self.client.append(sent)

    async def _to_server(self, sent: bytes) -> None:
        self.server.append(sent)
        if self._reply is not None:
            message = json.loads(sent)
            if message.get("method") == "tools/call":
                await self.says(self._reply(message))

    async def asks(self, *messages: Any) -> None:
        """Let the client say something, and see what can be seen of it at once."""
        for message in messages:
            await self.exchange.from_client(message if isinstance(message, bytes) else line(message))
        await settled()

    async def says(self, *messages: Any) -> None:
        """Let the server say something."""
        for message in messages:
            await self.exchange.from_server(message if isinstance(message, bytes) else line(message))

    @property
    def told(self) -> list[Any]:
        """What the client was told, read."""
        return [json.loads(sent) for sent in self.client]

    @property
    def ran(self) -> list[Any]:
        """What the server was told, read."""
        return [json.loads(sent) for sent in self.server if sent.strip()]


async def settled() -> None:
    """Let everything run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def run(work: Awaitable[None]) -> None:
    """Run a test."""

    async def bounded() -> None:
        await asyncio.wait_for(work, 30)

    asyncio.run(bounded())
