"""Between client and server: a call is decided and its answer too, whatever else passes to the byte."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, cast

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from tests.host.mcp.wire import Wire, call, line, result, run, settled

from seamlaw import (
    Answered,
    Interceptors,
    Outcome,
    Scope,
    StandingAsk,
    ToolCall,
    ToolResult,
    ask,
    block,
    gate,
    grant,
    interceptor,
    parse_rules,
    replace,
    thaw,
)
from seamlaw_host.engine import Engine
from seamlaw_host.ledger import Happening, Ledger
from seamlaw_host.mcp import _call
from seamlaw_host.mcp._exchange import Exchange

NOTHING = Interceptors()
NO_RM = Interceptors(rules=parse_rules([{"refuse": "nothing is removed", "tools": ["rm"], "name": "no-rm"}]))


@frozen
class Asked:
    """An ask that is granted once somebody says so."""

    ask: StandingAsk
    event: asyncio.Event
    timeout_s: float | None = None

    @property
    def work(self) -> Callable[[], object]:
        """Wait."""
        return self._wait

    async def _wait(self) -> bool:
        return await self.event.wait()

    def answered(self, said: object, /) -> Answered:
        """Grant."""
        return grant(self.ask)


@frozen
class Waiting:
    """Approvals that wait for an event."""

    event: asyncio.Event

    def pending(self, outcome: Outcome[Any], scope: Scope, attempt: str, /) -> list[Asked]:
        """Every ask of an outcome."""
        return [Asked(one, self.event) for one in outcome.asks]


def answering(told: Any) -> Callable[[Any], Any]:
    """What answers so, whatever it is shown."""

    def interceptor(value: Any) -> Any:
        return told

    return interceptor


ASKS = Interceptors(tool_call=[gate(answering(ask("may it?")))])


def echoing(message: dict[str, Any]) -> Any:
    """A server that answers with the arguments."""
    return result(message["id"], json.dumps(message["params"].get("arguments")))


def denied(told: Any) -> str:
    """The reason of a denial."""
    assert set(told["result"]) == {"content", "isError"}
    assert told["result"]["isError"] is True
    return str(told["result"]["content"][0]["text"])


# What passes


@pytest.mark.parametrize(
    "sent",
    [
        b'{"jsonrpc": "2.0",   "method":"notifications/initialized"}\n',
        b'{"method":"ping","id":1,"jsonrpc":"2.0"}\n',
        b'{"jsonrpc":"2.0","id":"\\u00e9\xc3\xa9","method":"x/y","params":{"n":1.0,"big":12345678901234567890,"e":1E5}}\n',
        b'{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}\r\n',
        b'{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}\n',
        b'{"jsonrpc":"2.0","id":-1,"method":"resources/read","params":{"method":"tools/call","name":"rm"}}',
        b"\n",
        b"  \n",
    ],
)
def test_what_is_no_call_passes_to_the_byte(sent: bytes) -> None:
    """From the client, whatever it looks like, and whatever words are in it."""

    async def work() -> None:
        wire = Wire(NO_RM)
        await wire.asks(sent)
        assert (wire.server, wire.client) == ([sent], [])

    run(work())


@pytest.mark.parametrize(
    "sent",
    [
        b'{"jsonrpc": "2.0",  "method":"notifications/progress","params":{"progressToken":1,"progress":5}}\n',
        b'{"id":1,"jsonrpc":"2.0","method":"sampling/createMessage","params":{}}\n',
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{"n":1.0,"x":[ ]}}\n',
        b'{"jsonrpc":"2.0","id":1.0,"error":{"code":1,"message":""}}',
        b'[{"jsonrpc":"2.0","method":"notifications/a"}, {"jsonrpc":"2.0","method":"notifications/b"}]\n',
        b"\n",
    ],
)
def test_what_a_server_says_passes_to_the_byte(sent: bytes) -> None:
    """Notifications, requests of its own, and answers to what was asked."""

    async def work() -> None:
        wire = Wire(NO_RM)
        await wire.asks({"jsonrpc": "2.0", "id": 1, "method": "resources/read"})
        await wire.says(sent)
        assert wire.client == [sent]

    run(work())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from([(",", ":"), (" , ", " : ")]),
    st.booleans(),
)
def test_whatever_parameters_pass_to_the_byte(params: Any, separators: Any, ascii_only: bool) -> None:
    """However they are written, unless they could be read as something else."""

    async def work() -> None:
        message = {"jsonrpc": "2.0", "id": 1, "method": "x", "params": params}
        sent = (
            json.dumps(message, separators=separators, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass") + b"\n"
        )
        wire = Wire(NO_RM)
        await wire.asks(sent)
        assert wire.server == [sent]

    run(work())


# What is decided


@pytest.mark.parametrize("number", [0, 1, -7, 2**60, 1.5, "1", "", "é"])
def test_a_denied_call_is_answered_and_never_runs(number: Any) -> None:
    """As a result with the reason, for ids of any kind."""

    async def work() -> None:
        wire = Wire(NO_RM, reply=echoing)
        await wire.asks(call(number, "rm", path="/"), call("other", "ls"))
        assert [message["params"]["name"] for message in wire.ran] == ["ls"]
        answered = {json.dumps(told["id"]): told for told in wire.told}
        assert denied(answered[json.dumps(number)]) == "Blocked by interceptor: nothing is removed"
        assert "isError" not in answered['"other"']["result"]

    run(work())


def test_the_server_is_given_what_was_decided() -> None:
    """And nothing that is not of the protocol beside it; `_meta` is kept."""

    async def work() -> None:
        change = Interceptors(tool_call=[lambda it: replace(ToolCall(it.id, "ls", {"path": "/srv", "n": 2**70}))])
        wire = Wire(change)
        asked: dict[str, Any] = {**call(5, "dir", path="/"), "extra": 1}
        asked["params"]["_meta"] = {"progressToken": 5}
        await wire.asks(asked)
        params = {"_meta": {"progressToken": 5}, "name": "ls", "arguments": {"path": "/srv", "n": 2**70}}
        assert wire.ran == [{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params}]

    run(work())


@pytest.mark.parametrize("arguments", [None, "absent"])
def test_no_arguments_stay_none(arguments: Any) -> None:
    """A server may tell none from an empty object."""

    async def work() -> None:
        asked = call(1, "ls")
        if arguments is None:
            asked["params"]["arguments"] = None
        else:
            del asked["params"]["arguments"]
        wire = Wire(NOTHING)
        await wire.asks(asked)
        assert wire.ran[0]["params"] == ({"name": "ls", "arguments": {}} if arguments is None else {"name": "ls"})

    run(work())


@pytest.mark.parametrize(
    "answer",
    [
        b'{"id":1,  "jsonrpc":"2.0","result":{"content":[],"n":1.0, "isError" : true}}\n',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool"}}\n',
        b'{"jsonrpc":"2.0","id":1.0,"result":{}}\r\n',
        b'{"jsonrpc":"2.0","id":1,"result":[7]}',
    ],
)
def test_an_answer_that_nobody_minds_passes_to_the_byte(answer: bytes) -> None:
    """Results and errors, as the server wrote them."""

    async def work() -> None:
        wire = Wire(NO_RM)
        await wire.asks(call())
        await wire.says(answer)
        await settled()
        assert wire.client == [answer]

    run(work())


def cleaned(value: Any) -> Any:
    """Without the secret, at any depth."""
    if isinstance(value, str):
        return value.replace("hunter2", "[secret]")
    if isinstance(value, dict):
        return {key: cleaned(part) for key, part in cast("dict[str, Any]", value).items()}
    return list(map(cleaned, value)) if hasattr(value, "append") else value


def clean(found: ToolResult) -> Any:
    """Take a secret out of all of a result."""
    return replace(ToolResult(cleaned(thaw(found.output)))) if "hunter2" in str(found.output) else None


@pytest.mark.parametrize(
    "answer",
    [
        result(1, "hunter2", structuredContent={"a": ["hunter2"]}, _meta={"x": "hunter2"}),
        result(1, "hunter2", isError=True),
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 5, "message": "hunter2", "data": {"why": "hunter2"}}},
    ],
)
def test_a_policy_sees_and_changes_all_of_an_answer(answer: dict[str, Any]) -> None:
    """Structured content, errors and what is beside them, too: it is what `output` has."""

    async def work() -> None:
        wire = Wire(Interceptors(tool_result=[clean]), reply=lambda _: answer)
        await wire.asks(call())
        assert wire.told == [json.loads(json.dumps(answer).replace("hunter2", "[secret]"))]

    run(work())


@pytest.mark.parametrize(
    ("output", "content"),
    [
        ("text", [{"type": "text", "text": "text"}]),
        ({"a": 1}, [{"type": "text", "text": '{"a":1}'}]),
        ([{"type": "text", "text": "x"}], [{"type": "text", "text": "x"}]),
        ([1], [{"type": "text", "text": "[1]"}]),
        (None, [{"type": "text", "text": "null"}]),
    ],
)
def test_whatever_is_put_in_its_place_is_a_result(output: Any, content: Any) -> None:
    """Of a policy or of a handler."""

    async def work() -> None:
        change = Interceptors(tool_result=[answering(replace(ToolResult(output)))])
        handle = Interceptors(handlers=[interceptor(answering(ToolResult(output)))])
        for bundle in (change, handle):
            wire = Wire(bundle, reply=echoing)
            await wire.asks(call())
            assert wire.told[0]["result"] == {"content": content, "isError": False}
            assert len(wire.server) == (bundle is change)  # where the handler answers, nothing runs

    run(work())


def test_a_withheld_answer_is_a_denial() -> None:
    """Nothing of it is left."""

    async def work() -> None:
        wire = Wire(Interceptors(tool_result=[answering(block("holds a key"))]), reply=lambda _: result(1, "k-1"))
        await wire.asks(call())
        assert denied(wire.told[0]) == "[tool result withheld by interceptor: holds a key]"
        assert b"k-1" not in b"".join(wire.client)

    run(work())


def test_an_ask_that_nobody_can_answer_is_denied() -> None:
    """There is no terminal here."""

    async def work() -> None:
        wire = Wire(Interceptors(tool_call=[gate(answering(ask("may it?")))]))
        await wire.asks(call())
        assert "may it?" in denied(wire.told[0])
        assert wire.server == []

    run(work())


@pytest.mark.parametrize("mode", ["dry_run", "observe"])
def test_other_modes_only_watch(mode: Any) -> None:
    """The call runs as it came, and its answer is the server's."""

    async def work() -> None:
        bundle = Interceptors(rules=NO_RM.rules, tool_result=[answering(block("no"))])
        wire = Wire(Engine(bundle, mode=mode), reply=echoing)
        await wire.asks(call(1, "rm", path="/"))
        assert json.loads(wire.told[0]["result"]["content"][0]["text"]) == {"path": "/"}

    run(work())


