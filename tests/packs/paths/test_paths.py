"""Paths are judged by where they lead, in whatever way they are written."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.packs.paths.tables import blocked
from tests.packs.paths.tree import LINKS, Tree, corpus, grown, read
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Interceptors, ToolCall, Verdict, decide
from seamlaw_packs import file_security, path_sandbox
from seamlaw_packs._paths import Doubtful, Look, places
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.file_security import SENSITIVE, FileSecurity
from seamlaw_packs.path_sandbox import PathSandbox


@pytest.fixture(scope="module")
def tree() -> Generator[Tree]:
    """Make the folders once: nothing here changes them."""
    with grown() as made:
        yield made


def verdict(pack: PathSandbox | FileSecurity, call: ToolCall) -> str:
    """Decide a call as a host does."""
    return decide(pack.interceptors(), TOOL_CALL, call).verdict.value


# The corpora


def test_the_sandbox_blocks_every_hostile_path_and_one_harmless_one() -> None:
    """No hostile path passes; of the harmless ones only a name that begins as a drive does is blocked."""
    counts = blocked()
    hostile, harmless = corpus("hostile"), corpus("harmless")
    assert len(hostile) >= 300 <= len(harmless)
    assert counts["path_sandbox", "hostile"].total() == len(hostile)
    assert counts["path_sandbox", "harmless"] == {"signs": 1}
    assert counts["file_security", "harmless"] == {"signs": 1}
    assert counts["file_security", "hostile"].total() >= 0.9 * len(hostile)


def test_no_path_is_in_a_corpus_twice() -> None:
    """Each counts once."""
    paths = [path for name in ("hostile", "harmless") for _, path in corpus(name)]
    assert len(set(paths)) == len(paths)


# The laws

NAMES = ["..", ".", "", "src", "deep", "a", "new", "outside", "ws", "ws-secrets", "link", *LINKS]
SPELLED = st.lists(st.sampled_from([*NAMES, "%2e%2e", "\uff0e\uff0e", "~", "$SEAMLAW_UP"]), min_size=1, max_size=7)


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=8), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_following_is_what_the_system_does(tree: Tree, names: list[str], absolute: bool) -> None:
    """One of the places of a path is that which `realpath` finds; where there is a loop it is doubtful."""
    text = "/".join([tree.ws, *names] if absolute else names).replace("//", "/") or "."
    text = text if absolute else text.lstrip("/") or "."
    try:
        found = places(text, tree.ws, Look())
    except Doubtful:
        found = ("doubtful",) if "loop" in names else ()
    assert found == ("doubtful",) or os.path.realpath(Path(tree.ws, text)) in found


@given(SPELLED, st.sampled_from(["/", "\\", "//", "%2f", "\uff0f"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_allowed_lies_inside(tree: Tree, names: list[str], slash: str) -> None:
    """Where the sandbox says nothing the system, too, finds the path inside of the folder."""
    text = slash.join(names)
    if tree.sandbox().judge(read(text)) is None:
        found = os.path.realpath(Path(tree.ws, text))
        assert found == tree.ws or found.startswith(tree.ws + "/")


@given(st.text(max_size=40))
def test_any_text_is_answered(text: str) -> None:
    """No text makes a pack fail: it is allowed or blocked, and no reason quotes it."""
    for pack in (PathSandbox(["/srv/ws"], base="/srv/ws"), FileSecurity(base="/srv/ws")):
        outcome = decide(pack.interceptors(), TOOL_CALL, read(text))
        assert "interceptor error" not in outcome.reason
        assert len(text) < 20 or text not in outcome.reason


@given(SPELLED)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_more_folders_allow_more_and_more_blocked_blocks_more(tree: Tree, names: list[str]) -> None:
    """Adding a root never blocks what was allowed; adding to what is blocked never allows what was blocked."""
    call, other = read("/".join(names)), str(tree.top / "outside")
    if tree.sandbox().judge(call) is None:
        assert PathSandbox([other, tree.ws], base=tree.ws).judge(call) is None
    if tree.security().judge(call) is not None:
        assert FileSecurity([*tree.security().blocked, tree.ws + "/src"], base=tree.ws).judge(call) is not None


# The sandbox


@pytest.mark.parametrize(
    "path", ["../outside/key", "{ws}-secrets/key", "link-out/key", "/etc/passwd", "src/../../ws-secrets/key"]
)
def test_outside_is_outside(tree: Tree, path: str) -> None:
    """With `..`, beside a shared prefix, through a linked folder, absolute where a relative one is meant."""
    assert verdict(tree.sandbox(), read(tree.made(path))) == "block"
    assert verdict(tree.sandbox(), read("src/app.py")) == "proceed"


@pytest.mark.parametrize("path", [None, 7, True, {}, [], ["src/app.py", 7], ["src/app.py", "../outside/key"], ""])
def test_a_path_that_is_missing_or_no_text_blocks(tree: Tree, path: object) -> None:
    """So does a list in which one is."""
    for pack in (tree.sandbox(), tree.security()):
        assert verdict(pack, read(path)) == "block"
        assert verdict(pack, ToolCall("1", "read_file", {"file": "src/app.py"})) == "block"


def test_a_list_of_paths_inside_passes(tree: Tree) -> None:
    """Each of them is judged."""
    assert verdict(tree.sandbox(), read(["src/app.py", "README.md"])) == "proceed"


def test_a_path_that_may_be_absent_is_the_base(tree: Tree) -> None:
    """A tool that lists a folder works in its own, which must lie inside."""
    for arguments in ({}, {"path": None}):
        call = ToolCall("1", "list_dir", arguments)
        assert verdict(tree.sandbox(), call) == "proceed"
        assert verdict(PathSandbox([tree.ws], base=str(tree.top)), call) == "block"
        assert verdict(PathSandbox([tree.ws]), call) == "block"


def test_without_a_base_relative_paths_are_refused(tree: Tree) -> None:
    """Nobody can tell from where a tool goes; an absolute path says it."""
    pack = PathSandbox([tree.ws])
    assert pack.judge(read("src/app.py")).reason == "path is relative, and no base is set"  # type: ignore[union-attr]
    assert pack.judge(read(tree.ws + "/src/app.py")) is None


def test_several_globs_of_one_tool_are_judged_together(tree: Tree) -> None:
    """What any of them names is a path."""
    pack = PathSandbox([tree.ws], base=tree.ws, tools={"copy*": ["source"], "*_file": ["target"]})
    assert verdict(pack, ToolCall("1", "copy_file", {"source": "a", "target": "../b"})) == "block"
    assert verdict(pack, ToolCall("1", "copy_file", {"source": "a", "target": "b"})) == "proceed"


def test_a_root_may_be_named_through_a_link(tree: Tree) -> None:
    """Roots are followed as paths are."""
    pack = PathSandbox([str(tree.top / "ws" / "link-in")], base=tree.ws)
    assert [verdict(pack, read(path)) for path in ("src/app.py", "link-in/x", "README.md")] == [
        "proceed",
        "proceed",
        "block",
    ]


def test_a_root_in_another_case_counts_where_the_file_system_says_it_is_the_same(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a folder is decides, not how it is spelled; on a file system that tells cases apart, it is another."""
    spelled = str(tree.top / "WS" / "src" / "app.py")
    assert tree.sandbox().judge(read(spelled)) is not None

    identity = Look.identity

    def in_any_case(look: Look, place: str) -> tuple[int, int] | None:
        return identity(look, place.replace("/WS", "/ws"))

    monkeypatch.setattr(Look, "identity", in_any_case)
    assert tree.sandbox().judge(read(spelled)) is None


