"""A scripted model served on 127.0.0.1, for the recorders in this folder.

A script is a list of turns; a turn is a list of `Say` and `Call`. Each request is answered with the turn
whose number is the count of assistant messages the client has sent back so far, so the client drives the
session and nothing here keeps state. The wire formats are those of the Anthropic Messages API (plain and
streamed) and of the OpenAI Chat Completions and Responses APIs (plain).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

JSON_TYPE = "application/json"
Json = dict[str, Any]


@dataclass(frozen=True)
class Say:
    """Text from the model."""

    text: str


@dataclass(frozen=True)
class Call:
    """A tool call from the model."""

    name: str
    input: Json


Turn = Sequence[Say | Call]
Answer = Callable[[str, Json], "Json | list[Json]"]  # (path, request) -> a body, or events to stream


def ident(prefix: str, *parts: object) -> str:
    """An identifier in a provider's style, the same for the same parts."""
    return prefix + sha256(repr(parts).encode()).hexdigest()[:24]


def _handler(answer: Answer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def _send(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self._send(JSON_TYPE, b"{}")

        def do_GET(self) -> None:
            self.do_HEAD()

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            reply = answer(self.path.partition("?")[0], request)
            if isinstance(reply, list):
                events = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in reply)
                self._send("text/event-stream", "".join(events).encode())
            else:
                self._send(JSON_TYPE, json.dumps(reply).encode())

    return Handler


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Serve `answer` on a free port of 127.0.0.1; gives the base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def turns_so_far(messages: Sequence[Json]) -> int:
    """How many times the model has spoken in this conversation."""
    return sum(message.get("role") == "assistant" for message in messages)


def anthropic_message(model: str, turn: Turn, number: int) -> Json:
    """A turn as an Anthropic Messages API response."""
    blocks: list[Json] = []
    for place, part in enumerate(turn):
        if isinstance(part, Say):
            blocks.append({"type": "text", "text": part.text})
        else:
            ref = ident("toolu_01", part.name, part.input, number, place)
            blocks.append({"type": "tool_use", "id": ref, "name": part.name, "input": part.input})
    calls = any(isinstance(part, Call) for part in turn)
    return {
        "id": ident("msg_01", turn, number),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 900 + 40 * number, "output_tokens": 30},
    }


def anthropic_events(message: Json) -> list[Json]:
    """An Anthropic response as the events of its stream."""
    head = message | {"content": [], "stop_reason": None}
    events: list[Json] = [{"type": "message_start", "message": head}]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = block | {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": stop, "usage": {"output_tokens": 30}})
    events.append({"type": "message_stop"})
    return events


def _openai_text(turn: Turn) -> str | None:
    texts = [part.text for part in turn if isinstance(part, Say)]
    return " ".join(texts) or None


def _openai_arguments(call: Call) -> str:
    return json.dumps(call.input, separators=(",", ":"), ensure_ascii=False)


def openai_chat(model: str, turn: Turn, number: int) -> Json:
    """A turn as an OpenAI chat completion."""
    calls = [
        {
            "id": ident("call_", call, number, place),
            "type": "function",
            "function": {"name": call.name, "arguments": _openai_arguments(call)},
        }
        for place, call in enumerate(turn)
        if isinstance(call, Call)
    ]
    message: Json = {"role": "assistant", "content": _openai_text(turn), "refusal": None, "annotations": []}
    if calls:
        message["tool_calls"] = calls
    finish = "tool_calls" if calls else "stop"
    return {
        "id": ident("chatcmpl-", turn, number),
        "object": "chat.completion",
        "created": 1_760_000_000 + number,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930},
    }


def openai_response(model: str, turn: Turn, number: int) -> Json:
    """A turn as an OpenAI Responses API response."""
    items: list[Json] = []
    for place, part in enumerate(turn):
        if isinstance(part, Say):
            text = {"type": "output_text", "text": part.text, "annotations": []}
            head = {"type": "message", "id": ident("msg_", part, number), "role": "assistant"}
            items.append(head | {"status": "completed", "content": [text]})
        else:
            refs = {"id": ident("fc_", part, number, place), "call_id": ident("call_", part, number, place)}
            named = {"name": part.name, "arguments": _openai_arguments(part)}
            items.append({"type": "function_call", **refs, **named, "status": "completed"})
    return {
        "id": ident("resp_", turn, number),
        "object": "response",
        "created_at": 1_760_000_000 + number,
        "status": "completed",
        "model": model,
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
