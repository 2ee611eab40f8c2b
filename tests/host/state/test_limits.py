"""Rates and budgets as gates: what is reserved, settled, given back, and refused."""

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from threading import Event
from typing import Any

import pytest
from tests.host.state.running import Run, pay, run, run_async

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    ProviderRequest,
    Replace,
    Scope,
    ToolCall,
    ToolResult,
    Verdict,
    ask,
    block,
    decide,
    gate,
    replace,
)
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.state import (
    Attempt,
    Ending,
    InvalidAmount,
    InvalidLimit,
    MemoryState,
    Spending,
    State,
    UnknownUsage,
    attempting,
    budget,
    metering,
    rate_limit,
    token_budget,
)

BILLION = 10**9
KEY = ("budget", "session", "")
NOTHING = Spending(0, 0)


def dollars(state: State, key: tuple[str, ...] = KEY) -> tuple[float, float]:
    """What is spent and what is reserved."""
    return (state.spending(key).spent / BILLION, state.spending(key).reserved / BILLION)


def output(result: ToolResult) -> object:
    """What a tool gave, if that is what it cost."""
    return result.output


# -- budgets whose cost is known before


def test_what_a_call_costs_is_reserved_until_it_ends_and_then_spent(state: State) -> None:
    """In between, nobody else can have it."""
    rules = Interceptors(tool_call=[budget(state, 10, amount_from="amount")])
    one = Run(rules, pay(7))
    assert dollars(state) == (0, 7)
    assert Run(rules, pay(4)).outcome.reason == "at most 10 may be spent, and with this call it would be more"
    one.end("done")
    assert dollars(state) == (7, 0)
    assert not Run(rules, pay(4)).starts
    assert run(rules, pay(3), lambda call: "done") == "done"
    assert dollars(state) == (10, 0)


@pytest.mark.parametrize("other", [block("no"), ask("may it?")], ids=["another gate blocks", "an ask is denied"])
def test_what_does_not_run_costs_nothing(state: State, other: object) -> None:
    """The reservation is given back, so that the next call may have it."""
    denied = Interceptors(tool_call=[budget(state, 10, amount_from="amount"), gate(lambda call: other, name="other")])
    for _ in range(3):
        with pytest.raises(Blocked):
            run(denied, pay(9), lambda call: "done")
        assert dollars(state) == (0, 0)


def test_a_tool_that_raises_has_been_started_and_may_have_spent(state: State) -> None:
    """Whoever charges a card and then fails has charged it."""
    rules = Interceptors(tool_call=[budget(state, 10, amount_from="amount")])

    def tool(call: ToolCall) -> object:
        raise ValueError("too late")

    with pytest.raises(ValueError, match="too late"):
        run(rules, pay(7), tool)
    assert dollars(state) == (7, 0)


def test_a_call_that_is_cancelled_while_it_runs_is_spent(state: State) -> None:
    """Nobody knows how far it came."""
    rules = Interceptors(tool_call=[budget(state, 10, amount_from="amount")])

    async def main() -> None:
        started = asyncio.Event()

        async def tool(call: ToolCall) -> object:
            started.set()
            await asyncio.sleep(60)
            return "done"

        task = asyncio.create_task(run_async(rules, pay(7), tool))
        await started.wait()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(main())
    assert dollars(state) == (7, 0)


@pytest.mark.parametrize("charge", [-100, math.nan, math.inf, -math.inf, True, "5", None, Decimal("NaN"), 10**400])
def test_a_charge_that_is_none_is_refused_and_the_budget_unchanged(state: State, charge: Any) -> None:
    """A charge of -100, of NaN, lifted a budget: whoever tells the amount, at a gate it blocks."""
    state.charge(KEY, 3 * BILLION)
    for told in (budget(state, 10, amount_from=lambda call: charge), budget(state, 10, amount_from="amount")):
        try:
            call = pay(charge)
        except ValueError:  # NaN, infinities and a Decimal are no JSON
            call = pay("nothing")
        one = Run(Interceptors(tool_call=[told]), call)
        assert (one.outcome.verdict, one.outcome.reason[:1]) == (Verdict.BLOCK, "/")
        assert dollars(state) == (3, 0)


