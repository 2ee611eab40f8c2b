"""Asking in Slack, with a stand-in on loopback: who counts, what outranks, and that a payload is Slack's own."""

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.host.approvals.asking import CANARY, MASK, Masking, Tool, asking, called, eventually, put
from tests.host.approvals.servers import Reply, reply
from tests.host.approvals.slack import (
    SIGNING,
    STAMP,
    TOKEN,
    Workspace,
    payload,
    press,
    server_of,
    signature,
)

from seamlaw import Outcome, ToolCall
from seamlaw_host.approvals import Approvals, InvalidApprovals, SlackHandler, SlackReceiver
from seamlaw_host.approvals._ballot import Ballot
from seamlaw_host.engine import Engine

ANNA, BOB, CARL, MALLORY = "U0ANNA", "U0BOB", "U0CARL", "U0MALLORY"
GRANT, DENY = "seamlaw_grant", "seamlaw_deny"
CALL = ToolCall("1", "push", {"branch": "main"})


def polling(api: str, approvers: list[str] | None = None, **options: Any) -> SlackHandler:
    """A handler that polls reactions."""
    options = {"channel": "ops", "poll_s": 0.01, **options}
    return SlackHandler(approvers or [ANNA, BOB, CARL], token=TOKEN, api=f"{api}/api", **options)


def asked(
    handler: SlackHandler, timeout_s: float = 60, call: ToolCall = CALL, target: str = "slack://"
) -> Outcome[ToolCall]:
    """Put one ask to Slack."""
    its = Approvals({"slack": handler}, redactor=Masking(), timeout_s=timeout_s)
    return put(its, asking(target), call)


# Who counts

VOTERS = [ANNA, BOB, CARL, MALLORY, "U0ANN", "U0ANNAX", "u0anna", ""]


@given(st.integers(1, 3), st.lists(st.tuples(st.sampled_from(VOTERS), st.booleans()), max_size=8))
def test_a_denial_outranks_and_strangers_do_not_count(quorum: int, votes: list[tuple[str, bool]]) -> None:
    """In any order: the first denial of one on the list denies, unless as many as are needed had granted before."""
    ballot, grants, wanted = Ballot([ANNA, BOB, CARL], quorum), set[str](), None
    for by, granted in votes:
        ballot.vote(by, granted=granted)
        if wanted is None and by in (ANNA, BOB, CARL):
            if not granted:
                wanted = False
            else:
                grants.add(by)
                wanted = True if len(grants) >= quorum else None
    assert (ballot.decided.result().granted if ballot.decided.done() else None) is wanted


CASES: list[tuple[dict[str, list[str]], int, bool | None]] = [
    ({"white_check_mark": [ANNA]}, 1, True),
    ({"white_check_mark": [ANNA], "x": [BOB]}, 1, False),
    ({"x": [BOB], "white_check_mark": [ANNA, BOB, CARL]}, 1, False),
    ({"white_check_mark": [MALLORY]}, 1, None),
    ({"white_check_mark": [ANNA], "x": [MALLORY]}, 1, True),
    ({"white_check_mark": [ANNA, MALLORY]}, 2, None),
    ({"white_check_mark": [ANNA, ANNA]}, 2, None),
    ({"white_check_mark": [ANNA, CARL]}, 2, True),
    ({"+1": [ANNA], "heavy_check_mark": [BOB], "white_check_mark::skin-tone-2": [CARL]}, 1, None),
    ({}, 1, None),
]


@pytest.mark.parametrize(("reactions", "quorum", "granted"), CASES)
def test_reactions_of_the_approvers_decide(reactions: dict[str, list[str]], quorum: int, granted: bool | None) -> None:
    """A check mark grants and a cross denies, of those on the list; a quorum needs different people."""
    with server_of(workspace := Workspace(reactions=reactions)) as server:
        outcome = asked(polling(server.url, quorum=quorum), 60 if granted is not None else 0.5)
    assert outcome.proceeds == (granted is True)
    assert ("in time" in outcome.reason) == (granted is None)
    assert (len(workspace.messages), workspace.polls >= 1) == (1, True)


