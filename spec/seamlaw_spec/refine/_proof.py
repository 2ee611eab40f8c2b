"""Rules against rules: proved by z3, or a call that shows the difference."""

from collections.abc import Sequence
from typing import Any

from seamlaw import Default, Interceptors, Rule
from seamlaw_spec.rules_smt import Answer, Found, Witness, find
from seamlaw_spec.rules_smt._policies import Asked, Judged
from seamlaw_spec.rules_smt._z3 import all_of, any_of, negation

from ._refinement import Refinement, Verdict, loosened

__all__ = ["are_rules", "by_proof"]

PROVED = "proved by z3 for every tool, agent and arguments"


def are_rules(bundle: Interceptors) -> bool:
    """Whether a policy is made of rules alone, at `tool_call`."""
    return not bundle.tool_call and all(isinstance(rule, Rule | Default) for rule in bundle.rules)


def by_proof(
    old: Sequence[Any], new: Sequence[Any], *, blocks_only: bool = False, timeout_ms: int = 10_000
) -> Refinement:
    """Whether rules stop whatever other rules stopped."""
    before, after = Interceptors(rules=tuple(old)), Interceptors(rules=tuple(new))
    shown: list[Refinement] = []

    def looser(judged: list[Judged], _: Asked) -> Any:
        old_one, new_one = judged
        blocked = all_of((old_one.blocks, negation(new_one.blocks)))
        asked = all_of((old_one.strict, negation(new_one.strict)))
        return blocked if blocks_only else any_of((blocked, asked))

    def confirms(witness: Witness) -> bool:
        found = loosened(before, after, witness.call, witness.scope, "found by z3", blocks_only)
        shown.extend([found] if found else [])
        return found is not None

    found: Found = find([old, new], looser, confirms, timeout_ms=timeout_ms)
    if found.answer is Answer.YES:
        return shown[-1]
    if found.answer is Answer.NO:
        return Refinement(Verdict.REFINES, PROVED)
    return Refinement(Verdict.UNKNOWN, found.why)
