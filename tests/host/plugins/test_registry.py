"""The registry: who stands at which seam, in the order of registration, copies, and one bundle at a time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import (
    TOOL_CALL,
    Interceptors,
    InvalidInterceptor,
    Seam,
    ToolCall,
    ToolResult,
    UnknownSeam,
    block,
    decide,
    gate,
    note,
)
from seamlaw_host.plugins import SeamRegistry

CALL = ToolCall("1", "bash", {})


def _one(call: ToolCall) -> object:
    return note("one")


def _two(call: ToolCall) -> object:
    return note("two")


def test_what_is_registered_decides() -> None:
    """Plain callables and interceptors, of the chain in the order in which they were registered."""
    registry = SeamRegistry()
    assert registry.bundle is None
    registry.register("tool_call", _one)
    registry.register(TOOL_CALL, gate(lambda call: block("no"), name="last"))
    registry.register("tool_call", _two)
    outcome = decide(registry.bundle, TOOL_CALL, CALL)
    assert [(entry.interceptor, entry.reason) for entry in outcome.log] == [
        ("_one", "one"),
        ("_two", "two"),
        ("last", "no"),
    ]


def test_the_same_is_registered_once() -> None:
    """Registering again what is there does nothing, nor does unregistering what is not."""
    registry = SeamRegistry()
    made = registry.register("tool_call", _one)
    assert registry.register("tool_call", _one) == made
    assert registry.get("tool_call") == [made]
    registry.unregister("tool_call", _two)
    registry.unregister("context", _one)
    assert registry.get("tool_call") == [made]
    registry.unregister("tool_call", _one)
    assert (registry.get("tool_call"), registry.bundle) == ([], None)


@pytest.mark.parametrize("by", ["function", "interceptor"])
def test_it_is_unregistered_by_itself_or_by_its_function(by: str) -> None:
    """Whoever kept the function that was registered, or the interceptor that came back, can take it away."""
    registry = SeamRegistry()
    made = registry.register("tool_call", _one)
    registry.unregister("tool_call", _one if by == "function" else made)
    assert registry.bundle is None


def test_getters_give_copies() -> None:
    """What is done to what was given changes nothing."""
    registry = SeamRegistry()
    registry.register("tool_call", _one)
    registry.get("tool_call").clear()
    registry.get_all()["tool_call"].clear()
    registry.get_all().clear()
    assert [one.name for one in registry.get("tool_call")] == ["_one"]


@pytest.mark.parametrize("act", ["register", "unregister", "get"])
def test_a_typo_raises(act: str) -> None:
    """A seam that nobody knows is refused, with what was meant."""
    registry: Any = SeamRegistry()
    given = () if act == "get" else (_one,)
    with pytest.raises(UnknownSeam, match="no seam is called 'tool_cal'; did you mean tool_call"):
        getattr(registry, act)("tool_cal", *given)


def test_what_cannot_answer_there_is_refused() -> None:
    """Nothing changes where what is given is no interceptor of that seam."""
    registry: Any = SeamRegistry()
    registry.register("tool_call", _one)
    with pytest.raises(InvalidInterceptor):
        registry.register("context", gate(lambda messages: None, tools="bash"))
    with pytest.raises(InvalidInterceptor):
        registry.register("tool_call", 7)
    assert list(registry.get_all()) == ["tool_call"]


def test_handlers_and_own_seams() -> None:
    """Handlers are registered beside the seams, and a host's own seam is registered at by itself."""
    registry, own = SeamRegistry(), Seam[Any]("deploy", str)
    registry.register("handlers", lambda call: ToolResult("handled"))
    registry.register(own, lambda value: block("not on Fridays"))
    bundle = registry.bundle
    assert bundle is not None
    assert len(bundle.handlers) == 1
    assert decide(bundle, own, "now").reason == "not on Fridays"
    assert sorted(registry.get_all()) == ["deploy", "handlers"]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc"), st.sampled_from(["tool_call", "tool_result"]))))
def test_the_bundle_is_the_list(script: list[tuple[bool, str, str]]) -> None:
    """After any registering and unregistering, the bundle is what an ordered list without doubles would hold."""
    functions: dict[str, Any] = {name: _answering(name) for name in "abc"}
    registry, model = SeamRegistry(), list[tuple[str, str]]()
    for adds, name, seam in script:
        if adds:
            registry.register(seam, functions[name])
            model += [(seam, name)] if (seam, name) not in model else []
        else:
            registry.unregister(seam, functions[name])
            model = [one for one in model if one != (seam, name)]
    bundle = registry.bundle or Interceptors()
    for seam in ("tool_call", "tool_result"):
        held = [one.name for one in getattr(bundle, seam)]
        assert held == [name for at, name in model if at == seam] == [one.name for one in registry.get(seam)]


def _answering(name: str) -> object:
    def answer(value: object) -> None:
        return None

    answer.__name__ = name
    return answer
