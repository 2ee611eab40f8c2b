"""Packs of project folders: nothing of one is executed unless exactly its content is trusted."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import pytest

from seamlaw import TOOL_CALL, ToolCall, decide
from seamlaw_host.plugins import PluginError, PluginManager, TrustStore, read_project
from seamlaw_host.policies import PolicyError, load_policy

MANIFEST = """\
name = "hours"
version = "1"
description = "Blocks a tool."
entry = "inside.hours:Hours"
intercept = ["tool_call:bash"]
"""
SOURCE = """\
from attrs import frozen
from seamlaw import Interceptors, block, gate
from .words import SAID

@frozen
class Hours:
    name = "hours"
    version = "1"
    description = "Blocks a tool."
    extra: str = ""

    def interceptors(self):
        judge = lambda call: block(SAID + self.extra)
        return Interceptors(tool_call=[gate(judge, name="hours", tools="bash"), gate(judge, name="all")])
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A pack in a folder."""
    folder = tmp_path / "packs" / "hours"
    (folder / "inside").mkdir(parents=True)
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "inside" / "hours.py").write_text(SOURCE)
    (folder / "inside" / "words.py").write_text('SAID = "closed"\n')
    return folder


@pytest.fixture(name="store")
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrustStore:
    """The user's own file, for this test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return TrustStore()


def _trust(store: TrustStore, folder: Path) -> None:
    store.add(read_project(folder).digest, {"name": "hours"})


def _reason(manager: PluginManager, tool: str = "bash") -> str:
    return decide(manager.bundle, TOOL_CALL, ToolCall("1", tool, {})).reason


def test_what_is_trusted_is_loaded_as_far_as_it_declares(folder: Path, store: TrustStore) -> None:
    """It decides; what its manifest does not declare is a problem that is told."""
    _trust(store, folder)
    manager = PluginManager()
    report = manager.load(folder, {"extra": "!"})
    assert (report.label, report.registered) == ("hours", ("tool_call: hours",))
    (problem,) = report.problems
    assert 'all is not registered, for the manifest does not declare it: add "tool_call" to intercept' in problem
    assert (_reason(manager), _reason(manager, "rm")) == ("closed!", "")


def test_nothing_is_executed_that_is_not_trusted(folder: Path, store: TrustStore) -> None:
    """A pack that nobody has trusted is refused before any of it runs, with what to say."""
    (folder / "inside" / "__init__.py").write_text("raise SystemExit('executed')\n")
    with pytest.raises(PluginError, match="is not trusted as it is now; look at it, and say: seamlaw packs trust /"):
        PluginManager().load(folder)
    assert not store.path.exists()


@pytest.mark.parametrize("change", ["edit", "add", "remove", "rename", "manifest", "data"])
def test_trust_is_bound_to_all_content(folder: Path, store: TrustStore, change: str) -> None:
    """Any file that is changed, added, taken away or renamed makes it another pack; a compiled one does not count."""
    (folder / "list.txt").write_text("a")
    _trust(store, folder)
    (folder / "inside" / "__pycache__").mkdir()
    (folder / "inside" / "__pycache__" / "hours.pyc").write_bytes(b"nothing that is read")
    PluginManager().load(folder)
    match change:
        case "edit":
            (folder / "inside" / "words.py").write_text('SAID = "open!!"\n')
        case "add":
            (folder / "inside" / "more.py").write_text("")
        case "remove":
            (folder / "list.txt").unlink()
        case "rename":
            (folder / "list.txt").rename(folder / "list2.txt")
        case "manifest":
            (folder / "pack.toml").write_text(MANIFEST.replace('["tool_call:bash"]', '["tool_call"]'))
        case _:
            (folder / "list.txt").write_text("b")
    with pytest.raises(PluginError, match="is not trusted as it is now"):
        PluginManager().load(folder)


def test_names_and_contents_are_not_confused(tmp_path: Path) -> None:
    """Where one file ends and the next begins is in the hash."""
    digests = set[str]()
    for number, files in enumerate(
        ({"a": "bc"}, {"ab": "c"}, {"a": "b", "c": ""}, {"a": "", "b": "c"}, {"b": "c", "a": " "})
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "pack.toml").write_text(MANIFEST)
        for name, text in files.items():
            (folder / name).write_text(text)
        digests.add(read_project(folder).digest)
    assert len(digests) == 5


def test_the_same_content_elsewhere_is_trusted(folder: Path, store: TrustStore, tmp_path: Path) -> None:
    """It is the content that is trusted, wherever it stands."""
    _trust(store, folder)
    moved = tmp_path / "moved"
    folder.rename(moved)
    assert PluginManager().load(moved).label == "hours"


@pytest.mark.parametrize("kind", ["file", "folder", "outside", "dangling", "pipe"])
def test_links_and_pipes_are_refused(folder: Path, store: TrustStore, tmp_path: Path, kind: str) -> None:
    """What a link leads to can change without the pack; a pipe would be waited for."""
    place = folder / "inside" / "odd.py"
    match kind:
        case "file":
            place.symlink_to(folder / "inside" / "words.py")
        case "folder":
            place.symlink_to(folder / "inside")
        case "outside":
            (tmp_path / "elsewhere.py").write_text("")
            place.symlink_to(tmp_path / "elsewhere.py")
        case "dangling":
            place.symlink_to(tmp_path / "nothing")
        case _:
            os.mkfifo(place)
    with pytest.raises(PluginError, match=r"is a link|is no file"):
        read_project(folder)


