"""Claims about the chain: what a run of it is."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["CHAIN"]

CHAIN = (
    Claim("nothing_run_changes_nothing", "c:Config", "(= (run nil c) c)"),
    Claim(
        "nothing_said_proceeds",
        "v:Value s:State",
        "(and (= (verdict s) Verdict.PROCEED) (not (asks_stand s)))",
        given="(= s (state v empty false))",
        uses="nothing_said_is_an_allow",
    ),
    Claim("hearing_silence_changes_nothing", "h:Who s:State", "(= (hear silence h s) s)"),
    Claim("allow_is_silence", "d:Deed h:Who v:Value", "(=> (allows d) (= (heard d h v) silence))", on="(heard d h v)"),
    Claim(
        "a_stopped_seam_hears_nothing",
        "a:Answers h:Who s:State",
        "(=> (stopped s) (= (hear a h s) s))",
        by="a",
        on="(hear a h s)",
    ),
    Claim(
        "a_stopped_seam_asks_nobody",
        "a:Chain c:Config",
        "(=> (stopped (st c)) (= (run a c) c))",
        by="a",
        on="(run a c)",
    ),
    Claim(
        "running_both_is_running_one_then_the_other",
        "a:Chain b:Chain c:Config",
        "(= (run (append a b) c) (run b (run a c)))",
        by="a",
        on="(run (append a b) c)",
        uses="a_stopped_seam_asks_nobody",
    ),
    Claim(
        "what_was_seen_before_is_not_looked_at",
        "a:Chain c:Config d:Config",
        "(=> (and (= (st c) (st d)) (= (world c) (world d)))"
        " (and (= (st (run a c)) (st (run a d))) (= (world (run a c)) (world (run a d)))))",
        by="a",
        on="(run a c) (run a d)",
    ),
    Claim(
        "one_that_allows_can_be_left_out",
        "p:Chain h:Who q:Chain c:Config",
        "(= (st (run (append p (cons h q)) c)) (st (run (append p q) c)))",
        given="(only_allows h)",
        uses="running_both_is_running_one_then_the_other what_was_seen_before_is_not_looked_at allow_is_silence"
        " a_stopped_seam_asks_nobody",
    ),
    Claim(
        "each_sees_what_those_before_left",
        "p:Chain h:Who c:Config",
        "(let ((left (run p c)) (after (run (append p (cons h nil)) c)))"
        " (= (seen after) (ite (and (not (stopped (st left))) (fits h (value (st left))))"
        " (saw (seen left) h (value (st left))) (seen left))))",
        uses="running_both_is_running_one_then_the_other",
    ),
    Claim(
        "a_replacement_is_what_is_left",
        "p:Chain h:Who c:Config r:Value",
        "(= (value (st (run (append p (cons h nil)) c))) (keep (value (st (run p c))) r))",
        given="(let ((left (run p c))) (and (not (stopped (st left))) (fits h (value (st left)))"
        " (not (is_gate h)) (= (did h (value (st left)) (world left)) (Fits r))))",
        uses="running_both_is_running_one_then_the_other",
    ),
    Claim(
        "whoever_replaces_nothing_leaves_it",
        "p:Chain h:Who c:Config",
        "(= (value (st (run (append p (cons h nil)) c))) (value (st (run p c))))",
        given="(let ((left (run p c))) (and (not (is_gate h))"
        " (not ((_ is Fits) (did h (value (st left)) (world left))))))",
        uses="running_both_is_running_one_then_the_other",
    ),
    Claim(
        "unstopped_is_unblocked",
        "a:Chain c:Config",
        "(=> (and (no_gates a) (not (stopped (st c))) (not (= (top (log (st c))) Level.BLOCK)))"
        " (= (stopped (st (run a c))) (= (top (log (st (run a c)))) Level.BLOCK)))",
        by="a",
        on="(run a c)",
        uses="top_joins a_stopped_seam_asks_nobody",
    ),
    Claim(
        "the_first_that_blocks_decides",
        "p:Chain h:Who q:Chain c:Config b:Answer",
        "(= (worst (log (st (run (append p (cons h q)) c)))) (found (entry h false b)))",
        given="(let ((left (run p c))) (and (no_gates p) (not (is_gate h)) (begins c) (not (stopped (st left)))"
        " (fits h (value (st left))) (= (level (entry h false b)) Level.BLOCK)"
        " (= (heard (did h (value (st left)) (world left)) h (value (st left))) (saying b silence))))",
        uses="running_both_is_running_one_then_the_other unstopped_is_unblocked a_stopped_seam_asks_nobody top_joins",
    ),
    Claim(
        "nothing_after_a_block_happens",
        "p:Chain q:Chain c:Config",
        "(= (run (append p q) c) (run p c))",
        given="(stopped (st (run p c)))",
        uses="running_both_is_running_one_then_the_other a_stopped_seam_asks_nobody",
    ),
    Claim(
        "a_block_of_the_chain_stops_it",
        "h:Who q:Chain c:Config t:Words g:Severity",
        "(and (stopped (st (run (cons h q) c))) (= (run (cons h q) c) (consult h c)))",
        given="(and (not (is_gate h)) (fits h (value (st c))) (not (stopped (st c)))"
        " (= (did h (value (st c)) (world c)) (Blocks t g)))",
        uses="a_stopped_seam_asks_nobody",
    ),
    Claim(
        "hearing_more_leaves_a_block",
        "a:Answers h:Who s:State",
        "(=> (= (top (log s)) Level.BLOCK) (= (top (log (hear a h s))) Level.BLOCK))",
        by="a",
        on="(hear a h s)",
        uses="top_joins",
    ),
    Claim(
        "a_block_stays",
        "a:Chain c:Config",
        "(=> (= (top (log (st c))) Level.BLOCK) (= (top (log (st (run a c)))) Level.BLOCK))",
        by="a",
        on="(run a c)",
        uses="hearing_more_leaves_a_block",
    ),
    Claim(
        "a_fault_on_a_closed_seam_blocks",
        "p:Chain h:Who q:Chain c:Config",
        "(let ((after (run (append p (cons h q)) c))) (and (= (verdict (st after)) Verdict.BLOCK)"
        " (logs (log (st after)) (entry h (is_gate h) (Fault true Severity.HIGH)))))",
        given="(let ((left (run p c))) (and is_closed_seam (not (stopped (st left)))"
        " (fits h (value (st left))) (is_fault (did h (value (st left)) (world left)))))",
        uses="running_both_is_running_one_then_the_other top_joins what_is_logged_stays a_block_stays",
    ),
    Claim(
        "a_fault_of_the_closed_chain_decides",
        "p:Chain h:Who q:Chain c:Config",
        "(= (worst (log (st (run (append p (cons h q)) c)))) (found (entry h false (Fault true Severity.HIGH))))",
        given="(let ((left (run p c))) (and is_closed_seam (no_gates p) (not (is_gate h)) (begins c)"
        " (not (stopped (st left))) (fits h (value (st left))) (is_fault (did h (value (st left)) (world left)))))",
        uses="running_both_is_running_one_then_the_other unstopped_is_unblocked a_stopped_seam_asks_nobody top_joins",
    ),
    Claim(
        "a_fault_on_an_open_seam_is_passed_over",
        "h:Who q:Chain c:Config",
        "(and (= (st (consult h c)) (state (value (st c))"
        " (logged (log (st c)) (entry h false (Fault false Severity.HIGH))) false))"
        " (= (run (cons h q) c) (run q (consult h c)))"
        " (= (verdict (st (consult h c))) (verdict (st c))))",
        given="(and (not is_closed_seam) (not (is_gate h)) (not (closes h)) (not (stopped (st c)))"
        " (fits h (value (st c))) (is_fault (did h (value (st c)) (world c))))",
        uses="top_joins",
    ),
)
