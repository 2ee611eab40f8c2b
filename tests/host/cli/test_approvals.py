"""`seamlaw approvals`: what waits is shown whole, redacted and harmless, and is granted or denied by name."""

import getpass
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.host.approvals.asking import CANARY, MASK, Masking, Tool, asking, called
from tests.host.cli.test_hostile import HOSTILE

from seamlaw_host.approvals import Approvals, ApprovalStore, StoreHandler
from seamlaw_host.engine import Engine, session

Run = Callable[..., Result]


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with nothing in it."""
    made = f"sqlite:///{tmp_path}/approvals.db"
    ApprovalStore(made)
    return made


def parked(url: str, arguments: dict[str, object], *, reason: str = "may it?", needed: int = 1) -> str:
    """Let a call wait, and give its id."""
    store = ApprovalStore(url)
    its = Approvals({"store": StoreHandler(store, needed=needed)}, redactor=Masking())
    before = {one.id for one in store.list()}
    with session("s1", agent="coder"):
        called(Engine(asking("store://ops", reason=reason), approvals=its), Tool(), arguments)
    (new,) = {one.id for one in store.list()} - before
    return new


def test_nothing_waits(run: Run, url: str) -> None:
    """An empty store is said to be empty."""
    result = run("approvals", "list", "--store", url)
    assert (result.exit_code, result.stdout) == (0, "nothing waits\n")
    assert run("approvals", "list", "--store", url, "--all").stdout == "no approval\n"


def test_what_waits_is_listed_and_what_is_answered_is_not(run: Run, url: str) -> None:
    """`--all` and `--state` tell the rest."""
    first, second = parked(url, {"n": 1}), parked(url, {"n": 2})
    assert run("approvals", "deny", first, "--store", url, "--by", "anna").exit_code == 0
    listed = run("approvals", "list", "--store", url).stdout
    assert (second in listed, first in listed) == (True, False)
    everything = run("approvals", "list", "--store", url, "--all").stdout
    assert (second in everything, first in everything) == (True, True)
    denied = run("approvals", "list", "--store", url, "--state", "denied").stdout
    assert (second in denied, first in denied) == (False, True)


def test_show_prints_exactly_what_would_run_redacted(run: Run, url: str) -> None:
    """Arguments, reason, caller, target and the digest of the unredacted are there; a secret is not."""
    id = parked(url, {"branch": "main", "token": CANARY, "deep": [{"x": None}]}, reason=f"is {CANARY} public?")
    result = run("approvals", "show", id, "--store", url)
    assert result.exit_code == 0
    assert CANARY not in result.output
    text = result.stdout
    shown = text.partition("secrets taken out:\n")[2].partition("The digest")[0]
    assert json.loads(shown) == {"branch": "main", "token": MASK, "deep": [{"x": None}]}
    for part in (id, "PENDING", "0 of 1", "push", f"is {MASK} public?", "agent coder", "session s1", "store://ops"):
        assert part in text
    assert f"with nothing taken out:\n  {ApprovalStore(url).get(id).digest}\n" in text


def test_a_grant_lets_the_call_proceed(run: Run, url: str) -> None:
    """Two needed: the first leaves it pending; the same call then runs once."""
    id = parked(url, {"n": 1}, needed=2)
    one = run("approvals", "grant", id, "--store", url, "--by", "anna", "--reason", "seen").stdout
    assert ("PENDING" in one, "1 of 2" in one, "anna granted it" in one, ": seen" in one) == (True,) * 4
    assert "GRANTED" in run("approvals", "grant", id, "--store", url, "--by", "bob").stdout
    its = Approvals({"store": StoreHandler(ApprovalStore(url))}, redactor=Masking())
    tool = Tool()
    with session("s1", agent="coder"):
        assert called(Engine(asking("store://ops"), approvals=its), tool, {"n": 1}) == "done"
    assert "USED" in run("approvals", "show", id, "--store", url).stdout


def test_who_answers_is_the_login_name_unless_told(run: Run, url: str) -> None:
    """`--by` is a name."""
    id = parked(url, {})
    assert f"{getpass.getuser()} denied it" in run("approvals", "deny", id, "--store", url).stdout


def test_json_is_one_object_a_line(run: Run, url: str) -> None:
    """`list`, `show`, `grant` and `deny` tell the same record."""
    id = parked(url, {"big": 2**70})
    for arguments in (["list"], ["show", id], ["grant", id, "--by", "anna"], ["deny", id, "--by", "bob"]):
        (line,) = run("approvals", *arguments, "--store", url, "--json").stdout.splitlines()
        record = json.loads(line)
        assert (record["schema"], record["type"], record["id"]) == ("seamlaw/1", "approval", id)
        assert record["arguments"] == {"big": 2**70}
    denied = json.loads(run("approvals", "show", id, "--store", url, "--json").stdout)
    assert (denied["state"], [vote["by"] for vote in denied["votes"]]) == ("denied", ["anna", "bob"])


@pytest.mark.parametrize("command", ["show", "grant", "deny"])
def test_an_unknown_id_is_exit_code_1(run: Run, url: str, command: str) -> None:
    """And one line."""
    result = run("approvals", command, "nothing", "--store", url)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


def test_what_can_no_longer_be_answered_is_exit_code_1(run: Run, url: str) -> None:
    """Denied is denied; the agent itself is no approver."""
    id = parked(url, {})
    assert run("approvals", "grant", id, "--store", url, "--by", "coder").exit_code == 1
    assert run("approvals", "deny", id, "--store", url, "--by", "anna").exit_code == 0
    result = run("approvals", "grant", id, "--store", url, "--by", "bob")
    assert (result.exit_code, "is denied" in result.stderr) == (1, True)


def test_a_store_that_is_not_there_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    """It is not made by looking into it; a password is not told."""
    missing = tmp_path / "missing.db"
    result = run("approvals", "list", "--store", f"sqlite:///{missing}")
    assert (result.exit_code, "No such file" in result.stderr, missing.exists()) == (2, True, False)
    for bad in ("nonsense", "mysql://u:hunter2@h/d", "postgresql://u:hunter2@127.0.0.1:1/d"):
        result = run("approvals", "list", "--store", bad)
        assert (result.exit_code, "hunter2" in result.output, result.stderr.count("\n")) == (2, False, 1)
    (tmp_path / "other.db").write_bytes(b"")
    assert run("approvals", "list", "--store", f"sqlite:///{tmp_path}/other.db").exit_code == 2


def test_a_name_that_cannot_be_read_is_exit_code_2(run: Run, url: str) -> None:
    """Nobody grants as an invisible one."""
    id = parked(url, {})
    assert run("approvals", "grant", id, "--store", url, "--by", "\u202e").exit_code == 2
    assert ApprovalStore(url).get(id).state == "pending"


def test_the_store_may_be_named_by_the_environment(run: Run, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a password does not stand on the command line."""
    monkeypatch.setenv("SEAMLAW_APPROVALS", url)
    id = parked(url, {})
    assert id in run("approvals", "list").stdout


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_waits_steers_the_terminal(run: Run, url: str, text: str) -> None:
    """Not in arguments, keys, reasons."""
    id = parked(url, {text + "k": [text]}, reason=text + "r")
    for arguments in (["list"], ["show", id], ["deny", id, "--by", "anna", "--reason", text], ["show", id, "--json"]):
        result = run("approvals", *arguments, "--store", url)
        assert result.exit_code == 0
        assert result.stdout.replace("\n", "").isprintable()


def test_sqlalchemy_is_loaded_by_this_command_alone() -> None:
    """`seamlaw approvals --help` and the facade of the approvals do without the extras."""
    code = (
        "import sys, seamlaw_host.approvals, seamlaw_host.cli._approvals\n"
        "print({'sqlalchemy', 'httpx', 'rich', 'asyncio'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "set()"
