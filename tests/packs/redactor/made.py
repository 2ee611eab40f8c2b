"""Requests and results with a secret in them, and without: made of the corpora of the redaction."""

from tests.packs.redaction.made import CORPUS, tokens

from seamlaw import Message, ProviderRequest, ToolCall, ToolResult

Made = ProviderRequest | ToolResult


def in_a_request(text: str) -> list[ProviderRequest]:
    """Give requests in which a text stands in each of the places where one can."""
    call = ToolCall("call-1", "bash", {"argv": ["sh", "-c", text], "timeout": 60})
    block = {"type": "tool_result", "tool_use_id": "call-1", "content": [{"type": "text", "text": text}]}
    return [
        ProviderRequest("m", [Message("user", text)]),
        ProviderRequest("m", [Message("user", [{"type": "text", "text": "look"}, block])]),
        ProviderRequest("m", [Message("assistant", "", [call]), Message("tool", "done", call_id="call-1")]),
        ProviderRequest("m", [Message("user", "hi", extra={"note": text})]),
        ProviderRequest("m", tools=[{"name": "bash", "description": text}]),
        ProviderRequest("m", kwargs={"metadata": {"note": text}}, headers={"x-note": "none"}),
        ProviderRequest("m", headers={"x-note": text, "Accept": "*/*"}),
    ]


def in_a_result(text: str) -> list[ToolResult]:
    """Give results in which a text stands in each of the places where one can."""
    return [
        ToolResult(text),
        ToolResult({"files": [{"name": "a.txt", "text": text}], "count": 1}),
        ToolResult(error=text),
        ToolResult("done", metadata={"trace": [text]}),
    ]


def everywhere(text: str) -> list[Made]:
    """Give all of these."""
    return [*in_a_request(text), *in_a_result(text)]


def hostile() -> list[tuple[str, Made]]:
    """Give values with one secret each, and that secret."""
    return [(token, value) for _, token in tokens() for value in everywhere(token)]


def harmless() -> list[Made]:
    """Give values with a harmless line each."""
    lines = (CORPUS / "harmless.txt").read_text("utf-8").splitlines()
    return [value for line in lines if line for value in everywhere(line)]


def holds(value: object, text: str) -> bool:
    """Whether a text stands anywhere in what a value says of itself."""
    said = repr(value)
    return text in said or text.replace("\n", "\\n") in said
