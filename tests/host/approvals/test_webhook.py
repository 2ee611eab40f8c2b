"""Asking a service over HTTP, a real one on loopback: signed, retried with one id, and granted by one answer alone."""

import asyncio
import base64
import json
import logging
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.host.approvals.asking import CANARY, MASK, Masking, Tool, asking, called, put
from tests.host.approvals.servers import CERTIFICATE, Received, Reply, Server, reply

from seamlaw import Outcome, ToolCall
from seamlaw_host.approvals import Approvals, InvalidApprovals, WebhookHandler, is_signed
from seamlaw_host.engine import Engine
from seamlaw_host.errors import MissingExtra

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
Respond = Callable[[Received], Reply]


def granting(received: Received, **more: object) -> Reply:
    """Grant, as it must be said."""
    asked = received.json()["data"]
    return reply({"approved": True, "id": asked["id"], "digest": asked["digest"], **more})


def asked(url: str, timeout_s: float = 60, call: ToolCall | None = None, **options: Any) -> Outcome[ToolCall]:
    """Put one ask to a webhook."""
    handler = WebhookHandler(url, SECRET, first_wait_s=0.01, **options)
    its = Approvals({"webhook": handler}, redactor=Masking(), timeout_s=timeout_s)
    return put(its, asking("webhook://ops"), call or ToolCall("1", "push", {"branch": "main"}))


def test_a_grant_is_a_grant_under_both_drivers() -> None:
    """`{"approved": true}` with the id and the digest; who answered is told."""
    for in_loop in (False, True):
        with Server(lambda received: granting(received, by="anna")) as server:
            its = Approvals({"webhook": WebhookHandler(server.url, SECRET)}, redactor=Masking())
            tool = Tool()
            assert called(Engine(asking("webhook://ops"), approvals=its), tool, {"n": 1}, in_loop=in_loop) == "done"
            assert (len(server.received), tool.starts) == (1, [{"n": 1}])


def test_the_body_says_what_would_run_and_is_signed() -> None:
    """Everything an approver needs, redacted; the signature covers id, time and body."""
    with Server(granting) as server:
        its = Approvals({"webhook": WebhookHandler(server.url + "/x?y=1", SECRET, headers={"x-team": "ops"})},
                        redactor=Masking())  # fmt: skip
        bundle = asking("webhook://ops", reason=f"why {CANARY}", timeout_s=60)
        assert put(its, bundle, ToolCall("1", "push", {"token": CANARY, "n": 2**70})).proceeds
    (received,) = server.received
    assert (received.path, received.headers["x-team"]) == ("/x?y=1", "ops")
    assert received.headers["content-type"] == "application/json"
    body = received.json()
    assert body["type"] == "approval.requested"
    asked = body["data"]
    assert (asked["tool"], asked["arguments"]) == ("push", {"token": MASK, "n": 2**70})
    assert (asked["message"], asked["target"], asked["seam"]) == (f"why {MASK}", "webhook://ops", "tool_call")
    assert asked["expires"] == asked["created"] + 60
    assert asked["id"] == received.headers["webhook-id"]
    assert is_signed(received.headers, received.body, SECRET)
    assert not is_signed(received.headers, received.body + b" ", SECRET)
    assert not is_signed({**received.headers, "webhook-id": "other"}, received.body, SECRET)
    assert not is_signed(received.headers, received.body, b"another secret of 32 bytes......")
    assert CANARY.encode() not in received.body


