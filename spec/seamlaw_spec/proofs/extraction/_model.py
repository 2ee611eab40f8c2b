"""The model: what is extracted from the shipped functions, each piece when a proof first needs it."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, partial

from attrs import field, frozen

from seamlaw import Level, Result, Verdict

from . import _ask_runs, _asking_runs, _bundle_runs, _fold_runs, _plan_runs, _policy_runs, _rule_runs
from ._code import check
from ._consults import Table, consult_table
from ._forms import FORMS
from ._opaque import Looked, NotExtracted
from ._shapes import Row, Shape, step_table
from ._shipped import SHIPPED, Shipped
from ._tables import Grade, Rank, join_table, level_table, negation_table, outranks_table, result_tables, verdict_table

__all__ = ["Model", "extract"]

PIECES = {  # of what is looked at, that which becomes a table
    "step": "steps",
    "consult": "consults",
    "level": "grades",
    "severity": "grades",
    "outranks": "outranks",
    "joins": "joins",
    "verdicts": "verdicts",
    "tables": "results",
    "negation": "negation",
}


@frozen(eq=False, slots=False)
class Model:
    """The tables of which the solvers' definitions are made, and the runs that hold each loop to its axioms.

    Whatever is asked of it raises `NotExtracted` where a shipped function is not of the form that is described.
    """

    shipped: Shipped
    _held: dict[str, int] = field(factory=dict[str, int], init=False)

    def hold(self, names: Iterable[str]) -> int:
        """Hold functions to their forms, and loops to their axioms; gives the number of runs."""
        for name in names:
            if name not in self._held:
                try:
                    self._held[name] = self._hold(name)
                except Looked as looked:
                    raise NotExtracted("token runs", name, f"looks into a payload ({looked})") from None
        return sum(self._held[name] for name in names)

    def _hold(self, name: str) -> int:
        if name in FORMS:
            check(name, self.shipped.functions[name], FORMS[name])
        if name in PIECES:
            getattr(self, PIECES[name])
        return sum(run() for run in _runs(self).get(name, ()))

    @cached_property
    def steps(self) -> tuple[Row, ...]:
        """What `step` does with each shape."""
        return step_table(self.shipped.functions["step"])

    @cached_property
    def consults(self) -> Table:
        """What `consult` makes of each deed."""
        return consult_table(self.shipped.functions["consult"])

    @cached_property
    def grades(self) -> Mapping[Shape, Grade]:
        """What an entry of each shape ranks as."""
        return level_table(self.shipped.functions["level"], self.shipped.functions["severity"])

    @cached_property
    def outranks(self) -> frozenset[tuple[Rank, Rank]]:
        """What outranks what."""
        return outranks_table(self.shipped.functions["outranks"])

    @cached_property
    def joins(self) -> Mapping[tuple[Level, Level], Level]:
        """`JOIN`."""
        return join_table(self.shipped.joins)

    @cached_property
    def verdicts(self) -> Mapping[Level, Verdict]:
        """`VERDICTS`."""
        return verdict_table(self.shipped.verdicts)

    @cached_property
    def results(self) -> tuple[Mapping[tuple[Result, Result], Result], ...]:
        """`AND` and `OR`."""
        return result_tables(self.shipped.tables)

    @cached_property
    def negation(self) -> Mapping[Result, Result]:
        """`NOT`."""
        return negation_table(self.shipped.negation)


def extract(shipped: Shipped = SHIPPED) -> Model:
    """Give the model of what is shipped; of the kernel itself there is one in a process."""
    return _model_of_the_kernel() if shipped is SHIPPED else Model(shipped)


@cache
def _model_of_the_kernel() -> Model:
    return Model(SHIPPED)


def _runs(model: Model) -> Mapping[str, tuple[Callable[[], int], ...]]:
    """The token runs of each loop."""
    shipped, of = model.shipped, model.shipped.functions
    return {
        "asking": (partial(_asking_runs.run_asking, of["asking"]),),
        "drive": (partial(_asking_runs.run_drive, of["drive"]),),
        "plan_of_one": (partial(_plan_runs.run_plan_of_one, of["plan_of_one"]),),
        "plan_of_any": (partial(_plan_runs.run_plan_of_any, of["plan_of_any"]),),
        "pick": (partial(_fold_runs.run_pick, of["pick"]),),
        "keep": (partial(_fold_runs.run_keep, of["keep"]),),
        "conclude": (lambda: _ask_runs.run_conclude(of["conclude"], model.verdicts),),
        "settle": (partial(_ask_runs.run_settle, of["settle"]),),
        "merge": (partial(_bundle_runs.run_merge, of["merge"]),),
        "ordered": (partial(_bundle_runs.run_ordered, of["ordered"]),),
        "evaluate": (partial(_policy_runs.run_evaluate, of["evaluate"], shipped),),
        "evaluate_both": (
            partial(_policy_runs.run_evaluate_both, of["evaluate_both"], shipped),
            _policy_runs.run_inverse,
            _policy_runs.run_scoped,
        ),
        "evaluation": (partial(_policy_runs.run_evaluation, of["evaluation"]),),
        "all_hold": (partial(_fold_runs.run_all_hold, of["all_hold"]),),
        "holds": (partial(_rule_runs.run_holds, of["holds"]),),
        "locate": (partial(_rule_runs.run_locate, of["locate"]),),
        "fill": (partial(_rule_runs.run_fill, of["fill"]),),
        "default": (partial(_rule_runs.run_default, of["default"]),),
    }
