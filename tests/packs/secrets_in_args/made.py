"""Calls with a secret in them, and calls without: made of the corpora of the redaction."""

from typing import Any

from tests.packs.redaction.made import CORPUS, tokens

from seamlaw import ToolCall

PLACES = (
    "{}",
    "curl -H 'Authorization: Bearer {}' https://api.example.org",
    "export KEY={}",
    "config = {{'key': '{}'}}",
    '{{"note": "{}"}}',
    "see {}, please",
    "https://example.org/?k={}",
    "line one\n{}\nline three",
)


def hostile() -> list[tuple[str, ToolCall]]:
    """Give calls with one secret each: every form of token, in every place, in a text and deep inside."""
    made: list[tuple[str, ToolCall]] = []
    for number, place in enumerate(PLACES):
        for label, token in tokens(number):
            text = place.format(token)
            arguments: dict[str, Any] = {"command": text} if number % 2 else {"steps": [{"run": "ls"}, {"run": text}]}
            made.append((label, ToolCall("1", "bash", arguments)))
    return made


def harmless() -> list[ToolCall]:
    """Give calls with a harmless line each."""
    lines = (CORPUS / "harmless.txt").read_text("utf-8").splitlines()
    return [ToolCall("1", "bash", {"command": line, "timeout": 60}) for line in lines if line]
