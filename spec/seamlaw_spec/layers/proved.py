"""The layer **proved**: unbounded, by z3 over a model extracted from the shipped functions, and by cvc5 once more."""

from collections.abc import Iterable
from time import process_time
from typing import TYPE_CHECKING

from seamlaw_spec._law import Law

from ._evidence import Evidence

if TYPE_CHECKING:
    from seamlaw_spec import proofs

__all__ = ["check", "check_all"]


def check(law: Law) -> Evidence:
    """Prove one law."""
    return check_all([law])[0]


def check_all(laws: Iterable[Law]) -> list[Evidence]:
    """Prove laws; the model is extracted once for all, and where that fails, for each."""
    from seamlaw_spec import proofs

    listed, started = list(laws), process_time()
    wanted = [law.name for law in listed]
    try:
        found = {one.law: one for one in (proofs.prove(wanted[0]) if len(wanted) == 1 else proofs.prove())}
    except Exception as error:
        if len(listed) > 1:
            return [check(law) for law in listed]
        problem = f"{type(error).__name__}: {error}"
        return [Evidence(wanted[0], "proved", False, seconds=process_time() - started, problem=problem)]
    spent, told = process_time() - started, sum(one.seconds for one in found.values()) or 1.0
    return [_evidence(name, found.get(name), spent / told) for name in wanted]


def _evidence(name: str, proved: "proofs.Proved | None", scale: float) -> Evidence:
    if proved is None:
        return Evidence(name, "proved", False, problem="no claims prove it")
    queries = proved.z3.queries
    bound = f"{proved.method}, cvc5 {proved.cvc5}"
    problem = "" if proved.holds else f"z3 refuted {proved.z3} of the queries"
    return Evidence(
        name,
        "proved",
        proved.holds,
        queries,
        "queries",
        bound,
        proved.seconds * scale,
        problem,
        unsaid=proved.does_not_say,
        trusted=proved.trusted,
    )
