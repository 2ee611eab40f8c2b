"""Which claims prove which law, of which shipped functions the model was extracted, and what that does not say.

Each was written for the statement of its law whose hash is in `pins.json`; a statement that has changed since must be
read again beside its claims before it is pinned anew (`python -m seamlaw_spec.proofs --pin`).
"""

from attrs import field, frozen

__all__ = ["COVERAGE", "OBLIGATIONS", "Obligation"]


def _words(given: str) -> tuple[str, ...]:
    return tuple(given.split())


@frozen
class Obligation:
    """What must be proved for a law."""

    law: str
    theory: str
    claims: tuple[str, ...] = field(converter=_words)
    shipped: tuple[str, ...] = field(converter=_words)
    does_not_say: str


_TABLES = "step_has_one_row_for_each_shape level_has_one_row_for_each_shape_but_allow consult_has_one_row_for_each_deed"
COVERAGE = {  # what every proof of a theory rests on
    "seam": _words(_TABLES),
    "kept": _words(_TABLES),
}
SEAM = "step consult asking drive conclude level severity outranks pick joins verdicts"
WORDS = "The texts of reasons and targets are carried, not looked at."
MERGE = "merge ordered"
POLICIES = "evaluate evaluate_both evaluation tables negation"

_ALL = (
    Obligation(
        "empty_chain_is_identity",
        "seam",
        "nothing_run_changes_nothing nothing_said_proceeds",
        f"{SEAM} plan_of_one plan_of_any",
        "That nothing is allocated.",
    ),
    Obligation(
        "allow_is_neutral",
        "seam",
        "allow_is_silence hearing_silence_changes_nothing one_that_allows_can_be_left_out",
        f"{SEAM} plan_of_one plan_of_any",
        "Anything of one that allows and yet changes what others will answer: that it can is a non-law.",
    ),
    Obligation(
        "replacements_chain",
        "seam",
        "each_sees_what_those_before_left a_replacement_is_what_is_left whoever_replaces_nothing_leaves_it",
        SEAM,
        "What a seam's `admit` makes of a replacement.",
    ),
    Obligation(
        "first_block_wins",
        "seam",
        "unstopped_is_unblocked the_first_that_blocks_decides nothing_after_a_block_happens",
        SEAM,
        f"Which of several gates gives the reason: see severity_then_arrival. {WORDS}",
    ),
    Obligation(
        "block_is_terminal",
        "seam",
        "a_block_of_the_chain_stops_it a_stopped_seam_hears_nothing nothing_after_a_block_happens",
        SEAM,
        "That the host obeys the outcome.",
    ),
    Obligation(
        "chain_is_compositional",
        "seam",
        "running_both_is_running_one_then_the_other",
        SEAM,
        "Anything of what a plan remembers between calls.",
    ),
    Obligation(
        "closed_fault_blocks",
        "seam",
        "a_fault_on_a_closed_seam_blocks a_fault_of_the_closed_chain_decides",
        SEAM,
        f"What becomes of a `BaseException` that is no `Exception`: it leaves, and is tested. {WORDS}",
    ),
    Obligation(
        "open_fault_is_skipped",
        "seam",
        "a_fault_on_an_open_seam_is_passed_over",
        SEAM,
        "That the others answer as they would have without it: one that faults may have had effects.",
    ),
    Obligation(
        "call_id_is_kept",
        "kept",
        "running_keeps_the_id everybody_sees_the_id",
        f"{SEAM} keep",
        "That attrs' `evolve` sets the fields it is given; seams that keep no id.",
    ),
    Obligation(
        "gates_see_what_runs",
        "seam",
        "gates_leave_the_value what_gates_saw_is_what_runs",
        f"{SEAM} ordered",
        "That a gate cannot change the value in place: that is inputs_are_never_changed, and tested.",
    ),
    Obligation(
        "gate_order_is_irrelevant",
        "seam",
        "the_same_gates_in_any_order_decide_alike the_same_gates_in_any_order_log_alike"
        " gates_leave_what_the_chain_left",
        SEAM,
        "Anything of gates whose answers depend on what ran before them: that those commute is a non-law.",
    ),
    Obligation(
        "adding_a_gate_never_loosens",
        "seam",
        "with_more_gates_the_level_is_no_lower a_level_no_lower_is_a_verdict_no_looser gates_leave_what_the_chain_left",
        SEAM,
        "Anything of gates whose answers depend on what ran before them.",
    ),
    Obligation(
        "a_faulting_gate_blocks",
        "seam",
        "a_fault_of_a_gate_blocks_on_every_seam a_replacement_by_a_gate_blocks_on_every_seam",
        SEAM,
        f"What becomes of a `BaseException` that is no `Exception`: it leaves, and is tested. {WORDS}",
    ),
    Obligation(
        "block_outranks_ask",
        "seam",
        "one_block_among_what_was_said_blocks whoever_blocks_has_blocked_the_whole",
        SEAM,
        "That the host contacts nobody but for the outcome's asks.",
    ),
    Obligation(
        "every_ask_must_be_granted",
        "asks",
        "one_refusal_denies one_left_without_a_grant_denies proceeding_needs_every_grant"
        " without_answers_nothing_proceeds",
        "settle",
        "Which answers cover which ask: `covers` is an oracle here. That the host brings what people said.",
    ),
    Obligation(
        "merge_is_a_monoid",
        "bundles",
        "merging_is_associative merging_is_none_however_it_is_grouped the_empty_bundle_is_neutral",
        "merge",
        "The order in which the seams of a host are listed, on which no decision depends.",
    ),
    Obligation(
        "merge_keeps_order_and_inputs",
        "bundles",
        "merging_joins_both merging_keeps_everybody_in_order",
        "merge",
        "That inputs stay as they are beyond what the token runs compare: bundles are frozen.",
    ),
    Obligation(
        "plugins_run_before_host",
        "bundles",
        "merging_joins_both the_plugins_chain_precedes_the_hosts gates_of_every_source_come_after_every_chain",
        MERGE,
        "That the host gives its own bundle last.",
    ),
    Obligation(
        "a_block_is_never_undone",
        "seam",
        "whoever_blocks_has_blocked_the_whole a_block_stays a_stop_is_a_block",
        SEAM,
        "Anything of a value that an earlier rewrite made another: that may leave it nothing to block (a non-law).",
    ),
    Obligation(
        "precedence_is_a_semilattice",
        "seam",
        "join_is_associative join_is_commutative join_is_idempotent allow_is_the_bottom block_is_the_top"
        " join_gives_one_of_the_two",
        "joins",
        "Nothing beyond the table: it is finite, and whole.",
    ),
    Obligation(
        "severity_then_arrival",
        "seam",
        "outranking_is_by_level_then_severity what_decides_was_said nothing_outranks_what_decides"
        " what_ties_later_does_not_decide what_outranks_all_before_decides two_orders_decide_alike",
        "outranks pick joins",
        WORDS,
    ),
    Obligation(
        "a_note_never_enforces",
        "seam",
        "a_note_can_be_left_out",
        SEAM,
        "Anything of one that notes and yet changes what others will answer. Of requirements that only note, see"
        " a_requirement_that_only_notes_changes_no_result, which is proved beside.",
    ),
    Obligation(
        "and_gathers",
        "policies",
        "both_fail_iff_one_does both_pass_iff_all_that_apply_do failing_both_gathers_the_failures_of_both"
        " one_requirement_that_fails_fails_the_policy a_requirement_that_only_notes_changes_no_result"
        " and_is_associative and_is_commutative and_is_idempotent and_is_neutral_to_what_is_not_applicable",
        POLICIES,
        "What a predicate answers, and how its exception is told.",
    ),
    Obligation(
        "or_needs_one_clean_pass",
        "policies",
        "either_passes_iff_one_does or_is_associative or_is_commutative or_is_idempotent"
        " or_is_neutral_to_what_is_not_applicable",
        POLICIES,
        "What a predicate answers, and how its exception is told.",
    ),
    Obligation(
        "not_turns_pass_and_fail",
        "policies",
        "not_turns_pass_into_fail_and_fail_into_pass not_turns_the_result_of_any_policy",
        POLICIES,
        "The reason that a negated policy gives.",
    ),
    Obligation(
        "a_fault_is_an_unknown",
        "policies",
        "decided_iff_it_could_be_one_thing_only what_is_decided_is_what_it_could_be an_unknown_blames_a_fault",
        POLICIES,
        "Anything of crashes that depend on one another: each could have been a pass or a fail, apart from the others.",
    ),
    Obligation(
        "double_negation",
        "policies",
        "not_undoes_not",
        POLICIES,
        "That equal policies have equal hashes, which is tested.",
    ),
    Obligation(
        "de_morgan",
        "policies",
        "not_both_is_either_not not_either_is_both_not",
        POLICIES,
        "Which other laws of lattices hold: those that do not are non-laws.",
    ),
    Obligation(
        "conditions_are_classical",
        "rules",
        "a_test_and_its_negation_are_complements on_absence_an_operator_is_false_and_its_negation_true"
        " absence_is_never_a_mismatch on_a_value_of_another_type_every_test_is_a_mismatch two_negations_are_none"
        " a_mismatch_met_leaves_only_false one_false_makes_all_false without_a_false_one_mismatch_makes_all_unknown",
        "holds all_hold",
        "What each operator's own test answers: that is an oracle here, and exhausted.",
    ),
    Obligation(
        "default_fills_only_what_is_absent",
        "rules",
        "what_is_there_is_left what_was_filled_is_found what_lies_apart_is_left filling_twice_is_filling_once",
        "locate fill default",
        "How a pointer leads through arrays, into which nothing is filled. Objects are what Python's dicts are.",
    ),
    Obligation(
        "a_refused_tool_stays_refused",
        "seam",
        "whatever_is_refused_at_the_end_is_blocked",
        f"{SEAM} ordered",
        "That a rule's globs match the names they should; that nothing else blocks.",
    ),
)
OBLIGATIONS: dict[str, Obligation] = {one.law: one for one in _ALL}