NO_GRANTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "the text false": lambda ok: {**ok, "approved": "false"},
    "the text true": lambda ok: {**ok, "approved": "true"},
    "one": lambda ok: {**ok, "approved": 1},
    "a list": lambda ok: {**ok, "approved": [True]},
    "null": lambda ok: {**ok, "approved": None},
    "false": lambda ok: {**ok, "approved": False},
    "no approved": lambda ok: {"id": ok["id"], "digest": ok["digest"]},
    "another case": lambda ok: {"id": ok["id"], "digest": ok["digest"], "Approved": True},
    "another id": lambda ok: {**ok, "id": "other"},
    "no id": lambda ok: {"approved": True, "digest": ok["digest"]},
    "another digest": lambda ok: {**ok, "digest": "0" * 64},
    "no digest": lambda ok: {"approved": True, "id": ok["id"]},
    "bare": lambda ok: {"approved": True},
    "a condition": lambda ok: {**ok, "only_if": "it is monday"},
    "by nobody": lambda ok: {**ok, "by": 7},
    "for a reason that is none": lambda ok: {**ok, "reason": None},
    "true": lambda ok: True,
    "in a list": lambda ok: [ok],
    "nested": lambda ok: {"data": ok},
    "nothing": lambda ok: None,
}


@pytest.mark.parametrize("what", NO_GRANTS)
def test_only_the_one_answer_grants(what: str) -> None:
    """`{"approved": "false"}`, another id or digest, another key: denied."""

    def respond(received: Received) -> Reply:
        return reply(NO_GRANTS[what](json.loads(granting(received).body)))

    with Server(respond) as server:
        assert not asked(server.url).proceeds
        assert len(server.received) == 1


@given(JSON)
def test_no_other_json_grants(value: object) -> None:
    """Whatever JSON comes back, in the place of `true` or of the whole answer (`only_true_grants`)."""
    turns = iter([False, True])

    def respond(received: Received) -> Reply:
        return reply({**json.loads(granting(received).body), "approved": value} if next(turns) else value)

    with Server(respond) as server:
        assert not asked(server.url).proceeds
        assert asked(server.url).proceeds == (value is True)


RAW: dict[str, Respond] = {
    "a page": lambda got: Reply(200, b"<html>approved: true</html>", "text/html"),
    "json called a page": lambda got: Reply(200, granting(got).body, "text/html"),
    "json called nothing": lambda got: Reply(200, granting(got).body, ""),
    "nothing": lambda got: Reply(200, b""),
    "no json": lambda got: Reply(200, b"{approved: true}"),
    "more after it": lambda got: Reply(200, granting(got).body + b"{}"),
    "in another charset": lambda got: Reply(200, granting(got).body.decode().encode("utf-16")),
    "approved twice": lambda got: Reply(200, granting(got).body[:-1] + b', "approved": true}'),
    "first not, then approved": lambda got: Reply(200, b'{"approved": false, ' + granting(got).body[1:]),
    "with NaN": lambda got: Reply(200, granting(got).body[:-1] + b', "reason": NaN}'),
    "nested deep": lambda got: Reply(200, b"[" * 60_000),
    "too large": lambda got: Reply(200, b" " * 70_000 + granting(got).body),
    "packed": lambda got: Reply(200, granting(got).body, headers={"content-encoding": "gzip"}),
    "created": lambda got: Reply(201, granting(got).body),
    "no content": lambda got: Reply(204),
    "not found": lambda got: Reply(404, granting(got).body),
    "unauthorised": lambda got: Reply(401, granting(got).body),
}  # fmt: skip


@pytest.mark.parametrize("what", RAW)
def test_what_is_not_a_plain_200_with_json_denies(what: str) -> None:
    """HTML, other statuses, ambiguous or oversized bodies; and it is not asked again."""
    with Server(RAW[what]) as server:
        assert not asked(server.url).proceeds
        assert len(server.received) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    """Not even to one who would grant; nothing is sent there."""
    with Server(granting) as other:
        with Server(lambda got: Reply(status, granting(got).body, headers={"location": other.url})) as server:
            outcome = asked(server.url)
        assert (outcome.proceeds, other.received) == (False, [])
        assert str(status) in outcome.reason