def test_a_grant_that_is_taken_back_does_not_count() -> None:
    """A reaction that has gone is none, for a quorum too."""

    def changes(workspace: Workspace) -> None:
        workspace.reactions = {"white_check_mark": [ANNA if workspace.polls % 2 else BOB]}

    with server_of(workspace := Workspace(changes=changes)) as server:
        assert "in time" in asked(polling(server.url, quorum=2), 0.7).reason
    assert workspace.polls > 3


def test_where_slack_does_not_tell_all_who_deny_nobody_grants() -> None:
    """One of those not told may be an approver."""
    with server_of(Workspace(reactions={"white_check_mark": [ANNA], "x": [MALLORY]}, hidden=1)) as server:
        assert "in time" in asked(polling(server.url), 0.5).reason


def test_who_answered_is_told() -> None:
    """A refusal names the user."""
    with server_of(Workspace(reactions={"x": [BOB]})) as server:
        assert asked(polling(server.url)).reason == f"may it? (refused, by {BOB})"


def test_it_works_under_both_drivers() -> None:
    """Granted later, by a reaction that comes."""
    for in_loop in (False, True):
        workspace = Workspace(changes=lambda it: it.reactions.update(white_check_mark=[ANNA] if it.polls > 2 else []))
        with server_of(workspace) as server:
            its = Approvals({"slack": polling(server.url)}, redactor=Masking())
            tool = Tool()
            assert called(Engine(asking("slack://"), approvals=its), tool, {"n": 1}, in_loop=in_loop) == "done"
        assert tool.starts == [{"n": 1}]


# What is posted


def test_the_message_says_what_would_run() -> None:
    """Tool, reason, arguments whole and redacted, asker, digest; in plain text."""
    arguments: dict[str, object] = {
        "token": CANARY,
        "text": "".join(f"{i:04}" for i in range(2000)),
        "at": "<!channel>",
    }
    with server_of(workspace := Workspace(reactions={"x": [ANNA]})) as server:
        its = Approvals({"slack": polling(server.url)}, redactor=Masking())
        put(its, asking("slack://#ops-2", reason=f"<@U1> *see* {CANARY} :+1:"), ToolCall("1", "push<!here>", arguments))
    (posted,) = workspace.messages
    assert posted["channel"] == "ops-2"
    assert all(posted[key] == value for key, value in (("mrkdwn", False), ("parse", "none"), ("unfurl_links", False)))
    assert "<!here>" not in posted["text"]
    texts = [text for block in posted["blocks"] for text in (block.get("text"), *block.get("elements", [])) if text]
    assert {(text["type"], text["emoji"]) for text in texts} == {("plain_text", False)}
    assert max(len(text["text"]) for text in texts) <= 3000
    assert len(posted["blocks"]) <= 50
    sections = "".join(block["text"]["text"] for block in posted["blocks"] if block["type"] == "section")
    shown, _ = json.JSONDecoder().raw_decode(sections, sections.index("{"))
    assert shown == {**arguments, "token": MASK}
    everything = json.dumps(posted)
    assert CANARY not in everything
    for part in ("push<!here>", f"<@U1> *see* {MASK} :+1:", "asker-0", "digest ", "React with"):
        assert json.dumps(part)[1:-1] in everything


def test_what_a_message_cannot_show_whole_is_refused() -> None:
    """Slack would refuse it, or cut it."""
    with server_of(workspace := Workspace(reactions={"white_check_mark": [ANNA]})) as server:
        outcome = asked(polling(server.url), call=ToolCall("1", "push", {"text": "x" * 9000}))
    assert (outcome.proceeds, workspace.messages) == (False, [])
    assert "9000 characters" in outcome.reason


def test_without_a_channel_nobody_is_asked() -> None:
    """Neither the target names one nor the handler."""
    with server_of(workspace := Workspace()) as server:
        handler = SlackHandler([ANNA], token=TOKEN, api=f"{server.url}/api", poll_s=0.01)
        assert "channel" in asked(handler).reason
        assert workspace.messages == []


# Slack itself


