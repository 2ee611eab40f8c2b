"""Claims about policies: what a whole says, from what its parts say."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["POLICIES"]

POLICIES = (
    Claim(
        "both_fail_iff_one_does",
        "a:Tree b:Tree",
        "(let ((r (result (conj a b))) (x (result a)) (y (result b)))"
        " (and (= (= r Result.FAILED) (or (= x Result.FAILED) (= y Result.FAILED)))"
        " (= (= r Result.NOT_APPLICABLE) (and (= x Result.NOT_APPLICABLE) (= y Result.NOT_APPLICABLE)))"
        " (=> (= x Result.NOT_APPLICABLE) (= r y)) (=> (= y Result.NOT_APPLICABLE) (= r x))))",
    ),
    Claim(
        "both_pass_iff_all_that_apply_do",
        "a:Tree b:Tree",
        "(let ((r (result (conj a b))) (x (result a)) (y (result b)))"
        " (= (= r Result.PASSED) (and (or (= x Result.PASSED) (= y Result.PASSED))"
        " (or (= x Result.PASSED) (= x Result.NOT_APPLICABLE)) (or (= y Result.PASSED) (= y Result.NOT_APPLICABLE)))))",
    ),
    Claim(
        "failing_both_gathers_the_failures_of_both",
        "a:Tree b:Tree",
        "(= (failures (conj a b)) (append (failures a) (failures b)))",
        given="(= (result (conj a b)) Result.FAILED)",
    ),
    Claim(
        "either_passes_iff_one_does",
        "a:Tree b:Tree",
        "(let ((r (result (disj a b))) (x (result a)) (y (result b)))"
        " (and (= (= r Result.PASSED) (or (= x Result.PASSED) (= y Result.PASSED)))"
        " (= (= r Result.NOT_APPLICABLE) (and (= x Result.NOT_APPLICABLE) (= y Result.NOT_APPLICABLE)))"
        " (=> (= x Result.NOT_APPLICABLE) (= r y)) (=> (= y Result.NOT_APPLICABLE) (= r x))))",
    ),
    Claim(
        "not_turns_the_result_of_any_policy",
        "t:Tree",
        "(= (result (inverse t)) (op_not (result t)))",
        by="t",
        on="(result (inverse t))",
    ),
    Claim(
        "not_turns_pass_into_fail_and_fail_into_pass",
        "r:Result",
        "(and (= (= (op_not r) Result.FAILED) (= r Result.PASSED)) (= (= (op_not r) Result.PASSED) (= r Result.FAILED))"
        " (= (= (op_not r) r) (or (= r Result.NOT_APPLICABLE) (= r Result.FAULTED))))",
    ),
    Claim("not_undoes_not", "t:Tree", "(= (inverse (inverse t)) t)", by="t", on="(inverse (inverse t))"),
    Claim(
        "not_both_is_either_not",
        "a:Tree b:Tree",
        "(and (= (inverse (conj a b)) (disj (inverse a) (inverse b)))"
        " (= (result (disj (inverse a) (inverse b))) (op_not (op_and (result a) (result b)))))",
        uses="not_turns_the_result_of_any_policy",
    ),
    Claim(
        "not_either_is_both_not",
        "a:Tree b:Tree",
        "(and (= (inverse (disj a b)) (conj (inverse a) (inverse b)))"
        " (= (result (conj (inverse a) (inverse b))) (op_not (op_or (result a) (result b)))))",
        uses="not_turns_the_result_of_any_policy",
    ),
    *(
        Claim(f"{name}_is_{law}", variables, text.replace("OP", op).replace("DUAL", dual))
        for name, op, dual in (("and", "op_and", "op_or"), ("or", "op_or", "op_and"))
        for law, variables, text in (
            ("associative", "a:Result b:Result c:Result", "(= (OP (OP a b) c) (OP a (OP b c)))"),
            ("commutative", "a:Result b:Result", "(= (OP a b) (OP b a))"),
            ("idempotent", "a:Result", "(= (OP a a) a)"),
            ("neutral_to_what_is_not_applicable", "a:Result", "(= (OP Result.NOT_APPLICABLE a) a)"),
        )
    ),
    Claim(
        "a_result_stands_for_all_that_could_be",
        "t:Tree x:Result",
        "(= (could t x) (alone (result t) x))",
        by="t",
        on="(could t x)",
    ),
    Claim(
        "decided_iff_it_could_be_one_thing_only",
        "t:Tree",
        "(= (not (= (result t) Result.FAULTED)) (not (and (could t Result.PASSED) (could t Result.FAILED))))",
        uses="a_result_stands_for_all_that_could_be",
    ),
    Claim(
        "what_is_decided_is_what_it_could_be",
        "t:Tree x:Result",
        "(=> (could t x) (= x (result t)))",
        given="(not (= (result t) Result.FAULTED))",
        uses="a_result_stands_for_all_that_could_be",
    ),
    Claim(
        "an_unknown_blames_a_fault",
        "t:Tree",
        "(=> (= (result t) Result.FAULTED) (blames_a_fault t))",
        by="t",
        on="(result t)",
    ),
    Claim(
        "folding_more_is_folding_on",
        "a:Needs b:Needs r:Result",
        "(= (folded (with_more a b) r) (folded b (folded a r)))",
        by="a",
        on="(folded (with_more a b) r)",
    ),
    Claim(
        "a_requirement_that_only_notes_changes_no_result",
        "p:Needs n:Need q:Needs r:Result",
        "(= (folded (with_more p (needs n q)) r) (folded (with_more p q) r))",
        given="(skipped n)",
        uses="folding_more_is_folding_on",
    ),
    Claim(
        "one_requirement_that_fails_fails_the_policy",
        "a:Needs n:Need r:Result",
        "(=> (and (needed n a) (not (skipped n)) (= (said n) Result.FAILED)) (= (folded a r) Result.FAILED))",
        by="a",
        on="(needed n a) (folded a r)",
        uses="a_failed_policy_stays_failed",
    ),
    Claim(
        "a_failed_policy_stays_failed",
        "a:Needs",
        "(= (folded a Result.FAILED) Result.FAILED)",
        by="a",
        on="(folded a Result.FAILED)",
    ),
)
