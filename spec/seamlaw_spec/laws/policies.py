"""Policies under `&`, `|` and `~`, judged against plain logic; and their hash."""

from collections.abc import Callable, Coroutine
from enum import Enum
from functools import partial
from typing import Any, TypeAlias

from seamlaw import Policy, Result
from seamlaw_spec._law import law
from seamlaw_spec.policy_domains import CALL, GRAVITY, HOOKS, Token, answers, evaluated, level, policy, read
from seamlaw_spec.policy_meaning import failures, means, ways
from seamlaw_spec.policy_recipes import Edit

__all__ = [
    "Activation",
    "a_crashing_activation_is_active",
    "a_fault_is_an_unknown",
    "and_gathers",
    "de_morgan",
    "double_negation",
    "not_turns_pass_and_fail",
    "or_needs_one_clean_pass",
    "the_hash_sees_every_change",
]

PASSED, FAILED, OUT = Result.PASSED, Result.FAILED, Result.NOT_APPLICABLE
OfOne: TypeAlias = Callable[[list[Token]], bool]
OfTwo: TypeAlias = Callable[[list[Token], list[Token]], bool]
TURNED = {PASSED: FAILED, FAILED: PASSED, OUT: OUT, Result.FAULTED: Result.FAULTED}


@law(by="HCPE")
def and_gathers(left: list[Token], right: list[Token]) -> bool:
    """`a & b` fails iff a side fails, with the failures of both in order; what is not applicable is neutral."""
    for hook in HOOKS:
        a, b = read(left), read(right)
        both = evaluated(policy(a) & policy(b), hook)
        applicable = {means(side, hook) for side in (a, b)} - {OUT}
        told = iter([failure.reason for failure in both.failures])
        if not (
            (both.result is FAILED) is (FAILED in applicable)
            and (both.result is PASSED) is (applicable == {PASSED})
            and (both.result is OUT) is (not applicable)
            and both.failures == evaluated(a, hook).failures + evaluated(b, hook).failures
            and all(reason in told for reason in (*failures(a, hook), *failures(b, hook)))
        ):
            return False
    return True


@law(by="HCPE")
def or_needs_one_clean_pass(left: list[Token], right: list[Token]) -> bool:
    """`a | b` passes iff a side that is applicable at this hook passes; a side that is not applicable is neutral."""
    for hook in HOOKS:
        a, b = read(left), read(right)
        either = evaluated(policy(a) | policy(b), hook).result
        applicable = {means(side, hook) for side in (a, b)} - {OUT}
        if not (
            (either is PASSED) is (PASSED in applicable)
            and (either is FAILED) is (applicable == {FAILED})
            and (either is OUT) is (not applicable)
        ):
            return False
    return True


@law(by="HCPE")
def not_turns_pass_and_fail(tokens: list[Token]) -> bool:
    """`~p` fails where `p` passes and passes where `p` fails; not applicable and faulted it leaves as they are."""
    return all(evaluated(~policy(read(tokens)), hook).result is TURNED[means(read(tokens), hook)] for hook in HOOKS)


@law(by="HCPE")
def a_fault_is_an_unknown(tokens: list[Token]) -> bool:
    """A result is decided iff filling in each fault, by a pass or a fail, always gives it; an unknown blocks.

    Whatever way the faults are filled in, the verdict would not be stricter than the one that is given.
    """
    for hook in HOOKS:
        tree = read(tokens)
        result, given = evaluated(tree, hook).result, level(answers(tree, hook))
        could_be = [GRAVITY[way.level] for way in ways(tree, hook)]
        if not (
            result is means(tree, hook)
            and (result is not Result.FAULTED or given.value == "block")
            and GRAVITY[given] >= max(could_be)
        ):
            return False
    return True


@law(by="HCPE")
def double_negation(tokens: list[Token]) -> bool:
    """`~~p` is `p`: in result, findings and hash."""
    made = policy(read(tokens))
    same = all(evaluated(~~made, hook) == evaluated(made, hook) for hook in HOOKS)
    return same and (~~made).policy_hash == made.policy_hash


@law(by="CPE")
def de_morgan(left: list[Token], right: list[Token]) -> bool:
    """`~(a & b)` is `~a | ~b` and `~(a | b)` is `~a & ~b`, in result and findings; both deny what was combined.

    Which other laws of lattices hold, and which do not, is the table `seamlaw_spec.policy_algebra`.
    """
    a, b = policy(read(left)), policy(read(right))
    for hook in HOOKS:
        not_both, not_either = evaluated(~(a & b), hook), evaluated(~(a | b), hook)
        if not (
            not_both == evaluated(~a | ~b, hook)
            and not_either == evaluated(~a & ~b, hook)
            and not_both.result is TURNED[evaluated(a & b, hook).result]
            and not_either.result is TURNED[evaluated(a | b, hook).result]
        ):
            return False
    return True


class Activation(Enum):
    """What an activation does."""

    NO = "False"
    YES = "True"
    NOTHING = "None"
    ZERO = "0"
    EMPTY = "an empty string"
    COROUTINE = "a coroutine"
    RAISES = "raises"


@law(by="HE")
def a_crashing_activation_is_active(activations: list[Activation]) -> bool:
    """A policy applies unless an activation answers `False`: one that raises, or answers anything else, applies."""
    made, given = Policy("p").require(_fails), list[Coroutine[Any, Any, None]]()
    for activation in activations:
        made = made.active_when(partial(_activation, activation, given))
    result = made.evaluate("pre", CALL).result
    closed = all(coroutine.cr_frame is None for coroutine in given)  # type: ignore[attr-defined]
    return closed and result is (OUT if Activation.NO in activations else FAILED)


def _fails(_: object) -> bool:
    return False


def _activation(said: Activation, given: list[Coroutine[Any, Any, None]], _: object) -> Any:
    match said:
        case Activation.RAISES:
            raise RuntimeError
        case Activation.COROUTINE:
            given.append(_never_awaited())
            return given[-1]
        case _:
            return {Activation.NO: False, Activation.YES: True, Activation.ZERO: 0, Activation.EMPTY: ""}.get(said)


async def _never_awaited() -> None:
    raise AssertionError("nobody awaits it")


@law(by="H")
def the_hash_sees_every_change(edit: Edit) -> bool:
    """Two policies have the same hash iff they differ at most in what changes no decision.

    What changes none: names of policies and of locals, comments, docstrings, white space, places.
    """
    before, after = edit.before.build(), edit.after.build()
    same = edit.before.decides_by == edit.after.decides_by
    return (before.policy_hash == after.policy_hash) is same and before.policy_hash == edit.before.build().policy_hash
