"""The catalogue of all types that laws range over."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast

from seamlaw_spec._law import Law
from seamlaw_spec.layers._catalogue import Catalogue
from seamlaw_spec.layers._sizes import Domain, flat

__all__ = ["CATALOGUE", "cases", "enumerate_for", "loaded", "register"]

CATALOGUE = Catalogue()
register = CATALOGUE.register
register(bool, flat([False, True]))
register(int, flat(range(3)))  # small integers are the very same object wherever they come from


def enumerate_for(annotation: Any, size: int) -> Iterator[Any]:
    """Every value for an annotation up to a size, the smallest first."""
    return loaded().domain_of(annotation).up_to(size)


def cases(law: Law) -> Domain:
    """All cases of a law."""
    return loaded().cases(law.holds)


@cache
def loaded() -> Catalogue:
    """The catalogue, once every module of this package has registered its types."""
    package = import_module("seamlaw_spec.layers.enumerations")
    for module in iter_modules(cast("list[str]", package.__path__)):
        import_module(f"{package.__name__}.{module.name}")
    return CATALOGUE
