"""Before a server of streamable HTTP: the same as before one of standard input, and what only HTTP has."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from tests.host.mcp.wire import call, result, run

from seamlaw import Interceptors, ToolCall, block, parse_rules, replace
from seamlaw_host.engine import Engine
from seamlaw_host.errors import MissingExtra
from seamlaw_host.mcp import proxy_http
from seamlaw_host.mcp._endpoint import Endpoint
from seamlaw_host.mcp._exchange import Caller
from seamlaw_host.mcp._sse import events, framed

NO_RM = Interceptors(rules=parse_rules([{"refuse": "nothing is removed", "tools": ["rm"]}]))
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json", "host": "localhost:1"}
Answer = Callable[[Request, bytes], Response]
PROGRESS = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}


def as_json(message: Any, status: int = 200, **headers: str) -> Response:
    """One answer in JSON."""
    return Response(json.dumps(message), status, {"mcp-session-id": "m-1", **headers}, "application/json")


def as_stream(*blocks: bytes) -> Response:
    """Events."""

    async def told() -> AsyncGenerator[bytes]:
        for block_ in blocks:
            yield block_

    return StreamingResponse(told(), 200, {"mcp-session-id": "m-1"}, "text/event-stream")


def event(message: Any, name: str = "message", number: str = "e-1") -> bytes:
    """A message as an event with an id."""
    return f"id: {number}\nevent: {name}\ndata: {json.dumps(message)}\n\n".encode()


class Hop:
    """A client, the proxy, and a server that answers each request as told."""

    def __init__(self, engine: Engine | Interceptors, answer: Answer, *, hide_denied: bool = False) -> None:
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.answer = answer
        upstream = Starlette(routes=[Route("/mcp", self._serve, methods=["GET", "POST", "DELETE"])])
        made = engine if isinstance(engine, Engine) else Engine(engine)
        caller = Caller("s-1")
        there = httpx.ASGITransport(upstream)
        where = "http://server/mcp"
        self.endpoint = Endpoint(made, where, caller=caller, hide_denied=hide_denied, local=True, server=there)
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(self.endpoint.app), base_url="http://localhost:1")

    async def _serve(self, request: Request) -> Response:
        body = await request.body()
        self.received.append((request.method, dict(request.headers), body))
        return self.answer(request, body)

    async def post(self, message: Any, **headers: str) -> httpx.Response:
        """Send a message."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return await self.client.post("/mcp", content=body, headers={**HEADERS, **headers})


def always(response: Response) -> Answer:
    """Answer so."""

    def answer(request: Request, body: bytes) -> Response:
        return response

    return answer


def echoing(request: Request, body: bytes) -> Response:
    """Answer a call with its arguments."""
    message = json.loads(body)
    return as_json(result(message["id"], json.dumps(message["params"]["arguments"])))


def denied(response: httpx.Response) -> str:
    """The reason of a denial."""
    told = response.json()
    assert told["result"]["isError"] is True
    return str(told["result"]["content"][0]["text"])


def test_a_denied_call_is_not_sent_on() -> None:
    """It is answered as a result with the reason."""

    async def work() -> None:
        hop = Hop(NO_RM, echoing)
        response = await hop.post(call(1, "rm", path="/"))
        assert (response.status_code, denied(response)) == (200, "Blocked by interceptor: nothing is removed")
        assert hop.received == []
        assert (await hop.post(call(2, "ls", a=1))).json() == result(2, '{"a": 1}')

    run(work())


