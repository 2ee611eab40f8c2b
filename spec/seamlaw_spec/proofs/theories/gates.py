"""Gates beside the theory of one seam: what they see, and how what they say is joined.

A gate is `isolated` if it answers alike whatever ran before it; order can only matter to gates that are not.
"""

from seamlaw_spec.proofs._claims import Theory
from seamlaw_spec.proofs._smt import Definition, Part, Recursion

from .seam import ANSWERS, CHAIN, SIGHTS

__all__ = ["gates_theory"]

GATES: tuple[Part, ...] = (
    Recursion(
        "sees_only",
        "s:Sights v:Value",
        "Bool",
        "s",
        SIGHTS,
        {"none": "true", "saw": "(and (= what v) (sees_only before v))"},
    ),
    Definition("level_said", "a:Answer h:Who", "Level", "(ite ((_ is Allow) a) Level.ALLOW (level (entry h true a)))"),
    Recursion(
        "joined",
        "a:Answers h:Who",
        "Level",
        "a",
        ANSWERS,
        {"silence": "Level.ALLOW", "saying": "(join (level_said first h) (joined others h))"},
        "the levels of what one gate says",
    ),
    "(declare-fun isolated (Who) Bool)",
    "(declare-fun judges (Who Value) Deed)",
    Definition(
        "weight",
        "h:Who v:Value",
        "Level",
        "(ite (fits h v) (joined (heard (judges h v) h v) h) Level.ALLOW)",
        visible=True,
    ),
    Recursion(
        "all_isolated",
        "a:Chain",
        "Bool",
        "a",
        CHAIN,
        {"nil": "true", "cons": "(and (is_gate head) (isolated head) (all_isolated tail))"},
    ),
    Recursion(
        "heaviest",
        "a:Chain v:Value",
        "Level",
        "a",
        CHAIN,
        {"nil": "Level.ALLOW", "cons": "(join (weight head v) (heaviest tail v))"},
    ),
    "(declare-const whoever Who)",
    Recursion(
        "decider",
        "a:Chain v:Value",
        "Who",
        "a",
        CHAIN,
        {
            "nil": "whoever",
            "cons": "(ite (= (join (weight head v) (heaviest tail v)) (weight head v)) head (decider tail v))",
        },
    ),
    Recursion(
        "among",
        "a:Chain b:Chain",
        "Bool",
        "a",
        CHAIN,
        {"nil": "true", "cons": "(and (member head b) (among tail b))"},
        "whoever is in the first is in the second",
    ),
    Recursion(
        "among_said",
        "a:Answers h:Who e:Entry",
        "Bool",
        "a",
        ANSWERS,
        {
            "silence": "false",
            "saying": "(or (and (= e (entry h true first)) (not ((_ is Allow) first))) (among_said others h e))",
        },
    ),
    Definition(
        "utters",
        "h:Who v:Value e:Entry",
        "Bool",
        "(and (fits h v) (among_said (heard (judges h v) h v) h e))",
        visible=True,
    ),
    Recursion(
        "uttered",
        "a:Chain v:Value e:Entry",
        "Bool",
        "a",
        CHAIN,
        {"nil": "false", "cons": "(or (utters head v e) (uttered tail v e))"},
        "what these gates put into a log, of this value",
    ),
    Definition("stops_only_by_blocking", "s:State", "Bool", "(=> (stopped s) (= (top (log s)) Level.BLOCK))"),
)
ORACLES = (
    """
(assert (forall ((h Who) (v Value) (w World))
  (! (=> (isolated h) (= (did h v w) (judges h v))) :pattern ((did h v w)))))
""",
    """
(declare-fun refuses (Who Value) Bool)     ; a rule that refuses: it fits, and blocks whatever happened before
(assert (forall ((h Who) (v Value)) (! (=> (refuses h v) (fits h v)) :pattern ((refuses h v)))))
(assert (forall ((h Who) (v Value) (w World))
  (! (=> (refuses h v) ((_ is Blocks) (did h v w))) :pattern ((did h v w)))))
""",
)


def gates_theory(seam: Theory) -> Theory:
    """Put what is said of gates beside the theory of the seam."""
    return seam.beside(*GATES, oracles=ORACLES)