def test_an_argument_that_is_missing_blocks() -> None:
    """What a call costs is never nothing because nobody said it."""
    rules = Interceptors(tool_call=[budget(MemoryState(), 10, amount_from="amount")])
    assert decide(rules, TOOL_CALL, ToolCall("1", "pay", {})).verdict is Verdict.BLOCK


def test_amounts_are_exact(state: State) -> None:
    """0.1 and 0.2 are 0.3, to the last; one more billionth is too much."""
    rules = Interceptors(tool_call=[budget(state, 0.3, amount_from="amount")])
    assert [Run(rules, pay(amount)).starts for amount in (0.1, 0.2, 1e-9)] == [True, True, False]


def test_keys_are_counted_apart(state: State) -> None:
    """Per session, agent and tool; whoever is unknown shares with the unknown."""
    rules = Interceptors(tool_call=[budget(state, 1, amount_from=1, key=("session", "tool"))])

    def starts(session: str | None, tool: str) -> bool:
        return Run(rules, pay(1, tool), Scope(session=session)).starts

    given = [("a", "x"), ("b", "x"), ("a", "y"), (None, "x"), ("a", "x"), (None, "x")]
    assert [starts(*one) for one in given] == [True, True, True, True, False, False]


def test_a_function_may_tell_the_key(state: State) -> None:
    """By the month, by the customer."""
    rules = Interceptors(tool_call=[budget(state, 1, amount_from=1, key=lambda call, scope: ("may",))])
    assert [Run(rules, pay(1)).starts for _ in range(2)] == [True, False]
    assert state.spending(("budget", "may")).reserved == BILLION

    def no_key(call: ToolCall, scope: Scope) -> Any:
        return "may"

    assert not Run(Interceptors(tool_call=[budget(state, 1, amount_from=1, key=no_key)]), pay(1)).starts


def test_a_gate_that_is_asked_twice_about_a_call_counts_it_once(state: State) -> None:
    """As where an engine inherits it from an engine around it, and is also given it: the last amount counts."""
    spending = budget(state, 10, amount_from="amount")
    places = rate_limit(state, 2, 3_600)
    twice = Interceptors(tool_call=[spending, places, spending, places])
    assert [Run(twice, pay(5)).starts for _ in range(2)] == [True, True]
    assert dollars(state) == (0, 10)


# -- budgets whose cost is known afterwards


def test_a_cost_known_from_the_result_stops_once_it_is_spent(state: State) -> None:
    """Calls on their way may go past the cap; none begins after."""
    told = budget(state, 10, actual_from=output)
    rules = Interceptors(tool_call=[told])
    on_their_way = [Run(rules, pay(0)) for _ in range(3)]
    for one in on_their_way:
        one.end(6)
    assert dollars(state) == (18, 0)
    assert not Run(rules, pay(0)).starts


def test_an_estimate_bounds_what_is_spent(state: State) -> None:
    """What costs less than its estimate leaves the rest to others, what costs more is charged in full."""
    rules = Interceptors(tool_call=[budget(state, 10, amount_from="amount", actual_from=output)])
    first, second = Run(rules, pay(5)), Run(rules, pay(5))
    assert not Run(rules, pay(1)).starts
    first.end(2)
    assert dollars(state) == (2, 5)
    second.end(6)
    assert dollars(state) == (8, 0)
    assert [Run(rules, pay(amount)).starts for amount in (3, 2)] == [False, True]


