"""No text that the kernel makes quotes an argument, an exception's words or a representation."""

from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    FrozenDict,
    Interceptors,
    InvalidRule,
    InvalidValue,
    MemoryItem,
    Message,
    Outcome,
    Pattern,
    Policy,
    ProviderRequest,
    Replace,
    Seam,
    SeamlawError,
    ToolCall,
    ToolResult,
    UnknownSeam,
    decide,
    freeze,
    gate,
    handle,
    observe,
    observer,
    parse_rules,
    seam,
)

SECRET = "canary-5up3r"
CANARY: Any = SECRET  # of any type, for it is put where it does not belong


class Leaky(str):
    """Shows the secret however it is shown."""

    def __repr__(self) -> str:
        return SECRET

    def __str__(self) -> str:
        return SECRET


CALL = ToolCall("id", "bash", {"secret": CANARY, "n": 1, "list": [CANARY]})


class Loud(Exception):
    """Says the secret in its text, its representation and its arguments."""

    def __str__(self) -> str:
        return SECRET

    def __repr__(self) -> str:
        return SECRET


class Shows:
    """An answer that shows the secret."""

    def __str__(self) -> str:
        return SECRET

    def __repr__(self) -> str:
        return SECRET


SHOWS: Any = Shows()


def raises(error: Exception) -> Any:
    """Raise it."""
    raise error


def chained(call: ToolCall) -> None:
    """Raise an exception with a secret cause, context and note."""
    try:
        raise Loud(CANARY)
    except Loud as cause:
        error = ValueError(CANARY)
        error.add_note(CANARY)
        raise error from cause


# name: how an interceptor that is shown the secret call fails with it
FAULTS: dict[str, Callable[[Any], object]] = {
    "an exception's text": lambda call: raises(ValueError(call.arguments["secret"])),
    "a loud exception": lambda call: raises(Loud(CANARY)),
    "a chain of exceptions": chained,
    "a missing key": lambda call: call.arguments[call.arguments["secret"]],
    "a wrong attribute": lambda call: getattr(call, call.arguments["secret"]),
    "a number that is none": lambda call: int(call.arguments["secret"]),
    "a group": lambda call: ExceptionGroup(CANARY, [Loud(CANARY)]),
    "an answer": lambda call: call.arguments["secret"],
    "an answer that shows it": lambda call: Shows(),
    "a replacement": lambda call: Replace(call.arguments["secret"]),
    "a replacement that shows it": lambda call: Replace(Shows()),
    "an InvalidValue of the interceptor": lambda call: raises(InvalidValue("/a", CANARY)),
    "an InvalidRule of the interceptor": lambda call: raises(InvalidRule("a", CANARY)),
    "an UnknownSeam of the interceptor": lambda call: raises(UnknownSeam(CANARY)),
    "a SeamlawError of the interceptor": lambda call: raises(SeamlawError(CANARY)),
    "a seam looked up by it": lambda call: seam(call.arguments["secret"]),
    "a rule read from it": lambda call: parse_rules(call.arguments["secret"]),
    "a rule with it as a key": lambda call: parse_rules([{"refuse": "no", call.arguments["secret"]: 1}]),
    "a pattern made of it": lambda call: Pattern("(" + call.arguments["secret"]),
    "a value made of it": lambda call: ToolCall("id", "x", {"a": {call.arguments["secret"]}}),
    "a value that is no number": lambda call: MemoryItem("x", score=call.arguments["secret"]),
    "a value with a lone surrogate": lambda call: ToolCall("id", "x", {"a": call.arguments["secret"] + "\ud800"}),
    "freezing it": lambda call: freeze({"a": SHOWS}),
    "a change of it": lambda call: call.arguments.update(secret=Shows()),
}


