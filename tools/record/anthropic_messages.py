"""Record the messages of an Anthropic Messages API agent loop.

    pip install -r tools/record/requirements.txt
    python tools/record/anthropic_messages.py

The client is the real `anthropic` package, talking to a scripted model on 127.0.0.1; the tools are toys.
"""

from __future__ import annotations

import json
from typing import Any

from anthropic import Anthropic

from places import lines, save, workspace
from scripted import Json, anthropic_message, serving, turns_so_far
from toy import SCHEMAS, SYSTEM, TASK, TURNS, schema, tried

MODEL = "claude-opus-4-8"
TOOLS: list[Any] = [{"name": name, "input_schema": schema(name)} for name in SCHEMAS]


def answer(path: str, request: Json) -> Json:
    """The scripted model."""
    number = turns_so_far(request["messages"])
    return anthropic_message(request["model"], TURNS[number], number)


def result(ref: str, name: str, args: Json) -> Json:
    """A call's result block; its content is a string or a list of blocks, both of which people send."""
    text, failed = tried(name, args)
    if failed:
        return {"type": "tool_result", "tool_use_id": ref, "content": text, "is_error": True}
    return {"type": "tool_result", "tool_use_id": ref, "content": [{"type": "text", "text": text}]}


def chat(client: Anthropic) -> list[Any]:
    """An agent loop, as people write it; gives its messages."""
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, system=SYSTEM, messages=messages, tools=TOOLS)
        messages.append({"role": "assistant", "content": [block.model_dump() for block in reply.content]})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return messages
        results = [result(call.id, call.name, dict(call.input)) for call in calls]
        messages.append({"role": "user", "content": results})


def main() -> None:
    workspace()
    with serving(answer) as url:
        messages = chat(Anthropic(base_url=url, api_key="sk-test"))
    save("anthropic_messages.json", json.dumps(messages, indent=1, ensure_ascii=False) + "\n")
    wrapped = {"model": MODEL, "max_tokens": 1024, "system": SYSTEM, "messages": messages, "tools": TOOLS}
    save("anthropic_messages.wrapped.json", json.dumps(wrapped) + "\n")
    save("anthropic_messages.jsonl", lines(messages))


if __name__ == "__main__":
    main()
