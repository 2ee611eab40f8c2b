"""The recorded matrix: what became of each mutant, and which mutant shows that a law says something."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from seamlaw_spec import LAWS

from ._equivalent import EQUIVALENT
from ._mutate import MODULES, Mutant, function_hashes, mutants_of
from ._run import Verdict

__all__ = ["FILE", "Judged", "Matrix", "read", "write"]

FILE = Path(__file__).with_name("mutants.json")
SCHEMA = "seamlaw.mutants/1"


@frozen
class Judged:
    """A mutant with what noticed it."""

    mutant: Mutant
    verdict: Verdict

    @property
    def kind(self) -> str:
        """By what it was noticed: a law, nothing but the tests of the kernel, or a reason why nothing can."""
        if self.verdict.law:
            return "law"
        if self.verdict.how.startswith("tests/"):
            return "test"
        if self.verdict.killed:
            return "crash"
        return "equivalent" if self.mutant.key in EQUIVALENT else "survivor"


@frozen
class Matrix:
    """All mutants that were judged, by module, with the hashes of the functions they were made of."""

    judged: Mapping[str, tuple[Judged, ...]] = field(factory=dict[str, tuple[Judged, ...]])
    hashes: Mapping[str, Mapping[str, str]] = field(factory=dict[str, Mapping[str, str]])
    shown: Mapping[str, str] = field(factory=dict[str, str])  # for a law that was nowhere first: a mutant it notices

    @property
    def everyone(self) -> tuple[Judged, ...]:
        """Every mutant that was judged."""
        return tuple(one for listed in self.judged.values() for one in listed)

    def of(self, kind: str) -> tuple[Judged, ...]:
        """Those of a kind."""
        return tuple(one for one in self.everyone if one.kind == kind)

    @property
    def noticing(self) -> frozenset[str]:
        """The laws that notice a mutant."""
        return frozenset(one.verdict.law for one in self.everyone if one.verdict.law) | frozenset(self.shown)

    def problems(self) -> list[str]:
        """What is not as it must be: survivors, laws that notice nothing, reasons for mutants that are not there."""
        there = {one.mutant.key for one in self.everyone}
        return [
            *(f"nothing notices {one.mutant.key}" for one in self.of("survivor")),
            *(f"{law} notices no mutant" for law in LAWS if law not in self.noticing),
            *(f"there is no mutant to be equivalent: {key}" for key in EQUIVALENT if key not in there),
            *(
                f"{one.mutant.key} is said to be equivalent, but was noticed"
                for one in self.everyone
                if one.verdict.killed and one.mutant.key in EQUIVALENT
            ),
        ]

    def stale(self, modules: Iterable[str] = ()) -> list[str]:
        """The functions that changed since their mutants were judged; of all modules that were recorded."""
        return [
            f"{module} {function}"
            for module in modules or self.hashes
            for function, now in function_hashes(module).items()
            if self.hashes.get(module, {}).get(function) != now
        ]

    def known(self, module: str) -> dict[Mutant, Verdict]:
        """The verdicts on a module's mutants that still count: their functions have not changed."""
        now, then = function_hashes(module), self.hashes.get(module, {})
        return {
            one.mutant: one.verdict
            for one in self.judged.get(module, ())
            if now.get(one.mutant.function) == then.get(one.mutant.function)
        }

    def left(self, module: str) -> list[Mutant]:
        """The mutants of a module that are still to be judged."""
        known = self.known(module)
        return [mutant for mutant in mutants_of(module) if mutant not in known]

    def with_module(self, module: str, verdicts: Mapping[Mutant, Verdict]) -> "Matrix":
        """With the verdicts on a module, in the order of its text."""
        listed = tuple(Judged(m, verdicts[m]) for m in mutants_of(module) if m in verdicts)
        return Matrix(
            {**self.judged, module: listed}, {**self.hashes, module: function_hashes(module)}, dict(self.shown)
        )


def read() -> Matrix:
    """Read what is recorded; nothing where the file is missing."""
    if not FILE.exists():
        return Matrix()
    data: Any = json.loads(FILE.read_text("utf-8"))
    judged = {
        module: tuple(
            Judged(
                Mutant(module, one["function"], one["operator"], one["text"], one.get("number", 0)),
                Verdict(one.get("law", ""), one.get("how", "")),
            )
            for one in told["mutants"]
        )
        for module, told in data["modules"].items()
    }
    return Matrix(judged, {m: told["functions"] for m, told in data["modules"].items()}, data["shown"])


def write(matrix: Matrix) -> None:
    """Record the matrix."""
    modules = {
        module: {"functions": dict(matrix.hashes[module]), "mutants": [_told(one) for one in matrix.judged[module]]}
        for module in MODULES
        if module in matrix.judged
    }
    data = {"schema": SCHEMA, "shown": dict(sorted(matrix.shown.items())), "modules": modules}
    FILE.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _told(one: Judged) -> dict[str, object]:
    m, v = one.mutant, one.verdict
    told = {"function": m.function, "operator": m.operator, "text": m.text, "number": m.number}
    return {key: value for key, value in {**told, "law": v.law, "how": v.how}.items() if value not in ("", 0)}
