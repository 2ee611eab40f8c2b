"""Policies under `&`, `|` and `~`, as trees; `AND`, `OR` and `NOT` are the shipped tables.

Extracted by token runs: that a named policy folds `AND` over what its requirements say, that a combined one looks its
result up and gathers the findings of both, and how `~` is pushed down. `says` is what a named policy would say if it
were not negated; `applies`, whether the caller's role is one of those a policy is for.
"""

from collections.abc import Mapping

from seamlaw import Result
from seamlaw_spec.proofs._claims import Theory
from seamlaw_spec.proofs._smt import Datatype, Definition, Part, Recursion, declared
from seamlaw_spec.proofs.extraction import Model

from ._text import all_of, cases, names, symbol

__all__ = ["policies_theory"]

RESULT = Datatype("Result", names(Result))
TREE = Datatype(
    "Tree",
    {
        "named": "name:Name negated:Bool",
        "conj": "conj_left:Tree conj_right:Tree",
        "disj": "disj_left:Tree disj_right:Tree",
        "scoped": "roles:Roles inner:Tree",
    },
)
NEEDS = Datatype("Needs", {"no_more": "", "needs": "first:Need others:Needs"})
FOUND = Datatype("Found", {"nil": "", "cons": "head:Finding tail:Found"})
TYPES = (RESULT, TREE, NEEDS, FOUND)
SORTS = "\n".join(f"(declare-sort {name} 0)" for name in ("Name", "Roles", "Need", "Finding"))
ORACLES = """
(declare-fun says (Name) Result)
(declare-fun crashes (Name) Bool)          ; a requirement of it faults
(declare-fun applies (Roles) Bool)
(declare-fun own_failures (Name Bool) Found)
(declare-fun said (Need) Result)
(declare-fun only_notes (Need) Bool)
(assert (forall ((l Name)) (! (=> (= (says l) Result.FAULTED) (crashes l)) :pattern ((says l)))))
"""
ITSELF = "(ite negated (op_not (says name)) (says name))"
TREES: tuple[Part, ...] = (
    Definition("fails", "r:Result", "Bool", "(or (= r Result.FAILED) (= r Result.FAULTED))"),
    Recursion(
        "result",
        "t:Tree",
        "Result",
        "t",
        TREE,
        {
            "named": ITSELF,
            "conj": "(op_and (result conj_left) (result conj_right))",
            "disj": "(op_or (result disj_left) (result disj_right))",
            "scoped": "(ite (applies roles) (result inner) Result.NOT_APPLICABLE)",
        },
    ),
    Recursion(
        "inverse",
        "t:Tree",
        "Tree",
        "t",
        TREE,
        {
            "named": "(named name (not negated))",
            "conj": "(disj (inverse conj_left) (inverse conj_right))",
            "disj": "(conj (inverse disj_left) (inverse disj_right))",
            "scoped": "(scoped roles (inverse inner))",
        },
    ),
    Recursion("append", "a:Found b:Found", "Found", "a", FOUND, {"nil": "b", "cons": "(cons head (append tail b))"}),
    Recursion(
        "failures",
        "t:Tree",
        "Found",
        "t",
        TREE,
        {
            "named": f"(ite (fails {ITSELF}) (own_failures name negated) nil)",
            "conj": "(ite (fails (op_and (result conj_left) (result conj_right)))"
            " (append (failures conj_left) (failures conj_right)) nil)",
            "disj": "(ite (fails (op_or (result disj_left) (result disj_right)))"
            " (append (failures disj_left) (failures disj_right)) nil)",
            "scoped": "(ite (applies roles) (failures inner) nil)",
        },
        "of both sides, where the whole fails",
    ),
    Recursion(
        "blames_a_fault",
        "t:Tree",
        "Bool",
        "t",
        TREE,
        {
            "named": f"(and (fails {ITSELF}) (crashes name))",
            "conj": "(and (fails (op_and (result conj_left) (result conj_right)))"
            " (or (blames_a_fault conj_left) (blames_a_fault conj_right)))",
            "disj": "(and (fails (op_or (result disj_left) (result disj_right)))"
            " (or (blames_a_fault disj_left) (blames_a_fault disj_right)))",
            "scoped": "(and (applies roles) (blames_a_fault inner))",
        },
        "it has a fault that is not made a note, and so blocks",
    ),
)
FOLD: tuple[Part, ...] = (
    Definition("skipped", "n:Need", "Bool", "(and (only_notes n) (not (= (said n) Result.FAULTED)))"),
    Recursion(
        "folded",
        "a:Needs r:Result",
        "Result",
        "a",
        NEEDS,
        {"no_more": "r", "needs": "(folded others (ite (skipped first) r (op_and r (said first))))"},
        "Policy.evaluate: result = AND[result][said]",
    ),
    Recursion(
        "with_more",
        "a:Needs b:Needs",
        "Needs",
        "a",
        NEEDS,
        {"no_more": "b", "needs": "(needs first (with_more others b))"},
    ),
    Recursion(
        "needed",
        "x:Need a:Needs",
        "Bool",
        "a",
        NEEDS,
        {"no_more": "false", "needs": "(or (= x first) (needed x others))"},
    ),
)


def policies_theory(model: Model) -> Theory:
    """The theory of policies, over the shipped tables."""
    conjunction, disjunction = model.results
    tables = (
        Definition("op_and", "a:Result b:Result", "Result", _binary(conjunction)),
        Definition("op_or", "a:Result b:Result", "Result", _binary(disjunction)),
        Definition("op_not", "a:Result", "Result", _unary(model.negation)),
    )
    could = (
        Definition(
            "alone",
            "r:Result x:Result",
            "Bool",
            "(ite (= r Result.FAULTED) (or (= x Result.PASSED) (= x Result.FAILED)) (= x r))",
        ),
        Recursion(
            "could",
            "t:Tree x:Result",
            "Bool",
            "t",
            TREE,
            {
                "named": f"(alone {ITSELF} x)",
                "conj": _some(conjunction, "conj_left", "conj_right"),
                "disj": _some(disjunction, "disj_left", "disj_right"),
                "scoped": "(ite (applies roles) (could inner x) (= x Result.NOT_APPLICABLE))",
            },
            "what it could be, each crashed part being a pass or a fail, apart from the others",
        ),
    )
    return Theory(TYPES, (SORTS, declared(TYPES), ORACLES), (*tables, *TREES, *could, *FOLD))


def _binary(table: Mapping[tuple[Result, Result], Result]) -> str:
    rows = [(all_of((f"(= a {symbol(a)})", f"(= b {symbol(b)})")), symbol(to)) for (a, b), to in table.items()]
    return cases(rows[:-1], rows[-1][1])


def _unary(table: Mapping[Result, Result]) -> str:
    rows = [(f"(= a {symbol(a)})", symbol(to)) for a, to in table.items()]
    return cases(rows[:-1], rows[-1][1])


def _some(table: Mapping[tuple[Result, Result], Result], left: str, right: str) -> str:
    """Whether some values that the sides could have give this one."""
    rows = [
        f"(and (could {left} {symbol(a)}) (could {right} {symbol(b)}) (= x {symbol(to)}))"
        for (a, b), to in table.items()
        if Result.FAULTED not in (a, b)
    ]
    return f"(or {' '.join(rows)})"
