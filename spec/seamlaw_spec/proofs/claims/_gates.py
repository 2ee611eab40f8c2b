"""Claims about gates, and about what a block does to all that comes after it."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["GATES"]

GATES = (
    Claim(
        "hearing_a_gate_leaves_the_value",
        "a:Answers h:Who s:State",
        "(=> (is_gate h) (and (= (value (hear a h s)) (value s)) (= (stopped (hear a h s)) (stopped s))))",
        by="a",
        on="(hear a h s)",
    ),
    Claim(
        "gates_leave_the_value",
        "a:Chain c:Config",
        "(=> (all_gates a) (and (= (value (st (run a c))) (value (st c)))"
        " (= (stopped (st (run a c))) (stopped (st c)))))",
        by="a",
        on="(run a c)",
        uses="hearing_a_gate_leaves_the_value",
    ),
    Claim(
        "gates_see_one_value",
        "a:Chain c:Config",
        "(let ((v (value (st c)))) (=> (and (all_gates a) (sees_only (seen c) v)) (sees_only (seen (run a c)) v)))",
        by="a",
        on="(run a c)",
        uses="hearing_a_gate_leaves_the_value",
    ),
    Claim(
        "what_gates_saw_is_what_runs",
        "p:Chain g:Chain c:Config",
        "(sees_only (seen (run g (config (st (run p c)) (world (run p c)) none))) (value (st (run (append p g) c))))",
        given="(all_gates g)",
        uses="running_both_is_running_one_then_the_other gates_leave_the_value gates_see_one_value",
    ),
    Claim(
        "one_answer_of_a_gate_is_joined",
        "a:Answer h:Who s:State",
        "(=> (and (is_gate h) (not (stopped s)))"
        " (= (top (log (step s (entry h (is_gate h) a)))) (join (top (log s)) (level_said a h))))",
        on="(step s (entry h (is_gate h) a))",
        uses="top_joins",
    ),
    Claim(
        "what_a_gate_says_is_joined",
        "a:Answers h:Who s:State",
        "(=> (and (is_gate h) (not (stopped s))) (= (top (log (hear a h s))) (join (top (log s)) (joined a h))))",
        by="a",
        on="(hear a h s)",
        uses="one_answer_of_a_gate_is_joined hearing_a_gate_leaves_the_value",
    ),
    Claim(
        "consulting_a_gate_joins_its_weight",
        "h:Who c:Config",
        "(=> (and (is_gate h) (isolated h) (not (stopped (st c))))"
        " (= (top (log (st (consult h c)))) (join (top (log (st c))) (weight h (value (st c))))))",
        on="(consult h c)",
        uses="what_a_gate_says_is_joined",
    ),
    Claim(
        "consulting_a_gate_leaves_the_value",
        "h:Who c:Config",
        "(=> (is_gate h) (and (= (value (st (consult h c))) (value (st c)))"
        " (= (stopped (st (consult h c))) (stopped (st c)))))",
        on="(consult h c)",
        uses="hearing_a_gate_leaves_the_value",
    ),
    Claim(
        "what_gates_say_is_joined",
        "a:Chain c:Config",
        "(=> (and (all_isolated a) (not (stopped (st c))))"
        " (= (top (log (st (run a c)))) (join (top (log (st c))) (heaviest a (value (st c))))))",
        by="a",
        on="(run a c)",
        uses="consulting_a_gate_joins_its_weight consulting_a_gate_leaves_the_value",
    ),
    Claim(
        "whoever_is_among_them_is_there",
        "a:Chain b:Chain x:Who",
        "(=> (and (among a b) (member x a)) (member x b))",
        by="a",
        on="(among a b) (member x a)",
    ),
    Claim(
        "each_gate_counts",
        "a:Chain x:Who v:Value",
        "(=> (member x a) (= (join (weight x v) (heaviest a v)) (heaviest a v)))",
        by="a",
        on="(member x a) (heaviest a v)",
    ),
    Claim(
        "some_gate_decides",
        "a:Chain v:Value",
        "(or (= (heaviest a v) Level.ALLOW)"
        " (and (member (decider a v) a) (= (weight (decider a v) v) (heaviest a v))))",
        by="a",
        on="(heaviest a v)",
    ),
    Claim(
        "more_gates_weigh_no_less",
        "a:Chain b:Chain v:Value",
        "(=> (among a b) (= (join (heaviest a v) (heaviest b v)) (heaviest b v)))",
        on="(heaviest a v) (heaviest b v)",
        uses="each_gate_counts some_gate_decides whoever_is_among_them_is_there",
    ),
    Claim(
        "the_same_gates_in_any_order_decide_alike",
        "p:Chain a:Chain b:Chain c:Config",
        "(= (verdict (st (run (append p a) c))) (verdict (st (run (append p b) c))))",
        given="(and (among a b) (among b a) (all_isolated a) (all_isolated b))",
        uses="running_both_is_running_one_then_the_other what_gates_say_is_joined more_gates_weigh_no_less"
        " a_stopped_seam_asks_nobody",
    ),
    Claim(
        "a_gate_logs_what_it_says",
        "a:Answers h:Who s:State e:Entry",
        "(=> (and (is_gate h) (not (stopped s)))"
        " (= (logs (log (hear a h s)) e) (or (logs (log s) e) (among_said a h e))))",
        by="a",
        on="(logs (log (hear a h s)) e)",
        uses="hearing_a_gate_leaves_the_value",
    ),
    Claim(
        "consulting_a_gate_logs_what_it_utters",
        "h:Who c:Config e:Entry",
        "(=> (and (is_gate h) (isolated h) (not (stopped (st c))))"
        " (= (logs (log (st (consult h c))) e) (or (logs (log (st c)) e) (utters h (value (st c)) e))))",
        on="(logs (log (st (consult h c))) e)",
        uses="a_gate_logs_what_it_says",
    ),
    Claim(
        "gates_log_what_they_utter",
        "a:Chain c:Config e:Entry",
        "(=> (and (all_isolated a) (not (stopped (st c))))"
        " (= (logs (log (st (run a c))) e) (or (logs (log (st c)) e) (uttered a (value (st c)) e))))",
        by="a",
        on="(logs (log (st (run a c))) e)",
        uses="consulting_a_gate_logs_what_it_utters consulting_a_gate_leaves_the_value",
    ),
    Claim(
        "whoever_utters_is_heard",
        "b:Chain x:Who v:Value e:Entry",
        "(=> (and (member x b) (utters x v e)) (uttered b v e))",
        by="b",
        on="(member x b) (uttered b v e)",
    ),
    Claim(
        "more_gates_utter_no_less",
        "a:Chain b:Chain v:Value e:Entry",
        "(=> (and (among a b) (uttered a v e)) (uttered b v e))",
        by="a",
        on="(uttered a v e) (uttered b v e)",
        uses="whoever_utters_is_heard",
    ),
    Claim(
        "the_same_gates_in_any_order_log_alike",
        "p:Chain a:Chain b:Chain c:Config e:Entry",
        "(= (logs (log (st (run (append p a) c))) e) (logs (log (st (run (append p b) c))) e))",
        given="(and (among a b) (among b a) (all_isolated a) (all_isolated b))",
        uses="running_both_is_running_one_then_the_other gates_log_what_they_utter more_gates_utter_no_less"
        " a_stopped_seam_asks_nobody",
    ),
    Claim(
        "gates_leave_what_the_chain_left",
        "p:Chain a:Chain c:Config",
        "(= (value (st (run (append p a) c))) (value (st (run p c))))",
        given="(all_gates a)",
        uses="running_both_is_running_one_then_the_other gates_leave_the_value",
    ),
    Claim(
        "with_more_gates_the_level_is_no_lower",
        "p:Chain a:Chain b:Chain c:Config",
        "(let ((less (top (log (st (run (append p a) c))))) (more (top (log (st (run (append p b) c))))))"
        " (= (join less more) more))",
        given="(and (among a b) (all_isolated a) (all_isolated b))",
        uses="running_both_is_running_one_then_the_other what_gates_say_is_joined more_gates_weigh_no_less"
        " a_stopped_seam_asks_nobody",
    ),
    Claim(
        "a_level_no_lower_is_a_verdict_no_looser",
        "a:Level b:Level",
        "(or (= (verdict_of a) (verdict_of b)) (= (verdict_of a) Verdict.PROCEED) (= (verdict_of b) Verdict.BLOCK))",
        given="(= (join a b) b)",
    ),
    Claim(
        "a_fault_of_a_gate_blocks_on_every_seam",
        "p:Chain h:Who q:Chain c:Config",
        "(let ((after (st (run (append p (cons h q)) c)))) (and (= (verdict after) Verdict.BLOCK)"
        " (logs (log after) (entry h true (Fault true Severity.HIGH)))))",
        given="(let ((left (run p c))) (and (is_gate h) (not (stopped (st left))) (fits h (value (st left)))"
        " (is_fault (did h (value (st left)) (world left)))))",
        uses="running_both_is_running_one_then_the_other top_joins a_block_stays what_is_logged_stays",
    ),
    Claim(
        "a_replacement_by_a_gate_blocks_on_every_seam",
        "p:Chain h:Who q:Chain c:Config r:Value",
        "(= (verdict (st (run (append p (cons h q)) c))) Verdict.BLOCK)",
        given="(let ((left (run p c))) (and (is_gate h) (not (stopped (st left))) (fits h (value (st left)))"
        " (= (did h (value (st left)) (world left)) (Fits r))))",
        uses="running_both_is_running_one_then_the_other top_joins a_block_stays",
    ),
    Claim(
        "whoever_blocks_has_blocked_the_whole",
        "p:Chain h:Who q:Chain c:Config t:Words g:Severity",
        "(let ((after (st (run (append p (cons h q)) c))))"
        " (and (= (verdict after) Verdict.BLOCK) (not (asks_stand after))))",
        given="(let ((left (run p c))) (and (not (stopped (st left))) (fits h (value (st left)))"
        " (= (did h (value (st left)) (world left)) (Blocks t g))))",
        uses="running_both_is_running_one_then_the_other top_joins a_block_stays",
    ),
    Claim(
        "one_block_among_what_was_said_blocks",
        "l:Log e:Entry s:State",
        "(and (= (verdict s) Verdict.BLOCK) (not (asks_stand s)))",
        given="(and (= (log s) l) (logs l e) (= (level e) Level.BLOCK))",
        uses="what_is_logged_counts",
    ),
    Claim(
        "whatever_is_refused_at_the_end_is_blocked",
        "p:Chain h:Who q:Chain c:Config",
        "(let ((after (st (run (append p (cons h q)) c))))"
        " (=> (refuses h (value after)) (= (verdict after) Verdict.BLOCK)))",
        given="(and (is_gate h) (all_gates q) (begins c))",
        uses="running_both_is_running_one_then_the_other top_joins a_block_stays gates_leave_the_value"
        " hearing_a_gate_leaves_the_value a_stop_is_a_block a_stopped_seam_asks_nobody",
    ),
    Claim(
        "what_is_heard_stops_only_by_blocking",
        "a:Answers h:Who s:State",
        "(=> (stops_only_by_blocking s) (stops_only_by_blocking (hear a h s)))",
        by="a",
        on="(hear a h s)",
        uses="top_joins",
    ),
    Claim(
        "a_stop_is_a_block",
        "a:Chain c:Config",
        "(=> (stops_only_by_blocking (st c)) (stops_only_by_blocking (st (run a c))))",
        by="a",
        on="(run a c)",
        uses="what_is_heard_stops_only_by_blocking",
    ),
)
