"""The seam table, row by row, and seams that a host defines."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from collections.abc import MutableMapping
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    SEAMS,
    TOOL_CALL,
    TOOL_RESULT,
    FrozenDict,
    InvalidValue,
    MemoryItem,
    Message,
    ProviderRequest,
    Seam,
    SeamlawError,
    ToolCall,
    ToolResult,
    UnknownSeam,
    seam,
)

CALL = ToolCall("id-1", "bash", {"command": "ls"})

# seam: value type, many, beside, fault policy, kept, where the call is, how a block is told
TABLE: dict[str, tuple[type, bool, tuple[type, ...], str, tuple[str, ...], int | None, str]] = {
    "context": (Message, True, (), "open", (), None, "Blocked by interceptor: why"),
    "provider_request": (ProviderRequest, False, (), "open", (), None, "Blocked by interceptor: why"),
    "tool_call": (ToolCall, False, (), "closed", ("id",), 0, "Blocked by interceptor: why"),
    "tool_result": (ToolResult, False, (ToolCall,), "open", (), 1, "[tool result withheld by interceptor: why]"),
    "memory": (MemoryItem, True, (), "open", (), None, "Blocked by interceptor: why"),
}


def test_the_table_is_this_one() -> None:
    """Five seams, in the order of a turn, each with what it carries and what a fault means there."""
    assert {
        name: (it.value_type, it.many, it.beside, it.on_fault, it.kept, it.call_at, it.surface("why"))
        for name, it in SEAMS.items()
    } == TABLE
    assert list(SEAMS) == ["context", "provider_request", "tool_call", "tool_result", "memory"]
    assert [name for name, it in SEAMS.items() if it.on_fault == "closed"] == ["tool_call"]


def test_each_row_says_when_it_fires_and_what_a_block_means() -> None:
    """The words of the docs stand in the table."""
    assert [name for name, it in SEAMS.items() if not (it.fires and it.block_means)] == []


def test_seams_are_looked_up_by_name() -> None:
    """The constants are the rows."""
    known: list[Seam[Any]] = [CONTEXT, PROVIDER_REQUEST, TOOL_CALL, TOOL_RESULT, MEMORY]
    assert [seam(it.name) for it in known] == known == list(SEAMS.values())


@pytest.mark.parametrize("name", ["tool_calls", "", None, 7, [], {}])
def test_an_unknown_name_raises_naming_the_known_ones(name: Any) -> None:
    """A misspelt seam is an error with a remedy, not an empty one."""
    with pytest.raises(UnknownSeam, match="the seams are context, provider_request, tool_call, tool_result, memory"):
        seam(name)
    assert issubclass(UnknownSeam, SeamlawError)
    assert issubclass(UnknownSeam, LookupError)


@pytest.mark.parametrize("policy", ["close", "Open", "", None, True, "CLOSED"])
def test_a_fault_policy_that_is_none_is_refused(policy: Any) -> None:
    """A misspelling must not open a seam; `close` is what interceptors say."""
    with pytest.raises((SeamlawError, ValueError), match="must be 'open' or 'closed'"):
        Seam("event", str, on_fault=policy)


def test_nobody_changes_the_table() -> None:
    """It is shared by all that is decided in a process."""
    table: object = SEAMS
    assert not isinstance(table, MutableMapping)


MISFITS: list[dict[str, Any]] = [
    {"call_at": 0},
    {"call_at": 1},
    {"call_at": 2, "beside": (ToolCall,)},
    {"call_at": 1, "beside": (str,)},
]


@pytest.mark.parametrize("misfit", MISFITS, ids=str)
def test_a_seam_whose_call_is_not_there_is_refused_where_it_is_made(misfit: dict[str, Any]) -> None:
    """`call_at` says where a `ToolCall` stands."""
    with pytest.raises((SeamlawError, ValueError, TypeError)):
        Seam("event", str, **misfit)


def test_a_seam_of_ones_own_is_closed_unless_it_says_otherwise() -> None:
    """The safe half is the default."""
    own: Seam[str] = Seam("event", str)
    assert (own.on_fault, repr(own), own.surface("")) == (
        "closed",
        "<seam event>",
        "Blocked by interceptor: no reason given",
    )


def test_the_reason_is_put_in_as_it_is() -> None:
    """Braces in a reason, or in the seam's own text, are text."""
    own: Seam[str] = Seam("event", str, blocked="{no} {reason}!")
    assert own.surface("{reason} {0} %s") == "{no} {reason} {0} %s!"


# What a seam admits


@pytest.mark.parametrize("value", [(), (Message("user", "a"),), (Message("user", "a"), Message("user", "b"))])
def test_a_tuple_of_its_items_is_admitted_as_the_very_same(value: tuple[Message, ...]) -> None:
    """Nothing is copied that is fine."""
    assert CONTEXT.admit(value) is value


def test_a_list_of_its_items_becomes_a_tuple() -> None:
    """The host's list is read once, and no interceptor can change it."""
    given = [Message("user", "a")]
    assert CONTEXT.admit(given) == (Message("user", "a"),)


def forged(claimed: type) -> object:
    """Make something that claims to be of a class, and is not."""
    return type("Forged", (), {"__class__": claimed})()


