"""What passes between one client and one server: calls are decided, all else goes on as it came, to the byte.

An answer reaches the client only if it belongs to a request that is open, and that of a call only through the engine:
a server that answers twice, or before it was asked, is not heard.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from attrs import define

from seamlaw import Scope
from seamlaw_host.engine import Engine, session

from ._call import Answered, decide
from ._json import Unreadable, encoded, is_list, is_object, misspelt, read
from ._messages import ENVELOPE, INVALID, PARSE_ERROR, Key, error, is_answer, key_of, method_of
from ._tools import Tools, shown

__all__ = ["OF_TASKS", "Caller", "Exchange", "ServerGone", "say"]

Send: TypeAlias = Callable[[bytes], Awaitable[None]]
OPEN_AT_MOST = 100_000
OF_TASKS = ("tasks/result", "tasks/get")  # what a call made as a task came to, which nobody would have decided


class ServerGone(Exception):
    """The server has ended, or said what cannot be read."""


@define
class Caller:
    """Who is calling, as far as the one who set up the proxy said."""

    session: str
    role: str | None = None
    domain: str | None = None  # the server's name, once it has told it
    is_named: bool = False  # whether somebody said which session it is, so that a client's own word does not count

    def scope(self, agent: str | None) -> Scope:
        """The same for what is asked without a call."""
        return Scope(self.session, agent, self.role, None, (), self.domain)


@define
class _Call:
    """A call that is open: being decided, or with the server."""

    task: "asyncio.Task[None] | None" = None
    answer: "asyncio.Future[Answered] | None" = None


class Exchange:
    """One client, one server, and the requests that are open between them."""

    def __init__(
        self, engine: Engine, to_client: Send, to_server: Send, *, caller: Caller, hide_denied: bool = False
    ) -> None:
        self._engine = engine
        self._to_client = to_client
        self._to_server = to_server
        self._caller = caller
        self._hide_denied = hide_denied
        self._tools = Tools()
        self._open: dict[Key, str | _Call] = {}
        self._burnt: dict[Key, None] = {}  # ids of cancelled requests, which may be answered all the same
        self._moved = asyncio.Event()  # a call was handed on, or is done with

    async def from_client(self, line: bytes) -> None:
        """Take a line of the client."""
        if not line.strip():
            await self._to_server(line)
            return
        try:
            message = read(line)
            parts = _each(message, line)
        except Unreadable as problem:
            await self._to_client(error(None, PARSE_ERROR, f"not passed on: {problem.problem}"))
            return
        for one, part in parts:  # a batch is taken apart, and so are its answers
            await self._one_of_client(one, part)

    async def _one_of_client(self, message: Any, line: bytes) -> None:
        try:
            method = method_of(message)
        except ValueError as problem:
            await self._to_client(error(None, INVALID, f"not passed on: {problem}"))
            return
        if method is None and not is_answer(message):
            await self._to_client(error(None, INVALID, "not passed on: neither a request nor an answer"))
        elif method is None:
            await self._to_server(line)
        elif "id" in message:
            await self._request(method, message, line)
        elif method == "tools/call":
            say("a tools/call without an id was not passed on: nobody could be told what came of it")
        else:
            if method == "notifications/cancelled":
                self._cancelled(message)
            await self._to_server(line)

    async def _request(self, method: str, message: dict[str, Any], line: bytes) -> None:
        key = key_of(message["id"])
        if key is None:
            await self._to_client(error(None, INVALID, "not passed on: an id is a number or a text"))
        elif key in self._open or key in self._burnt or len(self._open) >= OPEN_AT_MOST:
            await self._to_client(error(None, INVALID, "not passed on: a request of this id is open, or too many are"))
        elif method in OF_TASKS:
            await self._to_client(error(message["id"], INVALID, "not passed on: what a task gave could not be decided"))
        elif method == "tools/call":
            call = self._open[key] = _Call()
            call.task = asyncio.create_task(self._call(key, call, message))
        else:
            self._open[key] = method
            await self._to_server(line)

    async def _call(self, key: Key, call: _Call, message: dict[str, Any]) -> None:
        try:
            with session(self._caller.session, role=self._caller.role, domain=self._caller.domain):
                line = await decide(self._engine, self._tools, message, partial(self._forward, call))
            with suppress(OSError):  # the client has gone
                await self._to_client(line)
        finally:
            self._open.pop(key, None)
            self._moved.set()

    async def _forward(self, call: _Call, _: dict[str, Any], line: bytes) -> Answered:
        call.answer = asyncio.get_running_loop().create_future()
        await self._to_server(line)
        self._moved.set()
        return await call.answer

    def _cancelled(self, message: dict[str, Any]) -> None:
        """The client wants no answer any more: a call that is being decided is not run."""
        params = message.get("params")
        key = key_of(params.get("requestId")) if is_object(params) else None
        if key is None or key not in self._open:
            return
        found = self._open.pop(key)
        self._burnt[key] = None
        if len(self._burnt) > OPEN_AT_MOST:
            del self._burnt[next(iter(self._burnt))]
        if isinstance(found, _Call) and found.task is not None:
            found.task.cancel()

    async def from_server(self, line: bytes) -> None:
        """Take a line of the server."""
        try:
            await self._from_server(line, read(line) if line.strip() else None)
        except Unreadable as problem:
            await self._unreadable(line, problem.problem)

    async def _from_server(self, line: bytes, message: Any) -> None:
        if is_list(message) and any(is_object(one) and is_answer(one) for one in message):
            for one, part in _each(message, line):
                await self._one_of_server(one, part)
        elif is_list(message) or message is None:
            await self._to_client(line)
        else:
            await self._one_of_server(message, line)

    async def _one_of_server(self, message: Any, line: bytes) -> None:
        try:
            asks = method_of(message) is not None
        except ValueError:
            say("the server said what is no message; it was not passed on")
            return
        if asks or (message.get("id") is None and "error" in message and "result" not in message):
            await self._to_client(line)
        else:
            await self._answered(message, line)

    async def _answered(self, message: dict[str, Any], line: bytes) -> None:
        key = key_of(message.get("id"))
        found = self._open.get(key) if key is not None else None
        if found is None or key is None:
            say("the server answered what was not asked; it was not passed on")
        elif isinstance(found, str):
            del self._open[key]
            self._learn(found, message)
            await self._to_client(self._hidden(found, message, line))
        elif found.answer is None or found.answer.done():
            say("the server answered a call that it was not given; it was not passed on")
        elif ("result" in message) == ("error" in message):
            found.answer.set_exception(ServerGone())
        else:
            found.answer.set_result(Answered(message, line))

    def _hidden(self, method: str, message: dict[str, Any], line: bytes) -> bytes:
        """The line with the tools that the client may see; the line itself where that is all of it."""
        if method != "tools/list" or not self._hide_denied:
            return line
        left = shown(self._engine, message, self._caller.scope(self._engine.agent))
        return line if left is None else _written(left)

    def _learn(self, method: str, message: dict[str, Any]) -> None:
        result = message.get("result")
        if method == "tools/list":
            self._tools.learn(message)
        info = result.get("serverInfo") if is_object(result) and method == "initialize" else None
        if self._caller.domain is None and is_object(info) and isinstance(info.get("name"), str):
            self._caller.domain = info["name"]

    async def _unreadable(self, line: bytes, problem: str) -> None:
        """Tell whoever waits for this, if it can be made out, that no answer will come."""
        say(f"the server wrote {len(line)} bytes that were not passed on: {problem}")
        number: object = None
        with suppress(ValueError, RecursionError):
            lenient: object = json.loads(line)
            number = lenient.get("id") if is_object(lenient) and not misspelt(lenient, ENVELOPE) else None
        key = key_of(number)
        found = self._open.get(key) if key is not None else None
        if key is not None and isinstance(found, str):
            del self._open[key]
            await self._to_client(error(number, INVALID, f"the answer was not passed on: {problem}"))
        elif isinstance(found, _Call) and found.answer is not None and not found.answer.done():
            found.answer.set_exception(ServerGone())

    # -- the end

    async def handed_on(self) -> None:
        """Wait until no call is being decided any more: each is with the server, or done with."""
        while any(isinstance(one, _Call) and one.answer is None for one in self._open.values()):
            self._moved.clear()
            await self._moved.wait()

    async def answered(self) -> None:
        """Wait until nothing is open."""
        while self._open:
            self._moved.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), 0.2)

    async def server_gone(self) -> None:
        """Tell every call that no answer will come, and wait until their clients have been told."""
        calls = [one for one in self._open.values() if isinstance(one, _Call)]
        for call in calls:
            if call.answer is not None and not call.answer.done():
                call.answer.set_exception(ServerGone())
            elif call.answer is None and call.task is not None:
                call.task.cancel()
        await asyncio.gather(*(call.task for call in calls if call.task is not None), return_exceptions=True)


def _each(message: Any, line: bytes) -> list[tuple[Any, bytes]]:
    """A message with its line, or those of a batch, each on a line of its own; raises `Unreadable`."""
    return [(one, _written(one)) for one in message] if is_list(message) else [(message, line)]


def _written(message: Any) -> bytes:
    try:
        return encoded(message) + b"\n"
    except ValueError:  # 1e999 is read as what cannot be written
        raise Unreadable("a number that is too large") from None


def say(text: str) -> None:
    """Tell the one who runs the proxy."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(f"seamlaw mcp: {text}\n")
        sys.stderr.flush()