def test_what_cannot_be_looked_up_blocks(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be entered can hold a link to anywhere."""

    def refuse(path: str) -> str:
        raise PermissionError(path)

    monkeypatch.setattr(os, "lstat", refuse)
    for pack in (tree.sandbox(), tree.security()):
        assert "cannot be looked up here" in decide(pack.interceptors(), TOOL_CALL, read("src/app.py")).reason


# What is forbidden


def test_a_blocked_name_is_blocked_wherever_it_stands(tree: Tree) -> None:
    """In any letter case, also as a folder, also as a link to something else; and what only begins so is not."""
    pack = FileSecurity([".env", "*.pem", "link-in"], base=tree.ws)
    for path in (".env", "src/.env", ".ENV", ".env/x", "a.PEM", "src/../.env", "link-in/app.py", "%2eenv"):
        assert verdict(pack, read(path)) == "block", path
    for path in (".env.example", "environment", "pem", "src/app.py"):
        assert verdict(pack, read(path)) == "proceed", path


def test_a_blocked_folder_is_blocked_in_every_spelling(tree: Tree) -> None:
    """Through a link to it, in another case, decomposed, and where it is itself a link."""
    pack = FileSecurity([tree.ws + "/caf\u00e9", tree.ws + "/link-out", tree.ws + "/src"], base=tree.ws)
    for path in ("cafe\u0301/x", "CAF\u00c9/x", "link-out/key", "../outside/key", "link-in/app.py", "SRC/app.py"):
        assert verdict(pack, read(path)) == "block", path
    assert verdict(pack, read("README.md")) == "proceed"


def test_a_hard_link_to_a_blocked_file_is_that_file(tmp_path: Path) -> None:
    """What it is decides; of a file inside of a blocked folder that is not known."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "key").touch()
    (tmp_path / "other").hardlink_to(folder / "key")
    call = read(str(tmp_path / "other"))
    assert FileSecurity([str(folder / "key")]).judge(call) is not None
    assert FileSecurity([str(folder)]).judge(call) is None


def test_a_folder_that_holds_something_blocked_is_not_removed(tree: Tree) -> None:
    """Nor moved; reading in it stays allowed."""
    pack = FileSecurity([tree.ws + "/deep/a/keys"], base=tree.ws, tools={"*": ["path"]})
    calls = [ToolCall("1", tool, {"path": "deep"}) for tool in ("delete_folder", "move", "list")]
    assert [verdict(pack, call) for call in calls] == ["block", "block", "proceed"]
    moving = FileSecurity([tree.ws + "/deep/a/keys"], base=tree.ws, tools={"*": ["path"]}, whole=["move"])
    assert [verdict(moving, call) for call in calls] == ["proceed", "block", "proceed"]


def test_what_is_blocked_unless_said_otherwise(tree: Tree) -> None:
    """Keys, credentials and the system; the work of a project is not among them."""
    pack = FileSecurity(base=tree.ws)
    for path in ("~/.ssh/id_rsa", "/etc/passwd", ".env", ".git/config", "x/server.pem", "~/.aws/credentials"):
        assert verdict(pack, read(path)) == "block", path
    harmless = [path for kind, path in corpus("harmless") if kind in ("plain", "hidden", "unicode", "space", "dots")]
    assert [path for path in harmless if pack.judge(read(tree.made(path)))] == []
    assert len(SENSITIVE) == len(set(SENSITIVE))


# Limits


def test_other_tools_and_other_arguments_are_not_judged(tree: Tree) -> None:
    """A shell, a glob, a path inside of an object: other packs, or the lists, must name them."""
    for pack in (tree.sandbox(), tree.security()):
        for call in (
            ToolCall("1", "bash", {"command": "cat /etc/passwd"}),
            ToolCall("1", "Glob", {"pattern": "/etc/*"}),
            ToolCall("1", "mcp__files__read_file", {"path": "/etc/passwd"}),
            ToolCall("1", "READ_FILE", {"path": "/etc/passwd"}),
            ToolCall("1", "read_file", {"path": "src/app.py", "also": "/etc/passwd"}),
            ToolCall("1", "read_file", {"path": "src/app.py", "edits": [{"path": "/etc/passwd"}]}),
        ):
            assert pack.interceptors().tool_call
            assert verdict(pack, call) == "proceed"


def test_a_link_made_after_the_decision_is_not_seen(tmp_path: Path) -> None:
    """Between the look and the use lies time; whoever can write there can lead the tool elsewhere."""
    (tmp_path / "folder").mkdir()
    pack, call = PathSandbox([str(tmp_path)]), read(str(tmp_path / "folder" / "key"))
    assert pack.judge(call) is None
    (tmp_path / "folder").rmdir()
    (tmp_path / "folder").symlink_to("/etc")
    assert pack.judge(call) is not None


def test_a_link_made_between_two_decisions_is_seen(tmp_path: Path) -> None:
    """Nothing is remembered from one to the next: neither of the path, nor of the folders that are named."""
    ws, inner, outside = tmp_path / "ws", tmp_path / "ws" / "inner", tmp_path / "outside"
    for folder in (inner, outside):
        folder.mkdir(parents=True)
    sandbox = PathSandbox([str(ws)])
    security, kept = FileSecurity([str(outside)]), FileSecurity([str(tmp_path / "kept")])
    call = read(str(inner / "key"))
    assert [pack.judge(call) for pack in (sandbox, security, kept)] == [None, None, None]
    inner.rmdir()
    inner.symlink_to(outside)
    assert [pack.judge(call) is None for pack in (sandbox, security, kept)] == [False, False, True]
    (tmp_path / "kept").symlink_to(outside)  # what is blocked has become a link to where the path leads
    assert kept.judge(call) is not None
    assert kept.judge(read(str(outside / "new"))) is not None
    inner.unlink()
    inner.mkdir()
    assert [pack.judge(call) for pack in (sandbox, security, kept)] == [None, None, None]


def test_a_decision_looks_at_each_place_once(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a link that is changed meanwhile cannot be one thing to one question and another to the next."""
    looked, lstat = list[str](), os.lstat

    def look(path: str) -> os.stat_result:
        looked.append(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", look)
    for pack in (tree.sandbox(), FileSecurity(base=tree.ws)):
        looked.clear()
        pack.judge(read("link-in/../src/deep/../app.py"))
        assert len(looked) == len(set(looked)) > 3


def test_a_hard_link_out_of_the_sandbox_is_not_seen(tmp_path: Path) -> None:
    """It is no link that can be followed: the file has two names."""
    (tmp_path / "ws").mkdir()
    (tmp_path / "key").touch()
    (tmp_path / "ws" / "key").hardlink_to(tmp_path / "key")
    assert PathSandbox([str(tmp_path / "ws")]).judge(read(str(tmp_path / "ws" / "key"))) is None


def test_braces_that_a_tool_expands_are_not_seen(tree: Tree) -> None:
    """Which tool expands what nobody knows; only a shell should."""
    assert tree.sandbox().judge(read("src/{x,../../../outside}/../key")) is None


# Configuration


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"roots": []}, "roots"),
        ({"roots": "/srv"}, "roots"),
        ({"roots": ["srv"]}, "roots[0]"),
        ({"roots": ["/srv", ""]}, "roots[1]"),
        ({"roots": ["/srv\0"]}, "roots[0]"),
        ({"roots": ["~nobody-here/x"]}, "roots[0]"),
        ({"roots": ["/srv"], "base": "here"}, "base"),
        ({"roots": ["/srv"], "tools": {}}, "tools"),
        ({"roots": ["/srv"], "tools": ["read_file"]}, "tools"),
        ({"roots": ["/srv"], "tools": {"read_[": ["path"]}}, "tools['read_[']"),
        ({"roots": ["/srv"], "tools": {"read": []}}, "tools['read']"),
        ({"roots": ["/srv"], "tools": {"read": "path"}}, "tools['read']"),
        ({"roots": ["/srv"], "tools": {"read": ["file", "path??"]}}, "tools['read'][1]"),
        ({"roots": ["/srv"], "tools": {"read": ["?"]}}, "tools['read'][0]"),
    ],
)
def test_a_sandbox_that_cannot_be_made_says_where(options: dict[str, object], place: str) -> None:
    """A mistake in the configuration is told when it is made, with its place."""
    with pytest.raises(InvalidPack) as raised:
        PathSandbox(**options)  # type: ignore[arg-type]
    assert raised.value.place == place


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"blocked": []}, "blocked"),
        ({"blocked": ["/etc", "a/b"]}, "blocked[1]"),
        ({"blocked": ["[a"]}, "blocked[0]"),
        ({"blocked": [".env", ".."]}, "blocked[1]"),
        ({"whole": []}, "whole"),
        ({"base": "x"}, "base"),
    ],
)
def test_a_list_of_what_is_forbidden_that_cannot_be_made_says_where(options: dict[str, object], place: str) -> None:
    """So does one of this pack."""
    with pytest.raises(InvalidPack) as raised:
        FileSecurity(**options)  # type: ignore[arg-type]
    assert raised.value.place == place


def test_the_configuration_of_plain_data_is_that_of_python() -> None:
    """What TOML and JSON give makes the same pack."""
    data = {"roots": ["/srv/ws"], "base": "/srv/ws", "tools": {"read": ["path"]}}
    assert PathSandbox(**data) == PathSandbox(("/srv/ws/",), base="/srv/ws", tools={"read": ("path",)})  # type: ignore[arg-type]
    assert hash(PathSandbox(["/srv"])) == hash(PathSandbox(["/srv/"]))


# The laws of the kit


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
@pytest.mark.parametrize("pack", [PathSandbox(["/srv/ws"], base="/srv/ws"), FileSecurity(base="/srv/ws")])
def test_the_kit_finds_nothing(pack: PathSandbox | FileSecurity) -> None:
    """`seamlaw verify` is green."""
    assert broken(pack, examples=15) == []


@pytest.mark.parametrize("module", [path_sandbox, file_security])
def test_a_resolver_that_follows_no_links_is_found(tree: Tree, monkeypatch: pytest.MonkeyPatch, module: object) -> None:
    """Planted: with `normpath` in its place the corpus is no longer blocked."""

    def by_name(text: str, base: str, look: Look) -> list[str]:
        return [os.path.normpath(f"{base}/{text}")]

    def unknown(look: Look, place: str, tops: object) -> bool:
        return False

    monkeypatch.setattr(module, "places", by_name)
    monkeypatch.setattr(Look, "is_within", unknown)
    pack = tree.sandbox() if module is path_sandbox else tree.security()
    hostile = [path for kind, path in corpus("hostile") if kind == "link"]
    assert [path for path in hostile if decide(pack.interceptors(), TOOL_CALL, read(path)).verdict is Verdict.PROCEED]


def test_a_bundle_holds_one_gate() -> None:
    """Nothing that follows in a chain can undo what it says."""
    for pack in (PathSandbox(["/srv"]), FileSecurity()):
        bundle: Interceptors = pack.interceptors()
        assert [(one.name, one.is_gate) for one in bundle.tool_call] == [(pack.name, True)]
        assert (pack.version, bool(pack.description)) == ("1", True)