WRONG: list[tuple[Any, object]] = [
    (TOOL_CALL, None),
    (TOOL_CALL, ToolCall),
    (TOOL_CALL, {"id": "1", "name": "x", "arguments": {}}),
    (TOOL_CALL, forged(ToolCall)),
    (TOOL_CALL, (CALL,)),
    (TOOL_CALL, ToolResult("out")),
    (CONTEXT, Message("user", "a")),
    (CONTEXT, "text"),
    (CONTEXT, (Message("user", "a"), "text")),
    (CONTEXT, {"role": "user"}),
    (CONTEXT, [{"role": "user"}]),
    (CONTEXT, iter([Message("user", "a")])),
    (CONTEXT, {"text"}),
    (MEMORY, [None]),
    (MEMORY, (CALL,)),
    (PROVIDER_REQUEST, "m"),
    (TOOL_RESULT, "out"),
]


@pytest.mark.parametrize(("at", "value"), WRONG)
def test_a_value_that_is_not_the_seams_is_refused_with_both_types(at: Seam[Any], value: object) -> None:
    """The message says what the seam carries and what it got."""
    with pytest.raises(InvalidValue, match=rf"^the value: {at.name} carries [\w ]+, not \w+$"):
        at.admit(value)


@pytest.mark.parametrize("claimed", [tuple, list])
def test_what_only_claims_to_be_a_list_is_refused(claimed: type) -> None:
    """By its type, like everything else."""
    with pytest.raises(InvalidValue):
        CONTEXT.admit(forged(claimed))


def test_nothing_derived_from_a_value_passes() -> None:
    """A class derived from `ToolCall` could show the gate one name and the host another."""
    with pytest.raises((TypeError, InvalidValue)):
        TOOL_CALL.admit(type("Derived", (ToolCall,), {"name": property(lambda self: "ls")})("1", "rm"))


# What it keeps


def test_kept_fields_are_put_back_and_all_else_is_taken() -> None:
    """A call that has the same id is taken as it is."""
    same_id = ToolCall("id-1", "ls")
    assert TOOL_CALL.keep(CALL, same_id) is same_id
    assert TOOL_CALL.keep(CALL, ToolCall("other", "ls", {"a": 1})) == ToolCall("id-1", "ls", {"a": 1})
    result = ToolResult("other")
    assert TOOL_RESULT.keep(ToolResult("out"), result) is result


def test_the_tool_is_known_where_there_is_a_call() -> None:
    """At `tool_call` by the value, at `tool_result` by what stands beside it."""
    assert TOOL_CALL.tool((CALL,)) == TOOL_RESULT.tool((ToolResult(), CALL)) == "bash"
    assert CONTEXT.tool(((),)) is None


WORDS = {  # when it fires, what a block means
    "context": ("before each provider call", "no provider call; the run ends with the reason"),
    "provider_request": ("after `context`", "no provider call; the run ends with the reason"),
    "tool_call": ("before a tool executes, before any permission check", "the call is denied with the reason"),
    "tool_result": (
        "after an executed (or handled) tool, before truncation, hooks, events",
        "the output is withheld; a placeholder names the reason",
    ),
    "memory": ("after recall, before it joins the context", "nothing is recalled"),
}


def test_the_docs_have_the_words_of_the_table() -> None:
    """A seam of one's own has none, unless they are given."""
    assert {name: (it.fires, it.block_means) for name, it in SEAMS.items()} == WORDS
    own: Seam[int] = Seam("own", int)
    assert (own.fires, own.block_means) == ("", "")


@pytest.mark.parametrize("at", [-1, -2, -3, 2, 3, 7])
def test_the_call_stands_where_it_is_said(at: int) -> None:
    """Counted from the value, never from the end."""
    with pytest.raises(InvalidValue, match="/call_at"):
        Seam("own", int, beside=(ToolCall, str), call_at=at)


@pytest.mark.parametrize(
    ("kind", "beside", "at"),
    [(ToolCall, (), 0), (ToolCall, (str, int), 0), (int, (ToolCall, str), 1), (int, (str, ToolCall), 2)],
)
def test_the_call_may_stand_anywhere(kind: type, beside: tuple[type, ...], at: int) -> None:
    """First, last, or with something on both sides."""
    own: Seam[Any] = Seam("own", kind, beside=beside, call_at=at)
    offered: list[Any] = ["other"] * (1 + len(beside))
    offered[at] = CALL
    assert own.tool(tuple(offered)) == "bash"


@pytest.mark.parametrize("given", [({"a": [1]}, {}), [{"a": [1]}, {}]], ids=["tuple", "list"])
def test_each_of_many_objects_is_frozen(given: Any) -> None:
    """And nothing is copied that is frozen already."""
    rows: Seam[Any] = Seam("rows", dict, many=True)
    admitted = rows.admit(given)
    assert (admitted, [type(row) for row in admitted]) == (({"a": [1]}, {}), [FrozenDict, FrozenDict])
    assert rows.admit(admitted) is admitted


def test_nothing_stands_beside_where_the_seam_has_nothing_beside() -> None:
    """What is given too much is refused, as what is missing is."""
    with pytest.raises(InvalidValue, match="tool_call needs beside its value"):
        TOOL_CALL.admit_beside((CALL,))
    with pytest.raises(InvalidValue, match="tool_result needs beside its value"):
        TOOL_RESULT.admit_beside(())
    assert TOOL_CALL.admit_beside(()) == ()
