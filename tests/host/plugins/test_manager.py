"""Loading and unloading: in order, at the next call, wholly or not at all, and held to what is declared."""

from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any, ClassVar, cast

import pytest

from seamlaw import TOOL_CALL, Interceptors, ToolCall, block, decide, gate, interceptor, note, parse_rules
from seamlaw_host.plugins import Activation, LoadReport, Misconfigured, PluginError, PluginManager, SeamRegistry
from seamlaw_packs.input_limit import InputLimit

CALL = ToolCall("1", "bash", {})
Does = Callable[[Any], object]


class Noting:
    """A pack that notes its name, and does what it is told when it is activated and deactivated."""

    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Notes its name."

    def __init__(self, name: str, activate: Does | None = None, deactivate: Does | None = None) -> None:
        self.name = name
        if activate is not None:
            self.activate = activate
        if deactivate is not None:
            self.deactivate = deactivate

    def interceptors(self) -> Interceptors:
        """Note the name."""
        return Interceptors(tool_call=[_noting(self.name)])


def _noting(name: str) -> Any:
    return interceptor(lambda call: note(name), name=name)


def _said(manager: PluginManager) -> list[str]:
    return [entry.interceptor for entry in decide(manager.bundle, TOOL_CALL, CALL).log]


def test_the_order_of_loading_is_the_order_of_the_chain() -> None:
    """What is unloaded and loaded again stands at the end."""
    manager = PluginManager()
    for name in "abc":
        manager.load(Noting(name))
    assert (_said(manager), manager.loaded) == (["a", "b", "c"], ["a", "b", "c"])
    manager.unload("a")
    assert _said(manager) == ["b", "c"]
    manager.load(Noting("a"))
    assert _said(manager) == ["b", "c", "a"]


def test_by_instance_and_by_name() -> None:
    """A pack that was made, or its name with a configuration; under its own name, or under a label."""
    manager = PluginManager()
    report = manager.load("input_limit", {"limit": 10})
    assert report == LoadReport("input_limit", "input_limit", "1", ("tool_call: input_limit",))
    manager.load(InputLimit(5), label="small")
    assert manager.loaded == ["input_limit", "small"]
    assert [one.name for one in manager.registry.get("tool_call")] == ["input_limit", "small"]
    assert manager.get("small") == InputLimit(5)


def test_what_cannot_be_loaded() -> None:
    """A label that is taken, a name or a configuration that cannot be: nothing changes."""
    manager = PluginManager()
    manager.load(Noting("a"))
    before = manager.bundle
    with pytest.raises(PluginError, match="a is loaded already"):
        manager.load(Noting("a"))
    with pytest.raises(PluginError, match="did you mean confirm"):
        manager.load("confrm")
    with pytest.raises(Misconfigured, match="limits: unknown key; did you mean limit"):
        manager.load("input_limit", {"limits": 1})
    with pytest.raises(PluginError, match="has its configuration already"):
        manager.load(Noting("b"), {"x": 1})
    with pytest.raises(PluginError, match=r"Noting is a class: make a pack of it, Noting\(\.\.\.\)"):
        manager.load(cast("Any", Noting))
    with pytest.raises(PluginError, match="nothing is loaded as b; there are a"):
        manager.unload("b")
    assert manager.bundle is before


def test_a_failed_activation_rolls_back() -> None:
    """Whatever a pack has registered before it failed is not there, and later it can register nothing either."""
    registry, kept = SeamRegistry(), list[Activation]()

    def fails(activation: Activation) -> None:
        kept.append(activation)
        activation.register("tool_call", _noting("own"))
        registry.register("context", lambda messages: None)
        raise RuntimeError("hunter2")

    manager = PluginManager(registry)
    manager.load(Noting("a"))
    before = manager.bundle
    with pytest.raises(PluginError, match=r"b cannot be activated: RuntimeError at test_manager.py:\d+$"):
        manager.load(Noting("b", fails))
    assert (manager.bundle, manager.loaded) == (before, ["a"])
    with pytest.raises(PluginError, match="b is unloaded"):
        kept[0].register("tool_call", _noting("late"))


@pytest.mark.parametrize("leaves", [KeyboardInterrupt, SystemExit])
def test_an_exit_rolls_back_too(leaves: type[BaseException]) -> None:
    """What is no `Exception` leaves at once, and nothing stays."""

    def fails(activation: Activation) -> None:
        activation.register("tool_call", _noting("own"))
        raise leaves

    manager = PluginManager()
    with pytest.raises(leaves):
        manager.load(Noting("b", fails))
    assert (manager.bundle, manager.loaded) == (None, [])


def test_unloading_withdraws_what_a_pack_forgot() -> None:
    """What a pack registered itself, with what it was given or with the registry, while it was loaded or later."""
    registry, kept = SeamRegistry(), list[Activation]()

    def careless(activation: Activation) -> None:
        kept.append(activation)
        activation.register("tool_call", _noting("given"))
        registry.register("tool_call", _noting("registry"))

    manager = PluginManager(registry)
    manager.load(Noting("a", careless))
    registry.register("tool_call", _noting("somebody else"))
    kept[0].register("tool_call", _noting("later"))
    assert _said(manager) == ["a", "given", "registry", "somebody else", "later"]
    assert manager.unload("a") is None
    assert _said(manager) == ["somebody else"]


