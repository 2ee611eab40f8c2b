"""Plans: `None` when nothing happened, and what `decide` gives when something did."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    SEAMS,
    TOOL_CALL,
    TOOL_RESULT,
    Allow,
    Interceptors,
    InvalidInterceptor,
    InvalidValue,
    Kind,
    MemoryItem,
    Message,
    Plan,
    Policy,
    ProviderRequest,
    Replace,
    Scope,
    Seam,
    ToolCall,
    ToolResult,
    allow,
    block,
    decide,
    gate,
    interceptor,
    note,
    observer,
    parse_rules,
    plan,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
VALUES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "context": ((Message("user", "a"),), ()),
    "provider_request": (ProviderRequest("m"), ()),
    "tool_call": (CALL, ()),
    "tool_result": (ToolResult("out"), (CALL,)),
    "memory": ((MemoryItem("a"),), ()),
}


def planned(**given: Any) -> Plan:
    """Make the plan of a bundle that is not empty."""
    made = plan(Interceptors(**given))
    assert made is not None
    return made


def silent(value: object) -> None:
    """Say nothing."""


def knows(call: ToolCall, scope: Scope) -> object:
    """Note who is calling."""
    return note(scope.agent)


@pytest.mark.parametrize(
    "bundle", [None, Interceptors(), Interceptors(tool_call=[], seams={})], ids=["None", "empty", "lists"]
)
def test_the_plan_of_nothing_is_none(bundle: Interceptors | None) -> None:
    """So that an empty seam costs one check."""
    assert plan(bundle) is None


@pytest.mark.parametrize("wrong", [[], [silent], {}, 0, "x", silent])
def test_the_plan_of_what_is_no_bundle_is_refused(wrong: Any) -> None:
    """Nothing that is falsy passes for the empty bundle."""
    with pytest.raises(InvalidInterceptor, match="a bundle is Interceptors"):
        plan(wrong)


@pytest.mark.parametrize("seam", VALUES)
def test_nothing_happened_is_none_at_every_seam(seam: str) -> None:
    """Where nobody listens, where all are silent, and where all say allow in one way or another."""
    value, beside = VALUES[seam]
    says: list[Any] = [
        silent,
        lambda value: allow(),
        lambda value: Allow(),
        Replace,
        gate(silent),
        gate(lambda v: allow()),
    ]
    for asked in ([], says, [observer(silent)]):
        made = planned(**{seam: asked, "handlers": [silent]})
        assert getattr(made, seam)(value, *beside) is None


@pytest.mark.parametrize("seam", VALUES)
def test_where_something_happened_it_is_the_outcome_that_decide_gives(seam: str) -> None:
    """Whoever spoke first, in chain or gates, however many were silent before or speak after."""
    value, beside = VALUES[seam]
    for said in (note("n"), block("b")):
        for place in range(4):
            asked: list[Any] = [silent, silent, gate(silent), gate(silent)]
            asked[place] = gate(lambda value, said=said: said) if place > 1 else lambda value, said=said: said
            bundle = Interceptors(**{seam: [*asked, lambda value: note("later")]})  # type: ignore[arg-type]
            made = plan(bundle)
            assert made is not None
            outcome = getattr(made, seam)(value, *beside)
            assert outcome == decide(bundle, SEAMS[seam], value, *beside)
            assert outcome.value is value


def test_a_rename_by_a_rewriter_opens_the_question_of_filters_again() -> None:
    """Who is asked after a replacement is who matches what it left, by exact name and by glob."""
    asked: list[str] = []

    def to_ls(call: ToolCall) -> Replace:
        return Replace(ToolCall(call.id, "ls"))

    def seen_by(name: str) -> Callable[[ToolCall], None]:
        return lambda call: asked.append(name)

    filters = {"bash": "bash", "ls": "ls", "b*": "b*", "l?": "l?", "all": ()}
    witnesses = [gate(seen_by(name), tools=tools) for name, tools in filters.items()]
    before = interceptor(seen_by("before"), tools="ba*")
    made = planned(tool_call=[*witnesses, before, interceptor(to_ls, tools="bash")])
    outcome = made.tool_call(CALL)
    assert outcome is not None
    assert (outcome.value.name, asked) == ("ls", ["before", "ls", "l?", "all"])
    asked.clear()
    assert made.tool_call(ToolCall("2", "bat")) is None
    assert asked == ["before", "b*", "all"]


@pytest.mark.parametrize("tools", ["bash", "b*", "*h", "b?sh", "[ab]ash", ["x", "bash"], ["x*", "*s*"], ()])
@pytest.mark.parametrize("agents", ["", "builder", "b*", "x"])
def test_the_index_asks_whom_a_scan_would(tools: Any, agents: str) -> None:
    """Exact names, prefixes, globs, many; for a known agent, another, and none; asked twice, for it is remembered."""
    bundle = Interceptors(tool_call=[gate(lambda call: block("no"), tools=tools, agents=agents or ()), knows])
    made = plan(bundle)
    assert made is not None
    for _ in range(2):
        for name in ("bash", "ls", "", "*", "bash*"):
            for scope in (None, Scope(), Scope(agent="builder"), Scope(agent="other")):
                call = ToolCall("1", name)
                assert made.tool_call(call, scope=scope) == decide(bundle, TOOL_CALL, call, scope=scope)


def test_the_scope_and_what_stands_beside_reach_who_declares_them() -> None:
    """Also where others at the seam do not want them."""
    seen: list[tuple[Any, ...]] = []

    def two(result: ToolResult, call: ToolCall) -> None:
        seen.append((result, call))

    def with_scope(result: ToolResult, *, scope: Scope) -> None:
        seen.append((result, scope))

    def everything(*offered: object) -> None:
        seen.append(offered)

    who, result = Scope(role="r"), ToolResult("out")
    made = planned(tool_result=[silent, two, with_scope, everything])
    assert made.tool_result(result, CALL, scope=who) is None
    assert seen == [(result, CALL), (result, who), (result, CALL)]
    assert planned(tool_call=[silent, knows]).tool_call(CALL, scope=Scope(agent="a")).reason == ""  # type: ignore[union-attr]


WRONG: list[tuple[str, tuple[Any, ...]]] = [
    ("context", (Message("user", "a"),)),
    ("context", ("text",)),
    ("context", (("text",),)),
    ("memory", (MemoryItem("a"),)),
    ("provider_request", ("m",)),
    ("tool_call", ("bash",)),
    ("tool_call", (None,)),
    ("tool_result", (ToolResult(),)),
    ("tool_result", (ToolResult(), ToolResult())),
    ("tool_result", (CALL, CALL)),
]


@pytest.mark.parametrize(("seam", "given"), WRONG)
def test_what_the_seam_does_not_carry_is_refused(seam: str, given: tuple[Any, ...]) -> None:
    """By a plan as by `decide`, and nobody is asked."""
    asked: list[object] = []
    with pytest.raises(InvalidValue):
        getattr(planned(**{seam: [asked.append]}), seam)(*given)
    assert asked == []


@pytest.mark.parametrize("kind", [dict, list])
def test_a_hosts_own_container_is_shown_frozen(kind: type) -> None:
    """A seam of one's own over JSON gives nobody the host's object to change."""
    own: Seam[Any] = Seam("own", kind)
    shown: list[object] = []
    run = planned(seams={own: [shown.append]}).at(own)
    given = kind()
    assert run(given) is None
    assert (type(shown[0]) is not kind, shown[0] == given) == (True, True)


def test_a_list_of_messages_is_given_back_as_the_hosts_own() -> None:
    """What proceeds is the object that was given, where nobody replaced it."""
    given: Any = [Message("user", "a")]
    outcome = planned(context=[lambda messages: note("n")]).context(given)
    assert outcome is not None
    assert outcome.value is given
    assert decide(None, CONTEXT, given).value is given


# What it costs


def allocated_by(run: Callable[[Any], object], value: object) -> int:
    """Count the blocks that a thousand calls leave behind."""
    for _ in range(100):
        run(value)
    gc.collect()
    gc.disable()
    try:
        before = sys.getallocatedblocks()
        for _ in range(1_000):
            run(value)
        return sys.getallocatedblocks() - before
    finally:
        gc.enable()


CHEAP: dict[str, dict[str, Any]] = {
    "silent": {"tool_call": [silent] * 3},
    "allows": {"tool_call": [lambda call: allow()] * 3},
    "filters": {"tool_call": [gate(silent, tools=["b*", "ls"]), gate(silent, tools="bash", agents="a*")]},
    "scope": {"tool_call": [lambda call, scope: None]},
    "other seams": {"context": [silent]},
    "rules": {"rules": parse_rules([{"refuse": "no", "tools": "ba*", "when": [{"at": "/command", "equals": "rm"}]}])},
    "policies": {"tool_call": [Policy("p").require(lambda call: True).as_gate()]},
}


@pytest.mark.parametrize("kind", CHEAP)
def test_a_thousand_allowed_calls_keep_nothing(kind: str) -> None:
    """Nothing grows on the hot path, and the answer is `None`."""
    run = planned(**CHEAP[kind]).tool_call
    assert run(CALL) is None
    assert allocated_by(run, CALL) < 300  # a block a call would be a thousand; the rest are free lists


def test_allowing_hands_every_interceptor_the_very_same_object() -> None:
    """No copy is made on the way."""
    seen: list[object] = []
    assert planned(tool_call=[seen.append, gate(seen.append)]).tool_call(CALL) is None
    assert [shown is CALL for shown in seen] == [True, True]


def test_a_plan_tells_of_what_it_is_made() -> None:
    """The bundle is there, and the functions may be kept."""
    bundle = Interceptors(tool_result=[silent])
    made = plan(bundle)
    assert made is not None
    assert made.bundle is bundle
    assert made.at(TOOL_RESULT)(ToolResult(), CALL) is None


def test_a_rename_after_somebody_spoke_reaches_whoever_stands_between() -> None:
    """Who is next is looked up again after each of the chain that may rename."""
    asked: list[str] = []

    def seen_by(name: str, answer: object = None, **only: Any) -> Any:
        def says(call: ToolCall) -> object:
            asked.append(name)
            return answer

        return interceptor(says, name=name, **only)

    chain = [
        seen_by("speaks", note("n")),
        seen_by("renames", Replace(ToolCall("1", "ls"))),
        seen_by("for the new name", tools="ls"),
        seen_by("for both"),
        gate(lambda call: asked.append("gate"), tools="ls"),
    ]
    bundle = Interceptors(tool_call=chain)
    made = plan(bundle)
    assert made is not None
    assert made.tool_call(CALL) == decide(bundle, TOOL_CALL, CALL)
    everybody = ["speaks", "renames", "for the new name", "for both", "gate"]
    assert asked == everybody * 2


def test_agents_alone_are_told_apart() -> None:
    """Where nobody is for certain tools; an agent that is not known is everybody's."""
    made = planned(tool_call=[interceptor(lambda call: block("no"), agents="a")])
    assert made.tool_call(CALL, scope=Scope(agent="b")) is None
    for scope in (Scope(agent="a"), Scope(), None):
        outcome = made.tool_call(CALL, scope=scope)
        assert outcome is not None
        assert not outcome.proceeds


