"""Claims about asks: what does not grant, denies."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["ASKS"]

ASKS = (
    Claim(
        "taking_one_off_adds_nothing",
        "u:Pile s:Answered a:Ask g:Bool",
        "(=> (some_mine (without u s) a g) (some_mine u a g))",
        by="u",
        on="(some_mine (without u s) a g)",
    ),
    Claim(
        "taking_a_grant_off_leaves_refusals",
        "u:Pile s:Answered a:Ask",
        "(=> (and (grants s) (some_mine u a false)) (some_mine (without u s) a false))",
        by="u",
        on="(some_mine (without u s) a false)",
    ),
    Claim(
        "what_is_taken_is_mine",
        "u:Pile a:Ask g:Bool",
        "(=> (some_mine u a g) (mine (first_mine u a g) a g))",
        by="u",
        on="(first_mine u a g)",
    ),
    Claim(
        "one_refusal_denies",
        "l:Asks u:Pile x:Ask",
        "(=> (and (asked x l) (refused u x)) (denies l u))",
        by="l",
        on="(asked x l) (denies l u)",
        uses="taking_a_grant_off_leaves_refusals what_is_taken_is_mine",
    ),
    Claim(
        "one_left_without_a_grant_denies",
        "l:Asks u:Pile x:Ask",
        "(=> (and (asked x l) (not (granted u x))) (denies l u))",
        by="l",
        on="(asked x l) (denies l u)",
        uses="taking_one_off_adds_nothing",
    ),
    Claim(
        "proceeding_needs_every_grant",
        "l:Asks u:Pile x:Ask",
        "(and (granted u x) (not (refused u x)))",
        given="(and (asked x l) (= (settled l u) Verdict.PROCEED))",
        uses="one_refusal_denies one_left_without_a_grant_denies",
    ),
    Claim(
        "without_answers_nothing_proceeds",
        "l:Asks",
        "(= (settled l used_up) Verdict.BLOCK)",
        by="l",
    ),
)
