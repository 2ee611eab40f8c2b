"""Hot swap: an edited source replaces a pack at once, verified first, or changes nothing and says why."""

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from tests.host.plugins.made import Written

from seamlaw import TOOL_CALL, TOOL_RESULT, ToolCall, ToolResult, decide
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.plugins import PluginManager, ReloadReport
from seamlaw_host.state import RateLimit
from seamlaw_packs.confirm import Confirm
from seamlaw_packs.shell import READING, Shell

SOURCE = """\
from attrs import frozen
from seamlaw import Interceptors, block, gate, interceptor, note

@frozen
class Pack:
    name = "sample"
    version = "1"
    description = "A sample."
    intercept = ("tool_call", "tool_result")
    tool: str = "rm"

    def interceptors(self):
        return Interceptors(tool_call=[gate(self.judge, name="judge"), interceptor(self.sees, name="sees")])

    def sees(self, call):
        return note("sees")

    def judge(self, call):
        return block("one") if call.name == self.tool else None
"""
TWO = SOURCE.replace('"one"', '"two"')
Write = Callable[[str], Written]


@pytest.fixture(name="write")
def _write(tmp_path: Path) -> Write:
    return lambda text: Written(tmp_path, text)


def _reason(manager: PluginManager, tool: str = "rm") -> str:
    return decide(manager.bundle, TOOL_CALL, ToolCall("1", tool, {})).reason


def _quick(manager: PluginManager, label: str = "sample") -> ReloadReport:
    return manager.reload(label, verify=False)


def test_the_edited_source_decides(write: Write) -> None:
    """After a reload the new source decides, in the same place, with the same configuration."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack(tool="del"))
    manager.load(Confirm(["x"]))
    written.write(TWO)
    assert _reason(manager, "del") == "one"
    report = _quick(manager)
    assert report == ReloadReport("sample", refreshed=("tool_call: judge", "tool_call: sees"))
    assert report.swapped
    assert _reason(manager, "del") == "two"
    assert [one.name for one in manager.registry.get("tool_call")] == ["judge", "sees", "confirm"]


def test_the_report_lists_what_changed(write: Write) -> None:
    """What was added, removed and refreshed, each by its seam and name."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    written.write(SOURCE.replace('interceptor(self.sees, name="sees")', 'gate(self.judge, name="other")'))
    report = _quick(manager)
    assert (report.added, report.removed, report.refreshed) == (
        ("tool_call: other",),
        ("tool_call: sees",),
        ("tool_call: judge",),
    )


def test_nothing_is_ever_bound_twice(write: Write) -> None:
    """However often it is reloaded, each interceptor is there once; also after a version that had none."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    manager.load(Confirm(["x"]))
    for text in (
        TWO,
        SOURCE,
        SOURCE,
        SOURCE.split("    def interceptors")[0] + "    def interceptors(self): pass\n",
        TWO,
    ):
        written.write(text)
        assert _quick(manager).failure is None
    assert [one.name for one in manager.registry.get("tool_call")] == ["judge", "sees", "confirm"]


def test_an_edit_within_the_same_second_is_seen(write: Write) -> None:
    """No compiled file, which is told apart by time and size, is ever taken for the source."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    for text, reason in ((TWO, "two"), (SOURCE, "one"), (TWO, "two")):
        written.write(text)
        _quick(manager)
        assert _reason(manager) == reason


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def (", "SyntaxError: invalid syntax (written_pack_"),
        ("raise RuntimeError('hunter2')", "RuntimeError at written_pack_"),
        ("raise SystemExit(0)", "SystemExit at written_pack_"),
        ("import no_such_module_", "ModuleNotFoundError (No module named 'no_such_module_') at "),
        ("Other = 1", " has no Pack"),
        (SOURCE.replace("tool: str", "place: str"), "TypeError at "),
        (
            SOURCE.replace("return Interceptors(", "raise ValueError() or Interceptors("),
            "has no interceptors: ValueError at ",
        ),
        (
            SOURCE + "\n    def activate(self, registry): registry.register('tool_cal', self.judge)\n",
            "did you mean tool_call",
        ),
        (SOURCE.replace('("tool_call", "tool_result")', "7"), "sample.intercept: must be a list"),
    ],
)
def test_what_fails_leaves_the_old_one(write: Write, text: str, why: str) -> None:
    """Where import or activation fails the old version stays, bound as it was, and the report says why, no more."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    before, modules = manager.bundle, set(sys.modules)
    written.write(text)
    report = _quick(manager)
    assert report.failure is not None
    assert why in report.failure
    assert "hunter2" not in report.failure
    assert manager.bundle is before
    assert not [name for name in set(sys.modules) - modules if "written_pack" in name]
    written.write(TWO)
    assert _quick(manager).swapped
    assert _reason(manager) == "two"


def test_a_file_that_is_gone(write: Write) -> None:
    """The old version stays."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    written.path.unlink()
    failure = _quick(manager).failure
    assert failure is not None
    assert failure.endswith("No such file or directory")
    assert _reason(manager) == "one"


