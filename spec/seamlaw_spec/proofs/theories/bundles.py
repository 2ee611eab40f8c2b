"""Merging bundles, and the order in which a seam's interceptors are consulted.

A bundle has, for each of its fields (a seam of the table, a seam of a host, handlers, rules), a list; it is empty if it
is false in Python. Extracted by token runs: that `merge` keeps those that contribute, gives `None` for none, the very
bundle for one, and else joins them field by field; and that `ordered` is the rules that fill, the chain, the rules that
judge, the gates.
"""

from seamlaw_spec.proofs._claims import Theory
from seamlaw_spec.proofs._smt import Datatype, Definition, Interpreted, Part, Recursion, declared

__all__ = ["bundles_theory"]

LIST = Datatype("List", {"nil": "", "cons": "head:Who tail:List"})
MERGED = Datatype("Merged", {"nothing": "", "some": "bundle:Bundle"})  # nothing is `None`
GIVEN = Datatype("Given", {"no_more": "", "given": "one:Merged rest:Given"})
TYPES = (LIST, MERGED, GIVEN)
LISTS: tuple[Part, ...] = (
    Recursion("append", "a:List b:List", "List", "a", LIST, {"nil": "b", "cons": "(cons head (append tail b))"}),
    Recursion("member", "x:Who a:List", "Bool", "a", LIST, {"nil": "false", "cons": "(or (= x head) (member x tail))"}),
    Recursion(
        "precedes",
        "x:Who y:Who a:List",
        "Bool",
        "a",
        LIST,
        {"nil": "false", "cons": "(or (and (= x head) (member y tail)) (precedes x y tail))"},
        "some x stands before some y",
    ),
    "(declare-fun is_gate (Who) Bool)",
    Recursion(
        "chosen",
        "a:List g:Bool",
        "List",
        "a",
        LIST,
        {"nil": "nil", "cons": "(ite (= (is_gate head) g) (cons head (chosen tail g)) (chosen tail g))"},
    ),
    Definition(
        "ordered",
        "rules:List l:List",
        "List",
        "(append (chosen rules false) (append (chosen l false) (append (chosen rules true) (chosen l true))))",
    ),
)
SORTS = Interpreted(
    "(declare-sort Bundle 0)\n(declare-sort Field 0)",
    """
(declare-datatypes ((Field 0)) (((one_field) (another_field))))
(declare-datatypes ((Bundle 0)) (((bundle_of (in_one List) (in_another List)))))
""",
)
BUNDLES = Interpreted(
    """
(declare-fun at (Bundle Field) List)
(declare-fun empty (Bundle) Bool)
(declare-fun some_field (Bundle) Field)
(assert (forall ((b Bundle) (f Field)) (! (=> (empty b) (= (at b f) nil)) :pattern ((empty b) (at b f)))))
(assert (forall ((b Bundle)) (! (=> (not (empty b)) (not (= (at b (some_field b)) nil))) :pattern ((empty b)))))
""",
    """
(define-fun at ((b Bundle) (f Field)) List (ite (= f one_field) (in_one b) (in_another b)))
(define-fun empty ((b Bundle)) Bool (and (= (in_one b) nil) (= (in_another b) nil)))
(define-fun some_field ((b Bundle)) Field (ite (= (in_one b) nil) another_field one_field))
""",
)
JOINED = Interpreted(
    """
(declare-fun joined (Given) Bundle)
(assert (forall ((g Given) (f Field)) (! (= (at (joined g) f) (all_in_field g f)) :pattern ((at (joined g) f)))))
""",
    """
(define-fun joined ((g Given)) Bundle (bundle_of (all_in_field g one_field) (all_in_field g another_field)))
""",
)
IN_FIELD = Recursion("in_field", "m:Merged f:Field", "List", "m", MERGED, {"nothing": "nil", "some": "(at bundle f)"})
CONTRIBUTES = Definition("contributes", "m:Merged", "Bool", "(and (not (= m nothing)) (not (empty (bundle m))))")
MERGE: tuple[Part, ...] = (
    Recursion(
        "contributing",
        "g:Given",
        "Given",
        "g",
        GIVEN,
        {"no_more": "no_more", "given": "(ite (contributes one) (given one (contributing rest)) (contributing rest))"},
        "merge: contributing = [bundle for bundle in bundles if bundle]",
    ),
    Recursion(
        "all_in_field",
        "g:Given f:Field",
        "List",
        "g",
        GIVEN,
        {"no_more": "nil", "given": "(append (in_field one f) (all_in_field rest f))"},
    ),
    JOINED,
    Definition(
        "merge",
        "g:Given",
        "Merged",
        "(let ((c (contributing g))) (ite (= c no_more) nothing (ite (= (rest c) no_more) (one c) (some (joined c)))))",
        visible=True,
    ),
    Definition("both", "x:Merged y:Merged", "Given", "(given x (given y no_more))"),
)


def bundles_theory() -> Theory:
    """The theory of bundles."""
    types = ("(declare-sort Who 0)", declared([LIST]), SORTS, declared([MERGED, GIVEN]))
    return Theory(TYPES, types, (*LISTS, BUNDLES, IN_FIELD, CONTRIBUTES, *MERGE))
