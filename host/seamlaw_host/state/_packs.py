"""The limits as packs: all that they are given is checked when they are made.

Each makes its gates once, so that a call which is decided twice, as after an approval, is counted once.
"""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, ClassVar

from attrs import Factory, field, frozen

from seamlaw import Block, Globs, Interceptor, Interceptors, ProviderRequest, block, gate
from seamlaw_packs.errors import InvalidPack

from ._asked import asked_for
from ._budget import BILLIONTH, AmountFrom, budget
from ._checks import checked_window
from ._errors import InvalidAmount
from ._keys import By
from ._rate import rate_limit
from ._settings import (
    Where,
    amount_at,
    before_at,
    function_at,
    globs_of,
    key_at,
    label_at,
    place,
    seconds_at,
    shown,
    state_of,
    where_at,
)
from ._units import Amount, Units
from ._usage import COUNTS, Count, Usage, token_budget, usage_of

__all__ = ["Budget", "RateLimit", "TokenBudget", "TokenLimit"]

MILLION = 1_000_000


def _every_tool(given: str | Iterable[str] | Globs) -> Globs:
    found = globs_of(given)
    if found is None:
        raise InvalidPack("tools", "must be one glob or several")
    return found


def _limit(given: int) -> int:
    with place("limit"):
        checked_window(given, 1)
    return given


def _per_s(given: float) -> float:
    return seconds_at("per_s", given)


def _rate(it: "RateLimit") -> Interceptor:
    tools = it.tools.patterns
    return rate_limit(state_of(it.state), it.limit, it.per_s, key=it.key, name=it.label, tools=tools)


