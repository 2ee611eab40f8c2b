"""What is no law: each refuted by a solver in the model, and by its smallest witness on the shipped code.

They guard the proofs against saying too much: axioms from which one of them followed would prove anything. A query here
asks for a counterexample, with the recursions written as functions that a solver executes; `sat` is one.
"""

from collections.abc import Callable
from functools import partial

from attrs import frozen

from . import _replays, _solvers
from .extraction import extract
from .theories import theory_of

__all__ = ["NON_LAWS", "NonLaw"]


@frozen
class NonLaw:
    """A statement that does not hold; `counterexample` is what a solver must find, `repaired_by` what does hold."""

    name: str
    statement: str
    theory: str
    counterexample: str
    witness: str
    replay: Callable[[], bool]
    repaired_by: tuple[str, ...] = ()

    def query(self) -> str:
        """Write the search for a counterexample."""
        theory, _ = theory_of(self.theory, extract())
        return f"{theory.executable}\n; no law: {self.name}\n{self.counterexample}\n"

    def refuted(self) -> bool:
        """Whether z3 finds a counterexample in the model."""
        return _solvers.z3(self.query(), models=True) == "sat"


CHAIN = """
(declare-const h Who) (declare-const k Who) (declare-const c Config)
(assert (and (not (is_gate h)) (not (is_gate k)) (begins c) (= (seen c) none)))
(define-fun alone ((x Who)) Config (run (cons x nil) c))
(define-fun both_run ((x Who) (y Who)) Config (run (cons x (cons y nil)) c))
"""
GATES = CHAIN.replace("(not (is_gate h)) (not (is_gate k))", "(is_gate h) (is_gate k)")
THEN_A_GATE = CHAIN.replace("(not (is_gate k))", "(is_gate k)")
POLICIES = "(declare-const a Result) (declare-const b Result) (declare-const c Result)\n"


def _differ(a: str, b: str) -> str:
    return f"(assert (not (= {a} {b})))"


def _slips(blocker: str, before: str) -> str:
    """One blocks alone, and proceeds with another before it."""
    return (
        f"(assert (= (verdict (st (alone {blocker}))) Verdict.BLOCK))"
        f"(assert (= (verdict (st (both_run {before} {blocker}))) Verdict.PROCEED))"
    )


def _policies(name: str, statement: str, witness: str, law: str, left: str, right: str) -> NonLaw:
    replay = partial(_replays.policies_out_of_lattice, law)
    return NonLaw(name, statement, "policies", POLICIES + _differ(left, right), witness, replay)


