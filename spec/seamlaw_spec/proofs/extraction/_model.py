"""The model: what was extracted from the shipped functions, all of it found to be of the form that is described."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType

from attrs import frozen

from seamlaw import Level, Result, Verdict

from . import _ask_runs, _asking_runs, _bundle_runs, _fold_runs, _plan_runs, _policy_runs, _rule_runs
from ._code import check
from ._consults import Table, consult_table
from ._forms import FORMS
from ._opaque import Looked, NotExtracted
from ._shapes import Row, Shape, step_table
from ._shipped import SHIPPED, Shipped
from ._tables import Grade, Rank, join_table, level_table, outranks_table, result_tables, verdict_table

__all__ = ["Model", "extract"]


@frozen(eq=False)
class Model:
    """The tables of which the solvers' definitions are made, and how many runs held each loop to its axioms."""

    steps: tuple[Row, ...]
    consults: Table
    grades: Mapping[Shape, Grade]
    outranks: frozenset[tuple[Rank, Rank]]
    joins: Mapping[tuple[Level, Level], Level]
    verdicts: Mapping[Level, Verdict]
    and_: Mapping[tuple[Result, Result], Result]
    or_: Mapping[tuple[Result, Result], Result]
    not_: Mapping[Result, Result]
    runs: Mapping[str, int]


def extract(shipped: Shipped = SHIPPED) -> Model:
    """Extract the model; raises `NotExtracted`, naming the layer that finds a function to be of another form."""
    return _shipped_model() if shipped is SHIPPED else _extract(shipped)


@cache
def _shipped_model() -> Model:
    return _extract(SHIPPED)


def _extract(shipped: Shipped) -> Model:
    try:
        return _extracted(shipped)
    except Looked as looked:
        raise NotExtracted("token runs", "a loop", f"looks into a payload ({looked})") from None


def _extracted(shipped: Shipped) -> Model:
    for name, form in FORMS.items():
        check(name, shipped.functions[name], form)
    of = shipped.functions
    and_, or_, not_ = result_tables(shipped.tables, shipped.negation)
    return Model(
        step_table(of["step"]),
        consult_table(of["consult"]),
        level_table(of["level"], of["severity"]),
        outranks_table(of["outranks"]),
        join_table(shipped.joins),
        verdict_table(shipped.verdicts),
        and_,
        or_,
        not_,
        MappingProxyType({name: run() for name, run in _runs(shipped).items()}),
    )


def _runs(shipped: Shipped) -> dict[str, Callable[[], int]]:
    """The token runs of each loop, the longest last."""
    of = shipped.functions
    return {
        "asking": partial(_asking_runs.run_asking, of["asking"]),
        "drive": partial(_asking_runs.run_drive, of["drive"]),
        "pick": partial(_fold_runs.run_pick, of["pick"]),
        "keep": partial(_fold_runs.run_keep, of["keep"]),
        "conclude": partial(_ask_runs.run_conclude, of["conclude"], shipped.verdicts),
        "settle": partial(_ask_runs.run_settle, of["settle"]),
        "merge": partial(_bundle_runs.run_merge, of["merge"]),
        "ordered": partial(_bundle_runs.run_ordered, of["ordered"]),
        "evaluate_both": partial(_policy_runs.run_evaluate_both, of["evaluate_both"], shipped),
        "evaluation": partial(_policy_runs.run_evaluation, of["evaluation"]),
        "inverse": _policy_runs.run_inverse,
        "scoped": _policy_runs.run_scoped,
        "all_hold": partial(_fold_runs.run_all_hold, of["all_hold"]),
        "holds": partial(_rule_runs.run_holds, of["holds"]),
        "locate": partial(_rule_runs.run_locate, of["locate"]),
        "fill": partial(_rule_runs.run_fill, of["fill"]),
        "default": partial(_rule_runs.run_default, of["default"]),
        "plan_of_one": partial(_plan_runs.run_plan_of_one, of["plan_of_one"]),
        "plan_of_any": partial(_plan_runs.run_plan_of_any, of["plan_of_any"]),
        "evaluate": partial(_policy_runs.run_evaluate, of["evaluate"], shipped),
    }
