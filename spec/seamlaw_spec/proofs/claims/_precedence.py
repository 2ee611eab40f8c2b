"""Claims about what decides among findings."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["PRECEDENCE"]

PRECEDENCE = (
    Claim("join_is_associative", "a:Level b:Level c:Level", "(= (join (join a b) c) (join a (join b c)))"),
    Claim("join_is_commutative", "a:Level b:Level", "(= (join a b) (join b a))"),
    Claim("join_is_idempotent", "a:Level", "(= (join a a) a)"),
    Claim("allow_is_the_bottom", "a:Level", "(= (join Level.ALLOW a) a)"),
    Claim("block_is_the_top", "a:Level", "(= (join Level.BLOCK a) Level.BLOCK)"),
    Claim("join_gives_one_of_the_two", "a:Level b:Level", "(or (= (join a b) a) (= (join a b) b))"),
    Claim(
        "outranking_is_by_level_then_severity",
        "a:Entry b:Entry",
        "(= (outranks a b) (or (and (not (= (level a) (level b))) (= (join (level a) (level b)) (level a)))"
        " (and (= (level a) (level b)) (graver (severity a) (severity b)))))",
    ),
    Claim(
        "outranking_is_transitive",
        "a:Entry b:Entry c:Entry",
        "(outranks a c)",
        given="(and (outranks a b) (outranks b c))",
    ),
    Claim("outranking_is_strict", "a:Entry b:Entry", "(not (outranks b a))", given="(outranks a b)"),
    Claim(
        "what_ties_with_a_tie_ties",
        "a:Entry b:Entry c:Entry",
        "(not (outranks a c))",
        given="(and (not (outranks a b)) (not (outranks b c)))",
    ),
    Claim(
        "top_joins",
        "l:Log e:Entry",
        "(= (top (logged l e)) (join (top l) (level e)))",
        on="(top (logged l e))",
        about="worst",
    ),
    Claim("nothing_said_is_an_allow", "", "(= (top empty) Level.ALLOW)", about="worst"),
    Claim(
        "what_decides_was_said",
        "l:Log",
        "(=> (not (= (worst l) nobody)) (logs l (finding (worst l))))",
        by="l",
        on="(worst l)",
    ),
    Claim(
        "nothing_outranks_what_decides",
        "l:Log e:Entry",
        "(=> (logs l e) (and (not (= (worst l) nobody)) (not (outranks e (finding (worst l))))))",
        by="l",
        on="(logs l e)",
        uses="what_ties_with_a_tie_ties outranking_is_strict outranking_is_transitive",
    ),
    Claim(
        "what_ties_later_does_not_decide",
        "l:Log e:Entry",
        "(= (worst (logged l e)) (worst l))",
        given="(and (not (= (worst l) nobody)) (not (outranks e (finding (worst l)))))",
    ),
    Claim(
        "what_outranks_all_before_decides",
        "l:Log e:Entry",
        "(= (worst (logged l e)) (found e))",
        given="(forall ((d Entry)) (! (=> (logs l d) (outranks e d)) :pattern ((logs l d))))",
        uses="what_decides_was_said",
    ),
    Claim(
        "two_orders_decide_alike",
        "a:Log b:Log",
        "(and (= (= (worst a) nobody) (= (worst b) nobody))"
        " (=> (not (= (worst a) nobody)) (and (= (level (finding (worst a))) (level (finding (worst b))))"
        " (= (severity (finding (worst a))) (severity (finding (worst b)))))))",
        given="(forall ((e Entry)) (! (= (logs a e) (logs b e)) :pattern ((logs a e)) :pattern ((logs b e))))",
        uses="what_decides_was_said nothing_outranks_what_decides",
    ),
    Claim(
        "what_is_logged_counts",
        "l:Log e:Entry",
        "(=> (logs l e) (= (join (level e) (top l)) (top l)))",
        by="l",
        on="(logs l e)",
        uses="top_joins",
    ),
    Claim(
        "what_is_heard_stays",
        "a:Answers h:Who s:State e:Entry",
        "(=> (logs (log s) e) (logs (log (hear a h s)) e))",
        by="a",
        on="(logs (log (hear a h s)) e)",
    ),
    Claim(
        "what_is_logged_stays",
        "a:Chain c:Config e:Entry",
        "(=> (logs (log (st c)) e) (logs (log (st (run a c))) e))",
        by="a",
        on="(logs (log (st (run a c))) e)",
        uses="what_is_heard_stays",
    ),
    Claim(
        "alike_states_step_alike",
        "s:State r:State h:Who g:Bool a:Answer",
        "(=> (alike s r) (alike (step s (entry h g a)) (step r (entry h g a))))",
        by="a",
        on="(step s (entry h g a)) (step r (entry h g a))",
        uses="top_joins",
    ),
    Claim(
        "alike_states_hear_alike",
        "a:Answers h:Who s:State r:State",
        "(=> (alike s r) (alike (hear a h s) (hear a h r)))",
        by="a",
        on="(hear a h s) (hear a h r)",
        uses="alike_states_step_alike",
    ),
    Claim(
        "alike_consult_alike",
        "h:Who c:Config d:Config",
        "(=> (alike_but_for_sights c d) (alike_but_for_sights (consult h c) (consult h d)))",
        on="(consult h c) (consult h d)",
        uses="alike_states_hear_alike",
    ),
    Claim(
        "alike_run_alike",
        "a:Chain c:Config d:Config",
        "(=> (alike_but_for_sights c d) (alike_but_for_sights (run a c) (run a d)))",
        by="a",
        on="(run a c) (run a d)",
        uses="alike_consult_alike",
    ),
    Claim(
        "consulting_one_that_only_notes_changes_little",
        "h:Who c:Config",
        "(=> (only_notes h) (alike_but_for_sights (consult h c) c))",
        on="(consult h c)",
        uses="top_joins",
    ),
    Claim(
        "what_follows_a_note_runs_alike",
        "h:Who q:Chain c:Config",
        "(=> (only_notes h) (alike_but_for_sights (run q (consult h c)) (run q c)))",
        on="(run q (consult h c))",
        uses="alike_run_alike consulting_one_that_only_notes_changes_little",
    ),
    Claim(
        "a_note_can_be_left_out",
        "p:Chain h:Who q:Chain c:Config",
        "(let ((with (st (run (append p (cons h q)) c))) (without (st (run (append p q) c))))"
        " (and (= (verdict with) (verdict without)) (= (value with) (value without))"
        " (= (stopped with) (stopped without))))",
        given="(only_notes h)",
        uses="running_both_is_running_one_then_the_other what_follows_a_note_runs_alike a_stopped_seam_asks_nobody",
    ),
)
