"""The limits as packs: what they let through, where they count, and what they are refused for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.host.state.conftest import Server
from tests.host.state.running import Run, pay
from tests.packs.verified import broken

from seamlaw import PROVIDER_REQUEST, Interceptors, ProviderRequest, Scope, ToolCall, ToolResult, decide, merge
from seamlaw_host.engine import Engine, session
from seamlaw_host.errors import Blocked
from seamlaw_host.state import (
    Budget,
    MemoryState,
    RateLimit,
    Spending,
    State,
    TokenBudget,
    TokenLimit,
    metering,
)
from seamlaw_host.state import _packs as module
from seamlaw_host.state._asked import CHOICES, LIMITS
from seamlaw_packs.errors import InvalidPack

Pack = RateLimit | Budget | TokenBudget | TokenLimit


def used(before: int, after: int) -> dict[str, Any]:
    """Give a response that says what was used."""
    return {"usage": {"input_tokens": before, "output_tokens": after}}


def asks(pack: TokenBudget | TokenLimit, response: object, **kwargs: object) -> str:
    """Send a request, if it may be sent, and tell what came back; give the reason if it may not."""
    engine = Engine(pack.interceptors())
    try:
        with metering() as call:
            engine.before_provider_call(ProviderRequest("m", kwargs=kwargs))
            call.gave(response)
    except Blocked as denied:
        return denied.reason
    return ""


# Rates


def test_case_20_a_limit_of_two_and_a_batch_of_three(state: State) -> None:
    """Exactly two start, wherever is counted."""
    engine = Engine(RateLimit(2, 60, state=state).interceptors())
    together, started = Barrier(3), list[int]()

    def call(number: int) -> bool:
        together.wait()
        try:
            engine.call("t", lambda: started.append(number))
        except Blocked:
            return False
        return True

    with ThreadPoolExecutor(3) as threads:
        assert sorted(threads.map(call, range(3))) == [False, True, True]
    assert len(started) == 2


def test_each_session_has_its_own_limit_unless_it_is_counted_by_something_else() -> None:
    """`key` is one part, several, or a function."""
    for key, free in (
        ("session", True),
        ("tool", False),
        (["tool", "session"], True),
        (the_same, False),
    ):
        engine = Engine(RateLimit(1, 60, key=key).interceptors())
        engine.call("t", lambda: 1)
        with session("another"):
            if free:
                engine.call("t", lambda: 1)
            else:
                with pytest.raises(Blocked):
                    engine.call("t", lambda: 1)


def test_only_the_tools_that_are_named_count() -> None:
    """Others are free."""
    rules = RateLimit(1, 60, tools=["pay_*"]).interceptors()
    starts = [
        Run(rules, ToolCall(str(number), tool)).starts for number, tool in enumerate(["ls", "ls", "pay_a", "pay_b"])
    ]
    assert starts == [True, True, True, False]


def test_a_gate_is_made_once() -> None:
    """So a call that is decided twice, by what the pack gave twice, takes one place."""
    for pack in (RateLimit(1, 60), Budget(1, 1), TokenBudget(1), TokenLimit(1, cap=1)):
        first, second = pack.interceptors(), pack.interceptors()
        pairs = zip(first.tool_call + first.provider_request, second.tool_call + second.provider_request, strict=True)
        assert all(one is other for one, other in pairs)
    pack = RateLimit(1, 60)
    assert Run(Interceptors(tool_call=[*pack.interceptors().tool_call * 2]), pay(1)).starts


# Budgets


def test_a_budget_holds_its_cap_and_refuses_what_is_no_amount(state: State) -> None:
    """Case 29: a charge of -100 blocks, and changes nothing."""
    pack = Budget(10, "amount", state=state)
    rules = pack.interceptors()
    Run(rules, pay(7)).end("done")
    for amount in (-100, -0.5, "7", None, True, [7]):
        assert not Run(rules, pay(amount)).starts
    assert not Run(rules, pay(4)).starts
    assert state.spending(("budget", "session", "")) == Spending(7 * 10**9, 0)


def test_what_a_call_did_cost_takes_the_place_of_the_estimate() -> None:
    """Both may be told."""
    pack = Budget(1, 0.6, actual_from=output)
    engine = Engine(pack.interceptors())
    assert [engine.call("search", paid, {"cost": cost}) for cost in (0.1, 0.3, 0.1)] == [0.1, 0.3, 0.1]
    with pytest.raises(Blocked):
        engine.call("search", lambda: 0.1)


# Tokens


def test_tokens_are_counted_until_the_cap_is_reached(state: State) -> None:
    """The request that goes past it is the last; a response that does not tell spends all there is."""
    pack = TokenBudget(2_000, state=state)
    assert [asks(pack, used(1_000, 500)), asks(pack, used(1_000, 500))] == ["", ""]
    assert asks(pack, used(1, 1)) == "at most 2000 may be spent, and with this call it would be more"
    with pytest.raises(Exception, match="tokens were used"):
        asks(TokenBudget(10), {})
    assert asks(TokenBudget(10, count="output"), used(100, 9)) == ""


def test_with_prices_the_cap_is_money() -> None:
    """Prices are of a million tokens; sums are exact."""
    pack = TokenBudget(Decimal("0.03"), input_price=3, output_price=15.0)
    assert pack.spent(used(1_000, 200)) == Decimal("0.006")
    assert [asks(pack, used(1_000, 200)) for _ in range(5)] == [""] * 5
    assert asks(pack, used(1_000, 200)).startswith("at most 0.03 may be spent")


def test_a_tool_that_asks_a_model_can_be_counted() -> None:
    """Its results tell what was used; requests are then left alone."""
    pack = TokenBudget(100, tools="ask_model")
    assert not pack.interceptors().provider_request
    engine = Engine(pack.interceptors())
    engine.call("ask_model", lambda: used(60, 50))
    engine.call("ls", lambda: 1)
    with pytest.raises(Blocked):
        engine.call("ask_model", lambda: used(1, 1))


def the_same(call: object, scope: Scope) -> tuple[str, ...]:
    """Count all calls together."""
    return ("x",)


def output(result: ToolResult) -> object:
    """Give what a tool gave, if that is what it cost."""
    return result.output


def paid(cost: float) -> float:
    """Stand for a tool that tells what it cost."""
    return cost


def nothing(request: ProviderRequest) -> int:
    """Stand for what reads how many tokens a request asks for."""
    return 0


def limited(pack: TokenLimit, **kwargs: object) -> str:
    """Decide a request with these options; give the reason of a block."""
    return decide(pack.interceptors(), PROVIDER_REQUEST, ProviderRequest("m", kwargs=kwargs)).reason


def test_a_request_says_how_many_tokens_it_may_be_answered_with() -> None:
    """In the words of each provider; one that does not say is blocked, as is one that asks for more."""
    pack = TokenLimit(1_000)
    fine: list[dict[str, Any]] = [
        {"max_tokens": 1_000},
        {"max_completion_tokens": 500, "n": 2},
        {"max_output_tokens": 1_000, "max_tokens": None},
        {"generationConfig": {"maxOutputTokens": 500, "candidateCount": 2}},
        {"config": {"max_output_tokens": 7}},
    ]
    for kwargs in fine:
        assert limited(pack, **kwargs) == "", kwargs
    too_many: list[tuple[dict[str, Any], int]] = [
        ({"max_tokens": 1_001}, 1_001),
        ({"max_tokens": 10, "max_completion_tokens": 5_000}, 5_000),
        ({"max_completion_tokens": 500, "n": 3}, 1_500),
        ({"config": {"max_output_tokens": 600, "candidate_count": 2}}, 1_200),
        ({"max_tokens": 600, "generation_config": {"candidate_count": 2}}, 1_200),
        ({"max_tokens": 6, "extra_body": {"max_tokens": 1_200}}, 1_200),
        ({"max_tokens": 6, "extra_body": {"generation_config": {"maxOutputTokens": 1_200}}}, 1_200),
        ({"max_tokens": 600, "best_of": 2}, 1_200),
    ]
    for kwargs, asked in too_many:
        said = limited(pack, **kwargs)
        assert said == f"the answer may have {asked} tokens, and at most 1000 may be asked for", kwargs
    silent: list[dict[str, Any]] = [{}, {"max_tokens": None}, {"n": 1}, {"config": {}}]
    for kwargs in silent:
        assert limited(pack, **kwargs).startswith("/kwargs: must say how many tokens"), kwargs
    for wrong in (True, 0, -1, 5.0, "5", [5]):
        assert limited(pack, max_tokens=wrong) == "/kwargs/max_tokens: must be a whole number, at least 1"
    assert limited(pack, max_tokens=5, config=[5]) == "/kwargs/config: must be an object of JSON, not FrozenList"


OPTIONS = st.dictionaries(
    st.sampled_from([*LIMITS, *CHOICES]), st.none() | st.integers(1, 50) | st.just("5"), max_size=4
)


@given(OPTIONS, OPTIONS)
@settings(max_examples=200)
def test_more_options_never_loosen_a_limit(some: dict[str, Any], more: dict[str, Any]) -> None:
    """Of requests that say how many: what is blocked stays blocked, whatever else is said."""
    pack = TokenLimit(30)
    reason = limited(pack, **some)
    if reason and not reason.startswith("/kwargs: must say"):
        assert limited(pack, **{**more, **some})


def test_the_cap_of_all_answers_is_never_exceeded(state: State) -> None:
    """What requests on their way may still be answered with counts; what was not used comes back."""
    pack = TokenLimit(500, cap=1_000, state=state)
    engine = Engine(pack.interceptors())
    request = ProviderRequest("m", kwargs={"max_tokens": 400})
    with metering() as first:
        engine.before_provider_call(request)
        with metering() as second:
            engine.before_provider_call(request)
            assert asks(pack, used(10, 400), max_tokens=400) != ""
            second.gave(used(10, 400))
        first.gave(used(10, 100))
    assert asks(pack, used(10, 400), max_tokens=400) == ""
    assert asks(pack, used(10, 101), max_tokens=101) != ""
    assert asks(pack, used(10, 100), max_tokens=100) == ""


def test_a_cap_that_reserves_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: requests at the same time then go past it."""
    monkeypatch.setattr(module, "asked_for", nothing)
    with pytest.raises(AssertionError):
        test_the_cap_of_all_answers_is_never_exceeded(MemoryState())