def test_the_kit_verifies_it_first(write: Write) -> None:
    """A new version that breaks a law stays out, and the report names the law and the interceptor."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    written.write(SOURCE.replace("if call.name == self.tool else None", "if call.arguments['path'] else None"))
    report = manager.reload("sample", examples=5, budget_s=30)
    assert report.failure is not None
    assert "tool_call: judge breaks never_raises" in report.failure
    assert _reason(manager) == "one"
    written.write(TWO)
    assert manager.reload("sample", examples=5, budget_s=30).failure is None
    assert _reason(manager) == "two"


def test_what_registers_itself_is_verified_and_swapped(write: Write) -> None:
    """Also what a pack registers when it is activated; the old one's is gone, and it is told that it is."""
    own = SOURCE.replace(
        "def interceptors(self):\n        return", "def interceptors(self): pass\n    def unused(self):\n        return"
    )
    own += "\n    def activate(self, registry): registry.register('tool_call', gate(self.judge, name='own'))\n"
    written, manager = write(own), PluginManager()
    manager.load(written.module.Pack())
    written.write(own.replace('"one"', '"two"'))
    assert manager.reload("sample", examples=5, budget_s=30).refreshed == ("tool_call: own",)
    assert (_reason(manager), len(manager.registry.get("tool_call"))) == ("two", 1)
    written.write(own.replace("if call.name == self.tool", "if call.arguments['path']"))
    assert manager.reload("sample", examples=5, budget_s=30).failure is not None
    assert (_reason(manager), len(manager.registry.get("tool_call"))) == ("two", 1)