def test_a_pack_that_registers_itself_when_it_is_made() -> None:
    """It belongs to the pack all the same, as long as the manager makes it."""
    registry = SeamRegistry()
    manager = PluginManager(registry)

    class Early(Noting):
        def __init__(self) -> None:
            super().__init__("early")
            registry.register("context", lambda messages: None)

    with pytest.MonkeyPatch.context() as patched:

        def installed(group: str) -> list[EntryPoint]:
            return [EntryPoint("early", f"{__name__}:Early", group)]

        def find(name: str) -> type[Early]:
            return Early

        patched.setattr("importlib.metadata.entry_points", installed)
        patched.setattr("seamlaw_host.plugins._origin.find_pack", find)
        report = manager.load("early")
    assert registry.bundle is None  # it declares nothing, whenever it registers
    assert len(report.problems) == 2


def test_a_deactivation_that_fails_is_told() -> None:
    """The pack is gone all the same, and gone before it is told."""
    seen = list[object]()

    def fails(activation: Activation) -> None:
        seen.append(manager.bundle)
        activation.unregister("tool_call", _noting("absent"))
        raise RuntimeError("hunter2")

    manager = PluginManager()
    manager.load(Noting("a", deactivate=fails))
    problem = manager.unload("a")
    assert problem is not None
    assert problem.startswith("a: deactivate() raised RuntimeError at ")
    assert "hunter2" not in problem
    assert (seen, manager.bundle) == ([None], None)


class Declaring(Noting):
    """A pack with all kinds of interceptors, of which it declares some."""

    def __init__(self, *intercept: str) -> None:
        super().__init__("declaring")
        self.intercept = intercept

    def interceptors(self) -> Interceptors:
        """One of each kind."""
        return Interceptors(
            tool_call=[gate(lambda call: None, name=name, tools=tools) for name, tools in TOOLS.items()],
            context=[gate(lambda messages: None, name="messages")],
            handlers=[interceptor(lambda call: None, name="handles", tools="bash")],
            rules=parse_rules([{"refuse": "no", "tools": "rm", "name": "rule"}]),
        )


TOOLS = {"all": (), "bash": "bash", "edits": "edit_*", "two": ("bash", "rm")}


@pytest.mark.parametrize(
    ("declared", "there"),
    [
        ([], []),
        (["tool_call"], ["all", "bash", "edits", "two", "rule"]),
        (["tool_call:*"], ["all", "bash", "edits", "two", "rule"]),
        (["tool_call:bash"], ["bash"]),
        (["tool_call:bash", "tool_call:rm"], ["bash", "two", "rule"]),
        (["tool_call:b*", "tool_call:?m"], ["bash", "two", "rule"]),
        (["tool_call:edit_*"], ["edits"]),
        (["tool_call:e*"], ["edits"]),
        (["tool_call:edit_a*"], []),
        (["tool_call:edit_?"], []),
        (["tool_call:edit_"], []),
        (["tool_call:edit"], []),
        (["context"], ["messages"]),
        (["handlers:bash"], ["handles"]),
        (["tool_result"], []),
        (["a_seam_of_the_host"], []),
    ],
)
def test_nothing_undeclared_is_registered(declared: list[str], there: list[str]) -> None:
    """Each that the manifest does not declare is a problem that names it and what to add; the rest is there."""
    manager = PluginManager()
    report = manager.load(Declaring(*declared))
    names = [name.partition(": ")[2] for name in report.registered]
    assert sorted(names) == sorted(there)
    assert len(names) + len(report.problems) == 7
    for name in {"all", "bash", "edits", "two", "messages", "handles", "rule"} - set(there):
        assert any(f"declaring: {name} is not registered" in problem for problem in report.problems)


def test_a_problem_tells_the_fix() -> None:
    """What it says to add is what makes it go."""
    manager = PluginManager()
    (problem, *_) = [told for told in manager.load(Declaring("tool_call:bash")).problems if "two" in told]
    assert problem == (
        'declaring: two is not registered, for the manifest does not declare it: add "tool_call:rm" to intercept'
    )


@pytest.mark.parametrize("declared", ["tool_call", {"tool_call": 1}, 7, [7], ["tool_call:"], [":bash"], [""]])
def test_a_manifest_that_cannot_be_read(declared: Any) -> None:
    """It is refused, with the place."""
    pack: Any = Declaring()
    pack.intercept = declared
    with pytest.raises(PluginError, match=r"^declaring\.intercept"):
        PluginManager().load(pack)


def test_a_block_of_a_plugin_decides() -> None:
    """A rule of a plugin is applied as any other."""
    manager = PluginManager()
    manager.load(Declaring("tool_call"))
    assert decide(manager.bundle, TOOL_CALL, ToolCall("1", "rm", {})).reason == "no"
    assert block("no").reason == "no"
