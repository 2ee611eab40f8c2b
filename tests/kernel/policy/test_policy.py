"""Policies: requirements, hooks, activation, and what a gate of them answers."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import inspect
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    AgentScoped,
    Ask,
    Block,
    Interceptors,
    InvalidInterceptor,
    InvalidValue,
    Kind,
    Note,
    Policy,
    Result,
    Scope,
    Severity,
    ToolCall,
    ToolResult,
    Verdict,
    decide,
)

CALL = ToolCall("1", "bash", {"command": "ls"})
RESULT = ToolResult("out")
N, P, F, X = Result


def holds(call: object) -> bool:
    """Hold."""
    return True


def fails(call: object) -> bool:
    """Do not hold."""
    return False


def crashes(call: object) -> bool:
    """Raise."""
    raise ValueError("secret")


@pytest.mark.parametrize(
    ("on_fail", "verdict", "kind"),
    [("block", Verdict.BLOCK, Block), ("ask", Verdict.ASK, Ask), ("note", Verdict.PROCEED, Note)],
)
def test_a_requirement_that_does_not_hold_is_what_it_says(on_fail: Any, verdict: Verdict, kind: type) -> None:
    """Block, ask or note; a requirement that holds says nothing."""
    policy = Policy("p").require(fails, on_fail=on_fail, reason="why", severity="high")
    outcome = decide(policy.interceptors(), TOOL_CALL, CALL)
    (entry,) = outcome.log
    assert (outcome.verdict, type(entry.answer), entry.reason) == (verdict, kind, "why")
    assert (entry.severity, entry.interceptor, entry.is_gate) == (Severity.HIGH, "p", True)
    assert decide(Policy("p").require(holds, on_fail=on_fail).interceptors(), TOOL_CALL, CALL).log == ()


def test_an_ask_carries_its_target_and_time_out() -> None:
    """And the reason is the predicate's name if none is given."""
    policy = Policy("p").require(fails, on_fail="ask", target="security", timeout_s=5)
    (ask,) = decide(policy.interceptors(), TOOL_CALL, CALL).asks
    assert (ask.reason, ask.target, ask.timeout_s, ask.severity) == ("fails must hold", "security", 5, Severity.MEDIUM)


NEITHER: list[tuple[Any, str]] = [
    (None, "NoneType"),
    (0, "int"),
    (1, "int"),
    ("", "str"),
    ("yes", "str"),
    ([], "list"),
    (Block("no"), "Block"),
    (NotImplemented, "NotImplementedType"),
]


@pytest.mark.parametrize(("answer", "kind"), NEITHER, ids=lambda it: repr(it))
@pytest.mark.parametrize("on_fail", ["block", "ask", "note"])
@pytest.mark.parametrize("negate", [False, True])
def test_what_is_neither_true_nor_false_is_a_fault_and_blocks(
    answer: Any, kind: str, on_fail: Any, negate: bool
) -> None:
    """Negated too, and whatever a failure would have meant."""
    policy = Policy("p").require(lambda call: answer, on_fail=on_fail)
    outcome = decide((~policy if negate else policy).interceptors(), TOOL_CALL, CALL)
    assert outcome.verdict is Verdict.BLOCK
    assert outcome.reason == f"policy error: p answered {kind} where True or False is due"


def test_a_predicate_that_raises_is_told_by_its_class_and_place() -> None:
    """Its text may quote a secret; what the kernel itself called on the way is no place."""
    outcome = decide(Policy("p").require(crashes).interceptors(), TOOL_CALL, CALL)
    line = inspect.getsourcelines(crashes)[1] + 2
    assert outcome.reason == f"policy error: p raised ValueError at test_policy.py:{line}"
    length: Any = len
    assert (
        decide(Policy("p").require(length).interceptors(), TOOL_CALL, CALL).reason == "policy error: p raised TypeError"
    )


def test_a_predicate_that_gives_a_coroutine_is_a_fault_and_it_is_closed() -> None:
    """It would be true, if anybody asked."""

    async def later() -> bool:
        return True

    made = later()
    policy: Any = Policy("p").require(lambda call: made)  # type: ignore[arg-type]
    assert decide(policy.interceptors(), TOOL_CALL, CALL).verdict is Verdict.BLOCK
    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED
    active: Any = later()
    assert Policy("p").require(fails).active_when(lambda call: active).evaluate("pre", CALL).result is F
    assert inspect.getcoroutinestate(active) == inspect.CORO_CLOSED


