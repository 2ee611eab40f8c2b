"""Claims about conditions and defaults."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["RULES"]

RULES = (
    Claim(
        "a_test_and_its_negation_are_complements",
        "t:Test v:Json",
        "(let ((x (holds t v)) (y (holds (negation t) v)))"
        " (and (= (= x yes) (= y no)) (= (= x no) (= y yes)) (= (= x mismatch) (= y mismatch))))",
    ),
    Claim(
        "on_absence_an_operator_is_false_and_its_negation_true",
        "o:Operator",
        "(and (= (holds (operation o) missing) no) (= (holds (negation (operation o)) missing) yes))",
    ),
    Claim(
        "absence_is_never_a_mismatch",
        "t:Test",
        "(not (= (holds t missing) mismatch))",
        by="t",
        on="(holds t missing)",
    ),
    Claim(
        "on_a_value_of_another_type_every_test_is_a_mismatch",
        "t:Test v:Json",
        "(=> (and (not (= v missing)) (not (suits (base t) v))) (= (holds t v) mismatch))",
        by="t",
        on="(holds t v)",
    ),
    Claim("two_negations_are_none", "t:Test v:Json", "(= (holds (negation (negation t)) v) (holds t v))"),
    Claim(
        "a_mismatch_met_leaves_only_false",
        "c:Claims",
        "(= (all_hold c true) (ite (= (all_hold c false) no) no mismatch))",
        by="c",
        on="(all_hold c true)",
    ),
    Claim(
        "one_false_makes_all_false",
        "c:Claims u:Bool",
        "(= (= (all_hold c u) no) (claimed no c))",
        by="c",
        on="(all_hold c u)",
    ),
    Claim(
        "without_a_false_one_mismatch_makes_all_unknown",
        "c:Claims u:Bool",
        "(= (= (all_hold c u) mismatch) (and (not (claimed no c)) (or u (claimed mismatch c))))",
        by="c",
        on="(all_hold c u)",
        uses="one_false_makes_all_false",
    ),
    Claim(
        "what_is_there_is_left",
        "j:Json p:Keys v:Json",
        "(= (defaulted j p v) (found j))",
        given="(and ((_ is found) (locate j p)) (not (= (locate j p) (found missing))))",
    ),
    Claim(
        "nothing_is_in_what_is_missing",
        "q:Keys",
        "(= (locate missing q) (found missing))",
        by="q",
        on="(locate missing q)",
    ),
    Claim(
        "nothing_is_in_an_empty_object",
        "q:Keys",
        "(=> (not (= q here)) (= (locate no_fields q) (found missing)))",
        by="q",
        on="(locate no_fields q)",
        uses="nothing_is_in_what_is_missing",
    ),
    Claim("nothing_is_apart_from_the_whole", "p:Keys", "(not (apart p here))", by="p", on="(apart p here)"),
    Claim(
        "what_was_filled_is_found",
        "p:Keys j:Json v:Json",
        "(=> ((_ is found) (filled j p v)) (= (locate (that (filled j p v)) p) (found v)))",
        by="p",
        on="(filled j p v)",
    ),
    Claim(
        "what_lies_apart_is_left",
        "p:Keys q:Keys j:Json v:Json",
        "(=> (and (apart p q) ((_ is found) (filled j p v))) (= (locate (that (filled j p v)) q) (locate j q)))",
        by="p",
        on="(locate (that (filled j p v)) q)",
        uses="nothing_is_in_what_is_missing nothing_is_in_an_empty_object nothing_is_apart_from_the_whole",
    ),
    Claim(
        "filling_twice_is_filling_once",
        "p:Keys j:Json v:Json",
        "(let ((once (defaulted j p v)))"
        " (=> (and ((_ is found) once) (not (= v missing))) (= (defaulted (that once) p v) once)))",
        uses="what_was_filled_is_found",
    ),
)
