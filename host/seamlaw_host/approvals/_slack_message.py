"""What is posted to Slack: plain text in blocks, in which Slack finds no link, no mention and no emoji."""

from collections.abc import Iterator
from typing import Any

from ._request import Request
from ._visible import cut, visible

__all__ = ["DENY", "GRANT", "MOST_SHOWN", "message"]

GRANT, DENY = "seamlaw_grant", "seamlaw_deny"
MOST_BLOCK = 2_900  # characters; Slack takes 3,000 in a section
MOST_SHOWN = 9_000  # characters of arguments; it refuses messages of some 13,000, which nobody documents


def message(request: Request, *, buttons: bool) -> dict[str, Any]:
    """The message, with buttons to press, or saying which reactions count."""
    blocks = [
        {"type": "header", "text": _plain(cut(f"An agent wants to run {visible(request.tool or request.seam)}", 120))},
        *(_section(part) for part in _parts(visible(request.message) or "no reason is given")),
        *(_section(part) for part in _parts(request.shown)),
        {"type": "context", "elements": [_plain(part) for part in _about(request)]},
        _actions(request) if buttons else _section("React with \u2705 to grant it or with \u274c to deny it."),
    ]
    notice = f"An agent wants to run {cut(visible(request.tool or request.seam), 80)}"
    return {
        "text": notice.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
        "blocks": blocks,
        "mrkdwn": False,
        "parse": "none",
        "unfurl_links": False,
        "unfurl_media": False,
    }


def _about(request: Request) -> Iterator[str]:
    caller = ", ".join(f"{name} {value}" for name in ("agent", "session") if (value := getattr(request, name)))
    for text in (f"{request.interceptor} asks {request.target}", caller and f"for {caller}"):
        if text:
            yield cut(visible(text), 500)
    yield f"digest {request.digest}, before secrets were taken out"
    if request.is_opaque:
        yield "A <Name> may be a Python object, of which nothing more is shown."


def _parts(text: str) -> list[str]:
    return [text[start : start + MOST_BLOCK] for start in range(0, len(text), MOST_BLOCK)]


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": _plain(text)}


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def _actions(request: Request) -> dict[str, Any]:
    value = f"{request.id} {request.digest}"
    buttons = (("Grant", GRANT, "primary"), ("Deny", DENY, "danger"))
    return {
        "type": "actions",
        "elements": [
            {"type": "button", "text": _plain(text), "action_id": action, "style": style, "value": value}
            for text, action, style in buttons
        ],
    }
