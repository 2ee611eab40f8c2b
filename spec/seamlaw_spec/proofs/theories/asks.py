"""Closing an outcome with the answers there are: the loop of `settle`, over a pile of answers not yet used.

Extracted by token runs: for each ask, in order, what covers it is looked for in the pile; a refusal among it, or
nothing, is a reason to block, and one answer (the refusal, or the first) is taken off the pile.
"""

from seamlaw_spec.proofs._claims import Theory
from seamlaw_spec.proofs._smt import Datatype, Definition, Part, Recursion, declared

__all__ = ["asks_theory"]

ANSWERED = Datatype("Answered", {"answered": "to:Ask grants:Bool words:Words"})
PILE = Datatype("Pile", {"used_up": "", "pile": "lying:Answered under:Pile"})
ASKS = Datatype("Asks", {"no_more": "", "asks": "ask:Ask others:Asks"})
VERDICT = Datatype("Verdict", {"Verdict.PROCEED": "", "Verdict.BLOCK": ""})
TYPES = (ANSWERED, PILE, ASKS, VERDICT)
SORTS = "(declare-sort Ask 0)\n(declare-sort Words 0)"
OF_ONE = "u:Pile a:Ask"
SETTLE: tuple[Part, ...] = (
    "(declare-fun covers (Answered Ask) Bool)\n(declare-const nothing_mine Answered)",
    Definition("mine", "s:Answered a:Ask g:Bool", "Bool", "(and (covers s a) (= (grants s) g))"),
    Recursion(
        "some_mine",
        f"{OF_ONE} g:Bool",
        "Bool",
        "u",
        PILE,
        {"used_up": "false", "pile": "(or (mine lying a g) (some_mine under a g))"},
        "mine = [answer for answer in unused if covers(answer, ask)]: whether one of it grants, or refuses",
    ),
    Recursion(
        "first_mine",
        f"{OF_ONE} g:Bool",
        "Answered",
        "u",
        PILE,
        {"used_up": "nothing_mine", "pile": "(ite (mine lying a g) lying (first_mine under a g))"},
    ),
    Recursion(
        "without",
        "u:Pile s:Answered",
        "Pile",
        "u",
        PILE,
        {"used_up": "used_up", "pile": "(ite (= lying s) under (pile lying (without under s)))"},
        "unused.remove",
    ),
    Definition("refused", OF_ONE, "Bool", "(some_mine u a false)"),
    Definition("granted", OF_ONE, "Bool", "(some_mine u a true)"),
    Definition(
        "left",
        OF_ONE,
        "Pile",
        "(ite (refused u a) (without u (first_mine u a false))"
        " (ite (granted u a) (without u (first_mine u a true)) u))",
    ),
    Recursion(
        "denies",
        "l:Asks u:Pile",
        "Bool",
        "l",
        ASKS,
        {"no_more": "false", "asks": "(or (refused u ask) (not (granted u ask)) (denies others (left u ask)))"},
        "for ask in outcome.asks: whether there is a reason to block",
    ),
    Definition(
        "settled",
        "l:Asks u:Pile",
        "Verdict",
        "(ite (or (denies l u) (= l no_more)) Verdict.BLOCK Verdict.PROCEED)",
    ),
    Recursion(
        "asked", "x:Ask l:Asks", "Bool", "l", ASKS, {"no_more": "false", "asks": "(or (= x ask) (asked x others))"}
    ),
)


def asks_theory() -> Theory:
    """The theory of asks."""
    return Theory(TYPES, (SORTS, declared(TYPES)), SETTLE)
