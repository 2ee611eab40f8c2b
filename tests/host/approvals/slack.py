"""Something like Slack on loopback: takes messages, tells reactions, and presses buttons as people do."""

import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlencode

import httpx
from attrs import define, field
from tests.host.approvals.asking import eventually
from tests.host.approvals.servers import Received, Reply, Server, reply

SIGNING = "8f742231b10e8888abcd99yyyzzz85a5"
TOKEN = "xoxb-1-hunter2"
STAMP = "1700000000.000100"


@define
class Workspace:
    """A workspace: `messages` is what was posted; `reactions` what stands under the message now."""

    messages: list[dict[str, Any]] = field(factory=list[dict[str, Any]])
    reactions: dict[str, list[str]] = field(factory=dict[str, list[str]])
    hidden: int = 0  # users of a reaction that Slack does not tell
    polls: int = 0
    first: list[Reply] = field(factory=list[Reply])  # answered before anything else
    changes: Callable[["Workspace"], None] = lambda workspace: None  # what happens before each poll
    headers: list[Mapping[str, str]] = field(factory=list[Mapping[str, str]])

    def respond(self, received: Received) -> Reply:
        """Answer as Slack does."""
        self.headers.append(received.headers)
        if self.first:
            return self.first.pop(0)
        if received.path == "/services/T1/B1/hunter2":
            self.messages.append(received.json())
            return Reply(200, b"ok", "text/html")
        if received.headers.get("authorization") != f"Bearer {TOKEN}":
            return reply({"ok": False, "error": "invalid_auth"})
        if received.path == "/api/chat.postMessage":
            self.messages.append(received.json())
            return reply({"ok": True, "channel": "C024BE91L", "ts": STAMP})
        if received.path == "/api/reactions.get":
            return self._reactions(parse_qs(received.body.decode()))
        return reply({"ok": False, "error": "unknown_method"})

    def _reactions(self, asked: dict[str, list[str]]) -> Reply:
        assert (asked["channel"], asked["timestamp"], asked["full"]) == (["C024BE91L"], [STAMP], ["true"])
        self.polls += 1
        self.changes(self)
        told = [
            {"name": name, "users": users, "count": len(users) + self.hidden} for name, users in self.reactions.items()
        ]
        return reply({"ok": True, "type": "message", "message": {"type": "message", "ts": STAMP, "reactions": told}})

    def posted(self) -> dict[str, Any]:
        """Wait for the message."""
        assert eventually(lambda: bool(self.messages), 60)
        return self.messages[-1]

    def value(self, action: str) -> str:
        """What a button of the message carries."""
        (actions,) = [block for block in self.posted()["blocks"] if block["type"] == "actions"]
        (value,) = [button["value"] for button in actions["elements"] if button["action_id"] == action]
        return str(value)


def server_of(workspace: Workspace) -> Server:
    """A server that answers as the workspace does."""
    return Server(workspace.respond)


def payload(user: object, action: str, value: str, **more: Any) -> bytes:
    """What Slack sends when somebody presses a button."""
    said = {
        "type": "block_actions",
        "user": {"id": user, "username": "somebody", "team_id": "T1"},
        "team": {"id": "T1"},
        "actions": [{"type": "button", "action_id": action, "block_id": "b", "value": value}],
        **more,
    }
    return urlencode({"payload": json.dumps(said)}).encode()


def signature(body: bytes, *, secret: str = SIGNING, at: float | None = None) -> dict[str, str]:
    """Sign as Slack does."""
    stamp = str(int(time.time() if at is None else at))
    made = hmac.new(secret.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={made}"}


def press(port: int, body: bytes, headers: Mapping[str, str] | None = None, path: str = "/") -> int:
    """Send a payload to a receiver."""
    sent = {"content-type": "application/x-www-form-urlencoded", **(signature(body) if headers is None else headers)}
    return httpx.post(f"http://127.0.0.1:{port}{path}", content=body, headers=sent, trust_env=False).status_code
