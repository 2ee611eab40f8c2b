"""What is measured, each beside its floor; the benchmarks and the gate in CI take the same cases from here.

`Ready` makes a plan of a bundle. It is a parameter, so that a test can put a slow one in its place.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, repeat
from typing import Any, TypeAlias

from attrs import frozen

from seamlaw import Interceptors, Plan, ToolCall, block, parse_rules, plan
from seamlaw_host.bench import Work, calling

__all__ = [
    "ARGUMENTS",
    "CALL",
    "LENGTHS",
    "Case",
    "Check",
    "Ready",
    "block_at_first",
    "built",
    "chain",
    "distinct",
    "floor_of",
    "loop_over",
    "mixed_rules",
    "nobody_listens",
    "none_seam",
    "realistic",
    "rules_for_others",
    "rules_memoised",
    "rules_missed",
    "silent",
]

Check: TypeAlias = Callable[[ToolCall], object]
Ready: TypeAlias = Callable[[Interceptors], Plan | None]

ARGUMENTS: dict[str, object] = {
    "command": "git -C /srv/workspace status --short",
    "timeout": 60,
    "cwd": "/srv/workspace",
}
CALL = ToolCall("call-1", "bash", ARGUMENTS)
LENGTHS = (1, 4, 16, 64)
FEW = 10  # rules, that many are compared with
FLOOD = 4_096  # names of tools: more than a plan remembers


@frozen
class Case:
    """A piece of work, the floor it is measured against, and what that is."""

    key: str
    work: Work
    floor: Work
    over: str
    size: float | None = None


# Interceptors


def silent(count: int) -> tuple[Check, ...]:
    """Distinct functions that have nothing to say."""

    def made() -> Check:
        return lambda call: None

    return tuple(made() for _ in range(count))


def distinct(answer: object, count: int) -> tuple[Check, ...]:
    """Distinct functions that all answer this."""

    def made() -> Check:
        return lambda call: answer

    return tuple(made() for _ in range(count))


def realistic(count: int) -> tuple[Check, ...]:
    """Distinct functions that look an argument up and search a text in it, and find nothing."""

    def made(forbidden: str) -> Check:
        return lambda call: block("forbidden") if forbidden in call.arguments["command"] else None

    return tuple(made(f"forbidden-{number:03}") for number in range(count))


def loop_over(functions: Iterable[Callable[..., object]]) -> Callable[..., None]:
    """A bare loop over functions, as somebody writes it who wants nothing else."""
    listed = tuple(functions)

    def loop(given: Any) -> None:
        for function in listed:
            function(given)

    return loop


def floor_of(functions: Iterable[Callable[..., object]], given: object = CALL) -> Work:
    """The bare loop, called as often as is asked."""
    return calling(loop_over(functions), given)


def built(bundle: Interceptors, ready: Ready = plan) -> Plan:
    """A plan of a bundle that is not empty."""
    made = ready(bundle)
    if made is None:
        raise ValueError("the bundle is empty")
    return made


# Seams where nobody listens


def nothing(_: object) -> None:
    """Do nothing."""


class Host:
    """What a host has where it might have a plan."""

    def __init__(self) -> None:
        self.plan: Plan | None = None
        self.hook: object = None


def none_seam() -> Case:
    """A host without a policy: `if host.plan is not None`, beside the same line about any other attribute."""
    host = Host()

    def seam(number: int) -> None:
        for _ in repeat(None, number):
            if host.plan is not None:
                host.plan.tool_call(CALL)

    def attribute(number: int) -> None:
        for _ in repeat(None, number):
            if host.hook is not None:
                raise AssertionError

    return Case("seam/none", seam, attribute, "an attribute check")


def nobody_listens(ready: Ready = plan) -> Case:
    """A seam of a plan at which nobody listens, beside a function that does nothing."""
    run = built(Interceptors(context=[nothing]), ready).tool_call
    return Case("seam/nobody", calling(run, CALL), calling(nothing, CALL), "a call of an empty function")


# Chains


def chain(kind: str, functions: Sequence[Check], ready: Ready = plan) -> Case:
    """A chain of functions that let the call through, beside the bare loop over them."""
    run = built(Interceptors(tool_call=functions), ready).tool_call
    if run(CALL) is not None:
        raise AssertionError("the chain had something to say")
    return Case(
        f"chain/{kind}/{len(functions)}", calling(run, CALL), floor_of(functions), "a bare loop", len(functions)
    )


def block_at_first(count: int, ready: Ready = plan) -> Case:
    """A block by the first of so many, beside a block by the only one."""
    refused = block("no")

    def blocked(length: int) -> Work:
        run = built(Interceptors(tool_call=[lambda call: refused, *silent(length - 1)]), ready).tool_call
        outcome = run(CALL)
        if outcome is None or outcome.proceeds:
            raise AssertionError("the block did not block")
        return calling(run, CALL)

    return Case(f"block/first/{count}", blocked(count), blocked(1), "a block by the only one", count)


# Rules


def rules_for_others(count: int) -> Interceptors:
    """Rules for other tools, by exact names."""
    return Interceptors(rules=parse_rules([{"refuse": "no", "tools": f"other_{at}"} for at in range(count)]))


def mixed_rules(count: int) -> Interceptors:
    """Of a hundred rules eighty are for an exact name, fifteen for a prefix, five for a glob that is neither."""

    def tools(at: int) -> str:
        if at % 20 == 19:
            return f"other_*_{at}"
        return f"other_{at}_*" if at % 20 in (5, 10, 15) else f"other_{at}"

    return Interceptors(rules=parse_rules([{"refuse": "no", "tools": tools(at)} for at in range(count)]))


def rules_memoised(count: int, ready: Ready = plan) -> Case:
    """So many rules, once the plan has seen the name of the tool, beside ten."""
    many, few = (built(mixed_rules(length), ready).tool_call for length in (count, FEW))
    return Case(f"rules/memoised/{count}", calling(many, CALL), calling(few, CALL), f"{FEW} rules", count)


def rules_missed(kind: str, rules: Callable[[int], Interceptors], count: int, ready: Ready = plan) -> Case:
    """So many rules and a name that the plan has not seen, beside ten."""
    flood = [ToolCall("call-1", f"unseen_{at}", ARGUMENTS) for at in range(FLOOD)]

    def missing(length: int) -> Work:
        run, calls = built(rules(length), ready).tool_call, cycle(flood).__next__

        def miss(number: int) -> None:
            for _ in repeat(None, number):
                run(calls())

        return miss

    return Case(f"rules/{kind}/{count}", missing(count), missing(FEW), f"{FEW} rules", count)
