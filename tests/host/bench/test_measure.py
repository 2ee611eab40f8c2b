"""What a bundle costs: who is slow is found, who is asked is counted, and what cannot be known is said."""

import time
from typing import Any

from attrs import evolve

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    Scope,
    Seam,
    ToolCall,
    ToolResult,
    block,
    gate,
    interceptor,
    note,
    parse_rules,
    replace,
)
from seamlaw_host.bench import Given, PartCost, Report, SeamCost, as_data, better, compared, measure, samples

LS = ToolCall("call-1", "bash", {"command": "ls"})
READ = ToolCall("call-2", "read", {"path": "/srv/notes"})
OWN: Seam[int] = Seam("own", int)
BOTH = {TOOL_CALL: [Given(LS), Given(READ)]}


def quick(call: ToolCall) -> None:
    """Say nothing at once."""


def slow(call: ToolCall) -> None:
    """Say nothing after a while."""
    sum(range(50_000))


def nothing(value: object) -> None:
    """Say nothing, to whatever it is."""


def measured(bundle: Interceptors, given: Any = BOTH) -> Report:
    """Measure for a moment."""
    return measure(bundle, given, seconds=0.05)


def only(report: Report) -> SeamCost:
    """The one seam."""
    (seam,) = report.seams
    return seam


def test_a_planted_slow_interceptor_is_the_dearest() -> None:
    """It comes first, has nearly the whole share, and costs many calls of an empty function."""
    found = only(measured(Interceptors(tool_call=[quick, slow, gate(lambda call: None, name="third")])))
    first = found.parts[0]
    assert (first.name, first.kind) == ("slow", "chain")
    assert first.share > 0.6
    assert first.calls > 50
    assert {(part.name, part.kind) for part in found.parts} == {
        ("slow", "chain"),
        ("quick", "chain"),
        ("third", "gate"),
    }


def test_what_waits_is_measured_by_the_wall() -> None:
    """An interceptor that sleeps uses no processor, and still is the dearest."""
    found = only(measured(Interceptors(tool_call=[lambda call: time.sleep(0.003), quick])))
    assert (found.parts[0].name, found.parts[0].waits, found.waits) == ("<lambda>", True, True)
    assert found.parts[0].time_ns >= 3e6


def test_each_interceptor_counts_the_values_on_which_it_is_asked() -> None:
    """By its filter; one that is asked nowhere is not told; names that are the same are numbered."""
    bundle = Interceptors(
        tool_call=[interceptor(quick, tools="bash"), quick, interceptor(quick, tools="nowhere")],
        rules=parse_rules(
            [{"refuse": "no", "tools": "read", "when": [{"at": "/path", "equals": "x"}], "name": "rule"}]
        ),
    )
    found = only(measured(bundle))
    assert {part.name: (part.asked, part.kind) for part in found.parts} == {
        "quick": (1, "chain"),
        "quick #2": (2, "chain"),
        "rule": (1, "rule"),
    }


def test_who_comes_after_a_block_is_not_asked() -> None:
    """A bare loop, too, asks only those who are asked."""
    found = only(measured(Interceptors(tool_call=[lambda call: block("no"), slow])))
    assert [part.name for part in found.parts] == ["<lambda>"]
    assert found.ratio > 0.3  # to a call of one function; a loop that called `slow`, too, would make it 0.02


def test_each_is_asked_with_what_it_sees() -> None:
    """The value that the chain left, what stands beside it, and the scope, by place and by name."""
    seen: list[object] = []

    def rename(call: ToolCall) -> Any:
        return replace(ToolCall(call.id, "renamed", call.arguments))

    def by_place(call: ToolCall, scope: Scope) -> None:
        seen.append((call.name, scope.agent))

    def by_name(call: ToolCall, *, scope: Scope | None = None) -> None:
        seen.append((call.name, scope.agent if scope else None))

    def judge(result: ToolResult, call: ToolCall, scope: Scope) -> None:
        seen.append((result.output, call.name, scope.agent))

    who = Scope(agent="main")
    measured(Interceptors(tool_call=[rename, by_place, by_name]), {TOOL_CALL: [Given(LS, (), who)]})
    assert set(seen) == {("renamed", "main")}
    seen.clear()
    bundle = Interceptors(tool_result=[judge])
    measured(bundle, {TOOL_RESULT: [Given(ToolResult("done"), (LS,), who)]})
    assert set(seen) == {("done", "bash", "main")}


def test_faults_are_told_by_name() -> None:
    """Who fails is named, with the number of values on which it does."""

    def fails(call: ToolCall) -> None:
        raise LookupError

    found = only(measured(Interceptors(tool_call=[quick, fails])))
    assert found.faulted == {"fails": 2}


def test_who_answers_otherwise_when_asked_again_is_told() -> None:
    """A quota that is spent while it is measured makes the figures a mixture."""
    left = 3

    def quota(call: ToolCall) -> Any:
        nonlocal left
        left -= 1
        return block("spent") if left < 0 else None

    assert only(measured(Interceptors(tool_call=[quota]))).unsteady
    assert not only(measured(Interceptors(tool_call=[quick]))).unsteady


