"""What docs/approvals.md shows of a screen is what stands there."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.host.approvals.asking import Tool
from tests.host.approvals.person import Person

from seamlaw import Interceptors, ask, gate
from seamlaw_host.approvals import Approvals, ApprovalStore, CliHandler, StoreHandler
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.engine import Engine, session
from seamlaw_host.errors import Blocked

PAGE = (Path(__file__).resolve().parents[3] / "docs/approvals.md").read_text("utf-8")
VARIES = {  # ids, digests and times differ from run to run
    re.compile(r"\b[0-9a-f]{64}\b"): "DIGEST",
    re.compile(r"\b[0-9a-f]{12}\b"): "ID__________",
    re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?"): "TIME",
}


def same(text: str) -> list[str]:
    """The lines of a text, without what differs from run to run."""
    for pattern, word in VARIES.items():
        text = pattern.sub(word, text)
    return [line.rstrip() for line in text.strip().split("\n")]


def block(start: str) -> str:
    """The part of the page between fences that begins so."""
    parts: list[tuple[str, str]] = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (found,) = [part for _, part in parts if part.startswith(start)]
    return found


def test_the_question_on_the_page_is_the_one_on_the_screen() -> None:
    """Two asks of one call, with a secret."""

    def friday(call: object) -> object:
        return ask("it is Friday", target="cli://", timeout_s=60)

    def public(call: object) -> object:
        return ask("a push is public", target="cli://", timeout_s=60)

    gates = [gate(public, name="public"), gate(friday, name="calendar")]
    with Person(("[a/r/N]", b"\n")) as person:
        engine = Engine(Interceptors(tool_call=gates), approvals=Approvals({"cli": CliHandler(person.path)}))
        with session("s1", agent="coder"), pytest.raises(Blocked):
            engine.call("push", Tool(), {"branch": "main", "token": "hunter2hunter2"})
    assert same(person.shown) == same(block("╭"))


def test_the_commands_on_the_page_print_what_is_printed_there(tmp_path: Path) -> None:
    """`list` and `show`."""
    url = f"sqlite:///{tmp_path}/approvals.db"
    store, tool = ApprovalStore(url), Tool()

    def reviewed(call: object) -> object:
        return ask("a deployment is reviewed", target="store://")

    its = Approvals({"store": StoreHandler(store, needed=2, lifetime_s=3600)})
    engine = Engine(Interceptors(tool_call=[gate(reviewed, name="reviewed")]), approvals=its)
    with session("s1", agent="coder"), pytest.raises(Blocked):
        engine.call("deploy", tool, {"to": "production", "version": 7})
    (waiting,) = store.list()
    store.grant(waiting.id, by="anna", reason="seen")
    told = ""
    for command in (["list"], ["show", waiting.id]):
        result = CliRunner().invoke(seamlaw, ["approvals", *command, "--store", url], prog_name="seamlaw")
        told += f"$ seamlaw approvals {' '.join(command)}\n{result.stdout}"
    assert same(told) == same(block("$ seamlaw approvals list"))
