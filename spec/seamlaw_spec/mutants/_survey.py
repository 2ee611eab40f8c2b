"""Which checks run which lines of the kernel, so that a mutant is asked only what can notice it, the cheapest first.

Each law, in each of the two cheap layers, is run once in a process of its own with its lines traced; so is each test
of the kernel. What came of it is kept in `mutants/executed.json`, where the command is called, until a source changes.
"""

import json
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Any, TypeAlias

from attrs import Factory, field, frozen

import seamlaw_spec

from ._forks import in_fork, in_silence, without_the_kernel
from ._kernel_tests import run_tests
from ._mutate import KERNEL, MODULES, Mutant, path_of, site_of

__all__ = ["Check", "Survey", "survey", "within_seconds"]

KEPT = Path("mutants/executed.json")
ALSO = {  # files of tests, besides those that are called as the module
    "_canonical": ("_digest",),
    "_decisions": ("_makers", "_hostile"),
    "_frozen": ("_limits", "_opaque", "_subclasses", "_values"),
    "_policy": ("_combined", "_applies"),
    "_seams": ("_own_seams",),
    "_step": ("_pipeline", "_secrets"),
}
Lines: TypeAlias = frozenset[tuple[str, int]]


@frozen(eq=False)
class Check:
    """A law in a layer, or a test by its node id: how long it takes, and the lines it runs."""

    how: str
    name: str
    seconds: float
    lines: Lines
    modules: frozenset[str] = field(
        init=False, default=Factory(lambda it: frozenset(module for module, _ in it.lines), takes_self=True)
    )

    def runs(self, module: str) -> bool:
        """Whether it runs anything of a module: what does not may still read a table that is there."""
        return module in self.modules


def _by_line(it: "Survey") -> dict[tuple[str, int], list[Check]]:
    found: dict[tuple[str, int], list[Check]] = {}
    for check in (*it.laws, *it.tests):
        for line in check.lines:
            found.setdefault(line, []).append(check)
    return found


@frozen
class Survey:
    """All checks, and the lines that run while what they need is imported: those concern every check."""

    laws: tuple[Check, ...]
    tests: tuple[Check, ...] = ()
    proofs: Lines = frozenset()
    imported: Lines = frozenset()
    by_line: Mapping[tuple[str, int], Sequence[Check]] = field(
        init=False, eq=False, repr=False, default=Factory(_by_line, takes_self=True)
    )

    def laws_for(self, mutant: Mutant) -> list[Check]:
        """Which laws run the place of a mutant, in which layer, in the order of the book."""
        found = {*self._at(mutant, self.laws)}
        return [check for check in self.laws if check in found]

    def tests_for(self, mutant: Mutant) -> tuple[list[Check], list[Check]]:
        """Which tests run the place of a mutant: those of its module, and others; first those that run little else."""
        name = mutant.module.rpartition(".")[2]
        own = [f"/test{each}" for each in (name, *ALSO.get(name, ()))]

        def costs(check: Check) -> float:
            return check.seconds * (20 + len(check.lines)) * (1 if check.runs(mutant.module) else 20)

        found = sorted(self._at(mutant, self.tests), key=costs)
        near = [check for check in found if any(each in check.name for each in own)]
        return near, [check for check in found if check not in near]

    def is_extracted(self, mutant: Mutant) -> bool:
        """Whether extracting the model of the proofs runs the place of a mutant."""
        return any((mutant.module, line) in self.proofs for line in site_of(mutant).lines)

    def _at(self, mutant: Mutant, checks: Sequence[Check]) -> Iterable[Check]:
        site = site_of(mutant)
        wanted = {(mutant.module, line) for line in site.lines}
        if site.at_import or wanted & self.imported:
            return checks
        known = set(map(id, checks))
        for lines in (wanted, {(mutant.module, line) for line in site.function}):
            found = {id(check): check for line in lines for check in self.by_line.get(line, ()) if id(check) in known}
            if found:
                return found.values()
        return ()


def within_seconds(checks: Sequence[Check], seconds: float) -> list[Check]:
    """The first of some checks: as many as take so many seconds."""
    spent = accumulate(check.seconds for check in checks)
    return [check for check, until in zip(checks, spent, strict=True) if until <= seconds]


@cache
def survey(tests: Path | None) -> Survey:
    """Run everything once, or read what came of it when it was."""
    spec, kept = Path(seamlaw_spec.__file__).parent, _kept()
    found: dict[str, Any] = {}
    for part, folders, look in (
        ("laws", [KERNEL, spec], _laws),
        ("tests", [KERNEL, tests] if tests else [], lambda: _tests(tests)),
    ):
        key = _key(folders)
        told = kept.get(part, {})
        found[part] = told if told.get("key") == key else {"key": key, **look()}
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps({**kept, **found}), "utf-8")
    laws, listed = found["laws"], found["tests"].get("checks", ())
    return Survey(_read(laws["checks"]), _read(listed), _lines(laws["proofs"]), _lines(laws["imported"]))