def test_what_is_decided_is_recorded_with_who_called() -> None:
    """Session, role, and the server's name once it has told it."""

    async def work() -> None:
        ledger = Ledger()
        wire = Wire(Engine(NO_RM, ledger=ledger, agent="coder"), reply=echoing)
        await wire.asks({"jsonrpc": "2.0", "id": 0, "method": "initialize"})
        await wire.says({"jsonrpc": "2.0", "id": 0, "result": {"serverInfo": {"name": "files"}}})
        await wire.asks(call(1, "rm"), call(2, "ls"))
        records = ledger.records()
        assert [(it.seam, it.tool, it.verdict, it.executed) for it in records] == [
            ("tool_call", "rm", "block", False),
            ("tool_call", "ls", "proceed", False),
            ("tool_result", "ls", "proceed", True),
        ]
        assert {(it.session, it.agent, it.domain) for it in records} == {("s-1", "coder", "files")}

    run(work())


# What is refused


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (None, "params is no object"),
        ([], "params is no object"),
        ({}, "the name of the tool is no text"),
        ({"name": 7}, "the name of the tool is no text"),
        ({"name": "ls", "Name": "rm"}, "in case alone"),
        ({"Name": "rm", "arguments": {}}, "in case alone"),
        ({"name": "ls", "Arguments": {"path": "/"}}, "in case alone"),
        ({"name": "ls", "arguments": []}, "arguments is no object"),
        ({"name": "ls", "arguments": "{}"}, "arguments is no object"),
        ({"name": "ls", "arguments": {"path": "/srv", "PATH": "/"}}, "in case alone"),
        ({"name": "ls", "arguments": {"x": [{"k": 1, "\u212a": 2}]}}, "in case alone"),
        ({"name": "ls", "arguments": {"path": "\ud800"}}, "/arguments/path"),
        ({"name": "ls", "task": {"ttl": 1}}, "task"),
    ],
)
def test_a_call_that_could_be_read_otherwise_is_denied(params: Any, why: str) -> None:
    """By a server that takes the other key, or one of another case."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        assert wire.server == []
        assert why in denied(wire.told[0])

    run(work())


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\n",
        b"{\n",
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ls","name":"rm"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"rm"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"rm"}}\n',
        b'{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","params":{"name":"rm"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ls","arguments":{"a":1,"a":2}}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":\r{"jsonrpc":"2.0","id":2,"method":"tools/call"}\r}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ls","arguments":{"n":NaN}}}\n',
        b'\xff{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}\n',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}\n',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}\n'.encode("utf-16"),
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":["tools/call"]}\n',
        b'{"jsonrpc":"2.0","id":1}\n',
        b'"tools/call"\n',
        b"[" * 100_000 + b"\n",
        b'{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"ls"}}\n',
        b'{"jsonrpc":"2.0","id":1e999,"method":"tools/call","params":{"name":"ls"}}\n',
        b'[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ls"},"x":1e999}]\n',
        b'{"jsonrpc":"2.0","id":true,"method":"tools/call","params":{"name":"ls"}}\n',
        b'{"jsonrpc":"2.0","id":[1],"method":"tools/call","params":{"name":"ls"}}\n',
    ],
)
def test_a_line_that_could_be_read_otherwise_is_not_passed_on(sent: bytes) -> None:
    """The client is told so, by an error that answers none of its requests."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks(sent)
        assert wire.server == []
        assert [(told["id"], told["error"]["code"] < -32000) for told in wire.told] == [(None, True)]

    run(work())


