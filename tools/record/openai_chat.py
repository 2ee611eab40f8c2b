"""Record the messages of an OpenAI Chat Completions agent loop, and the items of a Responses API loop.

    pip install -r tools/record/requirements.txt
    python tools/record/openai_chat.py

The client is the real `openai` package, talking to a scripted model on 127.0.0.1; the tools are toys.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from openai import OpenAI

from places import lines, save, workspace
from scripted import Json, openai_chat, openai_response, serving, turns_so_far
from toy import SCHEMAS, SYSTEM, TASK, TURNS, schema, tried

MODEL = "gpt-4.1"
CHAT_TOOLS: list[Any] = [
    {"type": "function", "function": {"name": name, "parameters": schema(name)}} for name in SCHEMAS
]
ITEM_TOOLS: list[Any] = [{"type": "function", "name": name, "parameters": schema(name)} for name in SCHEMAS]


def spoken(items: list[Json]) -> int:
    """How many turns the model has had, in a list of Responses items: each ends where our side begins."""
    ours = [item.get("type") == "function_call_output" or item.get("role") == "user" for item in items]
    return sum(after and not before for before, after in pairwise(ours))


def answer(path: str, request: Json) -> Json:
    """The scripted model, for both APIs."""
    if path.endswith("/responses"):
        number = spoken(request["input"])
        return openai_response(request["model"], TURNS[number], number)
    number = turns_so_far(request["messages"])
    return openai_chat(request["model"], TURNS[number], number)


def chat(client: OpenAI) -> list[Any]:
    """An agent loop over Chat Completions, as people write it; gives its messages."""
    messages: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": TASK}]
    while True:
        reply = client.chat.completions.create(model=MODEL, messages=messages, tools=CHAT_TOOLS)
        message = reply.choices[0].message
        messages.append(message.model_dump())
        if not message.tool_calls:
            return messages
        for call in message.tool_calls:
            text, _ = tried(call.function.name, json.loads(call.function.arguments or "{}"))  # type: ignore[union-attr]
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


def without_nulls(message: Json) -> Json:
    """A message as `model_dump(exclude_none=True)` gives it."""
    return {key: value for key, value in message.items() if value is not None}


def responses(client: OpenAI) -> list[Any]:
    """An agent loop over the Responses API; gives its input items."""
    items: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        reply = client.responses.create(model=MODEL, instructions=SYSTEM, input=items, tools=ITEM_TOOLS)
        items += [item.model_dump() for item in reply.output]
        calls = [item for item in reply.output if item.type == "function_call"]
        if not calls:
            return items
        for call in calls:
            text, _ = tried(call.name, json.loads(call.arguments or "{}"))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": text})


def main() -> None:
    with serving(answer) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="sk-test")
        workspace()
        messages = chat(client)
        workspace()
        items = responses(client)
    lean = [without_nulls(message) for message in messages]
    save("openai_chat.json", json.dumps(messages, indent=1, ensure_ascii=False) + "\n")
    save("openai_chat.wrapped.json", json.dumps({"model": MODEL, "messages": lean, "tools": CHAT_TOOLS}) + "\n")
    save("openai_chat.jsonl", lines(lean))
    save("openai_responses.json", json.dumps(items, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
