"""The two solvers, behind one function each that takes SMT-LIB text: the only untyped lines of the proofs.

Both read the same text, so a query can also be given to any other solver that reads SMT-LIB 2.6.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false

from importlib import import_module
from typing import Any

__all__ = ["SOLVERS", "cvc5", "z3"]

EFFORT = {"z3": 3_000_000, "cvc5": 400_000}  # in units of each solver's own, so that a busy machine changes no result
TIMEOUT_MS = 120_000


def _solver(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(f"proving laws needs {name}: pip install 'seamlaw[verify]'") from missing


def z3(script: str, *, models: bool = False) -> str:
    """Ask z3 whether a script can be satisfied: `sat`, `unsat` or `unknown`; `models` lets it search for a model."""
    z3py = _solver("z3")
    solver = z3py.Solver(ctx=z3py.Context())
    solver.set("timeout", TIMEOUT_MS)
    solver.set("rlimit", EFFORT["z3"])
    if not models:
        solver.set("auto_config", False)
        solver.set("mbqi", False)
    solver.from_string(script)
    return str(solver.check())


def cvc5(script: str, *, models: bool = False) -> str:
    """Ask cvc5 whether a script can be satisfied: `sat`, `unsat` or `unknown`; `models` lets it search for a model."""
    module = _solver("cvc5")
    solver = module.Solver(module.TermManager())
    solver.setOption("tlimit-per", str(TIMEOUT_MS))
    solver.setOption("rlimit-per", str(EFFORT["cvc5"]))
    if models:
        solver.setOption("fmf-fun", "true")
    solver.setLogic("ALL")
    reader = module.InputParser(solver)
    reader.setStringInput(module.InputLanguage.SMT_LIB_2_6, script, "script")
    while not (command := reader.nextCommand()).isNull():
        command.invoke(solver, reader.getSymbolManager())
    found = solver.checkSat()
    return "sat" if found.isSat() else "unsat" if found.isUnsat() else "unknown"


SOLVERS = {"z3": z3, "cvc5": cvc5}