def test_the_server_is_sent_what_was_decided_with_the_headers_of_the_client() -> None:
    """But for those that are ours to say."""

    async def work() -> None:
        change = Interceptors(tool_call=[lambda it: replace(ToolCall(it.id, "dir", {"path": "/srv"}))])
        hop = Hop(change, echoing)
        headers = {"authorization": "Bearer t", "mcp-session-id": "m-1", "mcp-method": "tools/call", "mcp-name": "ls"}
        response = await hop.post(call(1, "ls", path="/"), **headers, cookie="a=b", connection="close")
        ((_, got, body),) = hop.received
        assert json.loads(body)["params"] == {"name": "dir", "arguments": {"path": "/srv"}}
        assert {**headers, "mcp-name": "dir", "cookie": "a=b", "host": "server"}.items() <= got.items()
        assert got["content-length"] == str(len(body))
        assert got["accept-encoding"] == "identity"
        assert response.headers["mcp-session-id"] == "m-1"

    run(work())


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"nonsense", {}),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"rm"}}', {}),
        (b'{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","params":{"name":"rm"}}', {}),
        (b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"ls"}}', {}),
        (b'{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"ls"}}', {}),
        (json.dumps([call(1, "ls"), call(2, "rm")]).encode(), {}),
        (json.dumps(call(1, "ls")).encode(), {"content-encoding": "gzip"}),
        (json.dumps(call(1, "ls")).encode(), {"content-type": "application/json; charset=utf-7"}),
        (b'{"jsonrpc":"2.0","id":1e999,"method":"tools/call","params":{"name":"ls"}}', {}),
        (json.dumps(call(1, "ls")).encode(), {"mcp-method": "ping"}),
        (json.dumps(call(1, "ls")).encode(), {"mcp-name": "rm"}),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', {"mcp-method": "tools/call", "mcp-name": "rm"}),
        (json.dumps(call(1, "ls")).encode(), {"host": "evil.example"}),
        (json.dumps(call(1, "ls")).encode(), {"origin": "http://evil.example"}),
        (json.dumps(call(1, "ls")).encode("utf-16"), {}),
    ],
)
def test_what_could_be_read_otherwise_is_not_sent_on(body: bytes, headers: dict[str, str]) -> None:
    """By the server, by one that looks at headers alone, or from a page in a browser."""

    async def work() -> None:
        hop = Hop(Interceptors(), echoing)
        response = await hop.post(body, **headers)
        assert response.status_code >= 400
        assert response.json()["error"]["message"].startswith("seamlaw: not passed on: ")
        assert hop.received == []

    run(work())


def test_a_header_that_is_given_twice_is_not_sent_on() -> None:
    """One reader takes the first, another the last."""

    async def work() -> None:
        hop = Hop(Interceptors(), echoing)
        twice = [*HEADERS.items(), ("mcp-name", "ls"), ("mcp-name", "rm")]
        response = await hop.client.post("/mcp", content=json.dumps(call(1, "ls")), headers=twice)
        assert (response.status_code, hop.received) == (400, [])

    run(work())


def test_headers_that_repeat_arguments_are_no_way_around_a_change() -> None:
    """The server would be told both, so the call is denied."""

    async def work() -> None:
        change = Interceptors(tool_call=[lambda it: replace(ToolCall(it.id, "ls", {"path": "/srv"}))])
        hop = Hop(change, echoing)
        response = await hop.post(call(1, "ls", path="/"), **{"mcp-param-path": "/"})
        assert hop.received == []
        assert denied(response)

    run(work())


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b'{"jsonrpc": "2.0",  "id":1,"method":"ping"}', b'{"id": 1, "jsonrpc":"2.0",  "result": {} }'),
        (b'{"jsonrpc":"2.0",\n"id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', b'[ {"jsonrpc":"2.0","id":1,"result":{}} ]'),
        (b'{"jsonrpc":"2.0","method":"notifications/initialized"}', b""),
    ],
)
def test_all_else_passes_to_the_byte(sent: bytes, answer: bytes) -> None:
    """With its status and its headers."""

    async def work() -> None:
        def answered(*_: Any) -> Response:
            return Response(answer, 200 if answer else 202, {"x-y": "z"}, "application/json" if answer else None)

        hop = Hop(NO_RM, answered)
        response = await hop.post(sent)
        assert (hop.received[0][2], response.content, response.headers["x-y"]) == (sent, answer, "z")
        assert response.status_code == (200 if answer else 202)

    run(work())


@pytest.mark.parametrize("status", [401, 404, 500])
def test_a_refusal_of_the_server_is_told_with_its_status(status: int) -> None:
    """To sign in, or to begin another session; the body is ours, for nobody has decided the other."""

    async def work() -> None:
        hop = Hop(NO_RM, always(as_json("k-1", status, **{"www-authenticate": "Bearer"})))
        response = await hop.post(call())
        assert (response.status_code, response.headers["www-authenticate"]) == (status, "Bearer")
        assert denied(response)
        assert b"k-1" not in response.content

    run(work())