async def async_predicate(call: object) -> bool:
    """Be async."""
    return True


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"predicate": None}, InvalidInterceptor, "the predicate NoneType of p is not callable"),
    ({"predicate": True}, InvalidInterceptor, "not callable"),
    ({"predicate": async_predicate}, InvalidInterceptor, "the predicate async_predicate of p is async"),
    ({"predicate": lambda: True}, InvalidInterceptor, "must take the value as its first parameter"),
    ({"predicate": lambda call, scope, more: True}, InvalidInterceptor, "takes more than it is offered"),
    ({"on_fail": "deny"}, InvalidInterceptor, "p: on_fail is block, ask or note"),
    ({"on_fail": None}, InvalidInterceptor, "p: on_fail is block, ask or note"),
    ({"hook": "Pre"}, InvalidInterceptor, "hook is pre or post"),
    ({"hook": None}, InvalidInterceptor, "hook is pre or post"),
    ({"target": "t"}, InvalidInterceptor, "p: target and timeout_s go with on_fail='ask'"),
    ({"timeout_s": 5, "on_fail": "note"}, InvalidInterceptor, "target and timeout_s go with on_fail='ask'"),
    ({"severity": "critical"}, InvalidValue, "must be low, medium or high"),
    ({"on_fail": "ask", "timeout_s": 0}, InvalidValue, "must be a positive number of seconds"),
    ({"on_fail": "ask", "target": 7}, InvalidValue, "/target"),
]


@pytest.mark.parametrize(("options", "error", "complaint"), WRONG, ids=lambda it: it if isinstance(it, str) else "")
def test_a_requirement_that_makes_no_sense_is_refused(
    options: dict[str, Any], error: type[Exception], complaint: str
) -> None:
    """Where it is written, not where it would have been needed."""
    with pytest.raises(error, match=complaint):
        Policy("p").require(options.pop("predicate", holds), **options)


def test_a_negated_policy_takes_no_more_requirements() -> None:
    """It would not be clear what is negated."""
    with pytest.raises(InvalidInterceptor, match="p is negated: require first, then ~"):
        (~Policy("p").require(holds)).require(holds)


def test_a_policy_is_immutable_and_grows_by_copies() -> None:
    """Each step gives another one."""
    base = Policy("p")
    one = base.require(holds)
    two = one.require(fails).active_when(holds)
    assert (len(base.requirements), len(one.requirements), len(two.requirements), len(two.activations)) == (0, 1, 2, 1)
    with pytest.raises(FrozenInstanceError):
        base.name = "q"  # type: ignore[misc]


def test_every_failure_is_reported() -> None:
    """One does not hide another."""
    policy = (
        Policy("p")
        .require(fails, reason="a")
        .require(crashes)
        .require(fails, reason="b", on_fail="ask")
        .require(fails, reason="c", on_fail="note")
        .require(holds, reason="d")
    )
    log = decide(policy.interceptors(), TOOL_CALL, CALL).log
    assert [entry.kind for entry in log] == [Kind.BLOCK, Kind.ASK, Kind.BLOCK, Kind.NOTE]
    assert {entry.reason for entry in log} >= {"a", "b", "c"}


# Hooks


def test_pre_judges_the_call_and_post_judges_the_result() -> None:
    """Each at its seam; the post predicate may ask for the call and the scope too."""
    seen: list[tuple[Any, ...]] = []

    def keep(*offered: Any) -> bool:
        seen.append(offered)
        return True

    policy = (
        Policy("p")
        .require(lambda call, scope: keep("pre", call, scope))
        .require(lambda result: keep("post", result), hook="post")
        .require(lambda result, call: keep("post", result, call), hook="post")
        .require(lambda result, call, scope: keep("post", result, call, scope), hook="post")
    )
    who = Scope(agent="a")
    decide(policy.interceptors(), TOOL_CALL, CALL, scope=who)
    assert seen == [("pre", CALL, who)]
    seen.clear()
    decide(policy.interceptors(), TOOL_RESULT, RESULT, CALL, scope=who)
    assert seen == [("post", RESULT), ("post", RESULT, CALL), ("post", RESULT, CALL, who)]


@pytest.mark.parametrize(
    ("policy", "pre", "post"),
    [
        (Policy("empty"), N, N),
        (Policy("p").require(holds), P, N),
        (Policy("p").require(fails), F, N),
        (Policy("p").require(crashes), X, N),
        (Policy("p").require(fails, hook="post"), N, F),
        (Policy("p").require(fails, on_fail="ask"), F, N),
        (Policy("p").require(fails, on_fail="note"), N, N),
        (Policy("p").require(holds, on_fail="note"), N, N),
        (Policy("p").require(crashes, on_fail="note"), X, N),
        (Policy("p").require(holds).require(fails, on_fail="note"), P, N),
        (Policy("p").require(fails).require(crashes), F, N),
        (Policy("p").require(holds).require(crashes), X, N),
    ],
)
def test_the_result_of_a_policy_is_one_of_four(policy: Policy, pre: Result, post: Result) -> None:
    """For each hook by its own requirements; one that only notes never counts, unless it crashes."""
    assert (policy.evaluate("pre", CALL).result, policy.evaluate("post", RESULT, CALL).result) == (pre, post)