@pytest.mark.parametrize(
    ("options", "spent"),
    [({}, 10), ({"if_unknown": 2}, 2), ({"amount_from": 4}, 4), ({"amount_from": 4, "if_unknown": 5}, 5)],
    ids=str,
)
@pytest.mark.parametrize("told", [None, -1, math.nan, "6", True])
def test_a_result_that_does_not_tell_its_cost_is_a_fault_and_never_free(
    state: State, options: dict[str, Any], spent: int, told: Any
) -> None:
    """It costs what was said for that, or the estimate, or all there is; and the fault is reported."""
    made = budget(state, 10, actual_from=lambda result: told, **options)
    one = Run(Interceptors(tool_call=[made]), pay(0))
    one.end("done")
    assert dollars(state) == (spent, 0)
    assert [type(problem) for problem in one.problems] == [InvalidAmount]


def test_without_anybody_to_say_how_a_call_ends_all_is_charged_at_once(state: State) -> None:
    """Asking the kernel alone never spends less, and is a fault where the cost cannot be known."""
    before = Interceptors(tool_call=[budget(state, 10, amount_from="amount")])
    assert decide(before, TOOL_CALL, pay(7)).verdict is Verdict.PROCEED
    assert dollars(state) == (7, 0)
    after = Interceptors(tool_call=[budget(state, 10, actual_from=lambda result: 1)])
    assert "HostError" in decide(after, TOOL_CALL, pay(7)).reason
    assert dollars(state) == (7, 0)


def test_a_decision_that_comes_after_the_end_holds_nothing(state: State) -> None:
    """A decision that took too long goes on in its thread: the call will never run."""
    rules = Interceptors(tool_call=[budget(state, 10, amount_from="amount"), rate_limit(state, 5, 3_600)])
    attempt = Attempt()
    attempt.finished(Ending(executed=False))
    token = attempting.set(attempt)
    try:
        assert decide(rules, TOOL_CALL, pay(7)).verdict is Verdict.BLOCK
    finally:
        attempting.reset(token)
    assert dollars(state) == (0, 0)


# -- in an engine


def renamed(call: ToolCall) -> Replace:
    """Make it a call of a tool that nobody has."""
    return replace(ToolCall(call.id, "another", call.arguments))


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("deadline_s", [None, 60.0], ids=["at once", "in a thread"])
@pytest.mark.parametrize(
    ("how", "mode", "spent"),
    [
        ("runs", "enforce", 7),
        ("raises", "enforce", 7),
        ("is blocked", "enforce", 0),
        ("is not granted", "enforce", 0),
        ("has no tool", "enforce", 0),
        ("runs", "dry_run", 7),
        ("is blocked", "dry_run", 7),
    ],
)
def test_an_engine_settles_what_ran_and_releases_the_rest(
    how: str, mode: Any, spent: int, deadline_s: float | None, in_loop: bool
) -> None:
    """However a call ends, and wherever it is decided."""
    state = MemoryState()
    rules: list[Any] = [budget(state, 10, amount_from="amount")]
    if how == "is blocked":
        rules.append(gate(lambda call: block("no"), name="other"))
    if how == "is not granted":
        rules.append(gate(lambda call: ask("may it?"), name="other"))
    if how == "has no tool":
        rules.append(renamed)

    def tool(amount: int) -> int:
        if how == "raises":
            raise ValueError
        return amount

    engine = Engine(Interceptors(tool_call=rules), mode=mode, deadline_s=deadline_s)
    args = {"amount": 7}
    with suppress(ValueError, Blocked):
        asyncio.run(engine.acall("pay", tool, args)) if in_loop else engine.call("pay", tool, args)
    assert dollars(state) == (spent, 0)


