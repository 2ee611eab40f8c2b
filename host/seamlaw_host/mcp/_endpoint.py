"""What is done with each request to the endpoint: a tools/call is decided, all else goes to the server as it came."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
from attrs import define, field
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from seamlaw_host.engine import Engine, session

from ._call import Answered, decide
from ._exchange import OF_TASKS, Caller, ServerGone, say
from ._json import Unreadable, encoded, is_list, is_object, parse
from ._messages import INVALID, PARSE_ERROR, Key, error, is_answer, key_of, method_of
from ._sse import events, framed
from ._tools import Tools, shown

__all__ = ["Endpoint"]

LARGEST = 256 * 2**20  # bytes of a body
LOCAL = ("127.0.0.1", "localhost", "[::1]")
JSON, STREAM = "application/json", "text/event-stream"
# What is between two neighbours alone (RFC 9110, 7.6.1), or says what is not so of what is sent on.
OURS = frozenset(
    """
    connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host
    content-length accept-encoding last-event-id
    """.split()
)


def _nothing() -> None: ...


class NotPassed(Exception):
    """What is answered at once: a status, and an error of the protocol."""

    def __init__(self, status: int, reason: str, *, number: object = None, code: int = INVALID) -> None:
        super().__init__(reason)
        self.response = Response(error(number, code, f"not passed on: {reason}"), status, media_type=JSON)


@define
class _Open:
    """A call that is open, and what its client is told before its result."""

    key: tuple[str, Key]
    task: "asyncio.Task[bytes] | None" = None
    told: "asyncio.Queue[bytes]" = field(factory=lambda: asyncio.Queue[bytes](64))
    status: int = 200
    headers: dict[str, str] = field(factory=dict[str, str])


class Endpoint:
    """The application that stands before one server; `local` refuses who is not on this machine, as browsers say it."""

    def __init__(
        self,
        engine: Engine,
        url: str,
        *,
        caller: Caller,
        hide_denied: bool,
        local: bool,
        server: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._engine = engine
        self._url = httpx.URL(url)
        self._caller = caller
        self._hide_denied = hide_denied
        self._local = local
        self._server = server or httpx.AsyncHTTPTransport()  # no cookies, no redirects, no proxy of the environment
        self._tools = Tools()
        self._open: dict[tuple[str, Key], _Open] = {}
        self._passing: set[tuple[str, Key]] = set()  # requests that are not decided, but whose ids are in use
        path = urlsplit(url).path or "/"
        self.app = Starlette(routes=[Route(path, self._answer, methods=["GET", "POST", "DELETE"])])

    async def close(self) -> None:
        """Let go of the server."""
        await self._server.aclose()

    async def _answer(self, request: Request) -> Response:
        try:
            self._check(request)
            return await self._post(request) if request.method == "POST" else await self._pass(request, b"", None)
        except NotPassed as refused:
            return refused.response
        except (httpx.HTTPError, httpx.InvalidURL, ServerGone, ValueError) as problem:
            say(f"the server gave no answer: {type(problem).__name__}")
            return NotPassed(502, f"the server gave no answer: {type(problem).__name__}").response

    def _check(self, request: Request) -> None:
        """A page in a browser may make it call here under a name of its own; the server's own checks see our name."""
        if self._local:
            names = [request.headers.get("host", ""), urlsplit(request.headers.get("origin", "//localhost")).netloc]
            if any(name.rpartition(":")[0] not in LOCAL and name not in LOCAL for name in names):
                raise NotPassed(403, "it is not addressed to this machine")
        if request.headers.get("content-encoding", "identity") != "identity" or not _is_utf8(request):
            raise NotPassed(415, "the body is encoded")
        ours = [name for name in request.headers if name.startswith("mcp-") or name == "content-type"]
        if len(set(ours)) < len(ours):
            raise NotPassed(400, "a header is given twice")

    async def _post(self, request: Request) -> Response:
        body = await self._body(request)
        try:
            message = parse(body.decode())
        except (Unreadable, UnicodeDecodeError) as problem:
            why = problem.problem if isinstance(problem, Unreadable) else "not UTF-8"
            raise NotPassed(400, why, code=PARSE_ERROR) from None
        if is_list(message):
            if any(self._method(one) == "tools/call" for one in message):
                raise NotPassed(400, "a batch with a tools/call: send each by itself")
            keys = [key_of(one["id"]) for one in message if "id" in one and "method" in one]
            return await self._pass(request, body, frozenset(key for key in keys if key is not None))
        return await self._one(request, message, self._method(message), body)

    async def _body(self, request: Request) -> bytes:
        pieces, size = list[bytes](), 0
        with suppress(ClientDisconnect):
            async for piece in request.stream():
                pieces.append(piece)
                size += len(piece)
                if size > LARGEST:
                    raise NotPassed(413, f"more than {LARGEST} bytes")
            return b"".join(pieces)
        raise NotPassed(400, "it ended too early")

    def _method(self, message: Any) -> str | None:
        try:
            method = method_of(message)
        except ValueError as problem:
            raise NotPassed(400, str(problem)) from None
        if method is None and not is_answer(message):
            raise NotPassed(400, "neither a request nor an answer")
        return method

    async def _one(self, request: Request, message: dict[str, Any], method: str | None, body: bytes) -> Response:
        if request.headers.get("mcp-method", method) != method:
            raise NotPassed(400, "the header Mcp-Method says something else")
        if method is None or "id" not in message:
            if method == "tools/call":
                raise NotPassed(400, "a tools/call without an id")
            if method == "notifications/cancelled":
                self._cancelled(request, message)
            return await self._pass(request, body, frozenset())
        number = message["id"]
        key = key_of(number)
        if key is None:
            raise NotPassed(400, "an id is a number or a text")
        if method in OF_TASKS:
            raise NotPassed(200, "what a task gave could not be decided", number=number)
        open_ = self._session(request), key
        if open_ in self._open or open_ in self._passing:
            raise NotPassed(400, "a request of this id is open")
        if method == "tools/call":
            return await self._call(request, message, open_)
        self._passing.add(open_)
        try:
            return await self._pass(request, body, frozenset([key]), method, partial(self._passing.discard, open_))
        except BaseException:
            self._passing.discard(open_)
            raise

    def _session(self, request: Request) -> str:
        return request.headers.get("mcp-session-id") or self._caller.session

    # -- all else

    async def _pass(
        self,
        request: Request,
        body: bytes,
        keys: frozenset[Key] | None,
        method: str | None = None,
        done: Callable[[], None] = _nothing,
    ) -> Response:
        """Send it on as it is, and give what comes: of answers, those to this request alone."""
        found = await self._send(request, body)
        kind, headers = _kind(found), _back(found)
        if kind == STREAM:
            told = self._streamed(found, keys or frozenset(), method, done)
            return StreamingResponse(told, found.status_code, headers)
        answer = await _whole(found)
        done()
        if kind == JSON and keys and found.status_code < 400:
            answer = self._checked(answer, keys, method)
        return Response(answer, found.status_code, headers)

    async def _send(self, request: Request, body: bytes, **changed: str) -> httpx.Response:
        headers = {name: value for name, value in request.headers.items() if name not in OURS}
        headers |= {"accept-encoding": "identity", **changed}
        if body:
            headers["content-length"] = str(len(body))
        made = httpx.Request(request.method, self._url, headers=headers, content=body, extensions={"timeout": TIMEOUTS})
        found = await self._server.handle_async_request(made)
        if found.headers.get("content-encoding", "identity") != "identity":
            await found.aclose()
            raise ServerGone
        return found

    async def _streamed(
        self, found: httpx.Response, keys: frozenset[Key], method: str | None, done: Callable[[], None]
    ) -> AsyncGenerator[bytes]:
        try:
            async for event in events(_pieces(found)):
                if not event.data:
                    yield event.block
                    continue
                message = _message(event.data)
                if message is None or not all(_is_for(one, keys) for one in _each(message)):
                    say("the server said what is no message, or answers no request here; it was not passed on")
                    continue
                left = self._left(message, method)
                yield event.block if left is None else framed(encoded(left))
        finally:
            done()
            await found.aclose()

    def _checked(self, answer: bytes, keys: frozenset[Key], method: str | None) -> bytes:
        message = _message(answer)
        if message is None or not all(_is_for(one, keys) for one in _each(message)):
            raise ServerGone
        left = self._left(message, method)
        return answer if left is None else encoded(left)

    def _left(self, message: Any, method: str | None) -> dict[str, Any] | None:
        if method != "tools/list" or not is_object(message):
            return None
        self._tools.learn(message)
        if not self._hide_denied:
            return None
        return shown(self._engine, message, self._caller.scope(self._engine.agent))

    # -- calls

    async def _call(self, request: Request, message: dict[str, Any], key: tuple[str, Key]) -> Response:
        params = message.get("params")
        name = params.get("name") if is_object(params) else None
        if request.headers.get("mcp-name", name) != name:
            raise NotPassed(400, "the header Mcp-Name says something else")
        open_ = self._open[key] = _Open(key)
        open_.task = asyncio.create_task(self._decided(request, message, open_))
        open_.task.add_done_callback(lambda _: self._open.pop(key, None))
        told = asyncio.create_task(open_.told.get())
        leaving = asyncio.create_task(_left(request))
        try:
            await asyncio.wait((open_.task, told, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
        if told.done():
            return StreamingResponse(
                self._telling(open_, told.result()), 200, {**open_.headers, "content-type": STREAM}
            )
        told.cancel()
        if not open_.task.done():  # the client has gone: nobody waits for this
            open_.task.cancel()
        with suppress(asyncio.CancelledError):
            line = await open_.task
            return Response(line, open_.status, {**open_.headers, "content-type": JSON})
        raise NotPassed(200, "it was cancelled", number=message["id"])

    async def _telling(self, open_: _Open, first: bytes) -> AsyncGenerator[bytes]:
        """What the server tells of a call while it runs, and then what came of it."""
        task = open_.task
        assert task is not None  # noqa: S101 - it was started before
        try:
            yield first
            while not task.done() or not open_.told.empty():
                told = asyncio.create_task(open_.told.get())
                await asyncio.wait((task, told), return_when=asyncio.FIRST_COMPLETED)
                if told.done():
                    yield told.result()
                told.cancel()
            with suppress(asyncio.CancelledError):
                yield framed(await task)
        finally:
            task.cancel()

    async def _decided(self, request: Request, message: dict[str, Any], open_: _Open) -> bytes:
        name = self._caller.session if self._caller.is_named else open_.key[0]
        with session(name, role=self._caller.role, domain=self._caller.domain):
            return await decide(self._engine, self._tools, message, partial(self._forward, request, message, open_))

    async def _forward(
        self, request: Request, asked: dict[str, Any], open_: _Open, decided: dict[str, Any], line: bytes
    ) -> Answered:
        before, now = asked["params"], decided["params"]
        mirrored = any(name.startswith("mcp-param-") for name in request.headers)
        if mirrored and before.get("arguments") != now.get("arguments"):  # headers that repeat arguments
            raise ServerGone
        named = {"mcp-name": now["name"]} if "mcp-name" in request.headers else {}
        found = await self._send(request, line.rstrip(b"\n"), **named)
        try:
            open_.headers = _back(found)
            if found.status_code >= 400:
                open_.status = found.status_code  # to sign in, say, or to begin another session
                raise ServerGone
            if _kind(found) != STREAM:
                return _answer_to(open_.key[1], await _whole(found))
            async for event in events(_pieces(found)):
                message = _message(event.data) if event.data else None
                if message is None or is_list(message):
                    continue
                if _is_for(message, frozenset()):
                    await open_.told.put(event.block)
                elif _is_for(message, frozenset([open_.key[1]])):
                    return Answered(message, event.data)
            raise ServerGone
        finally:
            await found.aclose()

    def _cancelled(self, request: Request, message: dict[str, Any]) -> None:
        params = message.get("params")
        key = key_of(params.get("requestId")) if is_object(params) else None
        found = self._open.get((self._session(request), key)) if key is not None else None
        if found is not None and found.task is not None:
            found.task.cancel()


TIMEOUTS = {"connect": 30.0, "read": None, "write": 60.0, "pool": 30.0}


def _is_utf8(request: Request) -> bool:
    """Whether the body is UTF-8 to every reader: there are some that take it for what its type says, even UTF-7."""
    said = request.headers.get("content-type", "").lower()
    return "charset" not in said or said.replace(" ", "").replace('"', "").endswith(";charset=utf-8")


async def _left(request: Request) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(0.25)


async def _pieces(found: httpx.Response) -> AsyncGenerator[bytes]:
    async for piece in found.aiter_raw():
        yield piece


async def _whole(found: httpx.Response) -> bytes:
    pieces, size = list[bytes](), 0
    try:
        async for piece in found.aiter_raw():
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST:
                raise ServerGone
    finally:
        await found.aclose()
    return b"".join(pieces)


def _kind(found: httpx.Response) -> str:
    return str(found.headers.get("content-type", "")).partition(";")[0].strip().lower()


def _back(found: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in found.headers.items() if name not in OURS}


def _message(data: bytes) -> Any:
    """A message or a batch, `None` for what has not one meaning."""
    try:
        return parse(data.decode())
    except (Unreadable, UnicodeDecodeError):
        return None


def _each(message: Any) -> list[Any]:
    return message if is_list(message) else [message]


def _is_for(message: Any, keys: frozenset[Key]) -> bool:
    """Whether it may reach a client: anything but an answer to another request than these."""
    try:
        if method_of(message) is not None:
            return True
    except ValueError:
        return False
    if message.get("id") is None:
        return "error" in message and "result" not in message
    return is_answer(message) and key_of(message["id"]) in keys


def _answer_to(key: Key, body: bytes) -> Answered:
    message = _message(body)
    if not is_object(message) or not _is_for(message, frozenset([key])) or key_of(message.get("id")) != key:
        raise ServerGone
    if ("result" in message) == ("error" in message):
        raise ServerGone
    return Answered(message, body)
