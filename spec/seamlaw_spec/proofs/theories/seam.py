"""One seam: the step, the loop that asks, and what decides; interceptors are stateful and have effects.

Extracted: `step`, `level`, `severity`, `outranks`, `join`, `verdict_of`, `heard`, `faults`. Written by hand, and held
to the shipped loops by token runs: the axioms of `hear`, `run` and `worst`, a line for each way through the loop.

An interceptor answers by the oracle `did(who, value, world)` and leaves the world `next(who, value, world)`, so what
it answers may depend on whatever happened before. `fits` says whether it is consulted about a value. A `Sight` is what
one interceptor was shown; no shipped code keeps it.
"""

from collections.abc import Iterable

from seamlaw import Level, Severity, Verdict
from seamlaw_spec.proofs._claims import Theory
from seamlaw_spec.proofs._smt import Datatype, Definition, Part, Recursion, declared
from seamlaw_spec.proofs.extraction import Model, Shape

from ._text import all_of, any_of, cases, names, symbol, where

__all__ = ["seam_theory"]

CONTENT = {  # the answers, with what of them decides; `words` are their texts, targets and time-outs
    "Allow": "",
    "Note": "note_words:Words note_severity:Severity",
    "Replace": "replacement:Value",
    "Ask": "ask_words:Words ask_severity:Severity",
    "Block": "block_words:Words block_severity:Severity",
    "Fault": "closed:Bool fault_severity:Severity",
}
SEVERITY = {"Note": "note_severity", "Ask": "ask_severity", "Block": "block_severity", "Fault": "fault_severity"}
SAYS = {"Notes": "Note", "Asks": "Ask", "Blocks": "Block"}  # what an interceptor does, and the answer that it is

SEVERITIES = Datatype("Severity", names(Severity))
LEVELS = Datatype("Level", names(Level))
VERDICTS = Datatype("Verdict", names(Verdict))
ANSWER = Datatype("Answer", CONTENT)
ANSWERS = Datatype("Answers", {"silence": "", "saying": "first:Answer others:Answers"})
DEED = Datatype(
    "Deed",
    {
        **dict.fromkeys(("Silent", "Allows", "Same", "Misfits", "Other", "Raises"), ""),
        "Fits": "wanted:Value",
        "Notes": "noted:Words noted_severity:Severity",
        "Asks": "asked:Words asked_severity:Severity",
        "Blocks": "blocked:Words blocked_severity:Severity",
        "Gathers": "gathered:Answers",
    },
)
ENTRY = Datatype("Entry", {"entry": "by:Who gate:Bool answer:Answer"})
LOG = Datatype("Log", {"empty": "", "logged": "earlier:Log latest:Entry"})
BEST = Datatype("Best", {"nobody": "", "found": "finding:Entry"})
STATE = Datatype("State", {"state": "value:Value log:Log stopped:Bool"})
SIGHTS = Datatype("Sights", {"none": "", "saw": "before:Sights whom:Who what:Value"})
CONFIG = Datatype("Config", {"config": "st:State world:World seen:Sights"})
CHAIN = Datatype("Chain", {"nil": "", "cons": "head:Who tail:Chain"})
TYPES = (SEVERITIES, LEVELS, VERDICTS, ANSWER, ANSWERS, DEED, ENTRY, LOG, BEST, STATE, SIGHTS, CONFIG, CHAIN)

