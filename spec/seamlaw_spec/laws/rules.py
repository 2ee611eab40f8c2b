"""Rules as data: each is its interceptor, is classical, takes linear time, and fills only what is absent."""

from enum import Enum
from typing import Any, cast

from seamlaw import (
    TOOL_CALL,
    Condition,
    Default,
    Fault,
    Interceptor,
    Interceptors,
    Mismatch,
    Outcome,
    Replace,
    ToolCall,
    Verdict,
    decide,
    parse_rules,
    plan,
    rewriter,
    thaw,
)
from seamlaw_spec._law import law
from seamlaw_spec.counted_work import Hostile, work
from seamlaw_spec.rule_domains import ABSENT, Doubt, Filling, Probe, Rulebook, as_interceptor, filled, tells
from seamlaw_spec.value_domains import is_object, same_json

__all__ = [
    "Tool",
    "a_refused_tool_stays_refused",
    "a_rule_is_its_interceptor",
    "conditions_are_classical",
    "default_fills_only_what_is_absent",
    "rules_take_linear_time",
]


@law(by="HCE")
def a_rule_is_its_interceptor(book: Rulebook) -> bool:
    """Deciding by rules is deciding by the interceptors, written by hand, that they stand for.

    Those that fill are rewriters before the chain; those that judge are gates. Where a rule meets what it cannot
    judge, its interceptor raises.
    """
    ruled = decide(Interceptors(rules=parse_rules(list(book.rules))), TOOL_CALL, book.call, scope=book.scope)
    by_hand = tuple(as_interceptor(rule, book.scope) for rule in book.rules)
    handled = decide(Interceptors(tool_call=by_hand), TOOL_CALL, book.call, scope=book.scope)
    return _told(ruled) == _told(handled) and same_json(thaw(ruled.value.arguments), thaw(handled.value.arguments))


def _told(outcome: Outcome[ToolCall]) -> object:
    said = [
        (entry.interceptor, entry.kind, entry.level, entry.severity, entry.is_gate, _words(entry.answer))
        for entry in outcome.log
    ]
    return outcome.verdict, outcome.asks, outcome.interceptor, outcome.value.name, said


def _words(answer: object) -> object:
    """What an answer says; of a fault not how it was told, of a replacement not with what."""
    return None if isinstance(answer, Fault | Replace) else answer


@law(by="HCPE")
def conditions_are_classical(probe: Probe) -> bool:
    """An operator and its negation are complements on every value it is for and on absence; elsewhere both fault.

    On absence every operator is false (and `exists = false` true). What it says of a value is what is documented.
    """
    arguments = {} if probe.met is ABSENT else {"a": probe.met}
    said = _asked({"at": "/a", probe.operator: probe.operand}, arguments)
    denied = _asked({"at": "/a", "not": {probe.operator: probe.operand}}, arguments)
    try:
        expected: bool | None = tells(probe.operator, probe.operand, probe.met)
    except Doubt:
        expected = None
    complements = said is denied is None or (said is not None and denied is (not said))
    return said is expected and complements


def _asked(data: object, arguments: Any) -> bool | None:
    try:
        return Condition.read(data, "here").holds(ToolCall("1", "tool", arguments).arguments)
    except Mismatch:
        return None


@law(by="H")
def rules_take_linear_time(hostile: Hostile) -> bool:
    """The work of a rule is at most a constant, fixed by the rule, for each character and each value that it reads.

    Work is counted in instructions of the interpreter, so that the law says the same on every machine.
    """
    return work(hostile.rule, hostile.call, hostile.bound) <= hostile.bound


@law(by="HCP")
def default_fills_only_what_is_absent(filling: Filling) -> bool:
    """A default leaves alone what is there, `null` too, and all else; filling twice is filling once."""
    (rule,) = parse_rules([{"default": {"tool": "*", "at": filling.at, "value": filling.value}}])
    call, default = ToolCall("1", "tool", filling.arguments), cast(Default, rule)
    try:
        expected = filled(filling.at, filling.value, filling.arguments)
    except Doubt:
        outcome = decide(Interceptors(rules=(default,)), TOOL_CALL, call)
        return outcome.verdict is Verdict.BLOCK and outcome.value is call
    once = default(call)
    if expected is None or once is None:
        return expected is once is None
    done = thaw(once.value.arguments)
    return same_json(done, expected) and default(once.value) is None and _keeps(filling.arguments, done)


def _keeps(before: Any, after: Any) -> bool:
    """Whether all that was there is there."""
    if is_object(before) and is_object(after):
        return all(key in after and _keeps(before[key], after[key]) for key in before)
    return same_json(before, after)


class Tool(Enum):
    """Names of tools, some of which differ only in what globs may overlook."""

    BASH = "bash"
    BASH_2 = "bash_2"
    UPPER = "BASH"
    LINE = "bash\n"
    READ = "read_file"
    EMPTY = ""


@law(by="HCPE")
def a_refused_tool_stays_refused(renames: list[Tool], called: Tool, refused: list[Tool]) -> bool:
    """However rewrites rename a call, it is blocked iff it ends as a call of a refused tool: no rewrite reaches one."""
    rules = parse_rules([{"refuse": "no", "tools": [tool.value]} for tool in refused if tool.value])
    chain = tuple(_renames_to(tool) for tool in renames)
    bundle, call = Interceptors(tool_call=chain, rules=rules), ToolCall("1", called.value)
    ends_as = renames[-1] if renames else called
    outcome, made = decide(bundle, TOOL_CALL, call), plan(bundle)
    planned = made.tool_call(call) if made else None
    stays = bool(ends_as.value) and ends_as in refused
    return (outcome.verdict is Verdict.BLOCK) is stays and (
        planned is not None and planned.verdict is Verdict.BLOCK
    ) is stays


def _renames_to(tool: Tool) -> Interceptor:
    def rename(call: ToolCall) -> Replace:
        return Replace(ToolCall(call.id, tool.value, call.arguments))

    return rewriter(rename, name=f"to {tool.name}")