@pytest.mark.parametrize(
    "no",
    [
        reply({"ok": False, "error": "not_in_channel"}),
        reply({"ok": False, "error": f"<{CANARY}>"}),
        reply({"ok": "true", "ts": STAMP, "channel": "C024BE91L"}),
        reply({"ok": 1}),
        reply([True]),
        reply({}),
        Reply(200, b"ok", "text/html"),
        Reply(200, b"<html>", "text/html"),
        Reply(404),
        Reply(302, headers={"location": "http://127.0.0.1:1/"}),
        Reply(200, b"x" * 70_000),
    ],
)
def test_a_slack_that_says_no_denies(no: Reply) -> None:
    """To the message and to the poll; what it says is not quoted unless it is one of its words."""
    for before in ([no], [reply({"ok": True, "channel": "C024BE91L", "ts": STAMP}), no]):
        with server_of(Workspace(first=before, reactions={"white_check_mark": [ANNA]})) as server:
            outcome = asked(polling(server.url))
        assert not outcome.proceeds
        assert CANARY not in outcome.reason


@pytest.mark.parametrize("busy", [Reply(429, headers={"retry-after": "1"}), Reply(500), Reply(None)])
def test_a_slack_that_is_busy_is_asked_again(busy: Reply) -> None:
    """429, 5xx and a dropped connection."""
    with server_of(workspace := Workspace(first=[busy], reactions={"white_check_mark": [ANNA]})) as server:
        assert asked(polling(server.url)).proceeds
    assert len(workspace.messages) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"ts": "other", "reactions": [{"name": "white_check_mark", "users": [ANNA], "count": 1}]},
        {"reactions": [{"name": "white_check_mark", "users": [ANNA], "count": 1}]},
        None,
        [],
        {"ts": STAMP, "reactions": {"white_check_mark": [ANNA]}},
        {"ts": STAMP, "reactions": [{"name": "white_check_mark"}]},
        {"ts": STAMP, "reactions": [{"name": "x", "users": [MALLORY]}, {"name": "white_check_mark", "users": [ANNA]}]},
    ],
)
def test_reactions_to_another_message_or_in_another_shape_deny(message: object) -> None:
    """They are not read as a grant."""
    posted = reply({"ok": True, "channel": "C024BE91L", "ts": STAMP})
    answers = [posted, *(reply({"ok": True, "message": message}) for _ in range(3))]
    with server_of(Workspace(first=answers)) as server:
        its = Approvals({"slack": polling(server.url)}, redactor=Masking(), timeout_s=60)
        tool = Tool()
        assert called(Engine(asking("slack://"), approvals=its), tool, {}) != "done"
    assert tool.starts == []


# Buttons


@contextmanager
def pressing(
    approvers: list[str] | None = None, timeout_s: float = 60, **options: Any
) -> Generator[tuple[Workspace, SlackReceiver, Callable[[], Outcome[ToolCall]]]]:
    """An ask that waits for buttons: the workspace, the receiver, and what gives the outcome."""
    with server_of(workspace := Workspace()) as server:
        handler = SlackHandler(
            approvers or [ANNA, BOB, CARL],
            incoming_webhook=f"{server.url}/services/T1/B1/hunter2",
            signing_secret=SIGNING,
            **options,
        )
        told: list[Outcome[ToolCall]] = []
        thread = threading.Thread(target=lambda: told.append(asked(handler, timeout_s)))

        def outcome() -> Outcome[ToolCall]:
            thread.join(60)
            return told[0]

        with SlackReceiver(handler) as receiver:
            thread.start()
            try:
                yield workspace, receiver, outcome
            finally:
                thread.join(120)


@pytest.mark.parametrize(
    ("presses", "granted"),
    [
        ([(ANNA, GRANT)], True),
        ([(ANNA, DENY)], False),
        ([(MALLORY, GRANT), (MALLORY, DENY), (ANNA, GRANT)], True),
        ([(MALLORY, GRANT), (BOB, DENY), (ANNA, GRANT)], False),
    ],
)
def test_buttons_of_the_approvers_decide(presses: list[tuple[str, str]], granted: bool) -> None:
    """Whoever is not on the list does not count; the first who does decides."""
    with pressing() as (workspace, receiver, outcome):
        for user, action in presses:
            assert press(receiver.port, payload(user, action, workspace.value(action))) == 200
        assert outcome().proceeds == granted


