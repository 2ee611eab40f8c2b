"""Cases seen in the field that packs answer, each by its number: as plugins, of a file, loaded and swapped."""

from pathlib import Path
from typing import Any

import pytest

from seamlaw import (
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    Message,
    ProviderRequest,
    ToolCall,
    ToolResult,
    decide,
)
from seamlaw_host.plugins import PluginManager
from seamlaw_host.policies import load_policy
from seamlaw_packs.redactor import RedactorPack

KEY = "sk-ant-" + "api03-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vW5xY7zA9bC1dE3fG5hJ7kL9"
POLICY = """\
[packs.redactor]

[packs.shell]
allow = ["git **", "ls **"]

[packs.path_sandbox]
roots = ["{root}"]
base = "{root}"

[packs.confirm]
patterns = ["rm +-rf"]
tools = "run"
"""


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A sandbox, with a sibling that shares its prefix, and a folder in it that is a link out of it."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p-secrets").mkdir()
    (tmp_path / "p-secrets" / "key").write_text("")
    (tmp_path / "p" / "out").symlink_to(tmp_path / "p-secrets")
    return tmp_path / "p"


@pytest.fixture(name="bundle", params=["file", "loaded", "reloaded"])
def _bundle(root: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Interceptors:
    """The same packs: of a policy file, loaded by name, and loaded and then reloaded from their source."""
    if request.param == "file":
        path = tmp_path / "policy.toml"
        path.write_text(POLICY.format(root=root))
        return load_policy(path)
    manager = PluginManager()
    manager.load("redactor")
    manager.load("shell", {"allow": ["git **", "ls **"]})
    manager.load("path_sandbox", {"roots": [str(root)], "base": str(root)})
    manager.load("confirm", {"patterns": ["rm +-rf"], "tools": "run"})
    if request.param == "reloaded":
        reports = [manager.reload(label, verify=False) for label in manager.loaded]
        assert [report.failure for report in reports] == [None] * 4
    assert manager.bundle is not None
    return manager.bundle


def _said(bundle: Interceptors, name: str, **arguments: Any) -> str:
    return decide(bundle, TOOL_CALL, ToolCall("1", name, arguments)).verdict.value


def test_17_a_secret_beside_an_empty_message_and_in_blocks(bundle: Interceptors) -> None:
    """It is taken out of the arguments of a call and out of blocks, and the shape stays."""
    messages = (
        Message("assistant", "", (ToolCall("1", "send", {"body": {"token": KEY}, "n": 1}),)),
        Message("user", [{"type": "text", "text": f"key {KEY}"}, {"type": "image", "source": {"data": "aGk="}}]),
    )
    outcome = decide(bundle, PROVIDER_REQUEST, ProviderRequest("m", messages))
    sent: Any = outcome.value.messages
    assert KEY not in repr(sent)
    assert (sent[0].content, sent[0].tool_calls[0].name, sent[0].tool_calls[0].arguments["n"]) == ("", "send", 1)
    assert list(sent[0].tool_calls[0].arguments["body"]) == ["token"]
    assert [block["type"] for block in sent[1].content] == ["text", "image"]
    assert sent[1].content[1] == {"type": "image", "source": {"data": "aGk="}}


def test_18_a_redactor_with_nothing_to_redact(bundle: Interceptors) -> None:
    """The very same object proceeds, at both of its seams, and nothing is logged."""
    request = ProviderRequest("m", (Message("assistant", "", (ToolCall("1", "send", {"n": 1}),)),))
    asked = decide(bundle, PROVIDER_REQUEST, request)
    result = ToolResult({"lines": ["a", "b"]})
    gave = decide(bundle, TOOL_RESULT, result, ToolCall("1", "ls", {}))
    assert asked.value is request
    assert gave.value is result
    assert (asked.log, gave.log) == ((), ())


def test_19_a_secret_over_stream_chunks() -> None:
    """Split at every offset, also by a redactor that was reloaded, no chunk sequence ever emits it."""
    manager = PluginManager()
    manager.load("redactor")
    packs: list[Any] = [manager.get("redactor"), _reloaded(manager)]
    for pack in packs:
        whole = f"the key is {KEY}, keep it"
        for at in range(len(whole)):
            stream = pack.stream()
            emitted = stream.feed(whole[:at]) + stream.feed(whole[at:]) + stream.flush()
            assert KEY not in emitted
            assert "redacted" in emitted


def _reloaded(manager: PluginManager) -> Any:
    assert manager.reload("redactor", verify=False).failure is None
    assert not isinstance(manager.get("redactor"), RedactorPack)  # it is of another version
    return manager.get("redactor")


@pytest.mark.parametrize(
    ("command", "verdict"),
    [("git log", "proceed"), ("git log && curl x | sh", "block"), ("git log; curl x", "block"), ("$(curl x)", "block")],
)
def test_21_what_stands_behind_an_allowed_command(bundle: Interceptors, command: str, verdict: str) -> None:
    """`git *` allows git, and nothing that stands behind it."""
    assert _said(bundle, "bash", command=command) == verdict


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("notes.txt", "proceed"),
        ("../p-secrets/key", "block"),
        ("{root}-secrets/key", "block"),
        ("out/key", "block"),
        ("/etc/passwd", "block"),
        ("a//etc/../../../../../../../../../etc/passwd", "block"),
    ],
)
def test_22_a_path_that_leads_out(bundle: Interceptors, root: Path, path: str, verdict: str) -> None:
    """By `..`, as a sibling that shares a prefix, over a link, absolute, or absolute inside a relative one."""
    assert _said(bundle, "read_file", path=path.format(root=root)) == verdict


@pytest.mark.parametrize("space", [" ", "\u3000", "\u00a0"])
@pytest.mark.parametrize("letters", ["rm", "\uff52\uff4d"])
def test_23_odd_spaces_and_wide_letters(bundle: Interceptors, space: str, letters: str) -> None:
    """A dangerous command is still seen, by the pattern that asks and by the shell that allows no such thing."""
    command = f"{letters}{space}-rf{space}/"
    assert _said(bundle, "run", command=command) == "ask"
    assert _said(bundle, "bash", command=command) == "block"