# Where is counted


def test_packs_that_are_given_one_state_count_in_it() -> None:
    """Also one that takes the place of another, as when a policy is loaded anew; in memory of their own they do not."""
    state = MemoryState()
    for where, starts in (("memory", [True, True]), (state, [True, False])):
        packs = [RateLimit(1, 60, state=where) for _ in range(2)]
        assert [Run(pack.interceptors(), pay(1)).starts for pack in packs] == starts
    labelled = [RateLimit(1, 60, state=state, label=label) for label in ("one", "two")]
    assert [Run(pack.interceptors(), pay(1)).starts for pack in labelled] == [True, True]


def test_the_url_of_a_redis_is_a_state(redis_server: Server) -> None:
    """Two packs of one URL count together, as two processes do."""
    packs = [RateLimit(1, 60, state=redis_server.url, label="by url") for _ in range(2)]
    assert [Run(pack.interceptors(), pay(1), Scope(session="by url")).starts for pack in packs] == [True, False]


def test_a_redis_that_is_away_blocks() -> None:
    """Nobody can tell how many there were."""
    pack = RateLimit(1, 60, state="unix:///nowhere/redis.sock")
    assert "StateUnavailable" in Run(pack.interceptors(), pay(1)).outcome.reason


def test_no_password_of_a_url_is_shown() -> None:
    """Neither by the pack, nor where it is refused."""
    url = "redis://:hunter2@localhost:6379/0"
    for pack in (RateLimit(1, 60, state=url), Budget(1, 1, state=url), TokenBudget(1, state=url)):
        assert "state='redis://…'" in repr(pack)
        assert "hunter2" not in repr(pack)
    with pytest.raises(InvalidPack) as raised:
        RateLimit(1, 60, state="redis://:hunter2@localhost:port")
    assert "hunter2" not in str(raised.value)