def test_an_engine_charges_a_call_that_is_cancelled_while_it_runs_and_releases_one_that_waits() -> None:
    """Cancelled while somebody is asked, the tool was not started."""
    state = MemoryState()

    class Asking:
        timeout_s = None

        def __init__(self, asked: Any) -> None:
            self.ask = asked

        def work(self) -> object:
            reached.set()
            return asyncio.sleep(60)

        def answered(self, said: object, /) -> Any:
            raise NotImplementedError

    class Approvals:
        def pending(self, outcome: Any, scope: Scope, attempt: str, /) -> list[Asking]:
            return [Asking(one) for one in outcome.asks]

    async def tool(amount: int) -> None:
        reached.set()
        await asyncio.sleep(60)

    async def cancelled(*more: Any) -> None:
        engine = Engine(
            Interceptors(tool_call=[budget(state, 100, amount_from="amount"), *more]), approvals=Approvals()
        )
        task = asyncio.create_task(engine.acall("pay", tool, {"amount": 7}))
        while not reached.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    reached = Event()
    asyncio.run(cancelled())
    assert dollars(state) == (7, 0)
    reached = Event()
    asyncio.run(cancelled(gate(lambda call: ask("may it?"), name="other")))
    assert dollars(state) == (7, 0)


# -- what makes no sense


