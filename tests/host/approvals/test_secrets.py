"""A secret in every field of a call, an ask and an answer leaves by no handler: law `secrets_do_not_reach_records`."""

import base64
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.host.approvals.asking import Tool, asking, called, outcome_of
from tests.host.approvals.person import Person
from tests.host.approvals.servers import Received, Reply, Server, reply
from tests.host.approvals.slack import TOKEN, Workspace

from seamlaw import Scope, ToolCall, refuse
from seamlaw_host.approvals import (
    Approvals,
    ApprovalStore,
    CliHandler,
    Handler,
    Request,
    SlackHandler,
    StoreHandler,
    WebhookHandler,
)
from seamlaw_host.engine import Engine, session

SECRET = "ghp_" + "Zk3v9QmX2bT7rL5nW8yH4cJ6dF1sG0aPuEtB"  # in the shape of a token of GitHub
Leak = Generator[tuple[Handler, Callable[[], bytes]]]  # a handler, and all that left by it


@contextmanager
def by_terminal(folder: Path) -> Leak:
    """What stands on a screen."""
    with Person(("[y/N]", b"n\n")) as person:
        yield CliHandler(person.path), lambda: person.bytes


@contextmanager
def by_webhook(folder: Path) -> Leak:
    """What came to a server, which answers with what it got and worse."""
    got: list[bytes] = []

    def respond(received: Received) -> Reply:
        got.append(repr(received.headers).encode() + received.body)
        asked = received.json()["data"]
        return reply({"approved": False, "id": asked["id"], "digest": asked["digest"], "by": SECRET, "reason": SECRET})

    with Server(respond) as server:
        yield WebhookHandler(server.url, "whsec_" + base64.b64encode(b"k" * 32).decode()), lambda: b"".join(got)


@contextmanager
def by_slack(folder: Path) -> Leak:
    """What was posted."""
    workspace = Workspace(reactions={"x": ["U0ANNA"]})
    got: list[bytes] = []

    def respond(received: Received) -> Reply:
        got.append(received.body)
        return workspace.respond(received)

    with Server(respond) as server:
        api = f"{server.url}/api"
        handler = SlackHandler(["U0ANNA"], token=TOKEN, channel="ops", api=api, poll_s=0.01)
        yield handler, lambda: b"".join(got)


@contextmanager
def by_store(folder: Path) -> Leak:
    """What is in the file, its journal included."""
    store = ApprovalStore(f"sqlite:///{folder}/approvals.db")
    yield StoreHandler(store), lambda: b"".join(path.read_bytes() for path in folder.iterdir())


class Own:
    """A handler that keeps what it is shown, and says the worst."""

    def __init__(self, say: Callable[[Request], object]) -> None:
        self.say = say
        self.shown = b""

    def ask(self, request: Request, /) -> object:
        """Answer."""
        self.shown += repr(request).encode() + request.shown.encode()
        return self.say(request)


def raising(request: Request) -> object:
    """Quote the secret in an exception."""
    raise ValueError(SECRET)


@contextmanager
def by_own_that_raises(folder: Path) -> Leak:
    """A handler whose exception quotes it."""
    yield (own := Own(raising)), lambda: own.shown


@contextmanager
def by_own_that_tells(folder: Path) -> Leak:
    """A handler whose refusal quotes it."""
    yield (own := Own(lambda request: refuse(request.ask, by=SECRET, reason=SECRET))), lambda: own.shown


WAYS = [by_terminal, by_webhook, by_slack, by_store, by_own_that_raises, by_own_that_tells]


@pytest.mark.parametrize("in_loop", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_a_secret_leaves_by_no_handler(
    way: Any, in_loop: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not on the screen, the wire, the disk, in a log, nor in what the approver's side adds to the denial."""
    caplog.set_level(logging.DEBUG)
    asks = asking(f"any://{SECRET}", reason=f"it sends {SECRET}", name=SECRET, timeout_s=60)
    arguments: dict[str, object] = {SECRET: 1, "text": f"a {SECRET} b", "deep": [{"list": [SECRET]}]}
    with way(tmp_path) as (handler, left):
        engine = Engine(asks, approvals=Approvals({"any": handler}))
        with session(SECRET, agent=SECRET, role=SECRET, domain=SECRET):
            told = called(engine, Tool(), arguments, in_loop=in_loop)
        out = left()
    assert told.startswith(f"it sends {SECRET} (")
    assert SECRET not in told.removeprefix(f"it sends {SECRET} (")  # the reason itself is redacted by who records it
    assert b"it sends" in out
    assert SECRET.encode() not in out
    assert SECRET not in caplog.text


class Keeping:
    """A redactor that takes nothing out."""

    def value(self, value: object, /) -> object:
        """Give it back."""
        return value

    def text(self, text: str, /) -> str:
        """Give it back."""
        return text


@pytest.mark.parametrize("way", WAYS)
def test_a_secret_that_is_not_taken_out_is_seen(way: Any, tmp_path: Path) -> None:
    """What the test above looks at is where a secret would be."""
    with way(tmp_path) as (handler, left):
        engine = Engine(asking("any://", timeout_s=60), approvals=Approvals({"any": handler}, redactor=Keeping()))
        called(engine, Tool(), {"text": SECRET})
        assert SECRET.encode() in left()


def test_the_default_redactor_is_that_of_the_packs() -> None:
    """Without a word, secrets are taken out, by their kind."""
    own = Own(lambda request: False)
    outcome = outcome_of(asking("any://"), ToolCall("1", "push", {"text": SECRET}))
    (pending,) = Approvals({"any": own}).pending(outcome, Scope())
    assert not pending.answered(pending.work()).granted
    assert SECRET.encode() not in own.shown
    assert b"github" in own.shown.lower()
