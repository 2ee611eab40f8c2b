"""A call that matches becomes one of the delegate tool, and no call is ever lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.verified import broken

from seamlaw import (
    PROVIDER_REQUEST,
    TOOL_CALL,
    Interceptors,
    Kind,
    ProviderRequest,
    ToolCall,
    block,
    decide,
    gate,
    merge,
)
from seamlaw_packs.delegate_spawner import DelegateSpawner
from seamlaw_packs.errors import InvalidPack

PACK = DelegateSpawner(["spawn_*", "delegate*"])


def made(name: str, **arguments: Any) -> ToolCall:
    """Decide a call; what proceeds."""
    return decide(PACK.interceptors(), TOOL_CALL, ToolCall("7", name, arguments)).value


def test_the_task_is_the_text_of_task_else_of_prompt_else_the_call() -> None:
    """With the same id; what is no text, or blank, is no task."""
    assert made("spawn_reviewer", task="review a.py") == ToolCall("7", "delegate", {"task": "review a.py"})
    assert made("spawn_x", task="one", prompt="two").arguments == {"task": "one"}
    assert made("spawn_x", task=7, prompt="two").arguments == {"task": "two"}
    assert made("spawn_x", task=" ", prompt="two").arguments == {"task": "two"}
    assert made("spawn_x", task=None, n=1).arguments == {"task": 'spawn_x {"n":1,"task":null}'}
    assert made("spawn_x").arguments == {"task": "spawn_x {}"}


@given(
    st.sampled_from(["spawn_a", "spawn_", "delegate", "delegate_all", "bash"]),
    st.dictionaries(st.sampled_from(["task", "prompt", "x"]), st.integers() | st.text(max_size=5)),
)
def test_every_call_goes_on_and_only_what_matches_changes(name: str, arguments: dict[str, Any]) -> None:
    """The delegate tool itself never does; doing it again changes nothing."""
    call = made(name, **arguments)
    if name in ("delegate", "bash"):
        assert call == ToolCall("7", name, arguments)
    else:
        assert (call.id, call.name, list(call.arguments)) == ("7", "delegate", ["task"])
        assert isinstance(call.arguments["task"], str)
    assert made(call.name, **call.arguments) == call


def test_gates_judge_the_call_of_the_delegate_tool() -> None:
    """So what holds for delegating holds for this."""
    no = Interceptors(tool_call=[gate(lambda call: block("no agents"), name="no", tools="delegate")])
    assert decide(merge(PACK.interceptors(), no), TOOL_CALL, ToolCall("1", "spawn_x", {})).reason == "no agents"


@pytest.mark.parametrize(
    ("tools", "notes"),
    [
        ([{"name": "spawn_x"}, {"name": "delegate"}], 0),
        ([{"type": "function", "function": {"name": "spawn_x"}}, {"function": {"name": "delegate"}}], 0),
        ([{"name": "bash"}], 0),
        ([], 0),
        ([{"name": "spawn_x"}], 1),
        ([{"function": {"name": "spawn_x"}}, {"name": 7}, "odd", {"function": "odd"}], 1),
    ],
)
def test_a_request_without_the_delegate_tool_is_noted(tools: list[Any], notes: int) -> None:
    """Loudly, and it goes on: the call will fail, and not be lost."""
    outcome = decide(PACK.interceptors(), PROVIDER_REQUEST, ProviderRequest("model", (), tools))
    assert [(entry.kind, entry.severity.value) for entry in outcome.log] == [(Kind.NOTE, "high")] * notes
    assert outcome.proceeds


def test_other_names_for_tool_and_argument() -> None:
    """As the host has them."""
    pack = DelegateSpawner("ask_*", delegate="Task", argument="prompt")
    call = decide(pack.interceptors(), TOOL_CALL, ToolCall("1", "ask_ann", {"prompt": "x"})).value
    assert call == ToolCall("1", "Task", {"prompt": "x"})


def test_arguments_besides_the_task_are_lost() -> None:
    """A limit: there is one argument."""
    assert made("spawn_x", task="go", model="small").arguments == {"task": "go"}


@pytest.mark.parametrize(
    ("options", "place"),
    [({"tools": []}, "tools"), ({"delegate": ""}, "delegate"), ({"argument": 7}, "argument")],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        DelegateSpawner(**options)
    assert raised.value.place == place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green."""
    requests = st.sampled_from(
        [ProviderRequest("m", (), tools) for tools in ([{"name": "spawn_x"}], [], [{"name": 1}])]
    )
    assert broken(PACK, strategies={"provider_request": requests}) == []