def test_other_methods_pass_and_no_stream_is_resumed() -> None:
    """What is told again would have to be decided again."""

    async def work() -> None:
        hop = Hop(NO_RM, always(Response(status_code=204)))
        await hop.client.request("DELETE", "/mcp", headers=HEADERS)
        await hop.client.get("/mcp", headers={**HEADERS, "last-event-id": "e-1"})
        assert [method for method, _, _ in hop.received] == ["DELETE", "GET"]
        assert "last-event-id" not in hop.received[1][1]
        assert (await hop.client.put("/mcp", headers=HEADERS)).status_code == 405
        assert (await hop.client.get("/other", headers=HEADERS)).status_code == 404

    run(work())


# Streams


def told(content: bytes) -> list[Any]:
    """The messages in a stream."""
    return [json.loads(part.partition(b"data: ")[2]) for part in content.split(b"\n\n") if b"data: {" in part]


def test_a_stream_passes_but_for_ids_and_answers_that_are_not_its_own() -> None:
    """Of the general one: any answer. An answer here would be that of a call which nobody decided."""
    noted = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x"}}
    blocks = [
        event(noted),
        event(result(1, "stolen")),
        event([noted, result(1, "stolen")]),
        b'data: {"jsonrpc":"2.0","id":1,"result":{},"result":"stolen"}\n\n',
        event({"jsonrpc": "2.0", "id": 1, "Result": "stolen"}),
        b": keep-alive\n\n",
        event({"jsonrpc": "2.0", "id": 5, "method": "ping"}, number="e-2"),
    ]

    async def work() -> None:
        hop = Hop(NO_RM, always(as_stream(*blocks)))
        response = await hop.client.get("/mcp", headers=HEADERS)
        assert [message.get("method") for message in told(response.content)] == ["notifications/message", "ping"]
        assert b"stolen" not in response.content
        assert b"id: e-" not in response.content
        assert b": keep-alive\n\n" in response.content

    run(work())


def test_an_answer_in_a_stream_reaches_who_asked() -> None:
    """Of another request than a call, as it is; and none to any other."""

    async def work() -> None:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": "r", "result": {"contents": []}}
        hop = Hop(NO_RM, always(as_stream(event(PROGRESS), event(result(1, "stolen")), event(answer))))
        response = await hop.post({"jsonrpc": "2.0", "id": "r", "method": "resources/read"})
        assert told(response.content) == [PROGRESS, answer]

    run(work())


def test_an_answer_to_another_request_is_none() -> None:
    """In JSON, too."""

    async def work() -> None:
        hop = Hop(NO_RM, always(as_json(result(1, "stolen"))))
        response = await hop.post({"jsonrpc": "2.0", "id": 2, "method": "ping"})
        assert (response.status_code, b"stolen" in response.content) == (502, False)
        response = await hop.post(call(3))
        assert (denied(response), b"stolen" in response.content) == (denied(response), False)

    run(work())


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_a_call_whose_answer_comes_in_a_stream_is_decided(ending: bytes) -> None:
    """Progress comes first; then the answer, withheld or as it was."""

    async def work() -> None:
        blocks = [
            part.replace(b"\n", ending)
            for part in (event(PROGRESS), event(result(9, "stolen")), event(result(1, "k-1")))
        ]
        hide = Interceptors(tool_result=[lambda it: block("a key") if "k-1" in str(it.output) else None])
        for bundle, wanted in ((hide, "[tool result withheld by interceptor: a key]"), (Interceptors(), "k-1")):
            response = await Hop(bundle, always(as_stream(*blocks))).post(call(1))
            progress, answer = told(response.content)
            assert progress == PROGRESS
            assert (answer["id"], answer["result"]["content"][0]["text"]) == (1, wanted)
            assert b"stolen" not in response.content

    run(work())


def test_a_stream_without_an_answer_is_a_denial() -> None:
    """The client does not wait for ever."""

    async def work() -> None:
        response = await Hop(NO_RM, always(as_stream(b": hello\n\n"))).post(call(1))
        assert denied(response)

    run(work())