def _kept() -> dict[str, Any]:
    try:
        return dict(json.loads(KEPT.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def _key(folders: Iterable[Path]) -> str:
    paths = sorted(path for folder in folders for path in folder.rglob("*.py") if "mutants" not in path.parts)
    return sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def _laws() -> dict[str, Any]:
    checks: Any = import_module("seamlaw_spec.mutants._checks")
    _load_all()
    found: list[Any] = []
    for how, holds in checks.HOLDS.items():
        for law in seamlaw_spec.LAWS.values():
            check = partial(holds, law, checks.LIMITS["quick"][how])
            seconds = _asked(partial(_timed, check))
            found.append([how, law.name, seconds, _asked(partial(_traced, check))])
            print(f"looked at {law.name}, {how}", flush=True)
    proofs = _asked(lambda: _traced(import_module("seamlaw_spec.mutants._proofs").not_proved))
    return {"checks": found, "proofs": proofs, "imported": _asked(partial(_traced, _load_anew))}


def _asked(look: Callable[[], object]) -> Any:
    lines, status = in_fork(lambda say: say(json.dumps(look())))
    try:
        return json.loads(lines[-1])
    except (IndexError, ValueError):
        raise RuntimeError(f"the kernel as it is cannot be looked at: {lines[-1:]}, {status}") from None


def _timed(check: Callable[[], bool]) -> float:
    before = process_time()
    if not check():
        raise AssertionError("a law does not hold")
    return round(process_time() - before, 4)


def _load_all() -> None:
    strategies, enumerations = (
        import_module("seamlaw_spec.strategies"),
        import_module("seamlaw_spec.layers.enumerations"),
    )
    enumerations.loaded()
    for law in seamlaw_spec.LAWS.values():
        if "H" in law.by:
            strategies.given_for(law)


def _load_anew() -> None:
    without_the_kernel()
    import_module("seamlaw")
    import_module("seamlaw_spec")
    _load_all()


def _tests(tests: Path | None) -> dict[str, Any]:
    if tests is None:
        return {}
    print("looking at the tests of the kernel", flush=True)
    seconds = _asked(partial(_each_test, tests, process_time, lambda was: round(process_time() - was, 4), "-x"))
    lines = _asked(partial(_each_test, tests, _tracer, _end))  # some that measure fail while they are traced
    return {"checks": [["test", name, seconds[name], lines.get(name, {})] for name in seconds]}


def _tracer() -> "Tracer":
    tracer = Tracer()
    tracer.__enter__()
    return tracer


def _end(tracer: "Tracer") -> dict[str, list[int]]:
    tracer.__exit__()
    return tracer.told()


def _each_test(tests: Path, begin: Callable[[], Any], end: Callable[[Any], object], *options: str) -> dict[str, object]:
    """Run all tests, measuring each; with -x all must pass."""
    import pytest

    found: dict[str, object] = {}

    class Measuring:
        """Measures each test."""

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(self, item: Any) -> Generator[None, object, object]:
            """Called by pytest around each test."""
            begun = begin()
            try:
                return (yield)
            finally:
                found[item.nodeid] = end(begun)

    with in_silence():
        failed = run_tests([str(tests)], *options, plugins=[Measuring()])
    if failed and options:
        raise RuntimeError(f"a test of the kernel as it is fails: {[*found][-1:] or tests}")
    return found


def _traced(run: Callable[[], object]) -> dict[str, list[int]]:
    tracer = Tracer()
    with in_silence(), tracer:
        run()
    return tracer.told()


class Tracer:
    """Remembers the lines of the kernel that run; of a function that somebody else traces, all."""

    def __init__(self) -> None:
        self.files = {str(path_of(module)): module for module in MODULES}
        self.lines: set[tuple[str, int]] = set()
        self.entered: set[CodeType] = set()

    def __enter__(self) -> None:
        threading.settrace(self.trace)
        threading.setprofile(self.profile)
        sys.setprofile(self.profile)
        sys.settrace(self.trace)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        sys.setprofile(None)
        threading.settrace(None)
        threading.setprofile(None)
        for code in self.entered:
            module, own = self.files[code.co_filename], {line for _, _, line in code.co_lines() if line is not None}
            if not any((module, line) in self.lines for line in own - {code.co_firstlineno}):
                self.lines |= {(module, line) for line in own}

    def trace(self, frame: FrameType, _: str, __: object) -> Any:
        """Called for each call."""
        module = self.files.get(frame.f_code.co_filename)
        if module is None:
            return None
        lines = self.lines

        def line(frame: FrameType, _: str, __: object) -> Any:
            lines.add((module, frame.f_lineno))
            return line

        return line

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Called for each call, too, even where somebody else traces."""
        if event == "call" and frame.f_code.co_filename in self.files:
            self.entered.add(frame.f_code)

    def told(self) -> dict[str, list[int]]:
        """The lines, by module."""
        told: dict[str, list[int]] = {}
        for module, line in sorted(self.lines):
            told.setdefault(module, []).append(line)
        return told


def _lines(told: Mapping[str, Iterable[int]]) -> Lines:
    return frozenset((module, line) for module, lines in told.items() for line in lines)


def _read(told: Iterable[Any]) -> tuple[Check, ...]:
    return tuple(Check(how, name, seconds, _lines(lines)) for how, name, seconds, lines in told)
