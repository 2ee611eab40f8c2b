"""Rules as data: conditions with three truth values, and a default that fills what is absent.

Extracted by token runs: the cases of `holds`, the loop of `all_hold`, and the ways through `locate`, `_fill` and
`Default.__call__`. An operator's own test is an oracle. An object is what a Python dict is: `put` gives one that
differs at one key.
"""

from seamlaw_spec.proofs._claims import Theory
from seamlaw_spec.proofs._smt import Datatype, Definition, Interpreted, Part, Recursion, declared

__all__ = ["rules_theory"]

TRUTH = Datatype("Truth", {"yes": "", "no": "", "mismatch": ""})
TEST = Datatype("Test", {"operation": "operator:Operator", "negation": "negated:Test"})
CLAIMS = Datatype("Claims", {"no_more": "", "claims": "first:Truth others:Claims"})
KEYS = Datatype("Keys", {"here": "", "into": "key:Key under:Keys"})
FOUND = Datatype("Found", {"found": "that:Json", "refused": ""})  # refused: a Mismatch, raised
TYPES = (TRUTH, TEST, CLAIMS, KEYS, FOUND)
SORTS = Interpreted(
    "(declare-sort Key 0)\n(declare-sort Operator 0)\n(declare-sort Json 0)\n(declare-const missing Json)",
    """
(declare-sort Key 0)
(declare-sort Operator 0)
(declare-sort Leaf 0)
(declare-datatypes ((Json 0) (Fields 0))
  (((missing) (leaf (itself Leaf)) (object (fields Fields))) ((end) (field (name Key) (content Json) (more Fields)))))
""",
)
OPERATORS = """
(declare-fun suits (Operator Json) Bool)   ; kind_of(value) is one of the kinds the operator is for
(declare-fun tests (Operator Json) Truth)
"""
OBJECTS = Interpreted(
    """
; objects, as dicts are
(declare-fun is_object (Json) Bool)
(declare-fun get (Json Key) Json)          ; missing where there is no such key
(declare-fun put (Json Key Json) Json)     ; {**object, key: value}
(declare-const no_fields Json)             ; {}
(assert (and (is_object no_fields) (not (is_object missing))))
(assert (forall ((k Key)) (! (= (get no_fields k) missing) :pattern ((get no_fields k)))))
(assert (forall ((o Json) (k Key) (v Json))
  (! (and (is_object (put o k v)) (not (= (put o k v) missing)) (= (get (put o k v) k) v)) :pattern ((put o k v)))))
(assert (forall ((o Json) (k Key) (v Json) (j Key))
  (! (=> (and (is_object o) (not (= j k))) (= (get (put o k v) j) (get o j))) :pattern ((get (put o k v) j)))))
; what is no object is left to an oracle, but nothing is in what is missing
(declare-fun elsewhere (Json Key Keys) Found)
(assert (forall ((k Key) (r Keys)) (! (= (elsewhere missing k r) (found missing)) :pattern ((elsewhere missing k r)))))
""",
    """
(define-fun is_object ((j Json)) Bool ((_ is object) j))
(define-fun-rec look_up ((f Fields) (k Key)) Json
  (ite ((_ is field) f) (ite (= (name f) k) (content f) (look_up (more f) k)) missing))
(define-fun get ((j Json) (k Key)) Json (ite (is_object j) (look_up (fields j) k) missing))
(define-fun put ((o Json) (k Key) (v Json)) Json (object (field k v (ite (is_object o) (fields o) end))))
(define-fun no_fields () Json (object end))
(define-fun elsewhere ((j Json) (k Key) (r Keys)) Found (ite (= j missing) (found missing) refused))
""",
)
CONDITIONS: tuple[Part, ...] = (
    Definition("opposite", "t:Truth", "Truth", "(ite (= t yes) no (ite (= t no) yes mismatch))"),
    Recursion(
        "holds",
        "t:Test v:Json",
        "Truth",
        "t",
        TEST,
        {
            "operation": "(ite (= v missing) no (ite (suits operator v) (tests operator v) mismatch))",
            "negation": "(opposite (holds negated v))",
        },
    ),
    Recursion("base", "t:Test", "Operator", "t", TEST, {"operation": "operator", "negation": "(base negated)"}),
    Recursion(
        "all_hold",
        "c:Claims u:Bool",
        "Truth",
        "c",
        CLAIMS,
        {
            "no_more": "(ite u mismatch yes)",
            "claims": "(ite (= first no) no (all_hold others (or u (= first mismatch))))",
        },
        "all_hold: `u` is whether a mismatch was met",
    ),
    Recursion(
        "claimed",
        "x:Truth c:Claims",
        "Bool",
        "c",
        CLAIMS,
        {"no_more": "false", "claims": "(or (= x first) (claimed x others))"},
    ),
)
FILLING: tuple[Part, ...] = (
    Recursion(
        "locate",
        "j:Json p:Keys",
        "Found",
        "p",
        KEYS,
        {"here": "(found j)", "into": "(ite (is_object j) (locate (get j key) under) (elsewhere j key under))"},
    ),
    Definition("or_empty", "j:Json", "Json", "(ite (= j missing) no_fields j)"),
    Recursion(
        "filled",
        "j:Json p:Keys v:Json",
        "Found",
        "p",
        KEYS,
        {
            "here": "(found v)",
            "into": "(let ((inside (filled (or_empty (get j key)) under v)))"
            " (ite (and (is_object j) ((_ is found) inside)) (found (put j key (that inside))) refused))",
        },
        "_fill",
    ),
    Definition(
        "defaulted",
        "j:Json p:Keys v:Json",
        "Found",
        "(ite ((_ is found) (locate j p)) (ite (= (locate j p) (found missing)) (filled j p v) (found j)) refused)",
    ),
    Definition("first_key", "q:Keys", "Key", "(key q)"),
    Definition("keys_after", "q:Keys", "Keys", "(under q)"),
    Recursion(
        "apart",
        "p:Keys q:Keys",
        "Bool",
        "p",
        KEYS,
        {
            "here": "false",
            "into": "(and (not (= q here)) (= q (into (first_key q) (keys_after q)))"
            " (or (not (= key (first_key q))) (apart under (keys_after q))))",
        },
        "neither pointer leads through the other",
    ),
)


def rules_theory() -> Theory:
    """The theory of rules."""
    return Theory(TYPES, (SORTS, declared(TYPES)), (OPERATORS, OBJECTS, *CONDITIONS, *FILLING))
