"""A claim, as text in SMT-LIB, and the queries that prove it: one if it is direct, a base and steps by induction.

A proof is by refutation: a query states the theory, what the claim may rest on, and that the claim does not hold; it
proves the claim when no solver can satisfy it. Induction is over the constructors of a datatype: for each, the claim
is refuted under the assumption that it holds of every part of the same type.
"""

from collections.abc import Iterable
from functools import cached_property

from attrs import field, frozen

from ._smt import Datatype, Part, Variables, assumed, bound, executed, needed, variables

__all__ = ["Claim", "Theory"]


def _names(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(given.split()) if isinstance(given, str) else given


@frozen
class Claim:
    """For all `of`: if `given`, then `holds`.

    `by` names the variable of the induction, if there is one; `on` are the terms that make a solver use it as a lemma;
    `uses` names the claims it rests on, which are proved as well; `about` names definitions that it must open.
    """

    name: str
    of: Variables = field(converter=variables)
    holds: str
    given: str = "true"
    by: str | None = None
    on: str = ""
    uses: tuple[str, ...] = field(default=(), converter=_names)
    about: str = ""

    @property
    def body(self) -> str:
        """The claim without its quantifier."""
        return self.holds if self.given == "true" else f"(=> {self.given} {self.holds})"

    def forall(self, of: Variables) -> str:
        """Quantify the claim over these of its variables."""
        return f"(forall {bound(of)} {self._triggered})" if of else self.body

    @property
    def lemma(self) -> str:
        """The claim as something to rest on."""
        return f"; lemma {self.name}\n(assert {self.forall(self.of)})"

    @property
    def _triggered(self) -> str:
        return f"(! {self.body} :pattern ({self.on}))" if self.on else self.body

    @property
    def sort(self) -> str:
        """The sort over which the induction goes."""
        return dict(self.of)[self.by or ""]

    @property
    def rest(self) -> Variables:
        """What the claim is about beside the variable of the induction."""
        return tuple(one for one in self.of if one[0] != self.by)


@frozen(slots=False, eq=False)
class Theory:
    """What claims are about: types, definitions extracted from the shipped code, and the recursions of its loops.

    `oracles` are assumptions about what the model leaves open; a search for a counterexample can do without them.
    """

    types: tuple[Datatype, ...]
    sorts: tuple[Part, ...]
    parts: tuple[Part, ...]
    oracles: tuple[str, ...] = ()

    @cached_property
    def executable(self) -> str:
        """The theory, for a search for a counterexample."""
        return executed((*self.sorts, *self.parts))

    @cached_property
    def axioms(self) -> tuple[str, ...]:
        """The parts of the theory, for a proof."""
        return (*assumed(self.parts), *self.oracles)

    @cached_property
    def inductive(self) -> dict[str, Datatype]:
        """The datatypes by name."""
        return {kind.name: kind for kind in self.types}

    def beside(self, *parts: Part, oracles: tuple[str, ...] = ()) -> "Theory":
        """Put more beside the theory."""
        return Theory(self.types, self.sorts, (*self.parts, *parts), (*self.oracles, *oracles))

    def text(self) -> tuple[str, ...]:
        """Everything that a proof may rest on."""
        return (*assumed(self.sorts), *self.axioms)

    def query(self, goal: str) -> str:
        """Write a query: what of the theory the goal is about, and the goal."""
        return "\n".join((*assumed(self.sorts), needed(self.axioms, goal), goal))

    def queries(self, claim: Claim, lemmas: Iterable[Claim]) -> dict[str, str]:
        """Write what a solver must not be able to satisfy, by the name of the case."""
        begun = "\n".join(lemma.lemma for lemma in lemmas)
        return {
            case: self.query(f"{begun}\n; refute {claim.name}: {case} {claim.about}\n{text}\n")
            for case, text in self._refuted(claim)
        }

    def premise(self, claim: Claim) -> str:
        """Write the question whether anything meets what a claim assumes."""
        told = "\n".join(f"(declare-const {name} {sort})" for name, sort in claim.of)
        oracles = "\n".join(self.oracles)
        return f"{self.executable}\n{oracles}\n; the premise of {claim.name}\n{told}\n(assert {claim.given})\n"

    def _refuted(self, claim: Claim) -> Iterable[tuple[str, str]]:
        if claim.by is None:
            yield "direct", f"(assert (not {claim.forall(claim.of)}))"
            return
        kind = self.inductive[claim.sort]
        for name in kind.constructors:
            parts = [(f"{part}!", sort) for part, sort in kind.fields(name)]
            told = [f"(declare-const {part} {sort})" for part, sort in parts]
            known = [_at(claim, part) for part, sort in parts if sort == kind.name]
            whole = f"({name} {' '.join(part for part, _ in parts)})" if parts else name
            assumed = [f"(assert {one})" for one in known]
            case = "step" if known else "base"
            yield f"{case} {name}", "\n".join((*told, *assumed, f"(assert (not {_at(claim, whole)}))"))


def _at(claim: Claim, term: str) -> str:
    return f"(let (({claim.by} {term})) {claim.forall(claim.rest)})"
