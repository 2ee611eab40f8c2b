"""What the recorded matrix comes to, for the docs."""

from collections.abc import Mapping

from seamlaw_spec import LAWS

from ._mutate import MODULES
from ._record import Judged, read

__all__ = ["figures", "rows"]

KINDS: Mapping[str, str] = {
    "law": "noticed by a law",
    "test": "only by a test of the kernel",
    "crash": "do not load",
    "equivalent": "equivalent",
    "survivor": "not noticed yet",
}


def figures() -> str:
    """How many mutants there are, and what became of them."""
    matrix = read()
    counts = ", ".join(f"{len(matrix.of(kind))} {told}" for kind, told in KINDS.items())
    return (
        f"{len(matrix.everyone)} mutants of {len(matrix.judged)} of the {len(MODULES)} modules of the kernel "
        f"were judged: {counts}. {len(matrix.noticing)} of the {len(LAWS)} laws are recorded to notice one."
    )


def rows() -> list[tuple[str, ...]]:
    """The same for each module, with a head."""
    told = [(f"`{module}`", *_counts(judged)) for module, judged in read().judged.items()]
    return [("module", "mutants", *KINDS.values()), *told]


def _counts(judged: tuple[Judged, ...]) -> tuple[str, ...]:
    kinds = [one.kind for one in judged]
    return (str(len(kinds)), *(str(kinds.count(kind)) for kind in KINDS))