def test_what_was_hashed_is_what_is_executed(folder: Path, store: TrustStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are exchanged between the look and the import are not executed, nor is a compiled one beside them."""
    _trust(store, folder)
    trusts = TrustStore.trusts

    def exchanges(self: TrustStore, digest: str) -> bool:
        answer = trusts(self, digest)
        (folder / "inside" / "words.py").write_text('SAID = "exchanged"\n')
        (folder / "inside" / "late.py").write_text('SAID = "late"\n')
        return answer

    monkeypatch.setattr(TrustStore, "trusts", exchanges)
    manager = PluginManager()
    manager.load(folder)
    assert _reason(manager) == "closed"


def test_data_is_given_as_it_was_hashed(folder: Path, store: TrustStore) -> None:
    """A file of the pack that is asked for by `pkgutil` is the one that was trusted, whatever stands there now."""
    (folder / "inside" / "said.txt").write_text("closed")
    (folder / "inside" / "words.py").write_text(
        "from pkgutil import get_data\n\nclass Text(str):\n    def __add__(self, other):\n"
        "        return get_data(__package__, 'said.txt').decode()\n\nSAID = Text()\n"
    )
    _trust(store, folder)
    manager = PluginManager()
    manager.load(folder)
    (folder / "inside" / "said.txt").write_text("exchanged")
    assert _reason(manager) == "closed"


def test_a_file_that_came_later_is_not_found(folder: Path, store: TrustStore) -> None:
    """An import of what was not there when the folder was read finds nothing, however late it is."""
    (folder / "inside" / "words.py").write_text(
        "def late():\n    from .later import SAID\n    return SAID\n\nclass Text(str):\n"
        "    def __add__(self, other):\n        return late()\n\nSAID = Text('closed')\n"
    )
    _trust(store, folder)
    manager = PluginManager()
    manager.load(folder)
    (folder / "inside" / "later.py").write_text('SAID = "exchanged"\n')
    assert _reason(manager).startswith("interceptor error: hours raised ModuleNotFoundError")


def test_a_module_of_the_same_name_elsewhere_is_not_taken(
    folder: Path, store: TrustStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pack that imports its own module by an absolute name would get anybody's; it is refused, with the line."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "inside.py").write_text("raise SystemExit\n")
    (folder / "inside" / "words.py").write_text("import inside\n")
    _trust(store, folder)
    with pytest.raises(PluginError, match=r"words\.py:1: imports inside by its name"):
        PluginManager().load(folder)


def test_a_reload_asks_for_trust_again(folder: Path, store: TrustStore) -> None:
    """An edit is not loaded before it is trusted, and the report says so; then it is."""
    _trust(store, folder)
    manager = PluginManager()
    manager.load(folder)
    (folder / "inside" / "words.py").write_text('SAID = "closed again"\n')
    failure = manager.reload("hours", verify=False).failure
    assert failure is not None
    assert "is not trusted as it is now" in failure
    assert _reason(manager) == "closed"
    _trust(store, folder)
    assert manager.reload("hours", verify=False).refreshed == ("tool_call: hours",)
    assert _reason(manager) == "closed again"


def test_what_cannot_be_imported_leaves_nothing(folder: Path, store: TrustStore) -> None:
    """Nothing is registered, and no module of it stays."""
    (folder / "inside" / "words.py").write_text("SAID = hunter2\n")
    _trust(store, folder)
    manager, before = PluginManager(), set(sys.modules)
    with pytest.raises(PluginError, match=r"hours: cannot be imported: NameError at words\.py:1$"):
        manager.load(folder)
    assert (manager.bundle, {name for name in set(sys.modules) - before if "hours" in name}) == (None, set())


def test_an_entry_that_is_not_in_its_module_is_told(folder: Path, store: TrustStore) -> None:
    """By both names; and nothing stays."""
    (folder / "pack.toml").write_text(MANIFEST.replace(":Hours", ":Horus"))
    _trust(store, folder)
    manager, before = PluginManager(), set(sys.modules)
    with pytest.raises(PluginError, match=r"hours/pack\.toml: entry: inside\.hours has no Horus$"):
        manager.load(folder)
    assert not {name for name in set(sys.modules) - before if "hours" in name}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "lacks name"),
        ("name = ", "no TOML"),
        (f"name = {'[' * 5000}{']' * 5000}", "no TOML: nested too deep"),
        (MANIFEST + "intercepts = []", "intercepts: unknown key; did you mean intercept?"),
        (MANIFEST.replace('"hours"', '"../hours"'), "name: must be letters"),
        (MANIFEST.replace('"1"', "1"), "version: must be text"),
        (MANIFEST.replace("inside.hours:Hours", "inside.hours"), "entry: must be module:name"),
        (MANIFEST.replace("inside.hours:Hours", "../x:Hours"), "entry: must be module:name"),
        (MANIFEST.replace('["tool_call:bash"]', '"tool_call"'), "intercept: must be a list"),
        (MANIFEST.replace('["tool_call:bash"]', "{tool_call = 1}"), "intercept: must be a list"),
        (MANIFEST.replace('"tool_call:bash"', "7"), r"intercept\[0\]: must be a seam"),
    ],
)
def test_a_manifest_that_is_none(folder: Path, text: str, told: str) -> None:
    """It is refused, with its file and key."""
    (folder / "pack.toml").write_text(text)
    with pytest.raises(PluginError, match=f"pack.toml: .*{told}|pack.toml: {told}"):
        read_project(folder)


def test_a_folder_that_is_no_pack(tmp_path: Path) -> None:
    """No folder, or one without a manifest."""
    with pytest.raises(PluginError, match="is no folder"):
        read_project(tmp_path / "nothing")
    with pytest.raises(PluginError, match=r"has no pack\.toml"):
        read_project(tmp_path)


def test_a_pack_that_is_another_than_its_manifest(folder: Path, store: TrustStore) -> None:
    """What the user was shown is what is loaded."""
    (folder / "pack.toml").write_text(MANIFEST.replace('"hours"', '"minutes"'))
    _trust(store, folder)
    with pytest.raises(PluginError, match="is called hours, and in its manifest minutes"):
        PluginManager().load(folder)


def test_in_a_policy_file(folder: Path, store: TrustStore, tmp_path: Path) -> None:
    """A folder is named from that of the file; not trusted, or with a problem, the file is refused with the line."""
    policy = tmp_path / "policy.toml"
    policy.write_text('[packs.hours]\nuse = "./packs/hours"\nextra = "?"\n')
    with pytest.raises(PolicyError, match=r"policy\.toml:1: packs\.hours: .* is not trusted as it is now"):
        load_policy(policy)
    _trust(store, folder)
    with pytest.raises(PolicyError, match="all is not registered"):
        load_policy(policy)
    (folder / "inside" / "hours.py").write_text(SOURCE.replace(', gate(judge, name="all")', ""))
    _trust(store, folder)
    call = ToolCall("1", "bash", {})
    assert decide(load_policy(policy), TOOL_CALL, call).reason == "closed?"
    policy.write_text('[packs.hours]\nuse = "./packs/hours"\nextr = "?"\n')
    with pytest.raises(PolicyError, match=r"policy\.toml:3: packs\.hours\.extr: unknown key; did you mean extra"):
        load_policy(policy)


# -- the file


def test_the_file_is_the_users_own(store: TrustStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It stands in the configuration folder of the user, and nobody else can read or write it."""
    store.add("a" * 64, {"name": "x"})
    assert store.path == tmp_path / "config" / "seamlaw" / "trusted-packs.json"
    assert (store.path.stat().st_mode & 0o777, store.path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert TrustStore().path == tmp_path / ".config" / "seamlaw" / "trusted-packs.json"


def test_what_was_trusted_can_be_revoked(store: TrustStore) -> None:
    """And what was not was not."""
    store.add("a", {})
    store.add("b", {})
    assert (store.remove("a"), store.remove("a"), sorted(store.read())) == (True, False, ["b"])


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_file_that_others_may_write_is_not_believed(store: TrustStore, what: str) -> None:
    """Nothing is loaded by it, and nothing is written into it."""
    store.add("a", {})
    place = store.path if what == "file" else store.path.parent
    place.chmod(place.stat().st_mode | 0o020)
    with pytest.raises(PluginError, match="somebody else may write it"):
        store.trusts("a")
    with pytest.raises(PluginError, match="somebody else may write it"):
        store.add("b", {})


DEEP = f'{{"schema": "seamlaw/trusted-packs/1", "packs": {{"a": {{"b": {"[" * 100_000}{"]" * 100_000}}}}}}}'


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": "other", "packs": {}}', "{", "\x00", DEEP])
def test_a_file_that_is_no_list_is_an_error(store: TrustStore, content: str) -> None:
    """It is not taken for an empty one, and not overwritten."""
    store.add("a", {})
    store.path.write_text(content)
    with pytest.raises(PluginError, match="is no list of trusted packs"):
        store.trusts("a")
    with pytest.raises(PluginError, match="is no list of trusted packs"):
        store.add("b", {})
    assert store.path.read_text() == content


def test_a_write_that_fails_leaves_the_old_file(store: TrustStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no other file beside it."""
    store.add("a", {})
    with pytest.raises(TypeError):
        store.add("b", {"name": object()})
    assert list(store.read()) == ["a"]
    assert sorted(path.name for path in store.path.parent.iterdir()) == ["trusted-packs.json", "trusted-packs.lock"]


def _add(store: TrustStore, number: int) -> None:
    store.add(str(number), {})


def test_nothing_is_lost_between_writers(store: TrustStore) -> None:
    """Many at once: each finds what the others have written, and the file is whole at any time."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(_add, repeat(store), range(40)))
    assert len(json.loads(store.path.read_text())["packs"]) == 40