def test_a_quorum_needs_different_people_and_one_denial_ends_it() -> None:
    """Twice the same is once; a denial after some grants denies."""
    with pressing(quorum=2) as (workspace, receiver, outcome):
        for _ in range(3):
            press(receiver.port, payload(ANNA, GRANT, workspace.value(GRANT)))
        press(receiver.port, payload(CARL, GRANT, workspace.value(GRANT)))
        assert outcome().proceeds
    with pressing(quorum=3) as (workspace, receiver, outcome):
        press(receiver.port, payload(ANNA, GRANT, workspace.value(GRANT)))
        press(receiver.port, payload(BOB, GRANT, workspace.value(GRANT)))
        press(receiver.port, payload(BOB, DENY, workspace.value(DENY)))
        press(receiver.port, payload(CARL, GRANT, workspace.value(GRANT)))
        assert outcome().reason == f"may it? (refused, by {BOB})"


FORGED: dict[str, Callable[[bytes], dict[str, str]]] = {
    "no headers": lambda body: {},
    "another secret": lambda body: signature(body, secret="other"),
    "an empty secret": lambda body: signature(body, secret=""),
    "another body": lambda body: signature(body + b" "),
    "too old": lambda body: signature(body, at=time.time() - 400),
    "from the future": lambda body: signature(body, at=time.time() + 400),
    "another time": lambda body: {**signature(body), "X-Slack-Request-Timestamp": str(int(time.time()) - 1)},
    "no version": lambda body: {**signature(body), "X-Slack-Signature": signature(body)["X-Slack-Signature"][3:]},
    "no time": lambda body: {"X-Slack-Signature": signature(body)["X-Slack-Signature"]},
}


@pytest.mark.parametrize("how", FORGED)
def test_a_payload_that_is_not_slacks_own_is_turned_away(how: str) -> None:
    """401, and it grants nothing: not signed, signed by another, changed, replayed after the window."""
    with pressing(timeout_s=1.0) as (workspace, receiver, outcome):
        body = payload(ANNA, GRANT, workspace.value(GRANT))
        assert press(receiver.port, body, FORGED[how](body)) == 401
        assert "in time" in outcome().reason


def misdirected(workspace: Workspace) -> list[bytes]:
    """Payloads that are signed, and for something else."""
    value = workspace.value(GRANT)
    id, digest = value.split(" ")
    twice = b"payload=%7B%7D&" + payload(ANNA, GRANT, value)
    return [
        payload(ANNA, GRANT, f"{id} {'0' * 64}"),
        payload(ANNA, GRANT, f"other {digest}"),
        payload(ANNA, GRANT, id),
        payload(ANNA, GRANT, ""),
        payload(ANNA, "grant", value),
        payload([ANNA], GRANT, value),
        payload(None, GRANT, value),
        payload(ANNA, GRANT, value, type="view_submission"),
        payload(ANNA, GRANT, value, team=None, user_id=ANNA, type=None),
        payload(ANNA, GRANT, value, actions=None),
        payload(ANNA, GRANT, value, actions={"action_id": GRANT, "value": value}),
        payload(ANNA, GRANT, value, actions=[GRANT]),
        twice,
        b"",
        b"payload",
        b"payload=true",
        b"payload=%7B",
        b"\xff\xfe",
        b"payload=" + b"[" * 10_000,
    ]


def test_a_payload_for_something_else_grants_nothing() -> None:
    """Another id, digest, action or shape, though Slack has signed it; the receiver goes on."""
    with pressing(timeout_s=30) as (workspace, receiver, outcome):
        for body in misdirected(workspace):
            assert press(receiver.port, body) in (200, 400), body
        press(receiver.port, payload(BOB, DENY, workspace.value(DENY)))
        assert outcome().reason == f"may it? (refused, by {BOB})"


def test_a_button_that_is_pressed_again_or_late_does_nothing() -> None:
    """A replay within the window, and one after the ask has ended."""
    with pressing() as (workspace, receiver, outcome):
        body = payload(ANNA, GRANT, workspace.value(GRANT))
        assert [press(receiver.port, body), press(receiver.port, body)] == [200, 200]
        assert outcome().proceeds
        assert press(receiver.port, body) == 200
        first = workspace.value(GRANT)
        workspace.messages.clear()
    with pressing(timeout_s=1.0) as (workspace, receiver, outcome):
        assert workspace.value(GRANT) != first
        assert press(receiver.port, body) == 200
        assert "in time" in outcome().reason


