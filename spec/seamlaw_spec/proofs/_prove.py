"""Prove laws: extract the model anew, write the queries, and put them to both solvers."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from time import process_time

from attrs import frozen

from seamlaw_spec import LAWS, Law

from . import _solvers
from ._claims import Claim, Theory
from ._obligations import COVERAGE, OBLIGATIONS, Obligation
from .extraction import SHIPPED, Model, Shipped, extract
from .theories import theory_of

__all__ = ["PINS", "TRUSTED", "Proved", "StatementChanged", "hash_of", "pinned", "prove"]

PINS = Path(__file__).with_name("pins.json")
TRUSTED = (
    "the harness that extracts the model; the axioms of the loops, one line for each way through, written by hand and "
    "held to the shipped loops by token runs; that a loop which stores its own registers alone does for every length "
    "what it does for up to four; CPython's for, attrs, and the kernel's functions that are called and not looked at; "
    "the solvers. Not covered: threads"
)


class StatementChanged(Exception):
    """A law states something else than when its claims were written."""


@frozen
class Tally:
    """Of how many queries a solver refuted how many; it proves what they are for when it refutes all."""

    refuted: int
    queries: int

    @property
    def proves(self) -> bool:
        """Whether it refuted every query."""
        return self.refuted == self.queries

    def __str__(self) -> str:
        return f"{self.refuted}/{self.queries}"


@frozen
class Proved:
    """What came of proving one law: it is proved if z3 refuted every query; cvc5 is the second opinion.

    `seconds` are of the processor, and what was proved for a law before is not proved again for the next. `statement`
    and `sources` are hashes: of the law's statement, and of the functions the model was extracted from; `runs` is how
    many held their loops to the axioms.
    """

    law: str
    method: str
    claims: tuple[str, ...]
    z3: Tally
    cvc5: Tally
    seconds: float
    statement: str
    sources: str
    runs: int
    does_not_say: str
    trusted: str = TRUSTED

    @property
    def holds(self) -> bool:
        """Whether the law is proved."""
        return self.z3.proves


def hash_of(law: Law) -> str:
    """The hash of a law's statement."""
    return hashlib.sha256(law.statement.encode()).hexdigest()[:16]


def pinned() -> Mapping[str, str]:
    """The hashes of the statements for which the claims were written."""
    pins: dict[str, str] = json.loads(PINS.read_text("utf-8"))
    return pins


def prove(name: str | None = None, *, shipped: Shipped = SHIPPED) -> list[Proved]:
    """Prove a law, or all that have claims, of what is shipped; nothing is remembered from one process to the next.

    Raises `LookupError` for a law without claims, `StatementChanged` for one that states something else than it did,
    and `NotExtracted` where a shipped function is not of the form that the model describes.
    """
    if name is not None and name not in OBLIGATIONS:
        raise LookupError(f"no claims prove {name}: those that are proved are {', '.join(OBLIGATIONS)}")
    wanted = OBLIGATIONS.values() if name is None else (OBLIGATIONS[name],)
    model = extract(shipped)
    return [_proved(obligation, LAWS[obligation.law], model, shipped) for obligation in wanted]


def _proved(obligation: Obligation, law: Law, model: Model, shipped: Shipped) -> Proved:
    statement = hash_of(law)
    if pinned().get(law.name) != statement:
        raise StatementChanged(f"{law.name} states something new: read its claims beside it, then pin {statement}")
    begun = process_time()
    runs = model.hold(obligation.shipped)
    claims = _claims(obligation, model)
    theory, _ = theory_of(obligation.theory, model)
    known = {claim.name: claim for claim in claims}
    results = [one for claim in claims for one in _checked(theory, claim, tuple(known[used] for used in claim.uses))]
    tallies = {solver: Tally(sum(one[solver] == "unsat" for one in results), len(results)) for solver in SOLVERS}
    return Proved(
        law.name,
        "induction" if any(claim.by for claim in claims) else "direct",
        tuple(claim.name for claim in claims),
        tallies["z3"],
        tallies["cvc5"],
        process_time() - begun,
        statement,
        shipped.fingerprint(obligation.shipped),
        runs,
        obligation.does_not_say,
    )


SOLVERS = tuple(_solvers.SOLVERS)


def _claims(obligation: Obligation, model: Model) -> list[Claim]:
    """All the claims of an obligation, with those that they use."""
    listed = {claim.name: claim for claim in theory_of(obligation.theory, model)[1]}
    found = dict[str, Claim]()
    waiting = [*COVERAGE.get(obligation.theory, ()), *obligation.claims]
    while waiting:
        claim = listed[waiting.pop(0)]
        if claim.name not in found:
            found[claim.name] = claim
            waiting += claim.uses
    return list(found.values())


@cache
def _checked(theory: Theory, claim: Claim, lemmas: tuple[Claim, ...]) -> list[Mapping[str, str]]:
    return [ask(script) for script in theory.queries(claim, lemmas).values()]


def ask(script: str) -> Mapping[str, str]:
    """Put a query to both solvers at once."""
    with ThreadPoolExecutor(1) as beside:
        second = beside.submit(_solvers.z3, script)
        return {"cvc5": _solvers.cvc5(script), "z3": second.result()}


def unfounded(claims: Iterable[Claim]) -> list[str]:
    """Name the claims that rest on themselves, or on what is no claim."""
    uses = {claim.name: set(claim.uses) for claim in claims}
    while settled := [name for name, on in uses.items() if not on]:
        for name in settled:
            del uses[name]
        for on in uses.values():
            on.difference_update(settled)
    return list(uses)