def test_seams_where_nobody_listens_are_not_measured_and_those_without_values_are_named() -> None:
    """A host's own seam has no values here."""
    report = measured(Interceptors(tool_call=[quick], seams={OWN: [nothing]}))
    assert ([seam.seam for seam in report.seams], report.unmeasured) == (["tool_call"], ("own",))
    assert measure(Interceptors(), BOTH, seconds=0.01) == Report((), ())


def test_values_for_a_seam_of_ones_own_may_be_given() -> None:
    """It is measured like the others."""
    report = measured(Interceptors(seams={OWN: [nothing]}), {OWN: [Given(7)]})
    assert [seam.seam for seam in report.seams] == ["own"]


# Values that are made up


def test_made_up_calls_reach_every_filter_and_one_tool_that_none_names() -> None:
    """Of exact names, prefixes, suffixes, sets and question marks each is let through."""
    patterns = ["bash", "edit_*", "*_file", "a[bc]d", "x[!y]z", "w?rd", "*"]
    bundle = Interceptors(tool_call=[interceptor(quick, tools=pattern, name=pattern) for pattern in patterns])
    calls = [one.value for one in samples(bundle)[TOOL_CALL]]
    asked = {part.name for part in only(measured(bundle, samples(bundle))).parts}
    assert asked == set(patterns)
    assert any(not any(i.tools.admit(call.name) for i in bundle.tool_call[:-1]) for call in calls)


def test_made_up_arguments_have_the_type_that_every_condition_is_for() -> None:
    """No rule meets a value that its operators are not for, so no figure is that of a fault."""
    operators: list[dict[str, object]] = [
        {"equals": "x"},
        {"equals": 7},
        {"equals": True},
        {"equals": None},
        {"one_of": ["x", "y"]},
        {"one_of": [3]},
        {"starts_with": "x"},
        {"ends_with": "x"},
        {"contains": "x"},
        {"matches": "x+"},
        {"under": "/srv"},
        {"less": 5},
        {"greater": 5},
        {"exists": True},
        {"type_is": "array"},
        {"length": 3},
        {"any": {"equals": "x"}},
        {"not": {"less": 5}},
    ]
    rules = [
        {"refuse": "no", "tools": f"tool_{kind}_{at}", kind: [{"at": "/deep/down", **operator}], "name": f"{kind}{at}"}
        for at, operator in enumerate(operators)
        for kind in ("when", "unless")
    ]
    found = only(measured(Interceptors(rules=parse_rules(rules)), samples(Interceptors(rules=parse_rules(rules)))))
    assert (found.faulted, len(found.parts)) == ({}, len(rules))


def test_every_seam_of_the_table_has_made_up_values() -> None:
    """A bundle that listens everywhere is measured everywhere."""
    bundle = Interceptors(
        context=[nothing], provider_request=[nothing], tool_call=[nothing], tool_result=[nothing], memory=[nothing]
    )
    report = measured(bundle, samples(bundle))
    assert (len(report.seams), report.unmeasured) == (5, ())
    assert samples(bundle)[CONTEXT]


# Compared


def seam(calls: float, **parts: float) -> Report:
    """A report with these figures."""
    listed = tuple(
        PartCost(name, "chain", 1, 100, waits=False, calls=figure, share=0.1) for name, figure in parts.items()
    )
    cost = SeamCost(
        "tool_call", 1, 100, waits=False, bare_ns=90, ratio=1.1, calls=calls, parts=listed, faulted={}, unsteady=False
    )
    return Report((cost,), ())


def test_what_costs_more_than_the_tolerance_lets_pass_is_a_regression() -> None:
    """Seams and interceptors, by their ratios; what is new or gone, or has become quicker, is none."""
    old = as_data(seam(10, kept=4, slower=4, gone=1))
    now = seam(12.4, kept=4.9, slower=5.1, new=50)
    assert [(r.interceptor, r.before, r.now) for r in compared(old, now, 0.25)] == [("slower", 4, 5.1)]
    assert [r.interceptor for r in compared(old, now, 0.2)] == [None, "kept", "slower"]
    assert compared(old, seam(1, kept=1, slower=1), 0) == []


def test_the_better_of_two_measurements_has_the_lower_of_each_figure() -> None:
    """What disturbs a measurement only adds to it."""
    first, second = seam(10, a=4, b=8), seam(9, a=5, b=6)
    for merged in (better(first, second), better(second, first)):
        assert only(merged).calls == 9
        assert {part.name: part.calls for part in only(merged).parts} == {"a": 4, "b": 6}
    assert better(first, Report((), ())) == first


def test_the_share_of_the_kernel_is_the_rest() -> None:
    """Never below nothing, though the parts are measured apart."""
    assert abs(only(seam(10, a=4, b=8)).kernel - 0.8) < 1e-9
    whole = only(seam(10, a=4))
    assert evolve(whole, parts=tuple(evolve(part, share=1.2) for part in whole.parts)).kernel == 0


def test_notes_and_asks_do_not_end_a_seam() -> None:
    """Those who come after a note are asked."""
    found = only(measured(Interceptors(tool_call=[lambda call: note("seen"), quick])))
    assert {part.name for part in found.parts} == {"<lambda>", "quick"}