@pytest.mark.parametrize("hook", ["Pre", "", None, "both"])
def test_an_unknown_hook_is_refused(hook: Any) -> None:
    """It would be a policy that never applies."""
    with pytest.raises(InvalidInterceptor, match="hook is 'pre' or 'post'"):
        Policy("p").evaluate(hook, CALL)


def test_a_gate_at_one_seam_alone_judges_that_one() -> None:
    """`interceptors()` puts it at both."""
    policy = Policy("p").require(fails, hook="post", reason="leak")
    assert decide(Interceptors(tool_call=[policy.as_gate()]), TOOL_RESULT, RESULT, CALL).proceeds
    assert (
        decide(policy.interceptors(), TOOL_RESULT, RESULT, CALL).denial == "[tool result withheld by interceptor: leak]"
    )
    assert decide(policy.interceptors(), TOOL_CALL, CALL).proceeds


def test_results_are_told_by_their_names() -> None:
    """Records are written with these."""
    assert [result.value for result in Result] == ["not applicable", "passed", "failed", "faulted"]


def test_a_predicate_takes_no_more_than_it_is_shown_and_the_scope() -> None:
    """A call before it runs; after it the result and the call."""
    two, three, four = (lambda a, b: True), (lambda a, b, c: True), (lambda a, b, c, d: True)
    policy: Any = Policy("p")
    assert policy.require(two).require(three, hook="post").active_when(two).requires
    with pytest.raises(InvalidInterceptor, match="takes more than it is offered"):
        policy.require(three)
    with pytest.raises(InvalidInterceptor, match="takes more than it is offered"):
        policy.require(four, hook="post")
    with pytest.raises(InvalidInterceptor, match="takes more than it is offered"):
        policy.active_when(three)


def test_how_a_predicate_is_called_is_not_shown() -> None:
    """It follows from the predicate."""
    assert "takes" not in repr(Policy("p").require(lambda call: True))


def test_without_a_scope_nobody_is_known() -> None:
    """A predicate that wants it is given one all the same."""
    seen: list[Scope] = []

    def keeps(call: ToolCall, scope: Scope) -> bool:
        seen.append(scope)
        return True

    policy = Policy("p").require(keeps).active_when(keeps)
    assert policy.evaluate("pre", CALL).result is P
    assert seen == [Scope(), Scope()]


def test_what_is_only_noted_hides_nothing_that_follows() -> None:
    """Whether it fails or holds."""
    for first in (holds, fails):
        policy = Policy("p").require(first, on_fail="note").require(fails, reason="why")
        found = policy.evaluate("pre", CALL)
        assert (found.result, [each.reason for each in found.failures]) == (F, ["why"])
        assert len(found.notes) == (first is fails)


def test_an_activation_is_shown_the_call_alone() -> None:
    """The result where it is given alone, and never what stands further."""
    seen: list[tuple[object, ...]] = []

    def keeps(shown: object, who: Scope) -> bool:
        seen.append((shown, who))
        return False

    policy = Policy("p").require(holds).require(lambda result: True, hook="post").active_when(keeps)
    given: list[tuple[Any, tuple[Any, ...]]] = [
        ("pre", (CALL,)),
        ("pre", (CALL, RESULT)),
        ("post", (RESULT,)),
        ("post", (RESULT, CALL)),
        ("post", (RESULT, CALL, "more")),
    ]
    assert [policy.evaluate(hook, *offered).result for hook, offered in given] == [N] * 5
    assert seen == [(shown, Scope()) for shown in (CALL, CALL, RESULT, CALL, CALL)]


def test_one_of_two_that_requires_something_is_enough() -> None:
    """To be made a gate."""
    empty, full = Policy("empty"), Policy("full").require(holds)
    for one, other in ((empty, full), (full, empty), (full, full)):
        assert (one & other).requires
        assert (one | other).requires
    assert not (empty & empty).requires


def test_structures_are_told_apart_by_their_kind() -> None:
    """And a predicate by how it is called, which the names of its parameters say."""
    policy = Policy("p").require(holds)
    structures: list[Any] = [policy.structure(), AgentScoped(policy, "a").structure(), (policy & policy).structure()]
    assert [structure[0] for structure in structures] == ["policy", "roles", "&"]

    def by_name(call: object, scope: object) -> bool:
        return call is scope

    def by_place(call: object, other: object) -> bool:
        return call is other

    one, other = (Policy("p").require(each, reason="why").policy_hash for each in (by_name, by_place))
    assert one != other
    hashes = {Policy("p").require(holds).active_when(each).policy_hash for each in (by_name, by_place)}
    assert len(hashes) == 2