def test_by_name_with_its_configuration(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack that was loaded by name is configured anew, by the schema of the new version."""
    written, manager = write(SOURCE), PluginManager()

    def installed(group: str) -> list[EntryPoint]:
        return [EntryPoint("mine", f"{written.name}:Pack", group)]

    monkeypatch.setattr("importlib.metadata.entry_points", installed)
    manager.load("mine", {"tool": "del"})
    written.write(TWO)
    assert _quick(manager).swapped
    assert _reason(manager, "del") == "two"
    written.write(TWO.replace("tool: str", "tool: int"))
    assert _quick(manager).failure == "tool: must be a whole number"
    assert _reason(manager, "del") == "two"


def test_what_is_not_declared_any_more_is_told(write: Write) -> None:
    """Grants hold for a new version as for the first."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    written.write(SOURCE.replace('("tool_call", "tool_result")', '("tool_result",)'))
    report = _quick(manager)
    assert report.removed == ("tool_call: judge", "tool_call: sees")
    assert len(report.problems) == 2


def test_a_package_is_read_as_a_whole() -> None:
    """A bundled pack of several modules is reloaded with all of them, and shares none with the old version."""
    manager = PluginManager()
    manager.load(Shell(allow=READING))
    old = manager.get("shell")
    assert _quick(manager, "shell").failure is None
    new = manager.get("shell")
    assert type(new) is not type(old)
    assert type(new).__module__.endswith("._shell")
    assert type(new).__module__.startswith("seamlaw_packs.shell@")
    call = ToolCall("1", "bash", {"command": "rm -rf /"})
    assert decide(manager.bundle, TOOL_CALL, call).denial is not None


def test_a_source_that_imports_itself_by_name(write: Write) -> None:
    """It would get the version that is there already; it is refused, with the line."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    written.write(f"{SOURCE}\nfrom {written.name} import Pack as Other\n")
    failure = _quick(manager).failure
    assert failure is not None
    assert f"imports {written.name} by its name" in failure


def test_what_has_no_source_of_its_own() -> None:
    """A class of a function, or without a known configuration, cannot be made anew; it stays."""

    class Local(Confirm):
        name = "local"

    manager = PluginManager()
    manager.load(Local(["x"]))
    failure = _quick(manager, "local").failure
    assert failure is not None
    assert "is not at the top of a module" in failure


def test_a_configuration_that_is_not_known(write: Write) -> None:
    """A class that is not of attrs cannot be made anew as it was; the report says what would help."""
    manager = PluginManager()
    manager.load(write(SOURCE.replace("@frozen\n", "")).module.Pack())
    assert "not known: make it an attrs class" in str(_quick(manager).failure)


@pytest.mark.parametrize("by_name", [True, False])
def test_what_counts_with_the_engine_is_not_reloaded(by_name: bool) -> None:
    """A limit is a part of the host: a second copy of that would count by itself; the first stays, and goes on."""
    manager = PluginManager()
    if by_name:
        manager.load("rate_limit", {"limit": 2, "per_s": 60})
    else:
        manager.load(RateLimit(2, 60))
    engine = Engine(plugins=manager)
    engine.call("ls", bool)
    failure = _quick(manager, "rate_limit").failure
    assert failure is not None
    assert "RateLimit is a part of the host itself" in failure
    engine.call("ls", bool)
    with pytest.raises(Blocked):
        engine.call("ls", bool)


def test_versions_that_nobody_uses_are_forgotten(write: Write) -> None:
    """Two are kept: the one that decides, and the one that may be deciding a call on its way."""
    written, manager = write(SOURCE), PluginManager()
    manager.load(written.module.Pack())
    for _ in range(10):
        _quick(manager)
    assert len([name for name in sys.modules if name.startswith(f"{written.name}@")]) == 2


MIXED = """\
from attrs import frozen
from seamlaw import Interceptors, ToolCall, ToolResult, block, gate, replace

VERSION = {version}

@frozen
class Pack:
    name = "mixed"
    version = "1"
    description = "Stamps a call at three places; a stamp that is another version's blocks."

    def interceptors(self):
        return Interceptors(
            tool_call=[self.stamps, gate(self.checks, name="checks")], tool_result=[self.stamps_result]
        )

    def stamps(self, call):
        return replace(ToolCall(call.id, call.name, {{**call.arguments, "version": VERSION}}))

    def checks(self, call):
        return block("a mixture") if call.arguments["version"] != VERSION else None

    def stamps_result(self, result, call):
        same = call.arguments["version"] == VERSION == result.output
        return replace(ToolResult(["same" if same else "a mixture", VERSION]))
"""


def _work(version: Any) -> Any:
    return version


def test_under_load_no_call_is_decided_by_a_mixture(write: Write) -> None:
    """Eight threads call while versions are swapped: chain, gates and result of each call are one version's."""
    written, manager = write(MIXED.format(version=0)), PluginManager()
    manager.load(written.module.Pack())
    engine, done, together = Engine(plugins=manager), Event(), Barrier(9)
    found: list[list[Any]] = [[] for _ in range(8)]

    def calls(mine: list[Any]) -> None:
        together.wait()
        while not done.is_set():
            try:
                mine.append(tuple(engine.call("work", _work)))
            except Blocked as denied:
                mine.append(denied.reason)

    threads = [Thread(target=calls, args=(mine,)) for mine in found]
    for thread in threads:
        thread.start()
    together.wait()
    swaps = 40
    try:
        for version in range(1, swaps + 1):
            written.write(MIXED.format(version=version))
            assert manager.reload("mixed", verify=False).failure is None
    finally:
        done.set()
        for thread in threads:
            thread.join()
    everything = [one for mine in found for one in mine]
    assert {told for told, _ in everything} == {"same"}
    for mine in found:  # a thread never goes back to a version that was replaced
        versions = [version for _, version in mine]
        assert versions == sorted(versions)
    assert len({version for _, version in everything}) > 1


def test_the_check_for_mixtures_finds_one(write: Write) -> None:
    """With an engine that read its plugins anew at each seam, the pack above would tell."""
    written, manager = write(MIXED.format(version=0)), PluginManager()
    manager.load(written.module.Pack())
    engine = Engine(plugins=manager)
    old = engine.effective

    def swaps(version: int) -> int:
        written.write(MIXED.format(version=1))
        assert manager.reload("mixed", verify=False).swapped
        return version

    output: object = engine.call("work", swaps)
    assert output == ["same", 0]
    call = decide(old, TOOL_CALL, ToolCall("1", "work", {})).value
    mixed = decide(engine.effective, TOOL_RESULT, ToolResult(call.arguments["version"]), call).value
    assert mixed.output == ["a mixture", 1]
