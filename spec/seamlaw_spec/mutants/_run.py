"""Ask the laws, the proofs and the tests about one mutant, in a process that loads the kernel with the change in it."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeAlias

from attrs import frozen

from ._forks import NO_TIME, at_most, in_fork, in_silence, without_the_kernel
from ._kernel_tests import failing
from ._mutate import Mutant, compiled, path_of

__all__ = ["Changed", "Verdict", "judge", "judge_by_proofs", "judge_by_tests"]

Say: TypeAlias = Callable[[str], None]
LOADING = 20  # seconds of the processor; far more than it takes
PATIENCE = 20  # times as long as the kernel as it is takes


@frozen
class Verdict:
    """What became of a mutant: the law that noticed, and `how`: the layer, or the test; both empty if none did."""

    law: str = ""
    how: str = ""

    @property
    def killed(self) -> bool:
        """Whether anything noticed."""
        return bool(self.how)


class Changed(MetaPathFinder, Loader):
    """Gives the changed code where the kernel's module is imported."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.module, self.code = module, code

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """Only for that module."""
        if fullname != self.module:
            return None
        return importlib.util.spec_from_file_location(fullname, path_of(self.module), loader=self)

    def create_module(self, spec: ModuleSpec) -> None:
        """As usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        exec(self.code, module.__dict__)  # noqa: S102 - it is the kernel's own, changed


def judge(mutant: Mutant, stage: str, asked: Iterable[tuple[str, str, float]]) -> Verdict:
    """Ask laws until one notices: each with its layer and the seconds it takes; who takes far longer has noticed."""
    wanted = list(asked)

    def ask(say: Say) -> None:
        spec: Any = importlib.import_module("seamlaw_spec")
        checks: Any = importlib.import_module("seamlaw_spec.mutants._checks")
        for how, name, seconds in wanted:
            limit = checks.LIMITS[stage][how]
            say(f"{name} {how}")
            at_most(10 + PATIENCE * seconds * limit / checks.LIMITS["quick"][how])
            if not checks.HOLDS[how](spec.LAWS[name], limit):
                say("noticed")
                return

    said = _told(mutant, ask)
    if isinstance(said, Verdict):
        return said
    (law, how), end = said
    return Verdict(law, " ".join(filter(None, [how, stage if stage != "quick" else "", end])))


def judge_by_proofs(mutant: Mutant) -> Verdict:
    """Extract the model of the proofs anew: a law is not proved where the shipped functions are not of its form."""

    def ask(say: Say) -> None:
        at_most(120)
        law, layer = importlib.import_module("seamlaw_spec.mutants._proofs").not_proved()
        if law:
            say(f"{law} {layer}")
            say("noticed")

    said = _told(mutant, ask)
    return said if isinstance(said, Verdict) else Verdict(said[0][0], f"proved: {said[0][1]}")


def judge_by_tests(mutant: Mutant, tests: Path, nodes: Iterable[tuple[str, float]]) -> Verdict:
    """Run tests of the kernel, each given with the seconds it takes, until one fails or takes far longer."""
    wanted = list(nodes)

    def ask(say: Say) -> None:
        if failing([node for node, _ in wanted], lambda node: say(f"{node} test"), lambda: at_most(30)):
            say("noticed")

    said = _told(mutant, ask) if wanted else Verdict()
    if isinstance(said, Verdict):
        return said
    (node, _), end = said
    path, _, name = node.partition("::")
    place = f"{tests.name}/{path.rpartition(tests.name + '/')[2]}"
    function = "::" + name.partition("[")[0] if name else ""  # none where the file cannot even be loaded
    return Verdict("", f"tests/ {place}{function} {end}".strip())


def _told(mutant: Mutant, ask: Callable[[Say], None]) -> "Verdict | tuple[tuple[str, str], str]":
    """Ask in a fork: who noticed and how, with what else there is to say; or what became of the mutant without them."""
    code = compiled(mutant)

    def run(say: Say) -> None:
        at_most(LOADING)
        with in_silence():
            without_the_kernel()
            sys.meta_path.insert(0, Changed(mutant.module, code))
            importlib.import_module("seamlaw")
            say("loaded")
            ask(say)
            say("done")

    lines, status = in_fork(run)
    last = lines[-1] if lines else ""
    asked = [line for line in lines if line not in ("loaded", "noticed", "done") and not line.startswith("raised ")]
    law, _, how = asked[-1].partition(" ") if asked else ("", "", "")
    if "noticed" in lines:
        return (law, how), ""
    if last == "done":
        return Verdict()
    end = "takes far longer" if status in NO_TIME else last if last.startswith("raised ") else f"ended by {status}"
    if "loaded" not in lines:
        return Verdict("", f"does not load: {end.partition(':')[0]}")
    return ((law, how), end.partition(":")[0]) if asked else Verdict("", f"does not load: {end.partition(':')[0]}")
