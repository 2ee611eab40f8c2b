"""MCP: JSON-RPC messages as they pass between client and server, bare or each in an envelope with its direction.

The two sides number their requests independently. An envelope tells them apart; in a bare log a response counts only
if a tools/call with its id is open, and while the server waits for an answer to the same id, only if it looks like a
result.
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from ._anthropic import text_of
from ._steps import Key, Result, Step, Steps, answered, key_of, malformed, proposed
from ._strict_json import is_list, is_object, kind
from ._unread import refused

__all__ = ["McpReader", "is_mcp_record"]

SERVER_INFO = "io.modelcontextprotocol/serverInfo"
SERVER_ASKS = ("roots/", "sampling/", "elicitation/")
TO_THE_SERVER = ("roots", "model", "action")  # keys of what a client answers
WAITING = 1024


def is_mcp_record(record: dict[str, Any]) -> bool:
    """Tell a JSON-RPC message, bare or in an envelope."""
    return any(is_object(message) and message.get("jsonrpc") == "2.0" for _, message in _opened(record))


def _opened(record: dict[str, Any]) -> Iterator[tuple[object, object]]:
    """Take the messages, of which a batch has many, out of their envelope, with their direction."""
    inner = record if "jsonrpc" in record else record.get("message")
    for message in inner if is_list(inner) else [inner]:
        yield record.get("direction") if inner is not record else None, message


class McpReader:
    """Reads one log: it remembers the server's name, which way calls go, and what the server asks."""

    def __init__(self) -> None:
        self.server: object = None
        self.caller: object = None
        self.asked: dict[Key, None] = {}

    def __call__(self, place: str, record: dict[str, Any]) -> Steps:
        """Read one record."""
        if not is_mcp_record(record):
            yield from refused(place, "no JSON-RPC 2.0 message", record)
            return
        for direction, message in _opened(record):
            if is_object(message):
                yield from self._message(place, direction, message)
            else:
                yield malformed(place, f"a message of a batch must be an object, not {kind(message)}")

    def _message(self, place: str, direction: object, message: dict[str, Any]) -> Steps:
        method = message.get("method")
        if method == "tools/call":
            self.caller = direction
            yield self._call(place, message)
        elif isinstance(method, str):
            self._request(method, message)
        elif "result" in message or "error" in message:
            self._learn(message.get("result"))
            if not self._is_the_clients(direction, message):
                yield _result(place, message)
        else:
            yield from refused(place, "a JSON-RPC message without method, result or error", message)

    def _call(self, place: str, message: dict[str, Any]) -> Step:
        params = message.get("params")
        if not is_object(params):
            return malformed(place, f"params must be an object, not {kind(params)}")
        number = message.get("id")
        return proposed(
            place,
            id=str(number) if isinstance(number, int | float) else number,
            name=params.get("name"),
            arguments=params.get("arguments", {}),
            scope={"domain": self.server},
            key=None if number is None else key_of(number),
        )

    def _request(self, method: str, message: dict[str, Any]) -> None:
        key = key_of(message.get("id"))
        if method.startswith(SERVER_ASKS) and key and len(self.asked) < WAITING:
            self.asked[key] = None

    def _is_the_clients(self, direction: object, message: dict[str, Any]) -> bool:
        """Tell an answer that goes from the client to the server."""
        if direction is not None:
            return direction == self.caller
        key, result = key_of(message.get("id")), message.get("result")
        if key is None or key not in self.asked or not is_object(result) or not any(map(result.get, TO_THE_SERVER)):
            return False
        del self.asked[key]
        return True

    def _learn(self, result: object) -> None:
        if is_object(result):
            meta = result.get("_meta")
            info = result.get("serverInfo") or (meta.get(SERVER_INFO) if is_object(meta) else None)
            if is_object(info) and isinstance(info.get("name"), str):
                self.server = info["name"]


def _result(place: str, message: dict[str, Any]) -> Result:
    """Read an answer, which is nobody's business unless a tools/call waits for it."""
    key, result, error = key_of(message.get("id")), message.get("result"), message.get("error")
    if "error" in message:
        text = error.get("message") if is_object(error) else error
        step = answered(place, key, error=text or "the tool failed", metadata=error if is_object(error) else None)
    elif is_object(result):
        failed = text_of(result.get("content")) or "the tool failed" if result.get("isError") else None
        output = result.get("content", result)
        beside = {name: value for name, value in result.items() if name not in ("content", "isError")}
        step = answered(place, key, output=output, error=failed, metadata=beside if "content" in result else None)
    else:
        step = answered(place, key, output=result)
    return evolve(step, orphan=None)
