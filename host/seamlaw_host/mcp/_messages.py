"""JSON-RPC messages: which are calls, which are answers, and the ones that the proxy writes itself."""

from collections.abc import Hashable
from typing import Any

from ._json import encoded, is_object, misspelt

__all__ = ["DENIED", "ENVELOPE", "INVALID", "PARSE_ERROR", "Key", "denial", "error", "is_answer", "key_of", "method_of"]

Key = tuple[str, Hashable]
ENVELOPE = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
LARGEST = float("inf")
PARSE_ERROR, INVALID, DENIED = -32700, -32600, -32000
# In every request of the protocol of 2026-07-28, whose results say what they are.
VERSION_IN_META = "io.modelcontextprotocol/protocolVersion"


def method_of(message: Any) -> str | None:
    """The method of a request or notification, `None` for anything else that is one message.

    Raises `ValueError` for what may be a request to one reader and is none to another.
    """
    if not is_object(message):
        raise ValueError("a message is an object")
    if misspelt(message, ENVELOPE):
        raise ValueError("a key of the message differs from method, params or id in case alone")
    if "method" in message:
        if "result" in message or "error" in message:
            raise ValueError("a message is a request or an answer, not both")
        if not isinstance(message["method"], str):
            raise ValueError("a method is a text")
        return message["method"]
    return None


def is_answer(message: dict[str, Any]) -> bool:
    """Whether it answers a request."""
    return "method" not in message and ("result" in message or "error" in message)


def key_of(number: object) -> Key | None:
    """Tell ids apart as all readers do: 1 and 1.0 are one, 1 and "1" are two; `None` for what is no id."""
    if isinstance(number, str):
        return "text", number
    if isinstance(number, int | float) and not isinstance(number, bool) and -LARGEST < number < LARGEST:
        return "number", number
    return None


def error(number: object, code: int, reason: str) -> bytes:
    """An answer that is an error of the protocol."""
    made = {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": f"seamlaw: {reason}"}}
    return encoded(made) + b"\n"


def denial(request: dict[str, Any], reason: str) -> bytes:
    """An answer to a tools/call that says why there is no result."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": reason}], "isError": True}
    params = request.get("params")
    meta = params.get("_meta") if is_object(params) else None
    if is_object(meta) and VERSION_IN_META in meta:
        result["resultType"] = "complete"
    return encoded({"jsonrpc": "2.0", "id": request["id"], "result": result}) + b"\n"
