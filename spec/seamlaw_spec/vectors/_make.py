"""All files of vectors, made anew."""

from collections.abc import Callable, Iterator, Mapping

from ._data import asks, conditions, digests, globs, merge, policies, precedence, rules
from ._decide import chains, seams
from ._files import SCHEMA, Document, Vector

__all__ = ["documents"]

MAKERS: Mapping[str, Callable[[], Iterator[Vector]]] = {
    "seams": seams,
    "chains": chains,
    "merge": merge,
    "precedence": precedence,
    "policies": policies,
    "conditions": conditions,
    "globs": globs,
    "rules": rules,
    "digests": digests,
    "asks": asks,
}


def documents() -> dict[str, Document]:
    """Every file, by its name; what it holds is said by the first line of its maker."""
    return {
        name: {"schema": SCHEMA, "kind": name, "about": (make.__doc__ or "").splitlines()[0], "vectors": list(make())}
        for name, make in MAKERS.items()
    }