def test_a_refusal_is_told_with_its_reason() -> None:
    """Who refused, and why, shortened."""
    no = {"approved": False, "by": "bob", "reason": "not today\x1b[2J" + "x" * 1000}
    with Server(lambda got: reply({**json.loads(granting(got).body), **no})) as server:
        reason = asked(server.url).reason
    assert "not today\\u001b[2J" in reason
    assert "by bob" in reason
    assert len(reason) < 400


# Retries


@pytest.mark.parametrize("first", [202, 425, 429, 500, 502, 503, 504, 599, None])
def test_it_is_retried_with_the_same_id_and_a_new_signature(first: int | None) -> None:
    """5xx, a dropped connection and "not decided yet": the same body and id, signed each time (idempotent)."""
    statuses = [first, first]
    with Server(lambda got: Reply(statuses.pop()) if statuses else granting(got)) as server:
        assert asked(server.url).proceeds
    assert len(server.received) == 3
    assert len({(got.headers["webhook-id"], got.body) for got in server.received}) == 1
    assert all(is_signed(got.headers, got.body, SECRET) for got in server.received)


def test_two_asks_have_two_ids() -> None:
    """An answer to the one is none to the other."""
    with Server(granting) as server:
        assert asked(server.url).proceeds
        assert asked(server.url).proceeds
    assert len({got.headers["webhook-id"] for got in server.received}) == 2


def test_it_waits_longer_each_time_and_until_time_is_up() -> None:
    """Denied after the time-out, with ever fewer retries."""
    with Server(lambda got: Reply(503)) as server:
        start = time.monotonic()
        outcome = asked(server.url, timeout_s=1.0)
        took = time.monotonic() - start
    assert "in time" in outcome.reason
    assert took >= 1.0
    assert 2 <= len(server.received) <= 12


def test_it_waits_as_long_as_the_service_says() -> None:
    """`Retry-After`, in seconds; anything else there is ignored."""
    answers = [Reply(429, headers={"retry-after": "1"}), Reply(503, headers={"retry-after": "soon"})]
    with Server(lambda got: answers.pop(0) if answers else granting(got)) as server:
        start = time.monotonic()
        assert asked(server.url).proceeds
        assert 1.0 <= time.monotonic() - start < 50
    assert len(server.received) == 3


def test_a_service_that_hangs_is_given_up() -> None:
    """It is denied when time is up, under both drivers, and the connection is closed."""

    def hang(received: Received) -> Reply:
        time.sleep(3)
        return granting(received)

    for in_loop in (False, True):
        with Server(hang) as server:
            its = Approvals({"webhook": WebhookHandler(server.url, SECRET)}, redactor=Masking())
            engine, tool = Engine(asking("webhook://", timeout_s=0.5), approvals=its), Tool()
            assert "in time" in called(engine, tool, {}, in_loop=in_loop)
            assert tool.starts == []


def test_nobody_listening_denies() -> None:
    """A closed port, a name that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert not asked(f"http://127.0.0.1:{port}", timeout_s=0.3).proceeds


def test_what_speaks_no_http_denies() -> None:
    """Bytes that are no response."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        import threading

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"\x00\x01 approved true\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        assert not asked(f"http://127.0.0.1:{listening.getsockname()[1]}", timeout_s=0.5).proceeds
        thread.join()


# Certificates and URLs


def test_a_certificate_that_nobody_trusts_denies_at_once() -> None:
    """TLS is verified; nothing is sent, and it is not tried again."""
    with Server(granting, tls=True) as server:
        outcome = asked(server.url)
        assert (outcome.proceeds, server.received) == (False, [])
        assert "certificate" in outcome.reason


