"""The functions and tables of the kernel that the model is extracted from; a test may put a spoiled copy in a place."""

import ast
import hashlib
import inspect
from collections.abc import Callable, Mapping
from functools import reduce
from importlib import import_module
from textwrap import dedent
from types import FunctionType
from typing import Any

from attrs import evolve, frozen

from seamlaw import Level, Result, Verdict

__all__ = ["FUNCTIONS", "SHIPPED", "Shipped", "regrounded"]

FUNCTIONS = {  # what is looked at; what these call beside one another is trusted to be what its name says
    "step": "_step:step",
    "consult": "_step:consult",
    "asking": "_step:asking",
    "drive": "_step:drive",
    "conclude": "_step:conclude",
    "level": "_outcome:Entry.level",
    "severity": "_outcome:Entry.severity",
    "outranks": "_precedence:_outranks",
    "pick": "_precedence:pick",
    "keep": "_seams:Seam.keep",
    "plan_of_one": "_plan:_run_one",
    "plan_of_any": "_plan:_run_any",
    "merge": "_bundle:merge",
    "ordered": "_bundle:Interceptors.ordered",
    "settle": "_asks:settle",
    "evaluate": "policy._policy:Policy.evaluate",
    "evaluate_both": "policy._policy:Combined.evaluate",
    "evaluation": "policy._policy:_evaluation",
    "all_hold": "policy._conditions:all_hold",
    "holds": "policy._conditions:holds",
    "locate": "policy._conditions:locate",
    "fill": "policy._rules:_fill",
    "default": "policy._rules:Default.__call__",
}
TABLES = {
    "joins": "_precedence:JOIN",
    "verdicts": "_outcome:VERDICTS",
    "tables": "policy._policy:TABLES",
    "negation": "policy._policy:NOT",
}


@frozen(eq=False)
class Shipped:
    """What the model is extracted from."""

    functions: Mapping[str, FunctionType]
    joins: Mapping[Level, Mapping[Level, Level]]
    verdicts: Mapping[Level, Verdict]
    tables: Mapping[str, Mapping[Result, Mapping[Result, Result]]]
    negation: Mapping[Result, Result]

    def but(self, **functions: FunctionType) -> "Shipped":
        """The same, with other functions in some places."""
        return evolve(self, functions={**self.functions, **functions})

    def fingerprint(self, names: tuple[str, ...]) -> str:
        """Hash the source of these, but for comments, docstrings and layout."""
        told = "\n".join(f"{name} {self._source(name)}" for name in sorted(names))
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def _source(self, name: str) -> str:
        if name in TABLES:
            return repr(getattr(self, name))
        tree = ast.parse(dedent(inspect.getsource(self.functions[name])))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        return ast.dump(tree)


def _found(place: str) -> Any:
    module, _, path = place.partition(":")
    found: Any = reduce(getattr, path.split("."), import_module(f"seamlaw.{module}"))
    return found.fget if isinstance(found, property) else found


def regrounded(function: Callable[..., Any], **stubs: object) -> Callable[..., Any]:
    """The same code, with some of its globals replaced by stubs."""
    shipped: Any = function
    ground = {**shipped.__globals__, **stubs}
    made = FunctionType(shipped.__code__, ground, shipped.__name__, shipped.__defaults__, shipped.__closure__)
    made.__kwdefaults__ = shipped.__kwdefaults__
    return made


SHIPPED = Shipped(
    {name: _found(place) for name, place in FUNCTIONS.items()}, *(_found(place) for place in TABLES.values())
)
