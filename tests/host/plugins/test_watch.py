"""Watching files: an edit that stays is reloaded once, and a failed reload is told and tried at the next edit."""

from pathlib import Path
from threading import Event

import pytest
from tests.host.plugins.made import Written
from tests.host.plugins.test_reload import SOURCE, TWO

from seamlaw import TOOL_CALL, ToolCall, decide
from seamlaw_host.plugins import PluginManager, ReloadReport, Watcher
from seamlaw_packs.confirm import Confirm


@pytest.fixture(name="written")
def _written(tmp_path: Path) -> Written:
    return Written(tmp_path, SOURCE)


@pytest.fixture(name="manager")
def _manager(written: Written) -> PluginManager:
    manager = PluginManager()
    manager.load(written.module.Pack())
    return manager


def _reason(manager: PluginManager) -> str:
    return decide(manager.bundle, TOOL_CALL, ToolCall("1", "rm", {})).reason


def test_an_edit_is_reloaded_once_it_stays(manager: PluginManager, written: Written) -> None:
    """At the second look that finds it, and not again."""
    reports = list[ReloadReport]()
    watcher = Watcher(manager, reports.append, verify=False)
    watcher.look()
    written.write(SOURCE + "\n# half")
    watcher.look()
    written.write(TWO)
    watcher.look()
    assert (reports, _reason(manager)) == ([], "one")
    for _ in range(3):
        watcher.look()
    assert ([report.swapped for report in reports], _reason(manager)) == ([True], "two")


def test_what_is_taken_back_is_not_reloaded(manager: PluginManager, written: Written) -> None:
    """An edit that was undone before the second look is none."""
    reports = list[ReloadReport]()
    watcher = Watcher(manager, reports.append, verify=False)
    written.write(TWO)
    watcher.look()
    written.write(SOURCE)
    for _ in range(3):
        watcher.look()
    assert reports == []


def test_a_failure_is_told_once(manager: PluginManager, written: Written) -> None:
    """It is tried again when the source changes again; a file that is gone for a moment is waited for."""
    reports = list[ReloadReport]()
    watcher = Watcher(manager, reports.append, verify=False)
    written.write("def (")
    for _ in range(4):
        watcher.look()
    assert [report.swapped for report in reports] == [False]
    written.path.unlink()
    watcher.look()
    written.write(TWO)
    for _ in range(4):
        watcher.look()
    assert ([report.swapped for report in reports], _reason(manager)) == ([False, True], "two")


def test_what_is_loaded_and_unloaded_meanwhile(manager: PluginManager, written: Written) -> None:
    """What comes later is watched from then on; what is gone, or has no source, is no matter."""

    class Local(Confirm):
        name = "local"

    reports = list[ReloadReport]()
    watcher = Watcher(manager, reports.append, verify=False)
    manager.load(Local(["x"]))
    manager.load(written.module.Pack(), label="later")
    watcher.look()
    manager.unload("sample")
    written.write(TWO)
    for _ in range(3):
        watcher.look()
    assert [report.label for report in reports] == ["later"]


def test_a_thread_looks_until_it_is_stopped(manager: PluginManager, written: Written) -> None:
    """It reloads by itself; stopped, it looks no more, and to stop one that never began does nothing."""
    swapped = Event()
    watcher = Watcher(manager, lambda _: swapped.set(), verify=False, interval_s=0.01).start()
    written.write(TWO)
    assert swapped.wait(60)
    watcher.stop()
    assert _reason(manager) == "two"
    written.write(SOURCE)
    Watcher(manager, lambda _: swapped.set(), verify=False).stop()
    assert _reason(manager) == "two"
