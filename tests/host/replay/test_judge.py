"""A recorded call, decided as a host would have."""

from collections.abc import Callable

from seamlaw import (
    Interceptors,
    Scope,
    ToolCall,
    ToolResult,
    Verdict,
    ask,
    block,
    gate,
    observer,
    parse_rules,
    replace,
    rewriter,
)
from seamlaw_host.replay import Judge, Judged, Tally
from seamlaw_host.sessions import Malformed, Recorded

CALL = ToolCall("1", "bash", {"command": "ls"})


def recorded(name: str = "bash", *, result: ToolResult | None = None) -> Recorded:
    """Make a recorded call."""
    return Recorded("line 1", ToolCall("1", name, {"command": "ls"}), Scope(agent="main"), result, "line 2")


def says(answer: object) -> Callable[[ToolCall], object]:
    """Make a function of a call that gives one answer."""
    return lambda call: answer


def watches(value: object, result: object) -> None:
    """Only watch."""


def judged(bundle: Interceptors | None, event: Recorded) -> Judged:
    """Judge one call."""
    return Judge(bundle).judge(event)


def test_without_a_policy_every_call_proceeds_ungoverned() -> None:
    """An empty bundle decides nothing, and says that nobody looked."""
    for bundle in (None, Interceptors()):
        told = judged(bundle, recorded(result=ToolResult("x")))
        assert (told.call.verdict, told.governed, told.result) == (Verdict.PROCEED, False, None)


def test_the_result_of_a_blocked_call_is_not_decided() -> None:
    """Under this policy it would not have come; that of a call that asks might have."""
    seen: list[str] = []

    def sees(result: ToolResult, call: ToolCall) -> None:
        seen.append(call.name)

    for answer, times in ((block("no"), 0), (ask("sure?"), 1), (None, 2)):
        bundle = Interceptors(tool_call=(gate(says(answer)),), tool_result=(rewriter(sees),))
        judged(bundle, recorded(result=ToolResult("x")))
        assert len(seen) == times


def test_the_result_is_decided_beside_the_call_that_would_have_run() -> None:
    """A rename by the policy shows at the result."""

    def renames(call: ToolCall) -> object:
        return replace(ToolCall(call.id, "sh", call.arguments))

    def withholds(result: ToolResult, call: ToolCall) -> object:
        return block("no")

    renamed, withheld = rewriter(renames), rewriter(withholds, tools=["sh"])
    told = judged(Interceptors(tool_call=(renamed,), tool_result=(withheld,)), recorded(result=ToolResult("x")))
    assert told.changed
    assert told.result is not None
    assert told.result.verdict is Verdict.BLOCK


def test_governed_is_who_is_asked_and_not_who_only_watches() -> None:
    """A tool that no filter admits is ungoverned; an observer governs nothing."""
    bundle = Interceptors(tool_call=(observer(watches), gate(says(None), tools=["ba*"])))
    assert judged(bundle, recorded("bash")).governed
    assert not judged(bundle, recorded("zsh")).governed


def test_what_the_caller_says_of_the_scope_goes_before_what_is_recorded() -> None:
    """An agent that is named is the agent, and a rule for it applies."""
    bundle = Interceptors(rules=parse_rules([{"refuse": "no", "agents": ["reviewer"]}]))
    assert Judge(bundle).judge(recorded()).call.verdict is Verdict.PROCEED
    told = Judge(bundle, agent="reviewer", role="guest").judge(recorded())
    assert told.call.verdict is Verdict.BLOCK
    assert told.recorded.scope == Scope(agent="reviewer", role="guest")


def test_a_rewrite_to_the_same_is_no_change() -> None:
    """A copy of the call is logged, and changes nothing."""

    def copies(call: ToolCall) -> object:
        return replace(ToolCall(call.id, call.name, {**call.arguments}))

    told = judged(Interceptors(tool_call=(rewriter(copies),)), recorded())
    assert told.call.log
    assert not told.changed


def test_a_tally_counts_what_happened() -> None:
    """Each verdict, change, note, fault, withheld and changed result, and what could not be read."""
    rules = parse_rules(
        [
            {"refuse": "no", "tools": ["rm"]},
            {"ask": "sure?", "tools": ["push"]},
            {"note": "seen", "tools": ["push"]},
            {"default": {"tool": "bash", "at": "/timeout", "value": 1}},
        ]
    )

    def results(result: ToolResult) -> object:
        answers: dict[object, object] = {"a": block("no"), "b": replace(ToolResult("c"))}
        return answers.get(result.output)

    bundle = Interceptors(rules=rules, tool_result=(rewriter(results),))
    tally = Tally()
    for name, output in [("rm", "a"), ("push", "b"), ("bash", "a"), ("zsh", "d"), ("zsh", None)]:
        tally.add(judged(bundle, recorded(name, result=ToolResult(output))))
    tally.add_malformed(Malformed("line 9", "no JSON"))
    tally.add_malformed(Malformed("line 9", "a call that cannot be read", "rm"))
    assert tally.calls == 5
    assert dict(tally.verdicts) == {Verdict.BLOCK: 1, Verdict.ASK: 1, Verdict.PROCEED: 3}
    assert (tally.changed, tally.notes, tally.faults) == (1, 1, 0)
    assert (tally.results, tally.results_withheld, tally.results_changed) == (5, 1, 1)
    assert (tally.malformed, tally.undecided, dict(tally.ungoverned)) == (2, 1, {"zsh": 2})
    assert (tally.denied(), tally.denied(asks=True)) == (2, 3)


def test_a_flood_of_names_does_not_fill_the_memory() -> None:
    """Names of tools come from a model: a thousand are kept apart, the others are counted together."""
    tally = Tally()
    judge = Judge(None)
    for number in range(1_100):
        tally.add(judge.judge(recorded(f"tool {number}")))
    assert (len(tally.ungoverned), tally.ungoverned_others) == (1_000, 100)