def test_an_argument_that_differs_from_the_tools_own_in_case_is_denied() -> None:
    """Once the server has said what they are called: a rule for `/path` would not have seen it."""

    async def work() -> None:
        wire = Wire(NOTHING, reply=echoing)
        await wire.asks({"jsonrpc": "2.0", "id": 0, "method": "tools/list"})
        tool: dict[str, Any] = {"name": "ls", "inputSchema": {"type": "object", "properties": {"path": {}, "all": {}}}}
        await wire.says({"jsonrpc": "2.0", "id": 0, "result": {"tools": [tool, 7, {"name": "x"}]}})
        await wire.asks(call(1, "ls", Path="/"), call(2, "ls", path="/", other=1), call(3, "rm", Path="/"))
        assert [message["id"] for message in wire.ran if message["method"] == "tools/call"] == [2, 3]
        assert "in case alone" in denied(next(told for told in wire.told if told["id"] == 1))

    run(work())


def test_a_call_that_wants_no_answer_is_dropped() -> None:
    """A server may run it, and nobody would hear what came of it."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "ls"}})
        assert (wire.server, wire.client) == ([], [])

    run(work())


@pytest.mark.parametrize("method", ["tasks/result", "tasks/get"])
def test_what_a_task_came_to_is_not_fetched(method: str) -> None:
    """It would be a result that nobody has decided."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"taskId": "t"}})
        assert wire.server == []
        assert wire.told[0]["id"] == 1

    run(work())


