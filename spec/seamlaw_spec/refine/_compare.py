"""Compare two policies by whatever tells most about them: a proof for rules, paths for code, examples for all."""

from seamlaw import Default, Interceptor, Interceptors, Rule
from seamlaw.policy._fingerprint import fingerprint
from seamlaw_spec.kit._subjects import subject_of

from ._examples import by_examples, keeps_state, keys_of
from ._paths import by_paths
from ._proof import are_rules, by_proof
from ._refinement import Refinement, Verdict

__all__ = ["refine"]


def refine(
    old: object,
    new: object,
    *,
    blocks_only: bool = False,
    examples: int = 1_000,
    seconds: float = 60.0,
    seed: int = 0,
) -> Refinement:
    """Whether `new` is as strict as `old` with every call: it blocks what that blocked, and asks where that asked.

    Policies are taken as `check` takes them, and compared at `tool_call`. Rules as data are decided by z3; for code,
    examples look for a difference, and CrossHair for any, or for that there is none. A call that shows a difference is
    decided by the kernel before it is told. Raises `NotAPolicy` and `MissingExtra`.
    """
    earlier, later = subject_of(old), subject_of(new)
    before, after = earlier.fresh(), later.fresh()
    if are_rules(before) and are_rules(after):
        return by_proof(before.rules, after.rules, blocks_only=blocks_only, timeout_ms=int(seconds * 1000))
    remembers = any(map(keeps_state, (earlier, later)))
    if remembers and not (earlier.is_factory and later.is_factory):
        return Refinement(
            Verdict.UNKNOWN, "it keeps state: give a function of nothing that makes a fresh one, for both"
        )
    found = by_examples(earlier, later, examples=examples, blocks_only=blocks_only, seed=seed)
    if found is not None:
        return found
    shared = _by_what_is_shared(before, after, blocks_only, seconds)
    if shared is not None:
        return shared
    if remembers:
        return Refinement(Verdict.UNKNOWN, f"it keeps state: only the first call was tried, with {examples} calls")
    told = by_paths(before, after, keys_of(before, after), seconds=seconds, blocks_only=blocks_only)
    tried = f"; arguments of other types and other callers were only tried, with {examples} calls and their spellings"
    return Refinement(told.verdict, told.how + tried) if told.call is None else told


def _by_what_is_shared(old: Interceptors, new: Interceptors, blocks_only: bool, seconds: float) -> Refinement | None:
    """Where both have the same chain, and the new one all gates of the old one, only the rules are to be compared.

    What reaches the gates is then the same, and a gate more never loosens.
    """
    chains = [[_sign(one) for one in it.tool_call if not one.is_gate] for it in (old, new)]
    gates = [{_sign(one) for one in it.tool_call if one.is_gate} for it in (old, new)]
    fills = [[rule for rule in it.rules if isinstance(rule, Default)] for it in (old, new)]
    if chains[0] != chains[1] or fills[0] != fills[1] or not gates[0] <= gates[1]:
        return None
    judges = [[rule for rule in it.rules if isinstance(rule, Rule)] for it in (old, new)]
    proved = by_proof(*judges, blocks_only=blocks_only, timeout_ms=int(seconds * 1000))
    if proved.verdict is not Verdict.REFINES:
        return None
    return Refinement(Verdict.REFINES, f"the new policy has all code of the old one; of the rules {proved.how}")


def _sign(asked: Interceptor) -> str:
    return fingerprint(asked.function, asked.tools.patterns, asked.agents.patterns, asked.closes)