_ALL = (
    NonLaw(
        "chains_commute",
        "Exchanging two interceptors of the chain changes nothing.",
        "seam",
        CHAIN + _differ("(value (st (both_run h k)))", "(value (st (both_run k h)))"),
        "two that rename the call",
        _replays.two_renamings,
    ),
    NonLaw(
        "running_twice_is_running_once",
        "Running a chain on what it left changes nothing more.",
        "seam",
        CHAIN + _differ("(value (st (both_run h h)))", "(value (st (alone h)))"),
        "one that lengthens the name",
        _replays.two_renamings,
    ),
    NonLaw(
        "a_prefix_can_only_tighten",
        "With another interceptor before it, a chain decides the same or stricter.",
        "seam",
        CHAIN + _slips("k", "h"),
        "a rename before one that blocks by name",
        _replays.a_renaming_then_a_block,
        ("with_more_gates_the_level_is_no_lower", "what_gates_saw_is_what_runs"),
    ),
    NonLaw(
        "a_permutation_of_the_chain_keeps_the_verdict",
        "However a chain is ordered, its verdict is the same.",
        "seam",
        CHAIN + _differ("(verdict (st (both_run h k)))", "(verdict (st (both_run k h)))"),
        "a rename, and one that blocks by name",
        _replays.a_renaming_then_a_block,
        ("the_same_gates_in_any_order_decide_alike", "whatever_is_refused_at_the_end_is_blocked"),
    ),
    NonLaw(
        "an_interceptor_of_the_chain_sees_what_runs",
        "Each interceptor of the chain is shown the value that proceeds.",
        "seam",
        CHAIN
        + "(declare-const v Value)\n(assert (= (seen (both_run h k)) (saw (saw none h v) k v)))\n"
        + _differ("(value (st (both_run h k)))", "v"),
        "one that only looks, before a rename",
        _replays.an_early_watcher,
        ("what_gates_saw_is_what_runs",),
    ),
    NonLaw(
        "gates_with_a_memory_commute",
        "Exchanging two gates changes no verdict, even if they tell one another what they saw.",
        "seam",
        GATES + _differ("(verdict (st (both_run h k)))", "(verdict (st (both_run k h)))"),
        "two that count together",
        _replays.a_counting_gate,
        ("the_same_gates_in_any_order_decide_alike",),
    ),
    NonLaw(
        "an_allow_with_effects_can_be_left_out",
        "One that allows changes nothing, even if others can tell that it ran.",
        "seam",
        CHAIN
        + "(assert (allows (did h (value (st c)) (world c))))\n"
        + _differ("(verdict (st (both_run h k)))", "(verdict (st (alone k)))"),
        "one that allows and leaves a trace",
        _replays.a_watching_allow,
        ("one_that_allows_can_be_left_out",),
    ),
    NonLaw(
        "the_gravest_finding_decides",
        "Of two findings the graver decides.",
        "seam",
        "(declare-const a Entry) (declare-const b Entry)\n"
        "(assert (and ((_ is Note) (answer a)) ((_ is Ask) (answer b)) (graver (severity a) (severity b))))"
        "(assert (outranks b a))",
        "a grave note beside a light ask",
        _replays.a_grave_note_and_an_ask,
        ("outranking_is_by_level_then_severity",),
    ),
    NonLaw(
        "every_gate_is_consulted",
        "Whatever the chain says, each gate is asked.",
        "seam",
        THEN_A_GATE + "(assert (fits k (value (st (alone h))))) (assert (= (seen (both_run h k)) (seen (alone h))))",
        "a block of the chain before a gate",
        _replays.a_gate_after_a_block,
    ),
    NonLaw(
        "what_would_have_been_refused_is_refused",
        "What a gate would refuse as it was offered is refused, whatever it was rewritten to.",
        "seam",
        THEN_A_GATE + _slips("k", "h"),
        "a rename that mends the call, before a gate",
        _replays.a_gate_of_what_was_offered,
        ("whatever_is_refused_at_the_end_is_blocked",),
    ),
    NonLaw(
        "merging_commutes",
        "Bundles can be merged in any order.",
        "bundles",
        "(declare-const x Merged) (declare-const y Merged) (declare-const f Field)\n"
        + _differ("(in_field (merge (both x y)) f)", "(in_field (merge (both y x)) f)"),
        "two bundles of one interceptor each",
        _replays.two_bundles,
    ),
    NonLaw(
        "merging_is_idempotent",
        "A bundle merged with itself is itself.",
        "bundles",
        "(declare-const x Merged) (declare-const f Field)\n"
        + _differ("(in_field (merge (both x x)) f)", "(in_field x f)"),
        "a bundle of one interceptor",
        _replays.the_same_bundle_twice,
    ),
    NonLaw(
        "one_grant_is_enough",
        "Where several ask, one grant lets the value proceed.",
        "asks",
        "(declare-const a Ask) (declare-const b Ask) (declare-const s Answered)\n"
        "(assert (and (covers s a) (grants s)))\n"
        "(assert (= (settled (asks a (asks b no_more)) (pile s used_up)) Verdict.BLOCK))",
        "two asks, of which one is granted",
        _replays.one_grant_of_two,
        ("proceeding_needs_every_grant",),
    ),
    _policies(
        "and_absorbs_or",
        "`a & (a | b)` is `a`.",
        "a that is not applicable, b that passes",
        "absorption",
        "(op_and a (op_or a b))",
        "a",
    ),
    _policies(
        "and_distributes_over_or",
        "`a & (b | c)` is `(a & b) | (a & c)`.",
        "a that passes, b that is not applicable, c that fails",
        "distributivity",
        "(op_and a (op_or b c))",
        "(op_or (op_and a b) (op_and a c))",
    ),
    _policies(
        "a_policy_or_its_negation_passes",
        "`p | ~p` passes.",
        "p that crashes",
        "excluded middle",
        "(op_or a (op_not a))",
        "Result.PASSED",
    ),
    _policies(
        "a_policy_and_its_negation_fail",
        "`p & ~p` fails.",
        "p that crashes",
        "contradiction",
        "(op_and a (op_not a))",
        "Result.FAILED",
    ),
    _policies(
        "a_crash_is_a_failure",
        "What holds of a failure holds of a crash: its negation passes.",
        "p that crashes",
        "a crash is a failure",
        "(op_not Result.FAULTED)",
        "(op_not Result.FAILED)",
    ),
    NonLaw(
        "defaults_commute",
        "Two defaults can be exchanged.",
        "rules",
        "(declare-const j Json) (declare-const k Key) (declare-const v Json) (declare-const w Json)\n"
        "(define-fun p () Keys (into k here))\n(assert (not (or (= v missing) (= w missing))))\n"
        "(assert ((_ is found) (defaulted j p v))) (assert ((_ is found) (defaulted j p w)))\n"
        + _differ("(defaulted (that (defaulted j p v)) p w)", "(defaulted (that (defaulted j p w)) p v)"),
        "two values for one argument",
        _replays.two_defaults,
    ),
    NonLaw(
        "a_condition_or_its_negation_holds",
        "Of a condition and its negation one holds.",
        "rules",
        "(declare-const t Test) (declare-const v Json)\n"
        "(assert (not (or (= (holds t v) yes) (= (holds (negation t) v) yes))))",
        "text asked of a number",
        _replays.a_condition_and_its_negation,
        ("a_test_and_its_negation_are_complements",),
    ),
)
NON_LAWS: dict[str, NonLaw] = {one.name: one for one in _ALL}