def test_a_batch_is_taken_apart() -> None:
    """Each of its calls is decided as if it had come alone."""

    async def work() -> None:
        wire = Wire(NO_RM, reply=echoing)
        ping = {"jsonrpc": "2.0", "id": 9, "method": "ping"}
        await wire.asks([call(1, "rm"), ping, call(2, "ls"), {"jsonrpc": "2.0", "method": "tools/call"}, 7])
        assert sorted(message["id"] for message in wire.ran) == [2, 9]
        assert denied(next(told for told in wire.told if told.get("id") == 1))
        await wire.says(
            [{"jsonrpc": "2.0", "id": 9, "result": {}}, result(1, "k-1"), {"jsonrpc": "2.0", "method": "n"}]
        )
        assert [told.get("id") for told in wire.told].count(1) == 1
        assert wire.told[-1] == {"jsonrpc": "2.0", "method": "n"}

    run(work())


# What a server may not do


@pytest.mark.parametrize(
    "answer",
    [
        result(1, "early"),
        result("1", "early"),
        result(True, "early"),
        result(None, "early"),
        {"jsonrpc": "2.0", "id": 1, "Result": {"content": "early"}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "early"}},
        [result(1, "early")],
        {"jsonrpc": "2.0", "ID": 1, "result": "early"},
        b'{"jsonrpc":"2.0","id":1,"id":1,"result":"early"}\n',
        b'{"jsonrpc":"2.0","id":1,"result":\r"early"}\n',
        b"early\n",
        7,
    ],
)
def test_an_answer_before_the_call_was_handed_on_is_not_heard(answer: Any) -> None:
    """It would reach the client undecided."""

    async def work() -> None:
        waiting = asyncio.Event()
        wire = Wire(Engine(ASKS, approvals=Waiting(waiting)))
        await wire.exchange.from_client(line(call()))
        await settled()
        await wire.says(answer)
        assert b"early" not in b"".join(wire.client)
        waiting.set()

    run(work())


