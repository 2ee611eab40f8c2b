"""The law book's contents: each law that must be there, by group, with the mechanisms that must check it.

A test fails when a law of this table has no function, or a function is not in this table.
"""

from collections.abc import Mapping

__all__ = ["BOOK"]

BOOK: Mapping[str, Mapping[str, str]] = {
    "chain": {
        "empty_chain_is_identity": "HCPE",
        "allow_is_neutral": "HCPE",
        "replacements_chain": "HCPE",
        "first_block_wins": "HCPE",
        "block_is_terminal": "HCPE",
        "chain_is_compositional": "HCPE",
        "closed_fault_blocks": "HCPE",
        "open_fault_is_skipped": "HCPE",
        "what_is_no_decision_is_a_fault": "HE",
        "a_block_can_always_be_said": "H",
        "call_id_is_kept": "HCPE",
        "deciding_never_raises": "HE",
        "deciding_is_deterministic": "HE",
        "inputs_are_never_changed": "H",
        "the_log_is_complete": "HCE",
        "the_loop_is_the_fold": "HE",
    },
    "gates": {
        "gates_see_what_runs": "HCPE",
        "gate_order_is_irrelevant": "HCPE",
        "adding_a_gate_never_loosens": "HCPE",
        "a_gate_cannot_rewrite": "HCE",
        "a_faulting_gate_blocks": "HCPE",
        "gates_are_isolated": "H",
        "every_gate_reports": "HE",
    },
    "asks": {
        "block_outranks_ask": "HCPE",
        "every_ask_must_be_granted": "HCPE",
        "only_true_grants": "HE",
        "an_approval_is_for_one_value": "H",
    },
    "merge": {
        "merge_is_a_monoid": "HCPE",
        "merging_nothing_is_none": "HCE",
        "merging_one_is_that_one": "HCE",
        "merge_keeps_order_and_inputs": "HCPE",
        "plugins_run_before_host": "HCPE",
        "a_block_is_never_undone": "HCPE",
    },
    "precedence": {
        "precedence_is_a_semilattice": "CPE",
        "severity_then_arrival": "HCPE",
        "a_note_never_enforces": "HCPE",
        "every_failure_is_reported": "HE",
    },
    "policies": {
        "and_gathers": "HCPE",
        "or_needs_one_clean_pass": "HCPE",
        "not_turns_pass_and_fail": "HCPE",
        "a_fault_is_an_unknown": "HCPE",
        "double_negation": "HCPE",
        "de_morgan": "CPE",
        "a_crashing_activation_is_active": "HE",
        "the_hash_sees_every_change": "H",
    },
    "values": {
        "frozen_equals_plain": "H",
        "digest_is_canonical": "H",
        "bad_values_name_the_place_not_the_value": "H",
    },
    "rules": {
        "a_rule_is_its_interceptor": "HCE",
        "conditions_are_classical": "HCPE",
        "rules_take_linear_time": "H",
        "default_fills_only_what_is_absent": "HCP",
        "a_refused_tool_stays_refused": "HCPE",
    },
    "filters": {
        "consulted_iff_it_matches": "HE",
        "the_index_is_the_scan": "HE",
    },
}
