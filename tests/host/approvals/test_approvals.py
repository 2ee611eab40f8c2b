"""Who is asked, what they are shown, and what counts as a yes."""

import asyncio
import contextvars
import json
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.host.approvals.asking import (
    CALL,
    CANARY,
    MASK,
    Masking,
    Says,
    SaysAll,
    Tool,
    after,
    answer_to,
    approvals,
    asking,
    called,
    grants,
    outcome_of,
    put,
)

from seamlaw import TOOL_RESULT, Answered, Interceptors, Outcome, Scope, ToolCall, ToolResult, Verdict, ask, grant
from seamlaw_host.approvals import Approvals, InvalidApprovals, Request
from seamlaw_host.engine import Engine

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


class Yes:
    """Says that it equals True."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        return True


@given(JSON | st.sampled_from([1, 1.0, "true", "True", "yes", [True], {"approved": True}, Yes(), True]))
def test_only_true_grants(answer: object) -> None:
    """Of all JSON and all that looks like a yes, the value `True` alone lets a call go on (`only_true_grants`)."""
    outcome = put(approvals(cli=Says(lambda request: answer)), asking("cli://"))
    assert outcome.proceeds == (answer is True)


def test_a_handler_may_say_who_granted() -> None:
    """A grant made for the ask itself counts, and tells who gave it."""
    (pending,) = approvals(cli=Says(grants)).pending(outcome_of(asking("cli://")), Scope())
    answer = answer_to(pending)
    assert (answer.granted, answer.by) == (True, "anna")


def test_a_grant_of_another_ask_is_none() -> None:
    """What was granted for `f(a)` is no answer to `f(b)`."""
    other = outcome_of(asking("cli://"), ToolCall("2", "push", {"branch": "release"})).asks[0]
    assert not put(approvals(cli=Says(lambda request: grant(other))), asking("cli://")).proceeds


def test_an_answer_that_merely_says_granted_is_none() -> None:
    """`granted=1` in an answer made by hand refuses."""
    made = Says(lambda request: Answered(request.ask, cast(Any, 1)))
    assert not put(approvals(cli=made), asking("cli://")).proceeds


def test_an_approval_of_what_has_changed_is_for_nothing() -> None:
    """An outcome whose call is not the one the ask is for contacts nobody and is denied."""
    outcome, says = outcome_of(asking("cli://")), Says()
    changed = Outcome(outcome.seam, outcome.verdict, ToolCall("1", "push", {"branch": "other"}), outcome.asks)
    (pending,) = approvals(cli=says).pending(changed, Scope())
    assert (answer_to(pending).granted, says.requests) == (False, [])


UNREACHABLE = [
    (None, "names no target"),
    ("the owner", "no URI"),
    ("://", "no URI"),
    ("cli", "no URI"),
    ("telegram://ops", "nobody is registered for telegram://"),
    ("TELEGRAM://ops", "nobody is registered for telegram://"),
]


@pytest.mark.parametrize(("target", "why"), UNREACHABLE)
def test_nobody_registered_denies(target: str | None, why: str) -> None:
    """An ask that nobody can be asked about is denied, with a reason of its own kind."""
    outcome = put(approvals(cli=Says()), asking(target))
    assert outcome.verdict is Verdict.BLOCK
    assert why in outcome.reason


@pytest.mark.parametrize(("target", "why"), UNREACHABLE)
def test_where_one_ask_cannot_be_granted_nobody_is_contacted(target: str | None, why: str) -> None:
    """A person is not asked in vain, and is told of as not asked, whatever the order."""
    for targets in (("cli://", target), (target, "cli://")):
        says = Says()
        outcome = put(approvals(cli=says), asking(*targets))
        assert (outcome.proceeds, says.requests) == (False, [])
        assert why in outcome.reason


def test_a_target_is_not_quoted() -> None:
    """What stands in a target may be made of an argument."""
    for target in (CANARY, f"x://{CANARY}", f"cli:{CANARY}"):
        assert CANARY not in put(approvals(cli=Says()), asking(target)).reason


def test_an_ask_without_a_target_goes_to_the_default() -> None:
    """`default_target` is for these, and one with a target of its own goes there."""
    first, second = Says(), Says()
    both = Approvals({"cli": first, "slack": second}, default_target="cli://", redactor=Masking())
    assert put(both, asking(None, "SLACK://ops")).proceeds
    assert [len(first.requests), len(second.requests)] == [1, 1]
    assert [first.requests[0].target, second.requests[0].target] == ["cli://", "SLACK://ops"]


def test_a_handler_can_be_registered_later() -> None:
    """The registry takes any scheme, and the newest handler of it answers."""
    it = approvals()
    assert not put(it, asking("pager://me")).proceeds
    it.register("pager", Says(lambda request: False))
    assert not put(it, asking("pager://me")).proceeds
    it.register("pager", Says())
    assert put(it, asking("pager://me")).proceeds


@pytest.mark.parametrize(
    "make",
    [
        lambda: Approvals({"CLI": Says()}, redactor=Masking()),
        lambda: Approvals({"cli://": Says()}, redactor=Masking()),
        lambda: Approvals({"cli": cast(Any, object())}, redactor=Masking()),
        lambda: Approvals({"cli": cast(Any, Says)}, redactor=Masking()),
        lambda: Approvals(default_target="cli", redactor=Masking()),
        lambda: Approvals(timeout_s=0, redactor=Masking()),
        lambda: Approvals(timeout_s=float("nan"), redactor=Masking()),
        lambda: Approvals(timeout_s=float("inf"), redactor=Masking()),
    ],
)
def test_what_cannot_work_is_refused_at_once(make: Callable[[], object]) -> None:
    """A scheme that no target has, a handler that cannot ask, a time-out that is none."""
    with pytest.raises(InvalidApprovals):
        make()


# What they are shown


def test_the_request_says_what_would_run_and_for_whom() -> None:
    """Tool, arguments, reason, asker, caller, target, digest and times are there."""
    says = Says()
    it = Approvals({"cli": says}, redactor=Masking(), clock=lambda: 1000.0)
    scope = Scope(session="s1", agent="coder")
    outcome = outcome_of(asking("cli://", timeout_s=5), scope=scope)
    answer_to(it.pending(outcome, scope, "a-7")[0])
    (request,) = says.requests
    assert (request.tool, request.arguments) == ("push", {"branch": "main", "force": True})
    assert (request.message, request.interceptor, request.target) == ("may it?", "asker-0", "cli://")
    assert (request.session, request.agent, request.attempt) == ("s1", "coder", "a-7")
    assert (request.digest, request.seam, request.ask) == (outcome.asks[0].digest, "tool_call", outcome.asks[0])
    assert (request.created, request.timeout_s, request.expires) == (1000.0, 5, 1005.0)


def test_each_request_has_an_id_of_its_own() -> None:
    """Two asks, and the same ask twice, are told apart."""
    says = Says()
    for _ in range(2):
        put(approvals(cli=says), asking("cli://", "cli://"))
    assert len({request.id for request in says.requests}) == 4


def test_a_secret_is_in_no_part_of_a_request() -> None:
    """Arguments, keys, tool, reason, asker, caller and target are redacted; `repr` shows nothing else."""
    says = Says()
    call = ToolCall("1", f"push-{CANARY}", {CANARY: [{"deep": f"a{CANARY}b"}], "token": CANARY})
    scope = Scope(session=CANARY, agent=CANARY)
    bundle = asking(f"cli://{CANARY}", reason=f"because of {CANARY}", name=CANARY)
    outcome = outcome_of(bundle, call, scope)
    answer_to(approvals(cli=says).pending(outcome, scope)[0])
    (request,) = says.requests
    assert CANARY not in repr(request)
    assert request.arguments == {MASK: [{"deep": f"a{MASK}b"}], "token": MASK}
    assert [request.tool, request.message] == [f"push-{MASK}", f"because of {MASK}"]
    assert [request.session, request.agent, request.target, request.interceptor] == [
        MASK, MASK, f"cli://{MASK}", f"{MASK}-0",
    ]  # fmt: skip


def test_a_long_reason_is_redacted_before_it_is_cut() -> None:
    """No cut can leave the half of a secret that a redactor does not know."""
    for before in range(1980, 2001):
        says = Says()
        put(approvals(cli=says), asking("cli://", reason="x" * before + CANARY + "y" * 50))
        assert CANARY[:4] not in says.requests[0].message
        assert len(says.requests[0].message) < 2040


def test_what_is_too_large_to_be_shown_is_refused_and_not_cut() -> None:
    """Nobody is asked to approve what they cannot see."""
    says = Says()
    it = Approvals({"cli": says}, redactor=Masking(), most_shown=1000)
    assert put(it, asking("cli://"), ToolCall("1", "push", {"text": "x" * 900})).proceeds
    outcome = put(it, asking("cli://"), ToolCall("1", "push", {"text": "x" * 1000}))
    assert (outcome.proceeds, len(says.requests)) == (False, 1)
    assert "more than 1000 characters" in outcome.reason


class Broken:
    """A redactor that fails, quoting what it should hide."""

    def __init__(self, at: str, how: Callable[[object], object]) -> None:
        self.at, self.how = at, how

    def value(self, value: object, /) -> object:
        """Fail, or not."""
        return self.how(value) if self.at == "value" else value

    def text(self, text: str, /) -> str:
        """Fail, or not."""
        return cast(str, self.how(text)) if self.at == "text" else text


def failing(value: object) -> object:
    """Quote the value."""
    raise ValueError(f"cannot redact {value}")


def no_json(value: object) -> object:
    """Give neither JSON nor text."""
    return object()


@pytest.mark.parametrize("at", ["value", "text"])
@pytest.mark.parametrize("how", [failing, no_json])
def test_what_cannot_be_redacted_is_shown_to_nobody(at: str, how: Callable[[object], object]) -> None:
    """A redactor that raises, or gives what is no JSON or no text, denies; and nothing is quoted."""
    says = Says()
    outcome = put(Approvals({"cli": says}, redactor=Broken(at, how)), asking("cli://", reason=CANARY))
    assert (outcome.proceeds, says.requests) == (False, [])
    assert "could not be redacted" in outcome.reason


def test_a_python_object_is_shown_by_its_type_alone() -> None:
    """Its text may be anything; the approver is told that it is one."""

    class Connection:
        def __repr__(self) -> str:
            return CANARY

    says = Says()
    engine = Engine(asking("cli://"), approvals=approvals(cli=says))
    assert called(engine, Tool(), {"connection": Connection(), "branch": "main"}) == "done"
    (request,) = says.requests
    assert request.is_opaque
    assert request.arguments == {"connection": "<Connection>", "branch": "main"}


def test_what_another_seam_asks_about_is_shown_too() -> None:
    """A result that is asked about is shown by its fields."""
    says = Says()
    bundle = Interceptors(tool_result=[lambda result: ask("show it?", target="cli://")])
    engine = Engine(bundle, approvals=approvals(cli=says))
    assert engine.at(TOOL_RESULT, ToolResult({"rows": [CANARY]}), CALL) == ToolResult({"rows": [CANARY]})
    (request,) = says.requests
    assert (request.tool, request.seam) == ("", "tool_result")
    assert request.arguments == {"output": {"rows": [MASK]}, "error": None, "metadata": {}}


def test_what_an_approver_says_is_redacted_and_short() -> None:
    """Names and reasons come back from outside and go into records and to the model."""

    def refuses(request: Request) -> Answered:
        return Answered(request.ask, False, f"{CANARY}\x1b[2J", f"{CANARY} " + "x" * 1000)

    outcome = put(approvals(cli=Says(refuses)), asking("cli://"))
    assert CANARY not in outcome.reason
    assert "\x1b" not in outcome.reason
    assert len(outcome.reason) < 700


# Several asks


def says(answer: object) -> Callable[[Request], object]:
    """Answer always the same."""
    return lambda request: answer


def test_two_asks_to_two_targets_one_granted() -> None:
    """Denied, whichever was granted."""
    for first, second in ((True, False), (False, True), (False, False)):
        it = approvals(cli=Says(says(first)), slack=Says(says(second)))
        assert not put(it, asking("cli://", "slack://")).proceeds
    assert put(approvals(cli=Says(), slack=Says()), asking("cli://", "slack://")).proceeds


def test_a_handler_may_take_a_batch() -> None:
    """Several asks of one call go to one handler at once, each with its own target."""
    says = SaysAll()
    assert put(approvals(cli=says), asking("cli://a", "cli://b", "cli://c")).proceeds
    assert (says.batches, [request.target for request in says.requests]) == ([3], ["cli://a", "cli://b", "cli://c"])


def test_a_single_ask_is_put_as_a_single_one() -> None:
    """`ask_all` is for several."""
    says = SaysAll()
    assert put(approvals(cli=says), asking("cli://")).proceeds
    assert (says.batches, len(says.requests)) == ([], 1)


BATCH_ANSWERS: list[Callable[[Sequence[Request]], object]] = [
    lambda requests: True,
    lambda requests: None,
    lambda requests: [True],
    lambda requests: [True] * 3,
    lambda requests: {0: True, 1: True},
    lambda requests: (one for one in (True, True)),
    lambda requests: "11",
    lambda requests: [True, 1],
    lambda requests: [True, "true"],
    lambda requests: [grant(requests[0].ask), grant(requests[0].ask)],
]


@pytest.mark.parametrize("answers", BATCH_ANSWERS)
def test_a_batch_needs_an_answer_to_each(answers: Callable[[Sequence[Request]], object]) -> None:
    """The default is no: one answer for all, too few, too many, or one that grants nothing denies."""
    assert not put(approvals(cli=SaysAll(answers=answers)), asking("cli://", "cli://")).proceeds


def test_an_async_batch_is_awaited_once() -> None:
    """`ask_all` may be async."""

    async def later(requests: Any) -> object:
        await asyncio.sleep(0)
        return [True for _ in requests]

    for in_loop in (False, True):
        says, tool = SaysAll(answers=later), Tool()
        engine = Engine(asking("cli://", "cli://"), approvals=approvals(cli=says))
        assert called(engine, tool, {}, in_loop=in_loop) == "done"
        assert (says.batches, len(tool.starts)) == ([2], 1)


def test_a_batch_waits_as_long_as_the_shortest_of_its_asks() -> None:
    """One review answers them all, so it is held to the strictest time-out."""
    a, b = asking("cli://", timeout_s=60), asking("cli://", timeout_s=5, name="other")
    bundle = Interceptors(tool_call=[*a.tool_call, *b.tool_call])
    planned = approvals(cli=SaysAll()).pending(outcome_of(bundle), Scope())
    assert [one.timeout_s for one in planned] == [5, 5]
    planned = approvals(cli=Says()).pending(outcome_of(bundle), Scope())
    assert [one.timeout_s for one in planned] == [60, 5]


def test_an_ask_that_does_not_say_how_long_waits_as_the_approvals_say() -> None:
    """`timeout_s` of `Approvals` is for these; `None` waits forever."""
    for given_s in (300.0, 7.0, None):
        it = Approvals({"cli": Says()}, redactor=Masking(), timeout_s=given_s)
        assert [one.timeout_s for one in it.pending(outcome_of(asking("cli://")), Scope())] == [given_s]


def test_the_second_of_a_batch_alone_is_not_granted_by_itself() -> None:
    """Whoever drives it in another order, or twice, gets no grant out of nothing."""
    says = SaysAll(answers=lambda requests: None)
    planned = approvals(cli=says).pending(outcome_of(asking("cli://", "cli://")), Scope())
    assert [answer_to(one).granted for one in reversed(planned)] == [False, False]
    assert says.batches == [2]


# Under the engine

BEHAVIOURS: dict[str, Callable[[Request], object]] = {
    "grants": lambda request: True,
    "grants by name": grants,
    "refuses": lambda request: False,
    "says nothing": lambda request: None,
    "says 'yes'": lambda request: "yes",
    "crashes": lambda request: 1 / 0,
    "crashes, quoting": lambda request: failing(CANARY),
    "hangs": lambda request: after(0.4, True),
}


async def _later(answer: Callable[[Request], object], request: Request) -> object:
    await asyncio.sleep(0)
    return answer(request)


async def _hanging(request: Request) -> object:
    await asyncio.sleep(30)
    return True


ASYNC_BEHAVIOURS: dict[str, Callable[[Request], object]] = {
    "grants later": lambda request: _later(lambda _: True, request),
    "crashes later": lambda request: _later(failing, request),
    "grants a coroutine": lambda request: _later(lambda _: _later(lambda _: True, request), request),
    "hangs in the loop": _hanging,
}
GRANTING = {"grants", "grants by name", "grants later"}


@given(
    names=st.lists(st.sampled_from([*BEHAVIOURS, *ASYNC_BEHAVIOURS]), min_size=1, max_size=3),
    granted=st.integers(0, 3),
    in_loop=st.booleans(),
)
def test_every_ask_must_be_granted(names: list[str], granted: int, *, in_loop: bool) -> None:
    """One refusal, time-out, crash or nonsense among any number of asks denies (`every_ask_must_be_granted`)."""
    names = names if granted else ["grants" for _ in names]
    every = {**BEHAVIOURS, **ASYNC_BEHAVIOURS}
    handlers = {f"s{i}": Says(every[name]) for i, name in enumerate(names)}
    tool = Tool()
    hangs = any("hang" in name for name in names)  # where nobody does, a slow machine is no failure
    bundle = asking(*(f"{scheme}://" for scheme in handlers), timeout_s=0.1 if hangs else 60)
    engine = Engine(bundle, approvals=Approvals(handlers, redactor=Masking()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a coroutine that nobody awaits is what one of them gives
        told = called(engine, tool, {"branch": "main"}, in_loop=in_loop)
    assert (told == "done", len(tool.starts)) == ((True, 1) if GRANTING.issuperset(names) else (False, 0))
    assert CANARY not in told


def test_a_handler_sees_the_context_of_the_caller() -> None:
    """Context variables are there, in a thread and in a loop."""
    user = contextvars.ContextVar("user", default="nobody")
    user.set("anna")
    seen: list[str] = []

    def looks(request: Request) -> object:
        seen.append(user.get())
        return True

    says = Says(looks)
    engine = Engine(asking("cli://", timeout_s=60), approvals=approvals(cli=says))
    assert [called(engine, Tool(), {}, in_loop=it) for it in (False, True)] == ["done", "done"]
    assert seen == ["anna", "anna"]


def test_a_late_grant_is_for_nothing() -> None:
    """After the time-out a grant neither starts the tool nor is kept for the next call."""
    tool = Tool()
    waits = iter([0.2, 0.0])
    late = Says(lambda request: after(wait, True) if (wait := next(waits)) else False)
    engine = Engine(asking("cli://", timeout_s=0.05), approvals=approvals(cli=late))
    assert "in time" in called(engine, tool, {})
    time.sleep(0.3)
    assert called(engine, tool, {}) != "done"
    assert tool.starts == []


def test_nobody_is_contacted_about_a_call_that_is_blocked() -> None:
    """An ask beside a block asks nobody, in either order."""
    from seamlaw import block, gate

    for order in (1, -1):
        says = Says()
        gates = [*asking("cli://").tool_call, gate(lambda call: block("never"), name="never")][::order]
        engine = Engine(Interceptors(tool_call=gates), approvals=approvals(cli=says))
        assert (called(engine, Tool(), {}), says.requests) == ("never", [])


def test_what_is_shown_reads_as_json() -> None:
    """The arguments of a request are JSON, frozen."""
    says = Says()
    put(approvals(cli=says), asking("cli://"))
    arguments = cast("dict[str, object]", says.requests[0].arguments)
    assert json.loads(json.dumps(arguments)) == CALL.arguments
    with pytest.raises(TypeError):
        arguments["branch"] = "other"