def test_only_one_answer_is_heard() -> None:
    """The second of a call would reach the client undecided, and so would one to nothing."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks(call(1), {"jsonrpc": "2.0", "id": 2, "method": "ping"})
        await wire.says(result(1, "one"), result(1, "two"), result(2, "pong"), result(2, "again"), result(3, "what?"))
        await settled()
        await wire.says(result(1, "three"))
        texts = [told["result"]["content"][0]["text"] for told in wire.told]
        assert sorted(texts) == ["one", "pong"]

    run(work())


def test_the_answer_to_another_request_is_not_taken_for_one() -> None:
    """An id that is open cannot be used again, whatever for."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks(
            call(1), call(1, "rm"), call(1.0, "rm"), {"jsonrpc": "2.0", "id": 1, "method": "resources/read"}
        )
        assert len(wire.server) == 1
        assert [told["id"] for told in wire.told] == [None] * 3
        await wire.asks(call("1"))
        assert len(wire.server) == 2

    run(work())


@pytest.mark.parametrize(
    "answer",
    [
        b'{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{},"error":{}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{"n":NaN}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 150 + b"]" * 150 + b"}\n",
    ],
)
def test_an_answer_that_cannot_be_carried_is_a_denial(answer: bytes) -> None:
    """The client does not wait for ever, and sees nothing of it."""

    async def work() -> None:
        wire = Wire(NO_RM)
        await wire.asks(call())
        await wire.says(answer)
        await settled()
        assert len(wire.told) == 1
        assert denied(wire.told[0])

    run(work())


def test_an_unreadable_answer_to_another_request_is_an_error() -> None:
    """The client does not wait for ever."""

    async def work() -> None:
        wire = Wire(NO_RM)
        await wire.asks({"jsonrpc": "2.0", "id": 1, "method": "resources/read"})
        await wire.says(b'{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}\n')
        assert (wire.told[0]["id"], "given twice" in wire.told[0]["error"]["message"]) == (1, True)

    run(work())


# Cancelling, and the end


def test_a_call_that_is_cancelled_while_it_is_decided_does_not_run() -> None:
    """And nobody is answered; its id is not used again, and an answer to it is not heard."""

    async def work() -> None:
        granted = asyncio.Event()
        wire = Wire(Engine(ASKS, approvals=Waiting(granted)))
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        await wire.asks(call(1))
        await asyncio.sleep(0.05)
        await wire.asks(cancel, {**cancel, "params": {"requestId": 99}}, {**cancel, "params": None})
        granted.set()
        await asyncio.sleep(0.05)
        await wire.says(result(1, "late"))
        assert [message["method"] for message in wire.ran] == ["notifications/cancelled"] * 3
        await wire.asks(call(1))
        assert [told["id"] for told in wire.told] == [None]

    run(work())


def test_a_running_call_that_is_cancelled_is_recorded() -> None:
    """The server is told, and what it answers all the same is not passed on."""

    async def work() -> None:
        ledger = Ledger()
        wire = Wire(Engine(NOTHING, ledger=ledger))
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "reason": "late"}}
        await wire.asks(call(1))
        await wire.asks(cancel)
        await wire.says(result(1, "late"))
        assert wire.server[1] == line(cancel)
        assert wire.client == []
        finished = ledger.records()[-1]
        assert (finished.seam, finished.executed, "CancelledError" in finished.error) == ("tool_result", True, True)

    run(work())


