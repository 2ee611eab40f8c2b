"""The laws of the host that speak of one call: who runs, with what, in which mode, and what is left of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.host.engine.scripted import ANSWERS, WAYS, Approvers, Kept, Tool, bundle, log_of

from seamlaw import TOOL_CALL, ToolCall, Verdict, decide, thaw
from seamlaw_host.engine import Engine

names = st.sampled_from(sorted(ANSWERS))
chains = st.lists(names, max_size=3)
gates = st.lists(names.filter("replace".__ne__), max_size=3)
results = st.lists(st.sampled_from(["nothing", "note", "block", "raise", "nonsense", "ask"]), max_size=2)
arguments = st.dictionaries(st.sampled_from("abc"), st.integers() | st.text() | st.lists(st.integers()), max_size=3)
ways = st.sampled_from(sorted(WAYS))
granting = st.sampled_from([True, False, "yes", 1, None])


@given(chains, gates, arguments, ways, granting)
def test_denied_never_executes(
    chain: list[str], judges: list[str], args: dict[str, object], way: str, said: object
) -> None:
    """What the kernel blocks, or an approver does not grant, starts no tool; what proceeds starts it once."""
    rules, tool = bundle(chain, judges), Tool()
    verdict = decide(rules, TOOL_CALL, ToolCall("1", "tool", args)).verdict
    allowed = verdict is Verdict.PROCEED or (verdict is Verdict.ASK and said is True)
    kind, _ = WAYS[way](Engine(rules, approvals=Approvers(lambda: said)), tool, args)
    assert (kind, len(tool.starts)) == (("value", 1) if allowed else ("blocked", 0))


@given(chains, gates, arguments, ways)
def test_executed_is_what_was_decided(chain: list[str], judges: list[str], args: dict[str, object], way: str) -> None:
    """The arguments the tool gets are those of the outcome."""
    rules, tool = bundle(chain, judges), Tool()
    WAYS[way](Engine(rules, approvals=Approvers()), tool, args)
    decided = decide(rules, TOOL_CALL, ToolCall("1", "tool", args)).value
    assert tool.starts in ([], [thaw(decided.arguments)])


@given(chains, gates, results, arguments, st.booleans(), granting)
def test_sync_and_async_agree(
    chain: list[str], judges: list[str], after: list[str], args: dict[str, object], raises: bool, said: object
) -> None:
    """The same inputs give the same records, the same starts, and the caller the same."""
    seen: list[object] = []
    for run in WAYS.values():
        tool, ledger, asked = Tool(raises=raises), Kept(), Approvers(lambda: said)
        engine = Engine(bundle(chain, judges, after), ledger=ledger, approvals=asked)
        seen.append((run(engine, tool, args), tool.starts, ledger.told(), asked.contacted))
    assert seen[0] == seen[1]


@given(chains, gates, results, arguments, ways, st.sampled_from(["dry_run", "observe"]))
def test_modes_decide_alike(
    chain: list[str], judges: list[str], after: list[str], args: dict[str, object], way: str, mode: Any
) -> None:
    """The other modes record what `enforce` decides, run every tool as it was proposed, and contact nobody."""
    decided = {}
    for each in ("enforce", mode):
        tool, ledger, asked = Tool(), Kept(), Approvers(lambda: False)
        engine = Engine(bundle(chain, judges, after), ledger=ledger, approvals=asked, mode=each)
        came = WAYS[way](engine, tool, args)
        first = ledger.happenings[0]
        decided[each] = first.outcome is None, log_of(first)
        if each != "enforce":
            assert (came, tool.starts) == (("value", {"done": sorted(args)}), [args])
            assert asked.contacted == []
            assert {one.mode for one in ledger.happenings} == {mode}
    assert decided["enforce"] == decided[mode]


@given(chains, gates, results, arguments, ways, st.booleans())
def test_every_governed_call_leaves_a_record(
    chain: list[str], judges: list[str], after: list[str], args: dict[str, object], way: str, raises: bool
) -> None:
    """One when it is decided, and one when it has finished, unless it was blocked; both of one attempt."""
    tool, ledger = Tool(raises=raises), Kept()
    kind, _ = WAYS[way](Engine(bundle(chain, judges, after), ledger=ledger), tool, args)
    seams = [one.seam.name for one in ledger.happenings]
    assert seams == (["tool_call", "tool_result"] if tool.starts else ["tool_call"])
    assert len({one.attempt for one in ledger.happenings}) == 1
    if tool.starts:
        last = ledger.happenings[-1]
        assert last.executed
        assert ("ValueError" in last.error) == raises
        assert "failed" not in last.error  # the text of an exception may quote a secret
    else:
        assert kind == "blocked"


@given(arguments, ways)
def test_nothing_configured_is_as_if_it_were_not_there(args: dict[str, object], way: str) -> None:
    """An engine without policies gives the tool equal arguments, and the caller the tool's own object."""
    given_back: list[object] = []

    class Same(Tool):
        def __call__(self, **arguments: Any) -> object:
            given_back.append(super().__call__(**arguments))
            return given_back[-1]

    tool = Same()
    kind, value = WAYS[way](Engine(), tool, args)
    assert (kind, tool.starts) == ("value", [args])
    assert value is given_back[0]


@pytest.mark.parametrize("way", WAYS)
def test_a_mutable_argument_changed_meanwhile_is_not_what_runs(way: str) -> None:
    """The tool gets what was judged, whatever a thread or an interceptor does to the caller's list."""
    path = ["/safe"]
    rules = bundle()

    def swap(call: ToolCall) -> None:
        path[0] = "/etc"

    tool = Tool()
    WAYS[way](Engine(type(rules)(tool_call=[swap])), tool, {"path": path})
    assert tool.starts == [{"path": ["/safe"]}]