@frozen
class RateLimit:
    """Lets at most `limit` calls through in any window of `per_s` seconds, per key.

    `state`: a `State`, "memory" (of this process), or the URL of a Redis. `key`: by what is counted: parts, or a
    function of the call and the scope. `tools`: globs of the tools that count. `label`: what the gate and its keys are
    called; two limits in one state need two. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "rate_limit"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Lets so many calls through in any window of time."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    limit: int = field(converter=_limit)
    per_s: float = field(converter=_per_s)
    state: Where = field(default="memory", converter=where_at, repr=shown, kw_only=True)
    key: By = field(default="session", converter=key_at, kw_only=True)
    tools: Globs = field(default=Globs("*"), converter=_every_tool, kw_only=True)
    label: str = field(default="rate_limit", converter=label_at, kw_only=True)
    _gate: Interceptor = field(init=False, eq=False, repr=False, default=Factory(_rate, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[self._gate])


def _spending(it: "Budget") -> Interceptor:
    with place("unit"):
        units = Units(it.unit)
    with place("cap"):
        units.cap(it.cap)
    before_at("amount_from", it.amount_from, units)
    if it.actual_from is not None:
        function_at("actual_from", it.actual_from)
    amount_at("if_unknown", it.if_unknown, units)
    if it.if_unknown is not None and it.actual_from is None:
        raise InvalidPack("if_unknown", "is used with actual_from alone")
    if it.amount_from is None and it.actual_from is None:
        raise InvalidPack("amount_from", "is missing, and so is actual_from: something must tell what a call costs")
    return budget(
        state_of(it.state),
        it.cap,
        amount_from=it.amount_from,
        actual_from=it.actual_from,
        if_unknown=it.if_unknown,
        unit=it.unit,
        key=it.key,
        name=it.label,
        tools=it.tools.patterns,
    )


@frozen
class Budget:
    """Lets a call through if what it costs fits under `cap`, per key.

    `amount_from`: the cost before the call: a number, the name of an argument, or a function of the call.
    `actual_from`: the cost afterwards, a function of the result. `if_unknown`: what is spent where the result does not
    tell. `unit`: the smallest amount. The others are those of `RateLimit`. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "budget"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Lets calls through as long as there is something left to spend."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    cap: Amount
    amount_from: AmountFrom | None = field(default=None)
    actual_from: Callable[[Any], object] | None = field(default=None, kw_only=True)
    if_unknown: Amount | None = field(default=None, kw_only=True)
    unit: Amount = field(default=BILLIONTH, kw_only=True)
    state: Where = field(default="memory", converter=where_at, repr=shown, kw_only=True)
    key: By = field(default="session", converter=key_at, kw_only=True)
    tools: Globs = field(default=Globs("*"), converter=_every_tool, kw_only=True)
    label: str = field(default="budget", converter=label_at, kw_only=True)
    _gate: Interceptor = field(init=False, eq=False, repr=False, default=Factory(_spending, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[self._gate])


def _price(named: str, given: Amount | None) -> Decimal | None:
    """Take a price of a million tokens, as what was written."""
    amount_at(named, given, Units(BILLIONTH))
    return None if given is None else Decimal(str(given))


def _input_price(given: Amount | None) -> Decimal | None:
    return _price("input_price", given)


def _output_price(given: Amount | None) -> Decimal | None:
    return _price("output_price", given)


def _tokens(it: "TokenBudget") -> Interceptor:
    if it.count not in COUNTS:
        raise InvalidPack("count", f"must be {', '.join(COUNTS)}")
    if (it.input_price is None) is not (it.output_price is None):
        raise InvalidPack("input_price" if it.input_price is None else "output_price", "is missing: both are needed")
    if it.input_price is not None and it.count != "total":
        raise InvalidPack("count", "is used without prices alone")
    if it.input_price == it.output_price == 0:
        raise InvalidPack("input_price", "is 0, and so is output_price: nothing would ever be spent")
    unit = 1 if it.input_price is None else BILLIONTH
    with place("cap"):
        Units(unit).cap(it.cap)
    before_at("at_most", it.at_most, Units(unit))
    if isinstance(it.at_most, str) and it.tools is None:
        raise InvalidPack("at_most", "must be an amount or a function: a request has no arguments")
    function_at("usage_from", it.usage_from)
    amount_at("if_unknown", it.if_unknown, Units(unit))
    return budget(
        state_of(it.state),
        it.cap,
        amount_from=it.at_most,
        actual_from=it.spent,
        if_unknown=it.if_unknown,
        unit=unit,
        key=it.key,
        name=it.label,
        tools=it.tools.patterns if it.tools else (),
    )


@frozen
class TokenBudget:
    """Lets requests through as long as fewer tokens than `cap` were used, or spent in money, per key.

    `input_price` and `output_price`, both of a million tokens: `cap` is money. `at_most`: an upper bound of what one
    request uses, with which the cap is never exceeded. `count`: "total", "input" or "output", where `cap` is tokens.
    `usage_from`: reads a response. `tools`: globs; then their calls are decided instead of requests. The others are
    those of `Budget`. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "token_budget"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Lets requests through as long as there are tokens, or money for them, left."
    intercept: ClassVar[tuple[str, ...]] = ("provider_request", "tool_call")

    cap: Amount
    input_price: Decimal | None = field(default=None, converter=_input_price, kw_only=True)
    output_price: Decimal | None = field(default=None, converter=_output_price, kw_only=True)
    at_most: AmountFrom | None = field(default=None, kw_only=True)
    count: Count = field(default="total", kw_only=True)
    usage_from: Callable[[Any], Usage] = field(default=usage_of, kw_only=True)
    if_unknown: Amount | None = field(default=None, kw_only=True)
    state: Where = field(default="memory", converter=where_at, repr=shown, kw_only=True)
    key: By = field(default="session", converter=key_at, kw_only=True)
    tools: Globs | None = field(default=None, converter=globs_of, kw_only=True)
    label: str = field(default="token_budget", converter=label_at, kw_only=True)
    _gate: Interceptor = field(init=False, eq=False, repr=False, default=Factory(_tokens, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the gate: of requests, or of the calls of some tools."""
        return Interceptors(tool_call=[self._gate]) if self.tools else Interceptors(provider_request=[self._gate])

    def spent(self, response: object) -> object:
        """Tell what a response did cost: tokens, or money."""
        usage = self.usage_from(response)
        if self.input_price is None or self.output_price is None:
            return getattr(usage, self.count)
        return (self.input_price * usage.input + self.output_price * usage.output) / MILLION


def _per_request(given: int) -> int:
    if type(given) is not int or given < 1:
        raise InvalidPack("per_request", "must be a whole number, at least 1")
    return given


def _asking(it: "TokenLimit") -> tuple[Interceptor, ...]:
    alone = gate(it.judge, name=it.label)
    if it.cap is None:
        for named, given, default in (("state", it.state, "memory"), ("key", it.key, "session")):
            if given is not default and given != default:
                raise InvalidPack(named, "is used with a cap alone")
        return (alone,)
    if type(it.cap) is not int:
        raise InvalidPack("cap", "must be a whole number")
    amount_at("cap", it.cap, Units(1))
    return (
        alone,
        token_budget(state_of(it.state), it.cap, at_most=asked_for, count="output", key=it.key, name=it.label),
    )


@frozen
class TokenLimit:
    """Blocks a request that may be answered with more than `per_request` tokens, or does not say with how many.

    `cap`: the most tokens of output in all, per key. What each request asks for is reserved, and what was not used
    given back, so it is never exceeded. `state`, `key` and `label` are those of `RateLimit`. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "token_limit"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks requests that may be answered with too many tokens."
    intercept: ClassVar[tuple[str, ...]] = ("provider_request",)

    per_request: int = field(converter=_per_request)
    cap: int | None = field(default=None, kw_only=True)
    state: Where = field(default="memory", converter=where_at, repr=shown, kw_only=True)
    key: By = field(default="session", converter=key_at, kw_only=True)
    label: str = field(default="token_limit", converter=label_at, kw_only=True)
    _gates: tuple[Interceptor, ...] = field(init=False, eq=False, repr=False, default=Factory(_asking, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the gate of a request and, with a cap, that of all of them."""
        return Interceptors(provider_request=self._gates)

    def judge(self, request: ProviderRequest) -> Block | None:
        """Block a request for too many tokens, or for who knows how many."""
        try:
            asked = asked_for(request)
        except InvalidAmount as error:
            return block(str(error))
        if asked <= self.per_request:
            return None
        return block(f"the answer may have {asked} tokens, and at most {self.per_request} may be asked for")
