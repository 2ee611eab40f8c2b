"""A plain agent loop on the engine: a model over HTTP, four tools, a policy, a ledger.

    OPENAI_API_KEY=… python examples/agent_loop/agent_loop.py --model gpt-5 --workspace . "Tidy up the notes"

`--base-url` takes any server that speaks OpenAI's chat completions. It needs `pip install 'seamlaw[http]'`.
"""

import argparse
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx

from seamlaw import Interceptors, InvalidValue, Message, ProviderRequest, ToolCall, ToolResult, merge, replace, thaw
from seamlaw_host.approvals import Approvals, CliHandler
from seamlaw_host.engine import Engine, session
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import JsonlSink, Ledger
from seamlaw_host.policies import load_policy
from seamlaw_packs.redaction import Redactor

HERE = Path(__file__).parent
TURNS = 20
REDACTOR = Redactor()


# The tools: plain functions. Nothing but `Engine.respond` below calls them.


def tools_of(workspace: Path) -> Mapping[str, Callable[..., object]]:
    """What the model may ask for."""

    def list_files() -> list[str]:
        """List the files."""
        return sorted(str(path.relative_to(workspace)) for path in workspace.rglob("*") if path.is_file())

    def read_file(path: str, limit: int) -> str:
        """Read a file, at most so many characters of it."""
        return (workspace / path).read_text("utf-8")[:limit]

    def write_file(path: str, content: str) -> str:
        """Write a file."""
        (workspace / path).write_text(content, "utf-8")
        return "written"

    def delete_file(path: str) -> str:
        """Remove a file."""
        (workspace / path).unlink()
        return "removed"

    return {tool.__name__: tool for tool in (list_files, read_file, write_file, delete_file)}


TEXT = {"type": "string"}
PARAMETERS: dict[str, dict[str, Any]] = {
    "list_files": {},
    "read_file": {"path": TEXT, "limit": {"type": "integer"}},
    "write_file": {"path": TEXT, "content": TEXT},
    "delete_file": {"path": TEXT},
}


def described(tools: Mapping[str, Callable[..., object]]) -> list[dict[str, Any]]:
    """The tools as the provider is told of them."""
    functions = [
        {
            "name": name,
            "description": tool.__doc__ or name,
            "parameters": {"type": "object", "properties": PARAMETERS[name]},
        }
        for name, tool in tools.items()
    ]
    return [{"type": "function", "function": function} for function in functions]


# The policy: rules in a file, and one interceptor in code that keeps secrets of files from the model.


def no_secrets(result: ToolResult) -> object:
    """What a tool gives back goes to the model without its secrets."""
    output = thaw(result.output)
    clean = REDACTOR.value(output)
    return None if clean is output else replace(ToolResult(clean, result.error))


def policy() -> Interceptors | None:
    """Everything that is asked about a call or a result."""
    return merge(load_policy(HERE / "policy.toml"), Interceptors(tool_result=[no_secrets]))


# The provider: a client of OpenAI's chat completions, and the way there and back.


class Provider:
    """A model over HTTP."""

    def __init__(self, base_url: str, key: str) -> None:
        self.headers = {"authorization": f"Bearer {key}"}
        self._client = httpx.Client(base_url=base_url, timeout=120)

    def answer(self, request: ProviderRequest) -> dict[str, Any]:
        """Send what was decided, and give the message that comes back."""
        body = {"model": request.model, "messages": [as_sent(message) for message in request.messages]}
        body["tools"] = thaw(request.tools)
        response = self._client.post("/chat/completions", json=body, headers=dict(request.headers or {}))
        message: dict[str, Any] = response.raise_for_status().json()["choices"][0]["message"]
        return message


def as_sent(message: Message) -> dict[str, Any]:
    """A message as the provider has it."""
    sent: dict[str, Any] = {"role": message.role, "content": thaw(message.content)}
    if message.call_id is not None:
        sent["tool_call_id"] = message.call_id
    if message.tool_calls:
        sent["tool_calls"] = [_sent_call(call) for call in message.tool_calls]
    return sent


def _sent_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def read_call(given: dict[str, Any]) -> ToolCall | str:
    """A call as the model wrote it, or what is wrong with it: then nothing runs."""
    function = given["function"]
    try:
        return ToolCall(given["id"], function["name"], json.loads(function["arguments"] or "{}"))
    except (InvalidValue, ValueError, TypeError) as problem:
        return f"the call cannot be read: {problem}"


# The loop.


def run(task: str, engine: Engine, provider: Provider, tools: Mapping[str, Callable[..., object]], model: str) -> str:
    """Let the model work until it has nothing more to ask for; gives its last words."""

    def execute(call: ToolCall) -> object:
        return tools[call.name](**thaw(call.arguments))  # what was decided, and never what was asked

    messages = [Message("user", task)]
    for _ in range(TURNS):
        request = ProviderRequest(model, tuple(messages), described(tools))
        with engine.provider_call(request, provider.headers) as decided:
            answer = provider.answer(decided)
        read = [(given["id"], read_call(given)) for given in answer.get("tool_calls") or ()]
        calls = tuple(call for _, call in read if isinstance(call, ToolCall))
        messages.append(Message("assistant", answer.get("content"), calls))
        if not read:
            return answer.get("content") or ""
        for number, call in read:
            if isinstance(call, str):
                messages.append(Message("user", call))
                continue
            result = engine.respond(call, execute)
            told = result.error if result.error is not None else json.dumps(thaw(result.output))
            messages.append(Message("tool", told, call_id=number))
    return "(stopped: too many turns)"


def main() -> None:
    """Read the options, and work."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("task")
    parser.add_argument("--model", default="gpt-5")
    parser.add_argument("--base-url", default="https://api.openai.com/v1")
    parser.add_argument("--workspace", type=Path, default=Path())
    parser.add_argument("--ledger", type=Path, default=Path("audit.jsonl"))
    options = parser.parse_args()

    tools = tools_of(options.workspace)
    with Ledger([JsonlSink(options.ledger)]) as ledger, session("agent-loop"):
        engine = Engine(
            policy(), agent="worker", default="deny", ledger=ledger, approvals=Approvals({"cli": CliHandler()})
        )
        provider = Provider(options.base_url, os.environ.get("OPENAI_API_KEY", ""))
        try:
            print(run(options.task, engine, provider, tools, options.model))
        except Blocked as denied:  # of what the model was to be sent: a denied tool call is told to the model
            print(denied)


if __name__ == "__main__":
    main()
