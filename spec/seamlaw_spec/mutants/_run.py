"""Run the law book against one mutant, in a process of its own that loads the kernel with the change in it."""

import importlib
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from attrs import frozen

from ._mutate import Mutant, compiled, path_of

__all__ = ["STAGES", "Changed", "Verdict", "forked", "judge", "judge_by_proofs"]

# How much of each layer is tried on a mutant that nothing before noticed: cases, examples, seconds in all.
STAGES: dict[str, tuple[int, int, int]] = {
    "quick": (200, 25, 60),
    "thorough": (8_000, 200, 400),
}


@frozen
class Verdict:
    """What became of a mutant: `by` is the law that noticed, `how` the layer; empty if none did."""

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


def judge(mutant: Mutant, stage: str, laws: Iterable[str] = ()) -> Verdict:
    """Ask the laws, or these alone, until one notices; a mutant that takes too long is noticed by the clock."""
    cases, examples, seconds = STAGES[stage]
    only = tuple(laws)
    return forked(mutant, seconds, lambda: _asked(cases, examples, only))


def judge_by_proofs(mutant: Mutant) -> Verdict:
    """Extract the model of the proofs anew: a law is not proved where the shipped functions are not of its form."""
    return forked(mutant, 120, _extracted)


def forked(mutant: Mutant, seconds: int, ask: Callable[[], dict[str, str]]) -> Verdict:
    """Ask in a process of its own, in which the kernel is loaded anew with the change in it."""
    code = compiled(mutant)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        import resource  # there is none on Windows

        os.close(reading)
        # Of the processor, so that a busy machine is no hang; by the clock only for what waits forever.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        signal.alarm(20 * seconds)
        try:
            _load(mutant.module, code)
            found = ask()
        except BaseException as error:
            found = {"law": "", "how": f"does not load: {type(error).__name__}"}
        os.write(writing, json.dumps(found).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL):
        return Verdict("", f"takes more than {seconds} s")
    return Verdict(**json.loads(told)) if told else Verdict("", f"ends the process with {status}")


def _load(module: str, code: CodeType) -> None:
    with Path(os.devnull).open("w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("seamlaw", "seamlaw_spec")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Changed(module, code))
    importlib.import_module("seamlaw")


def _asked(cases: int, examples: int, only: tuple[str, ...]) -> dict[str, str]:
    spec: Any = importlib.import_module("seamlaw_spec")
    checks: Any = importlib.import_module("seamlaw_spec.mutants._checks")
    laws = [spec.LAWS[name] for name in only] if only else list(spec.LAWS.values())
    for how, holds, limit in (("exhausted", checks.in_all_cases, cases), ("tested", checks.in_examples, examples)):
        for law in laws:
            if not holds(law, limit):
                return {"law": law.name, "how": how}
    return {"law": "", "how": ""}


def _extracted() -> dict[str, str]:
    extraction: Any = importlib.import_module("seamlaw_spec.proofs.extraction")
    obligations: Any = importlib.import_module("seamlaw_spec.proofs._obligations")
    model = extraction.extract(extraction.SHIPPED)
    for law, obligation in obligations.OBLIGATIONS.items():
        try:
            model.hold([name for name in obligation.shipped if name in extraction.SHIPPED.functions])
        except extraction.NotExtracted as refused:
            return {"law": law, "how": f"proved: {refused.layer}"}
    return {"law": "", "how": ""}