async def _split(text: bytes, size: int) -> AsyncGenerator[bytes]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_events_are_read_however_they_are_cut(size: int, ending: str) -> None:
    """As https://html.spec.whatwg.org/multipage/server-sent-events.html says."""
    text = "\ufeffid: 1\ndata: a\ndata:b\n\n: no data\n\ndata\n\nevent: x\ndata:  c\nretry: 5\n\ndata: not whole\n"

    async def work() -> None:
        found = [it async for it in events(_split(text.replace("\n", ending).encode(), size))]
        with_data = [it.data for it in found if it.block.strip()]
        assert with_data == [b"a\nb", b"", b"", b" c"]
        assert all(b"id:" not in it.block for it in found)
        assert b"retry: 5" in found[-1].block

    run(work())


def test_a_message_of_several_lines_is_one_event() -> None:
    """A server may write JSON so, over HTTP."""

    async def work() -> None:
        (found,) = [it async for it in events(_split(framed(b'{\r\n"a":\n1}\n'), 3))]
        assert json.loads(found.data) == {"a": 1}

    run(work())


# Several requests


def test_a_call_that_is_cancelled_does_not_run_and_its_id_is_not_shared() -> None:
    """While it is decided; the notification goes to the server all the same."""

    async def work() -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()

        class Slow(Engine):
            async def aenforce(self, *given: Any, **named: Any) -> Any:
                begun.set()
                await go_on.wait()
                return await super().aenforce(*given, **named)

        hop = Hop(Slow(), always(Response(status_code=202)))
        first = asyncio.ensure_future(hop.post(call(1)))
        await begun.wait()
        assert (await hop.post(call(1))).status_code == 400
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        assert (await hop.post(cancel)).status_code == 202
        go_on.set()
        assert "cancelled" in (await first).json()["error"]["message"]
        assert [json.loads(body)["method"] for _, _, body in hop.received] == ["notifications/cancelled"]

    run(work())


def test_tools_are_hidden_and_their_arguments_are_known() -> None:
    """As over standard input."""

    async def work() -> None:
        tools: list[Any] = [{"name": "rm"}, {"name": "ls", "inputSchema": {"properties": {"path": {}}}}]
        listed = {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}
        for response in (as_json(listed), as_stream(event(listed))):
            hop = Hop(NO_RM, always(response), hide_denied=True)
            found = await hop.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
            (message,) = told(found.content) if b"data: " in found.content else [found.json()]
            assert [tool["name"] for tool in message["result"]["tools"]] == ["ls"]
            assert "in case alone" in denied(await hop.post(call(2, "ls", Path="/")))

    run(work())


def test_a_task_is_not_fetched() -> None:
    """Its result would be undecided."""

    async def work() -> None:
        hop = Hop(NO_RM, echoing)
        response = await hop.post({"jsonrpc": "2.0", "id": 1, "method": "tasks/result", "params": {"taskId": "t"}})
        assert response.json()["id"] == 1
        assert hop.received == []

    run(work())


def test_a_server_that_is_not_there_is_told() -> None:
    """As a denial of a call, and else with the status of a gateway."""

    async def work() -> None:
        def gone(*_: Any) -> Response:
            raise httpx.ConnectError("refused")

        hop = Hop(NO_RM, gone)
        assert denied(await hop.post(call()))
        assert (await hop.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})).status_code == 502

    run(work())


@pytest.mark.parametrize("missing", ["uvicorn", "starlette.applications", "httpx"])
def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """And nothing is served."""
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "seamlaw_host.mcp._endpoint")
    with pytest.raises(MissingExtra, match="seamlaw\\[mcp\\]"):
        asyncio.run(proxy_http(Engine(), "http://127.0.0.1:1/", "127.0.0.1:0", caller=Caller("s")))


def test_a_proxy_that_passed_every_event_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: no look at whose answer it is."""
    from seamlaw_host.mcp import _endpoint

    def anybody(*given: object) -> bool:
        return True

    monkeypatch.setattr(_endpoint, "_is_for", anybody)
    with pytest.raises(AssertionError):
        test_a_stream_passes_but_for_ids_and_answers_that_are_not_its_own()