# Configuration


@pytest.mark.parametrize(
    ("make", "options", "place"),
    [
        (RateLimit, {"limit": -1, "per_s": 1}, "limit"),
        (RateLimit, {"limit": 1.5, "per_s": 1}, "limit"),
        (RateLimit, {"limit": True, "per_s": 1}, "limit"),
        (RateLimit, {"limit": 1, "per_s": 0}, "per_s"),
        (RateLimit, {"limit": 1, "per_s": float("nan")}, "per_s"),
        (RateLimit, {"limit": 1, "per_s": 1, "key": "colour"}, "key"),
        (RateLimit, {"limit": 1, "per_s": 1, "key": []}, "key"),
        (RateLimit, {"limit": 1, "per_s": 1, "key": [1]}, "key"),
        (RateLimit, {"limit": 1, "per_s": 1, "key": 5}, "key"),
        (RateLimit, {"limit": 1, "per_s": 1, "tools": []}, "tools"),
        (RateLimit, {"limit": 1, "per_s": 1, "tools": ["a["]}, "tools"),
        (RateLimit, {"limit": 1, "per_s": 1, "tools": None}, "tools"),
        (RateLimit, {"limit": 1, "per_s": 1, "label": ""}, "label"),
        (RateLimit, {"limit": 1, "per_s": 1, "state": "disk"}, "state"),
        (RateLimit, {"limit": 1, "per_s": 1, "state": 5}, "state"),
        (RateLimit, {"limit": 1, "per_s": 1, "state": "redis://h:port"}, "state"),
        (RateLimit, {"limit": 1, "per_s": 1, "state": "redis://h?nobody_knows=1"}, "state"),
        (RateLimit, {"limit": 1, "per_s": 10**400}, "per_s"),
        (Budget, {"cap": 5}, "amount_from"),
        (Budget, {"cap": 5, "amount_from": 1, "if_unknown": 1}, "if_unknown"),
        (Budget, {"cap": -5, "amount_from": 1}, "cap"),
        (Budget, {"cap": float("nan"), "amount_from": 1}, "cap"),
        (Budget, {"cap": "5", "amount_from": 1}, "cap"),
        (Budget, {"cap": 5, "amount_from": -1}, "amount_from"),
        (Budget, {"cap": 5, "amount_from": ""}, "amount_from"),
        (Budget, {"cap": 5, "amount_from": ["a"]}, "amount_from"),
        (Budget, {"cap": 5, "actual_from": "cost"}, "actual_from"),
        (Budget, {"cap": 5, "amount_from": 1, "if_unknown": True}, "if_unknown"),
        (Budget, {"cap": 5, "amount_from": 1, "unit": 0}, "unit"),
        (TokenBudget, {"cap": True}, "cap"),
        (TokenBudget, {"cap": 5, "count": "all"}, "count"),
        (TokenBudget, {"cap": 5, "at_most": -1}, "at_most"),
        (TokenBudget, {"cap": 5, "at_most": "max_tokens"}, "at_most"),
        (TokenBudget, {"cap": 5, "input_price": 3, "output_price": 3, "count": "output"}, "count"),
        (TokenBudget, {"cap": 5, "input_price": 0, "output_price": 0.0}, "input_price"),
        (TokenBudget, {"cap": 5, "input_price": 3}, "output_price"),
        (TokenBudget, {"cap": 5, "output_price": 3}, "input_price"),
        (TokenBudget, {"cap": 5, "input_price": -3, "output_price": 3}, "input_price"),
        (TokenBudget, {"cap": 5, "input_price": 3, "output_price": "3"}, "output_price"),
        (TokenBudget, {"cap": 5, "usage_from": None}, "usage_from"),
        (TokenBudget, {"cap": 5, "if_unknown": -1}, "if_unknown"),
        (TokenLimit, {"per_request": 0}, "per_request"),
        (TokenLimit, {"per_request": 5.0}, "per_request"),
        (TokenLimit, {"per_request": 5, "state": "redis://localhost"}, "state"),
        (TokenLimit, {"per_request": 5, "state": MemoryState()}, "state"),
        (TokenLimit, {"per_request": 5, "key": ["agent"]}, "key"),
        (TokenLimit, {"per_request": 5, "cap": -1}, "cap"),
        (TokenLimit, {"per_request": 5, "cap": 5.5}, "cap"),
    ],
)
def test_what_cannot_be_is_refused(make: Callable[..., Pack], options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        make(**options)
    assert raised.value.place == place


def test_what_is_made_of_the_same_is_the_same() -> None:
    """Lists, as TOML and JSON give, and tuples; and another limit is another policy."""
    assert RateLimit(1, 60, key=["agent", "tool"], tools=["a"]) == RateLimit(1, 60, key=("agent", "tool"), tools=("a",))
    makers: list[Callable[[int], Pack]] = [
        lambda n: RateLimit(n, 60),
        lambda n: Budget(n, 1),
        lambda n: TokenBudget(n),
        lambda n: TokenLimit(n),
        lambda n: TokenBudget(5, input_price=n, output_price=3),
    ]
    for make in makers:
        one, same, other = make(1), make(1), make(2)
        assert (one == same, hash(one) == hash(same), one == other) == (True, True, False)
        hashes = [Engine(pack.interceptors()).policy_hash for pack in (one, same, other)]
        assert (hashes[0] == hashes[1], hashes[0] == hashes[2]) == (True, False)
        assert (one.version, bool(one.description), one.label) == ("1", True, one.name)


# The laws of the kit


def made() -> Interceptors | None:
    """Make all of them, which have counted nothing."""
    return merge(
        RateLimit(2, 60).interceptors(),
        Budget(5, "amount").interceptors(),
        TokenBudget(1_000, at_most=400).interceptors(),
        TokenLimit(300, cap=500).interceptors(),
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green; each trace gets limits that have counted nothing."""
    assert broken(made, examples=15, budget_s=2) == []  # others work on this machine