def test_a_server_that_ends_is_told_to_all_who_wait() -> None:
    """Calls that are with it, and those that are not yet."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks(call(1), call(2))
        await wire.exchange.server_gone()
        assert [denied(told) for told in wire.told] == [
            "[tool result withheld by interceptor: the server gave no answer: ServerGone]"
        ] * 2

    run(work())


def test_many_calls_at_once_do_not_wait_for_one_another() -> None:
    """Answers come in the order of the server."""

    async def work() -> None:
        wire = Wire(NOTHING)
        await wire.asks(*(call(number, "ls", n=number) for number in range(200)))
        assert len(wire.server) == 200
        await wire.says(*(result(number) for number in reversed(range(200))))
        await settled()
        assert [told["id"] for told in wire.told] == list(reversed(range(200)))

    run(work())


# What is listed


def test_tools_that_never_run_are_hidden_if_that_is_wished() -> None:
    """Those refused whatever the arguments are; one that may run, or be renamed, is shown."""
    rules = parse_rules(
        [
            {"refuse": "never", "tools": ["rm*"]},
            {"refuse": "not there", "tools": ["ls"], "when": [{"at": "/path", "equals": "/"}]},
            {"refuse": "never", "tools": ["dir"]},
        ]
    )
    renames = interceptor(answering(None), tools="dir")
    listed = {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"tools": [{"name": n} for n in ("rm", "rmdir", "ls", "dir")], "x": 1},
    }

    async def names(engine: Engine, hide: bool) -> list[str]:
        wire = Wire(engine, hide_denied=hide)
        await wire.asks({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        await wire.says(listed)
        assert hide or wire.client == [line(listed)]
        assert wire.told[0]["result"]["x"] == 1
        return [tool["name"] for tool in wire.told[0]["result"]["tools"]]

    async def work() -> None:
        bundle = Interceptors(rules=rules, tool_call=[renames])
        assert await names(Engine(bundle), True) == ["ls", "dir"]
        assert await names(Engine(bundle), False) == ["rm", "rmdir", "ls", "dir"]
        assert await names(Engine(bundle, mode="observe"), True) == ["rm", "rmdir", "ls", "dir"]
        assert await names(Engine(NO_RM, default="deny"), True) == []

    run(work())


# Doubts


class Broken:
    """A ledger that fails, at its nth happening."""

    def __init__(self, at: int) -> None:
        self.at = at

    def append(self, happening: Happening, /) -> None:
        """Count down."""
        self.at -= 1
        if self.at < 0:
            raise OSError("s3cret")


@pytest.mark.parametrize("at", [0, 1])
def test_a_call_that_cannot_be_recorded_is_denied(at: int) -> None:
    """Before it runs, and if that comes too late, its answer is withheld."""

    async def work() -> None:
        wire = Wire(Engine(NOTHING, ledger=Broken(at)), reply=echoing)
        await wire.asks(call())
        assert len(wire.server) == at
        assert denied(wire.told[0]) == "Blocked by interceptor: it could not be decided: OSError"

    run(work())


# No reader finds a denied call

PIECES = st.sampled_from(
    """
    "method" "Method" "m\\u0065thod" "params" "Params" "name" "NAME" "arguments" "id" "jsonrpc" "2.0" "tools/call" "rm"
    "ls" "ping" "tools/list" { } [ ] : , 1 2 null true "result" \\r \\t \\u2028 \\n \xff \\\\ " \ufeff
    """.split()
).map(lambda piece: piece.replace("\\r", "\r").replace("\\t", "\t").replace("\\u2028", "\u2028").replace("\\n", "\n"))
KEYS = st.sampled_from(""" "method" "Method" "m\\u0065thod" "params" "PARAMS" "id" "name" "Name" "x" """.split())
LEAVES = st.sampled_from(['"tools/call"', '"ping"', '"rm"', '"ls"', "1", "2", "null", '"\u2028"', '"\x85"', "NaN"])
SPACES = st.sampled_from(["", " ", "\r", "\t", "\r\n ", "\n"])
NAMES, METHODS = st.sampled_from(['"rm"', '"ls"']), st.sampled_from(['"tools/call"', '"ping"'])


def objects(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Objects with keys given twice, in any case, and whatever may stand between."""
    fields = st.lists(st.tuples(SPACES, KEYS, SPACES, inner, SPACES), max_size=5)
    made = fields.map(lambda found: "{" + ",".join(f"{a}{k}{b}:{v}{c}" for a, k, b, v, c in found) + "}")
    return made | st.lists(inner, max_size=2).map(lambda found: "[" + ",".join(found) + "]")