def test_a_certificate_that_is_trusted_is_enough_for_its_host_alone() -> None:
    """`verify` takes a context with your own authorities."""
    trusting = ssl.create_default_context(cafile=CERTIFICATE)
    with Server(granting, tls=True) as server:
        assert asked(server.url, verify=trusting).proceeds
        other = server.url.replace("localhost", "127.0.0.1")
        assert "certificate" in asked(other, verify=trusting).reason


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/hook",
        "http://10.0.0.1/",
        "http://127.0.0.1.example.com/",
        "http://localhost.example.com/",
        "http://0.0.0.0/",
        "ftp://localhost/",
        "https://user:hunter2@example.com/",
        "https:///nowhere",
        "https://",
        "localhost",
        "",
        "http://[::1",
        "https://example.com:port/",
    ],
)
def test_a_url_that_is_not_safe_is_refused_and_not_quoted(url: str) -> None:
    """Plain HTTP leaves this machine for nobody; a password belongs into a header."""
    with pytest.raises(InvalidApprovals) as refused:
        WebhookHandler(url, SECRET)
    assert not url or url not in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["https://example.com/x", "http://127.0.0.1:1/", "http://[::1]:1/", "http://LOCALHOST/"]
)
def test_a_url_that_is_safe_is_taken(url: str) -> None:
    """HTTPS, or this machine."""
    WebhookHandler(url, SECRET)


@pytest.mark.parametrize("secret", ["", "short", b"", b"x" * 23, "whsec_", "whsec_!!!!", "x" * 64, "whsec_" + "A" * 8])
def test_a_secret_that_is_none_is_refused(secret: str | bytes) -> None:
    """At least 24 bytes; a text is base64 behind whsec_."""
    with pytest.raises(InvalidApprovals) as refused:
        WebhookHandler("https://example.com", secret)
    assert len(secret) < 8 or str(secret) not in str(refused.value)


def test_the_environment_steers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies of the environment see nothing of it."""
    with Server(granting) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        with Server(granting) as server:
            assert asked(server.url).proceeds
        assert proxy.received == []


# Secrets


def test_a_secret_is_in_no_log_and_no_text(caplog: pytest.LogCaptureFixture) -> None:
    """Neither the canary of a call, nor the secret, nor a token in the URL, whatever is answered, at any level."""
    caplog.set_level(logging.DEBUG)
    call = ToolCall(CANARY, f"push-{CANARY}", {CANARY: CANARY})
    echo: list[Respond] = [granting, lambda got: Reply(500, got.body), lambda got: Reply(None),
                           lambda got: Reply(200, CANARY.encode())]  # fmt: skip
    for respond in echo:
        with Server(respond) as server:
            outcome = asked(f"{server.url}/{CANARY}", timeout_s=0.3, call=call, headers={"authorization": CANARY})
        assert CANARY not in outcome.reason
        assert all(CANARY.encode() not in got.body for got in server.received)
    assert CANARY not in caplog.text
    assert SECRET.removeprefix("whsec_") not in caplog.text
    handler = WebhookHandler(f"https://example.com/{CANARY}", SECRET)
    assert CANARY not in repr(handler)


def test_without_httpx_the_extra_is_named() -> None:
    """And nothing of the facade needs it."""
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from seamlaw_host.approvals import WebhookHandler\n"
        "try: WebhookHandler('https://example.com', b'x' * 32)\n"
        "except ImportError as error: print(type(error).__name__, error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == f"{MissingExtra.__name__} asking over HTTP needs httpx: pip install 'seamlaw[http]'\n"


def test_many_are_asked_at_once_in_one_loop() -> None:
    """A hundred calls of one event loop, each with an answer of its own."""
    with Server(lambda got: granting(got) if got.json()["data"]["arguments"]["n"] % 2 else reply(None)) as server:
        its = Approvals({"webhook": WebhookHandler(server.url, SECRET)}, redactor=Masking())
        engine, tool = Engine(asking("webhook://"), approvals=its), Tool()

        async def all_of_them() -> Any:
            calls = [engine.acall("push", tool, {"n": n}) for n in range(100)]
            return await asyncio.gather(*calls, return_exceptions=True)

        told = asyncio.run(all_of_them())
    assert [it == "done" for it in told] == [bool(n % 2) for n in range(100)]
    assert sorted(start["n"] for start in tool.starts) == list(range(1, 100, 2))
