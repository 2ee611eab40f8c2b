"""Claims about the call id: nothing that an interceptor answers can change it."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["KEPT"]

KEPT = (
    Claim(
        "a_gate_keeps_the_value",
        "a:Answers h:Who s:State",
        "(=> (is_gate h) (= (value (hear a h s)) (value s)))",
        by="a",
        on="(hear a h s)",
    ),
    Claim(
        "consulting_keeps_the_id",
        "h:Who c:Config",
        "(= (id (value (st (consult h c)))) (id (value (st c))))",
        on="(consult h c)",
        uses="a_gate_keeps_the_value",
    ),
    Claim(
        "running_keeps_the_id",
        "a:Chain c:Config",
        "(= (id (value (st (run a c)))) (id (value (st c))))",
        by="a",
        on="(run a c)",
        uses="consulting_keeps_the_id",
    ),
    Claim(
        "everybody_sees_the_id",
        "a:Chain c:Config",
        "(let ((i (id (value (st c))))) (=> (show_only (seen c) i) (show_only (seen (run a c)) i)))",
        by="a",
        on="(run a c)",
        uses="consulting_keeps_the_id",
    ),
)
