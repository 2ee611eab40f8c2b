"""The packs that come along: the table of names, the entry points, the modules and the index say the same."""

import inspect
import re
import tomllib
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

import seamlaw_packs
from seamlaw_host.plugins import GROUP, PluginError, find_pack, pack_names
from seamlaw_host.plugins._bundled import BUNDLED
from seamlaw_host.plugins._pack import manifest_of

ROOT = Path(__file__).resolve().parents[3]


def _packs_in(module: Any) -> list[str]:
    """The classes of a module of packs that are packs."""
    return [
        f"{module.__name__}:{name}"
        for name, found in inspect.getmembers(module, inspect.isclass)
        if hasattr(found, "interceptors")
        and hasattr(found, "description")
        and found.__module__.startswith(module.__name__)
    ]


def test_every_pack_is_bundled() -> None:
    """Each pack of `seamlaw_packs` is in the table, under the name that it has itself."""
    modules = [import_module(f"seamlaw_packs.{found.name}") for found in iter_modules(seamlaw_packs.__path__)]
    there = [target for module in modules for target in _packs_in(module)]
    assert sorted(there) == sorted(target for target in BUNDLED.values() if target.startswith("seamlaw_packs."))


def test_the_entry_points_are_the_table() -> None:
    """What other programs find as entry points is what Seamlaw finds itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["seamlaw.packs"] == dict(BUNDLED)


@pytest.mark.parametrize("name", [name for name in BUNDLED if name != "extension"])  # which says it when it is asked
def test_a_pack_is_found_by_its_name(name: str) -> None:
    """What is found makes packs of that name, with a version, a description, and what it intercepts."""
    found: Any = find_pack(name)
    assert found.name == name
    assert found.version
    assert found.description.endswith(".")
    assert found.intercept


def test_a_typo_is_told() -> None:
    """A name that no pack has is refused, with what was meant, or with all there are."""
    with pytest.raises(PluginError, match=re.escape("no pack is called path_sandbx; did you mean path_sandbox?")):
        find_pack("path_sandbx")
    with pytest.raises(PluginError, match="no pack is called qqqq; there are audit_log, "):
        find_pack("qqqq")


def test_nobody_takes_a_bundled_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution adds packs, and cannot take the name of one that came along."""
    added = [EntryPoint("mine", "seamlaw_packs.roles:Roles", "x"), EntryPoint("shell", "os:getcwd", "x")]

    def installed(group: str) -> list[EntryPoint]:
        return added if group == GROUP else []

    monkeypatch.setattr("importlib.metadata.entry_points", installed)
    assert "mine" in pack_names()
    assert find_pack("mine") is find_pack("roles")
    assert find_pack("shell") is import_module("seamlaw_packs.shell").Shell


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("no_such_module_:Pack", "cannot be imported: ModuleNotFoundError"),
        ("seamlaw_packs.roles:Nobody", "cannot be imported: AttributeError"),
        ("seamlaw_packs.roles:__doc__", "is no class"),
    ],
)
def test_an_entry_point_that_leads_nowhere(monkeypatch: pytest.MonkeyPatch, target: str, told: str) -> None:
    """An entry point that names nothing that makes a pack is refused, saying why."""

    def installed(group: str) -> list[EntryPoint]:
        return [EntryPoint("broken", target, group)]

    monkeypatch.setattr("importlib.metadata.entry_points", installed)
    with pytest.raises(PluginError, match=told):
        find_pack("broken")


def test_a_bundled_pack_is_a_pack() -> None:
    """An instance is what the host calls a pack."""
    made: Any = find_pack("input_limit")
    assert manifest_of(made()).name == "input_limit"