@pytest.mark.parametrize(
    ("make", "given", "options"),
    [
        (budget, (10,), {}),
        (budget, (-1,), {"amount_from": 1}),
        (budget, (math.nan,), {"amount_from": 1}),
        (budget, (True,), {"amount_from": 1}),
        (budget, (10,), {"amount_from": -1}),
        (budget, (10,), {"amount_from": True}),
        (budget, (10,), {"actual_from": len, "if_unknown": -1}),
        (budget, (10,), {"amount_from": 1, "unit": 0}),
        (budget, (10,), {"amount_from": 1, "key": "sesion"}),
        (budget, (10,), {"amount_from": 1, "key": ("session", "user")}),
        (rate_limit, (-1, 60), {}),
        (rate_limit, (True, 60), {}),
        (rate_limit, (2.0, 60), {}),
        (rate_limit, (10**6, 60), {}),
        (rate_limit, (2, 0), {}),
        (rate_limit, (2, math.inf), {}),
        (rate_limit, (2, math.nan), {}),
        (token_budget, (10,), {"count": "reasoning"}),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_when_it_is_made(
    make: Callable[..., object], given: tuple[Any, ...], options: dict[str, Any]
) -> None:
    """Not when the first call comes."""
    with pytest.raises(InvalidLimit):
        make(MemoryState(), *given, **options)


# -- rates


def test_a_rate_says_when_the_next_may_start() -> None:
    """By its clock."""
    now = [0.0]
    rules = Interceptors(tool_call=[rate_limit(MemoryState(clock=lambda: now[0]), 2, 60)])
    assert [Run(rules, pay(0)).starts for _ in range(2)] == [True, True]
    now[0] = 18.5
    assert Run(rules, pay(0)).outcome.reason == "at most 2 calls in 60 s may start; the next may start in 42 s"
    now[0] = 60
    assert [Run(rules, pay(0)).starts for _ in range(3)] == [True, True, False]


def test_a_rate_of_nothing_lets_nothing_through(state: State) -> None:
    """And a cap of nothing neither, not even what is free."""
    for made in (rate_limit(state, 0, 60), budget(state, 0, amount_from="amount")):
        assert not Run(Interceptors(tool_call=[made]), pay(0)).starts


# -- tokens


def response(tokens: int) -> dict[str, object]:
    """What a provider answers."""
    return {"usage": {"input_tokens": tokens - 1, "output_tokens": 1}}


def test_tokens_are_counted_around_a_call_of_a_provider(state: State) -> None:
    """What the response says is spent; a request is blocked once nothing is left."""
    engine = Engine(Interceptors(provider_request=[token_budget(state, 100)]))
    key = ("token budget", "session", "")
    for total in (60, 120):
        with metering() as call:
            engine.before_provider_call(ProviderRequest("model"))
            call.gave(response(60))
        assert state.spending(key) == (total, 0)
    with pytest.raises(Blocked), metering():
        engine.before_provider_call(ProviderRequest("model"))
    assert state.spending(key) == (120, 0)


def test_an_upper_bound_of_tokens_is_never_exceeded(state: State) -> None:
    """Where a request says how much it may use at most."""
    most = token_budget(state, 100, at_most=lambda request: request.kwargs["max_tokens"])
    rules = Interceptors(provider_request=[most])
    request = ProviderRequest("model", kwargs={"max_tokens": 60})

    def told(request: ProviderRequest) -> ProviderRequest:
        return Engine(rules).before_provider_call(request)

    with metering() as call:
        told(request)
        with pytest.raises(Blocked), metering():
            told(request)
        call.gave(response(30))
    with metering() as call:
        told(request)
        call.gave(response(60))
    assert state.spending(("token budget", "session", "")) == (90, 0)


def test_what_a_tool_asks_of_a_provider_is_counted_by_itself(state: State) -> None:
    """Each request has its own place and its own cost, however many one call of a tool makes."""
    tokens, rate = token_budget(state, 100, at_most=30), rate_limit(state, 3, 3_600)
    agent = Engine(Interceptors(provider_request=[tokens, rate]))
    sent: list[int] = []

    def tool(metered: bool) -> int:
        for _ in range(2):
            if not metered:
                agent.before_provider_call(ProviderRequest("model"))
            else:
                with metering() as call:
                    agent.before_provider_call(ProviderRequest("model"))
                    call.gave(response(10))
            sent.append(1)
        return len(sent)

    key = ("token budget", "session", "")
    assert agent.call("tool", tool, {"metered": True}) == 2
    assert state.spending(key) == (20, 0)
    with pytest.raises(Blocked, match="at most 3 calls"):
        agent.call("tool", tool, {"metered": False})
    assert sum(state.spending(key)) == 50 + 30
    assert len(sent) == 3


def test_two_requests_in_one_metering_are_two(state: State) -> None:
    """The first is not taken for the second, decided anew."""
    agent = Engine(Interceptors(provider_request=[token_budget(state, 100, at_most=60)]))
    with metering() as call:
        agent.before_provider_call(ProviderRequest("model"))
        with pytest.raises(Blocked):
            agent.before_provider_call(ProviderRequest("model"))
        call.gave(response(50))
    assert state.spending(("token budget", "session", "")) == (50, 0)


def test_a_tool_that_no_engine_runs_can_be_metered(state: State) -> None:
    """As by a host with a loop of its own."""
    rules = Interceptors(tool_call=[budget(state, 10, amount_from="amount", actual_from=output)])
    with metering(pay(7)) as call:
        assert decide(rules, TOOL_CALL, pay(7)).verdict is Verdict.PROCEED
        call.gave(ToolResult(3))
    assert dollars(state) == (3, 0)


def test_a_block_of_another_call_frees_nothing(state: State) -> None:
    """A metered tool made calls of its own, one of which was blocked: what the tool had cost was given back."""
    engine = Engine(Interceptors(tool_call=[budget(state, 10, amount_from=4)]))
    inner = Engine(Interceptors(tool_call=[gate(lambda call: block("no"), name="no")]))
    withheld = Engine(Interceptors(tool_result=[gate(lambda result, call: block("no"), name="withholds")]))
    ran: list[str] = []

    def metered(id: str, then: Callable[[ToolCall], object]) -> None:
        call = ToolCall(id, "pay", {})
        with metering(call):
            engine.at(TOOL_CALL, call)
            ran.append(id)
            then(call)

    with pytest.raises(Blocked, match="no"):
        metered("1", lambda call: inner.call("x", lambda: 1))
    assert dollars(state) == (4, 0)
    with pytest.raises(Blocked, match="no"):
        metered("2", lambda call: withheld.at(TOOL_RESULT, ToolResult("paid"), call))
    assert dollars(state) == (8, 0)
    with pytest.raises(Blocked, match="at most 10"):
        metered("3", lambda call: None)
    assert (ran, dollars(state)) == (["1", "2"], (8, 0))


def test_a_response_without_usage_is_a_fault_and_closes_the_budget(state: State) -> None:
    """Never 0: what was used is not known, so nothing more may be."""
    engine = Engine(Interceptors(provider_request=[token_budget(state, 100)]))

    def told(response: object) -> None:
        with metering() as call:
            engine.before_provider_call(ProviderRequest("model"))
            call.gave(response)

    with pytest.raises(UnknownUsage):
        told({"text": "no usage here"})
    with pytest.raises(Blocked):
        told(response(10))


def test_a_call_of_a_provider_that_fails_is_charged_its_bound(state: State) -> None:
    """It may have been answered; what fails is what the caller sees."""
    engine = Engine(Interceptors(provider_request=[token_budget(state, 100, at_most=60)]))

    def broken() -> None:
        with metering():
            engine.before_provider_call(ProviderRequest("model"))
            raise OSError("connection reset")

    with pytest.raises(OSError, match="reset"):
        broken()
    assert state.spending(("token budget", "session", "")) == (60, 0)


@pytest.mark.parametrize(("count", "spent"), [("total", 150), ("input", 100), ("output", 50)])
def test_which_tokens_count_can_be_said(state: State, count: Any, spent: int) -> None:
    """All of them, or those of one kind; of a tool's result, too."""
    rules = Interceptors(tool_call=[token_budget(state, 1_000, count=count)])
    one = Run(rules, pay(0))
    one.end({"usage": {"prompt_tokens": 100, "completion_tokens": 50}})
    assert state.spending(("token budget", "session", "")) == (spent, 0)


# -- attempts of calls


class Told:
    """A meter that says what it was told."""

    def __init__(self, raises: Exception | None = None) -> None:
        self.endings: list[Ending] = []
        self.raises = raises

    def finished(self, ending: Ending, /) -> None:
        """Remember it."""
        self.endings.append(ending)
        if self.raises is not None:
            raise self.raises


def test_every_meter_is_told_once_whatever_another_raises() -> None:
    """What a meter raises is reported."""
    attempt, meters, problem = Attempt(), [Told(), Told(ValueError("broken")), Told()], ValueError("broken")
    meters[1].raises = problem
    for meter in meters:
        assert attempt.hold(meter, meter)
    ending = Ending(True, "call", ToolResult("done"))
    assert attempt.finished(ending) == (problem,)
    assert attempt.finished(ending) == ()
    assert [meter.endings for meter in meters] == [[ending]] * 3
    assert not attempt.hold("late", Told())


def test_an_attempt_ends_once_for_each_meter_under_threads() -> None:
    """Whoever holds while it ends is told, or told that it has ended."""
    for _ in range(200):
        attempt, meters = Attempt(), [Told() for _ in range(8)]
        with ThreadPoolExecutor(9) as threads:
            held = [threads.submit(attempt.hold, meter, meter) for meter in meters]
            threads.submit(attempt.finished, Ending(False))
        attempt.finished(Ending(False))
        assert [len(meter.endings) for meter in meters] == [int(one.result()) for one in held]


def test_the_hash_of_a_policy_sees_the_cap_and_not_what_was_counted(state: State, make_state: Any) -> None:
    """Equal limits on equal states have one hash, before and after calls; another cap has another."""

    def hashed(state: State, cap: int) -> str:
        return Engine(
            Interceptors(tool_call=[budget(state, cap, amount_from=1), rate_limit(state, cap, 60)])
        ).policy_hash

    before = hashed(state, 5)
    state.charge(KEY, 1)
    state.admit(KEY, 5, 60)
    other = make_state(namespace="other") if "Redis" in type(state).__name__ else make_state()
    assert hashed(state, 5) == before
    assert hashed(state, 6) != before
    assert (hashed(other, 5) == before) is ("Memory" in type(state).__name__)  # where it is counted is part of it