def test_at_a_result_the_tool_is_that_of_the_call_beside_it() -> None:
    """Also once somebody has spoken."""
    watching = [gate(lambda result: note("n")), gate(lambda result: block("no"), tools="bash")]
    made = planned(tool_result=watching)
    outcome, other = (made.tool_result(ToolResult("out"), call) for call in (CALL, ToolCall("1", "ls")))
    assert outcome is not None
    assert other is not None
    assert (outcome.proceeds, other.proceeds) == (False, True)


def declaring(seen: list[object], beside: int) -> dict[str, Any]:
    """One callable for each way to declare what is taken; each keeps what it was given, and notes it."""

    def kept(*given: object) -> object:
        seen.append(given)
        return note("n")

    def by_name(value: object, *, scope: Scope) -> object:
        return kept(value, scope)

    def by_place(value: object, scope: Scope, /) -> object:
        return kept(value, scope)

    everything: dict[str, Any] = {
        "the value": lambda value: kept(value),
        "anything": kept,
        "the scope by its name": by_name,
        "the scope by its place": by_place,
    }
    if beside:
        everything["the call"] = lambda value, call: kept(value, call)
        everything["one more than the call"] = lambda value, call, who: kept(value, call, who)
        return everything
    everything["one more"] = lambda value, who: kept(value, who)
    return everything


PAIRS = [
    (seam, kind, other)
    for seam, (_, beside) in VALUES.items()
    for kind in declaring([], len(beside))
    for other in declaring([], len(beside))
]


@pytest.mark.parametrize(("seam", "kind", "other"), PAIRS)
def test_each_is_given_what_it_declares_by_a_plan_as_by_decide(seam: str, kind: str, other: str) -> None:
    """Alone, twice, and with another that declares something else, in either order."""
    value, beside = VALUES[seam]
    who, by_plan, by_deciding = Scope(agent="a"), list[object](), list[object]()
    for names in ([kind], [kind, other]):
        given: dict[str, Any] = {seam: [declaring(by_plan, len(beside))[name] for name in names]}
        planned_outcome = getattr(planned(**given), seam)(value, *beside, scope=who)
        given = {seam: [declaring(by_deciding, len(beside))[name] for name in names]}
        outcome = decide(Interceptors(**given), SEAMS[seam], value, *beside, scope=who)
        logs = [[entry.kind for entry in each.log] for each in (planned_outcome, outcome)]
        assert logs == [[Kind.NOTE] * len(names)] * 2
    assert by_plan == by_deciding