SORTS = "\n".join(f"(declare-sort {name} 0)" for name in ("Value", "World", "Who", "Words"))
ORACLES = """
(declare-fun is_gate (Who) Bool)
(declare-fun closes (Who) Bool)            ; on_fault="close"
(declare-const is_closed_seam Bool)
(declare-const unranked Level)             ; of an allow, which is never logged
(declare-const ungraded Severity)
(declare-fun fits (Who Value) Bool)        ; it has a function, and its filter matches
(declare-fun did (Who Value World) Deed)
(declare-fun next (Who Value World) World)
(declare-fun keep (Value Value) Value)     ; the seam's `keep` of what it admits
"""
LOOPS: tuple[Part, ...] = (
    Recursion(
        "hear",
        "a:Answers h:Who s:State",
        "State",
        "a",
        ANSWERS,
        {"silence": "s", "saying": "(hear others h (step s (entry h (is_gate h) first)))"},
        "asking: for entry in (yield ...): state = step(state, entry)",
    ),
    Definition(
        "consult",
        "h:Who c:Config",
        "Config",
        """(let ((v (value (st c))))
    (ite (fits h v)
      (config (hear (heard (did h v (world c)) h v) h (st c)) (next h v (world c)) (saw (seen c) h v))
      c))""",
        visible=True,
    ),
    Recursion(
        "run",
        "a:Chain c:Config",
        "Config",
        "a",
        CHAIN,
        {"nil": "c", "cons": "(ite (stopped (st c)) c (run tail (consult head c)))"},
        "asking: for asked in everyone: if state.stopped: break",
    ),
    Recursion(
        "worst",
        "l:Log",
        "Best",
        "l",
        LOG,
        {
            "empty": "nobody",
            "logged": "(let ((w (worst earlier)))"
            " (ite (or (= w nobody) (outranks latest (finding w))) (found latest) w))",
        },
        "pick: for finding in findings: if worst is None or _outranks(finding, worst): worst = finding",
    ),
    Definition(
        "graver",
        "a:Severity b:Severity",
        "Bool",
        "(or (and (= a Severity.HIGH) (not (= b Severity.HIGH))) (and (= a Severity.MEDIUM) (= b Severity.LOW)))",
    ),
    Definition(
        "top", "l:Log", "Level", "(ite (= (worst l) nobody) Level.ALLOW (level (finding (worst l))))", opaque=True
    ),
    Definition("verdict", "s:State", "Verdict", "(verdict_of (top (log s)))"),
    Definition("asks_stand", "s:State", "Bool", "(= (verdict s) Verdict.ASK)"),
)
LISTS: tuple[Part, ...] = (
    Recursion("append", "a:Chain b:Chain", "Chain", "a", CHAIN, {"nil": "b", "cons": "(cons head (append tail b))"}),
    Recursion(
        "member", "x:Who a:Chain", "Bool", "a", CHAIN, {"nil": "false", "cons": "(or (= x head) (member x tail))"}
    ),
    Recursion(
        "logs", "l:Log e:Entry", "Bool", "l", LOG, {"empty": "false", "logged": "(or (= latest e) (logs earlier e))"}
    ),
    Recursion(
        "all_gates", "a:Chain", "Bool", "a", CHAIN, {"nil": "true", "cons": "(and (is_gate head) (all_gates tail))"}
    ),
    Recursion(
        "no_gates", "a:Chain", "Bool", "a", CHAIN, {"nil": "true", "cons": "(and (not (is_gate head)) (no_gates tail))"}
    ),
    Definition("begins", "c:Config", "Bool", "(and (not (stopped (st c))) (= (log (st c)) empty))"),
    Definition("is_fault", "d:Deed", "Bool", "(or (= d Raises) (= d Other) (= d Misfits))"),
    Definition("allows", "d:Deed", "Bool", "(or (= d Silent) (= d Allows) (= d Same))"),
    Definition(
        "alike",
        "s:State r:State",
        "Bool",
        "(and (= (value s) (value r)) (= (stopped s) (stopped r)) (= (verdict s) (verdict r)))",
    ),
    Definition(
        "alike_but_for_sights", "c:Config d:Config", "Bool", "(and (alike (st c) (st d)) (= (world c) (world d)))"
    ),
)
QUIET = tuple(  # those that only ever allow, or note, and have no effect on others
    f"""(declare-fun {name} (Who) Bool)
(assert (forall ((h Who) (v Value) (w World)) (! (=> ({name} h) {deed}) :pattern ((did h v w)))))
(assert (forall ((h Who) (v Value) (w World)) (! (=> ({name} h) (= (next h v w) w)) :pattern ((next h v w)))))
"""
    for name, deed in (("only_allows", "(allows (did h v w))"), ("only_notes", "((_ is Notes) (did h v w))"))
)


def seam_theory(model: Model) -> Theory:
    """The theory of one seam, over what was extracted."""
    return Theory(TYPES, (SORTS, declared(TYPES), ORACLES), (*definitions(model), *LOOPS, *LISTS), QUIET)