def nearly_a_call(parts: tuple[str, ...]) -> str:
    """A call with something odd about it."""
    space, key, method, named, name, more = parts
    params = f'{{{named}:{name},"name":"ls",{more}:"rm"}}'
    return f'{{"jsonrpc":"2.0","id":1,{space}"method":"ls",{key}:{method},"params":{space}{params}{space}}}'


CALLS = st.tuples(SPACES, KEYS, METHODS, KEYS, NAMES, KEYS).map(nearly_a_call)
NESTED = st.tuples(SPACES, CALLS, SPACES).map(lambda p: f'{{"id":2,"method":"x","params":{p[0]}{p[1]}{p[2]}}}')
HOSTILE = (
    st.recursive(LEAVES, objects, max_leaves=12)
    | CALLS
    | NESTED
    | st.lists(PIECES, max_size=25).map("".join)
    | st.tuples(CALLS, SPACES, CALLS).map("".join)
)


def readings(sent: bytes) -> list[Any]:
    """What servers could read in a line: other ends of lines, encodings, choices among keys, batches."""
    text = sent.decode("utf-8", "replace")
    found: list[Any] = []
    for part in {text, text.lstrip("\ufeff"), *text.split("\n"), *text.splitlines(), *text.split("\r")}:
        for pairs in (dict, first_wins, folded):
            try:
                read = json.loads(part, object_pairs_hook=pairs)
            except (ValueError, RecursionError):
                continue
            found += read if isinstance(read, list) else [read]
    return found


def first_wins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A reader that takes the first of two keys."""
    return dict(reversed(pairs))


def folded(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A reader that tells no case, as Go's."""
    return {key.casefold(): value for key, value in pairs}


def runs_rm(message: Any) -> bool:
    """Whether this is a call of the denied tool."""
    try:
        return bool(message["method"] == "tools/call" and message["params"]["name"] == "rm")
    except (KeyError, TypeError, IndexError):
        return False


def no_reader_finds_a_denied_call(hostile: str) -> None:
    """Let a client say it, and read what the server was sent in every way."""

    async def work() -> None:
        wire = Wire(NO_RM)
        for part in hostile.encode("utf-8", "replace").split(b"\n"):
            await wire.asks(part + b"\n")
        for sent in wire.server:
            assert not any(map(runs_rm, readings(sent))), sent

    run(work())


@given(HOSTILE)
def test_no_reader_finds_a_denied_call(hostile: str) -> None:
    """Whatever a client sends, no server can read a call in it that was denied."""
    no_reader_finds_a_denied_call(hostile)


@pytest.mark.parametrize(
    ("broken", "hostile"),
    [
        ("misspelt", '{"id":1,"method":"ping","METHOD":"tools/call","params":{"name":"rm"}}'),
        ("read", '{"id":1,"method":"tools/call","params":{"name":"rm","name":"ls"}}'),
        ("read", '{"id":1,"method":"x","params":\r{"method":"tools/call","params":{"name":"rm"}}\r}'),
    ],
)
def test_a_proxy_that_reads_loosely_would_be_found(monkeypatch: pytest.MonkeyPatch, broken: str, hostile: str) -> None:
    """Planted: no look at the case of keys, at doubled ones, at ends of lines."""
    from seamlaw_host.mcp import _exchange, _messages

    no_reader_finds_a_denied_call(hostile)

    def tells_no_case(*given: object) -> bool:
        return False

    def as_it_came(message: object) -> bytes:
        return hostile.encode()

    if broken == "misspelt":
        monkeypatch.setattr(_messages, "misspelt", tells_no_case)
    else:
        monkeypatch.setattr(_exchange, "read", json.loads)
        monkeypatch.setattr(_call, "encoded", as_it_came)
    with pytest.raises(AssertionError):
        no_reader_finds_a_denied_call(hostile)


def test_a_proxy_that_hears_every_answer_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: answers go on undecided."""

    async def pass_on(self: Any, message: Any, sent: bytes) -> None:
        await self._to_client(sent)

    monkeypatch.setattr(Exchange, "_answered", pass_on)
    with pytest.raises(AssertionError):
        test_only_one_answer_is_heard()