def test_a_denial_and_a_grant_in_one_payload_deny() -> None:
    """In either order."""
    for order in (1, -1):
        with pressing() as (workspace, receiver, outcome):
            both = [{"action_id": action, "value": workspace.value(action)} for action in (GRANT, DENY)][::order]
            press(receiver.port, payload(ANNA, GRANT, "", actions=both))
            assert not outcome().proceeds


def test_the_receiver_takes_no_more_than_it_should() -> None:
    """Another path, another method, no length, too much: turned away, and it goes on."""
    with pressing() as (workspace, receiver, outcome):
        body = payload(ANNA, GRANT, workspace.value(GRANT))
        assert press(receiver.port, body, path="/other") == 404

        def raw(request: bytes) -> bytes:
            with socket.create_connection(("127.0.0.1", receiver.port)) as connection:
                connection.sendall(request)
                return connection.recv(65536).partition(b"\r\n")[0]

        assert b"501" in raw(b"GET / HTTP/1.0\r\n\r\n")
        assert b"411" in raw(b"POST / HTTP/1.0\r\n\r\n")
        assert b"411" in raw(b"POST / HTTP/1.0\r\ncontent-length: -1\r\n\r\n")
        assert b"413" in raw(b"POST / HTTP/1.0\r\ncontent-length: 2000000\r\n\r\n")
        assert b"413" in raw(b"POST / HTTP/1.0\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n")
        assert press(receiver.port, body, path="/?x=1") == 200
        assert outcome().proceeds


def test_a_handler_that_polls_takes_no_payload() -> None:
    """Without a signing secret nothing can be verified."""
    handler = SlackHandler([ANNA], token=TOKEN, channel="ops")
    body = payload(ANNA, GRANT, "a b")
    assert handler.receive(signature(body, secret=""), body) == 401


def test_what_has_ended_is_forgotten() -> None:
    """Granted, denied or timed out, nothing of an ask is kept."""
    with pressing() as (workspace, receiver, outcome):
        press(receiver.port, payload(ANNA, DENY, workspace.value(DENY)))
        outcome()
    with server_of(Workspace()) as server:
        handler = polling(server.url)
        asked(handler, 0.2)
        assert eventually(lambda: not handler._ballots)


# Set up


@pytest.mark.parametrize(
    "options",
    [
        {"approvers": []},
        {"approvers": ["anna"]},
        {"approvers": ["@anna"]},
        {"approvers": ["C024BE91L"]},
        {"approvers": [ANNA], "quorum": 0},
        {"approvers": [ANNA], "quorum": 2},
        {"approvers": [ANNA, ANNA], "quorum": 2},
        {"token": None},
        {"incoming_webhook": "https://hooks.slack.com/x"},
        {"token": None, "incoming_webhook": "https://hooks.slack.com/x"},
        {"token": None, "incoming_webhook": "http://hooks.slack.com/x", "signing_secret": SIGNING},
        {"signing_secret": ""},
        {"api": "http://slack.com/api"},
        {"poll_s": 0},
    ],
)
def test_what_would_not_be_safe_is_refused(options: dict[str, Any]) -> None:
    """No approvers, names that are no ids, a quorum that cannot be reached, nothing to verify with."""
    options = {"approvers": [ANNA, BOB], "token": TOKEN, "channel": "ops", **options}
    with pytest.raises(InvalidApprovals) as refused:
        SlackHandler(**options)
    assert "hooks.slack.com" not in str(refused.value)


def test_no_secret_is_logged_or_told(caplog: pytest.LogCaptureFixture) -> None:
    """Neither the token nor the URL of an incoming webhook, which is one, nor the canary, at any level."""
    caplog.set_level(logging.DEBUG)
    call = ToolCall("1", "push", {CANARY: CANARY})
    with server_of(workspace := Workspace(first=[Reply(500), Reply(None)])) as server:
        url = f"{server.url}/services/T1/B1/hunter2"
        handler = SlackHandler([ANNA], incoming_webhook=url, signing_secret=SIGNING)
        outcome = asked(handler, 4, call)
        polled = asked(polling(server.url), 0.5, call)
    assert workspace.messages
    for text in (caplog.text, outcome.reason, polled.reason, repr(handler), json.dumps(workspace.messages)):
        assert not any(secret in text for secret in (CANARY, TOKEN, SIGNING, "hunter2"))