def definitions(model: Model) -> Iterable[Part]:
    """The definitions that are made from the shipped functions."""
    joins = [(all_of((f"(= a {symbol(a)})", f"(= b {symbol(b)})")), symbol(to)) for (a, b), to in model.joins.items()]
    yield Definition("join", "a:Level b:Level", "Level", cases(joins[:-1], joins[-1][1]))
    verdicts = [(f"(= l {symbol(level)})", symbol(verdict)) for level, verdict in model.verdicts.items()]
    yield Definition("verdict_of", "l:Level", "Verdict", cases(verdicts[:-1], verdicts[-1][1]))
    levels = [(guard(shape), symbol(grade.level)) for shape, grade in model.grades.items()]
    yield Definition("level", "e:Entry", "Level", cases(levels, "unranked"))
    grades = [
        (guard(shape), f"({SEVERITY[shape.kind]} (answer e))" if grade.own_severity else symbol(Severity.LOW))
        for shape, grade in model.grades.items()
    ]
    yield Definition("severity", "e:Entry", "Severity", cases(grades, "ungraded"))
    ranks = "(let ((la (level a)) (sa (severity a)) (lb (level b)) (sb (severity b)))"
    yield Definition("outranks", "a:Entry b:Entry", "Bool", f"{ranks} {_outranks(model)})")
    yield Definition("step", "s:State e:Entry", "State", cases(steps(model), "s"), visible=True)
    yield Definition("faults", "g:Bool c:Bool k:Bool", "Bool", _faults(model))
    fault = f"(Fault (faults (is_gate h) is_closed_seam (closes h)) {symbol(Severity.HIGH)})"
    yield Definition("heard", "d:Deed h:Who v:Value", "Answers", cases(_heard(model, fault), "silence"), visible=True)


def guard(shape: Shape) -> str:
    """When an entry `e` is of a shape."""
    parts = [f"((_ is {shape.kind}) (answer e))", where("(gate e)", holds=shape.is_gate)]
    return all_of([*parts, *([] if shape.closed is None else [where("(closed (answer e))", holds=shape.closed)])])


def steps(model: Model) -> list[tuple[str, str]]:
    """The rows of `step`: when, and what becomes of the state `s` with the entry `e`."""
    return [
        (
            all_of((where("(stopped s)", holds=row.stopped), guard(row.shape))),
            "(state {} {} {})".format(
                "(replacement (answer e))" if row.value == "replaced" else "(value s)",
                "(logged (log s) e)" if row.logged else "(log s)",
                str(row.stops).lower(),
            ),
        )
        for row in model.steps
    ]


def _outranks(model: Model) -> str:
    """The pairs that outrank, those of the same two levels told together."""
    by_levels = dict[tuple[Level, Level], list[str]]()
    for (level_a, severity_a), (level_b, severity_b) in sorted(model.outranks, key=repr):
        severities = all_of((f"(= sa {symbol(severity_a)})", f"(= sb {symbol(severity_b)})"))
        by_levels.setdefault((level_a, level_b), []).append(severities)
    every = len(Severity) ** 2
    return any_of(
        all_of((f"(= la {symbol(a)})", f"(= lb {symbol(b)})", "true" if len(told) == every else any_of(told)))
        for (a, b), told in by_levels.items()
    )


def _faults(model: Model) -> str:
    return any_of(
        all_of(
            (
                where("g", holds=setting.is_gate),
                where("c", holds=setting.is_closed_seam),
                where("k", holds=setting.closes),
            )
        )
        for setting, closed in model.consults.closed.items()
        if closed
    )


def _heard(model: Model, fault: str) -> Iterable[tuple[str, str]]:
    for (deed, is_gate), told in model.consults.heard.items():
        answer = {"kept": "(Replace (keep v (wanted d)))", "fault": fault}.get(told, "")
        if told == "said":
            parts = [name for name, _ in DEED.fields(deed)]
            answer = f"({SAYS[deed]} {' '.join(f'({part} d)' for part in parts)})"
        result = {"silence": "silence", "gathered": "(gathered d)"}.get(told, f"(saying {answer} silence)")
        yield all_of((f"((_ is {deed}) d)", where("(is_gate h)", holds=is_gate))), result