def texts(outcome: Outcome[Any]) -> str:
    """Everything an outcome says: all but the values it carries."""
    said = [outcome.reason, outcome.denial, *(entry.reason for entry in outcome.log)]
    return "\n".join([*said, *(ask.reason for ask in outcome.asks), *map(repr, outcome.log)])


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("is_gate", [False, True], ids=["chain", "gate"])
def test_no_fault_quotes_what_the_interceptor_was_shown(fault: str, is_gate: bool) -> None:
    """However an interceptor fails with a secret, reason, denial and log name its class and place alone."""
    asked: Any = gate(FAULTS[fault]) if is_gate else FAULTS[fault]
    outcome = decide(Interceptors(tool_call=(asked,)), TOOL_CALL, CALL)
    assert outcome.denial.startswith("Blocked by interceptor: interceptor error: ")
    assert CANARY not in texts(outcome)


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_a_predicate_handler_or_observer_quotes_it(fault: str) -> None:
    """The same for policies and for what is called after the decision."""
    fails: Any = FAULTS[fault]
    for policy in (Policy("p").require(fails), ~Policy("p").require(fails)):
        outcome = decide(Interceptors(tool_call=(policy.as_gate(),)), TOOL_CALL, CALL)
        assert (bool(outcome.denial), CANARY in texts(outcome)) == (True, False)
    handled = handle(Interceptors(handlers=(fails,)), CALL)
    assert CANARY not in repr(handled)
    assert CANARY not in repr(observe(Interceptors(tool_call=(observer(fails),)), TOOL_CALL, CALL, ToolResult(CANARY)))


RULES: list[dict[str, Any]] = [
    {"refuse": "no", "when": [{"at": "/secret", "less": 5}]},
    {"refuse": "no", "when": [{"at": "/secret/deeper", "exists": True}]},
    {"refuse": "no", "when": [{"at": "/list", "any": {"less": 5}}]},
    {"refuse": "no", "when": [{"at": "/secret", "equals": CANARY}]},
    {"refuse": "no", "when": [{"at": "/n", "under": "/srv"}]},
    {"refuse": "no", "unless": [{"at": "/secret", "under": "/srv"}]},
    {"ask": "may it?", "when": [{"at": "/secret", "matches": "canary"}]},
    {"default": {"tool": "*", "at": "/secret/deeper", "value": 1}},
]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_no_rule_quotes_the_argument_it_judged(rule: dict[str, Any]) -> None:
    """A rule says its own reason, or the pointer and the types of what it could not judge."""
    outcome = decide(Interceptors(rules=parse_rules([rule])), TOOL_CALL, CALL)
    assert not outcome.proceeds
    assert CANARY not in texts(outcome)


REFUSED: dict[str, Callable[[], object]] = {
    "a set": lambda: freeze({"a": [{CANARY}]}),
    "a lone surrogate": lambda: freeze([CANARY + "\ud800"]),
    "a large integer": lambda: freeze([int.from_bytes(CANARY.encode() * 99, "big")]),
    "an object that shows it": lambda: freeze(Shows()),
    "a name": lambda: ToolCall("id", SHOWS),
    "arguments": lambda: ToolCall("id", "x", CANARY),
    "a message": lambda: Message("user", [CANARY]),
    "messages": lambda: ProviderRequest("m", [CANARY]),
    "a header": lambda: ProviderRequest("m", headers={"a": SHOWS}),
    "an item": lambda: MemoryItem(Shows()),
    "a call at its seam": lambda: decide(None, TOOL_CALL, CANARY),
    "beside": lambda: decide(None, TOOL_RESULT, ToolResult(), CANARY),
    "a context": lambda: decide(None, CONTEXT, (CANARY,)),
    "a memory": lambda: decide(None, MEMORY, CANARY),
    "a request": lambda: decide(None, PROVIDER_REQUEST, SHOWS),
}


@pytest.mark.parametrize("refused", REFUSED)
def test_no_refused_value_is_quoted(refused: str) -> None:
    """`InvalidValue` names the place and what is wrong there, in its text, its representation and its arguments."""
    with pytest.raises(InvalidValue) as refusal:
        REFUSED[refused]()
    assert CANARY not in f"{refusal.value}{refusal.value!r}{refusal.value.args}{refusal.value.path}"
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


def test_a_key_may_be_told_for_it_says_where() -> None:
    """The path is a JSON pointer; a text that shows itself otherwise is told by what it holds."""
    with pytest.raises(InvalidValue) as refusal:
        freeze({"outer": {Leaky("inner"): object()}})
    assert refusal.value.path == "/outer/inner"


def test_a_seam_that_is_not_known_to_the_kernel_quotes_no_more() -> None:
    """Also where the host's own seam is open."""
    opened: Seam[FrozenDict] = Seam("event", dict, on_fault="open")

    def fails(event: FrozenDict) -> None:
        raise Loud(event["secret"])

    given: Any = {opened: [fails]}
    outcome = decide(Interceptors(seams=given), opened, freeze({"secret": CANARY}))
    assert (outcome.proceeds, CANARY in texts(outcome)) == (True, False)
