"""Types, definitions and recursions, written for solvers in one of two ways.

For a proof, a recursion is an axiom for each constructor, with the term that makes a solver use it; for a search for a
counterexample the same recursion is a function that a solver can execute.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from attrs import field, frozen

__all__ = [
    "Datatype",
    "Definition",
    "Interpreted",
    "Part",
    "Recursion",
    "Variables",
    "assumed",
    "bound",
    "declared",
    "executed",
    "needed",
    "variables",
]

SYMBOL = re.compile(r"[^\s()]+")
DECLARES = re.compile(r"\((?:declare-(?:sort|fun|const)|define-fun(?:-rec)?) ([^\s()]+)")
Variables: TypeAlias = tuple[tuple[str, str], ...]  # name and sort


def variables(given: str | Variables) -> Variables:
    """Read `a:Chain b:Chain` as variables."""
    if not isinstance(given, str):
        return given
    return tuple((name, sort) for name, _, sort in (one.partition(":") for one in given.split()))


def bound(given: Variables) -> str:
    """Variables as a quantifier or a definition binds them."""
    return f"({' '.join(f'({name} {sort})' for name, sort in given)})"


@frozen
class Datatype:
    """An inductive type: for each constructor the names and sorts of its fields."""

    name: str
    constructors: Mapping[str, str]

    def fields(self, constructor: str) -> Variables:
        """The fields of a constructor."""
        return variables(self.constructors[constructor])


def declared(types: Iterable[Datatype]) -> str:
    """Declare datatypes together, so that they may refer to one another."""
    listed = list(types)
    bodies = [" ".join(_constructor(kind, name) for name in kind.constructors) for kind in listed]
    names = " ".join(f"({kind.name} 0)" for kind in listed)
    return f"(declare-datatypes ({names}) ({' '.join(f'({body})' for body in bodies)}))"


def _constructor(kind: Datatype, name: str) -> str:
    return f"({name}{''.join(f' ({part} {sort})' for part, sort in kind.fields(name))})"


@frozen
class Definition:
    """A function that is defined; one that is `visible` stays a term, so that claims may have it for a trigger.

    One that is `opaque` is visible, and its definition is left out of a proof that says nothing of what it is made of.
    """

    name: str
    of: Variables = field(converter=variables)
    sort: str
    body: str
    visible: bool = False
    opaque: bool = False

    def executable(self) -> str:
        """The definition as it is."""
        return f"(define-fun {self.name} {bound(self.of)} {self.sort}\n  {self.body})"

    def axioms(self) -> tuple[str, ...]:
        """The definition for a proof."""
        if not (self.visible or self.opaque):
            return (self.executable(),)
        call = f"({self.name} {' '.join(name for name, _ in self.of)})"
        declaration = f"(declare-fun {self.name} ({' '.join(sort for _, sort in self.of)}) {self.sort})"
        axiom = f"(assert (forall {bound(self.of)} (! (= {call} {self.body}) :pattern ({call}))))"
        return (declaration, axiom) if self.opaque else (f"{declaration}\n{axiom}",)


@frozen
class Recursion:
    """A function by recursion on one of its variables: a body for each constructor, over the constructor's fields."""

    name: str
    of: Variables = field(converter=variables)
    sort: str
    on: str
    kind: Datatype
    bodies: Mapping[str, str]
    comment: str = ""

    def axioms(self) -> tuple[str, ...]:
        """An axiom for each constructor."""
        sorts = " ".join(sort for _, sort in self.of)
        told = [self._axiom(name, body) for name, body in self.bodies.items()]
        return ("\n".join((*self._comment(), f"(declare-fun {self.name} ({sorts}) {self.sort})", *told)),)

    def executable(self) -> str:
        """A recursive function."""
        *cases, (_, last) = [(name, self._of_fields(name, body)) for name, body in self.bodies.items()]
        body = "".join(f"(ite ((_ is {name}) {self.on}) {told} " for name, told in cases) + last + ")" * len(cases)
        return f"(define-fun-rec {self.name} {bound(self.of)} {self.sort}\n  {body})"

    def _comment(self) -> Iterable[str]:
        return [f"; {self.comment}"] if self.comment else []

    def _axiom(self, constructor: str, body: str) -> str:
        parts = self.kind.fields(constructor)
        whole = f"({constructor} {' '.join(name for name, _ in parts)})" if parts else constructor
        call = f"({self.name} {' '.join(whole if name == self.on else name for name, _ in self.of)})"
        over = (*(one for one in self.of if one[0] != self.on), *parts)
        equation = f"(= {call} {body})"
        return f"(assert (forall {bound(over)} (! {equation} :pattern ({call}))))" if over else f"(assert {equation})"

    def _of_fields(self, constructor: str, body: str) -> str:
        told = " ".join(f"({name} ({name} {self.on}))" for name, _ in self.kind.fields(constructor))
        return f"(let ({told}) {body})" if told else body


@frozen
class Interpreted:
    """What a proof assumes of symbols that are left open, and symbols that satisfy it, for a search."""

    assumed: str
    by: str

    def axioms(self) -> tuple[str, ...]:
        """The assumptions."""
        return (self.assumed,)

    def executable(self) -> str:
        """The symbols."""
        return self.by


Part: TypeAlias = str | Definition | Interpreted | Recursion


def assumed(parts: Iterable[Part]) -> tuple[str, ...]:
    """The parts of a theory, for a proof."""
    return tuple(text for part in parts for text in ((part,) if isinstance(part, str) else part.axioms()))


def executed(parts: Iterable[Part]) -> str:
    """The parts of a theory, to be executed."""
    return "\n".join(part if isinstance(part, str) else part.executable() for part in parts)


def needed(parts: Iterable[str], for_text: str) -> str:
    """Of the parts of a theory, those that a text is about; to leave some out can only make it harder to prove.

    A part that declares something is needed if any of that is; an axiom alone, if all that it is about is.
    """
    listed = [(part, set(DECLARES.findall(part)), set(SYMBOL.findall(part))) for part in parts]
    known = {name for _, declares, _ in listed for name in declares}
    wanted, size = set(SYMBOL.findall(for_text)), -1
    kept: list[str] = []
    while len(kept) != size:
        size, kept = len(kept), []
        for part, declares, mentions in listed:
            if declares & wanted or not (declares or (mentions & known) - wanted):
                kept.append(part)
                wanted |= mentions
    return "\n".join(kept)
