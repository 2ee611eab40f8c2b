"""An engine with plugins: what is loaded decides the next call, before the host, and all of that call."""

from gc import collect
from typing import ClassVar
from weakref import ref

import pytest

from seamlaw import (
    CONTEXT,
    Interceptors,
    Message,
    ProviderRequest,
    ToolCall,
    block,
    gate,
    interceptor,
    note,
    replace,
)
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import Ledger
from seamlaw_host.plugins import PluginManager, SeamRegistry


class Blocking:
    """A pack that blocks a tool, and tells so."""

    name: ClassVar[str] = "blocking"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks a tool."

    def interceptors(self) -> Interceptors:
        """Block."""
        return Interceptors(tool_call=[gate(self.judge, name="blocking", tools="rm")])

    def judge(self, call: ToolCall) -> object:
        """Block."""
        return block("by a plugin")


def _ran(engine: Engine) -> bool:
    try:
        return engine.call("rm", lambda: True) is True
    except Blocked as denied:
        return denied.reason != "by a plugin"


def _to_b(call: ToolCall) -> object:
    return replace(ToolCall(call.id, "b", {}))


@pytest.mark.parametrize("bundle", [None, Interceptors(tool_call=[lambda call: None])])
def test_it_takes_effect_at_the_next_call(bundle: Interceptors | None) -> None:
    """Loaded, it blocks; unloaded, it does not; with a bundle of the host's own and without."""
    manager = PluginManager()
    engine = Engine(bundle, plugins=manager)
    found = [_ran(engine)]
    manager.load(Blocking())
    found.append(_ran(engine))
    manager.unload("blocking")
    found.append(_ran(engine))
    assert found == [True, False, True]


def test_plugins_stand_before_the_host() -> None:
    """The host sees what a plugin has rewritten, whenever that was loaded."""
    registry, seen = SeamRegistry(), list[str]()

    def sees(call: ToolCall) -> None:
        seen.append(call.name)

    engine = Engine(Interceptors(tool_call=[sees]), plugins=registry, tools={"b": lambda: "b"})
    registry.register("tool_call", _to_b)
    assert engine.call("a", lambda: "a") == "b"
    assert seen == ["b"]


def test_a_call_is_decided_by_one_version() -> None:
    """What is unloaded while a tool runs still judges the result of that call, and no other."""
    manager = PluginManager()

    class Both:
        name, version, description = "both", "1", "Notes calls, and blocks results."

        def interceptors(self) -> Interceptors:
            return Interceptors(
                tool_call=[interceptor(lambda call: note("seen"))], tool_result=[lambda result: block("withheld")]
            )

    engine = Engine(plugins=manager)
    manager.load(Both())
    with pytest.raises(Blocked, match="withheld"):
        engine.call("ls", lambda: manager.unload("both"))
    assert engine.call("ls", lambda: "listed") == "listed"

    def loads() -> str:
        manager.load(Both())
        return "listed"

    assert engine.call("ls", loads) == "listed"
    with pytest.raises(Blocked, match="withheld"):
        engine.call("ls", lambda: "listed")


def test_what_a_model_is_sent_is_decided_by_one_version() -> None:
    """Messages and envelope of one request are decided alike, whatever is loaded between the two."""
    registry, seen = SeamRegistry(), list[str]()

    def unregisters(messages: tuple[Message, ...]) -> None:
        seen.append("context")
        registry.unregister("provider_request", envelope)

    def envelope(request: ProviderRequest) -> None:
        seen.append("provider_request")

    registry.register(CONTEXT, unregisters)
    registry.register("provider_request", envelope)
    engine, request = Engine(plugins=registry), ProviderRequest("m", (Message("user", "hello"),))
    engine.before_provider_call(request)
    engine.before_provider_call(request)
    assert seen == ["context", "provider_request", "context"]


def test_nested_engines_are_held_to_the_plugins_around_them() -> None:
    """A tool that calls another engine is decided by the plugins of both, as they are when it does."""
    manager = PluginManager()
    outer, inner = Engine(plugins=manager), Engine()
    assert outer.call("work", lambda: _ran(inner)) is True
    manager.load(Blocking())
    assert outer.call("work", lambda: _ran(inner)) is False
    assert _ran(inner) is True


def test_the_record_tells_which_version_decided() -> None:
    """The policy hash is another with another plugin, the same for the same, and that of the call at its end."""
    manager, ledger = PluginManager(), Ledger()
    engine = Engine(plugins=manager, ledger=ledger)

    def loads() -> None:
        manager.load(Blocking())

    engine.call("ls", loads)
    engine.call("ls", lambda: None)
    manager.unload("blocking")
    engine.call("ls", lambda: None)
    first, first_result, second, second_result, third, third_result = [one.policy_hash for one in ledger.records()]
    assert first == first_result == third == third_result
    assert second == second_result
    assert first != second
    assert engine.policy_hash == first
    manager.load(Blocking())
    assert Engine(Interceptors(), plugins=manager, ledger=ledger).policy_hash == second


@pytest.mark.parametrize("bundle", [None, Interceptors(tool_call=[lambda call: None])])
def test_what_is_unloaded_is_let_go(bundle: Interceptors | None) -> None:
    """After the next call nothing refers to it, so that what it holds (a process, a file) can end."""
    manager, pack = PluginManager(), Blocking()
    engine = Engine(bundle, plugins=manager, ledger=Ledger())
    gone = ref(pack)
    manager.load(pack)
    del pack
    assert _ran(engine) is False
    manager.unload("blocking")
    assert _ran(engine) is True
    manager.load(Blocking())
    assert _ran(engine) is False
    collect()
    assert gone() is None
