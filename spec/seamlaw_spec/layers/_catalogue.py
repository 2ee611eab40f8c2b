"""From an annotation to the values of a size."""

from collections.abc import Callable
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ._sizes import Domain, built, flat, lists, tuples, union

__all__ = ["Catalogue"]


class Catalogue:
    """Which values each type has; what is not registered is composed of its parts, or looked up in `beside`."""

    def __init__(self, beside: "Catalogue | None" = None) -> None:
        self.known: dict[Any, Domain] = {NoneType: flat([None])}
        self.beside = beside

    def register(self, kind: type[Any], domain: Domain) -> None:
        """Say which values a type has; raises `ValueError` for a type that is registered already."""
        if kind in self.known:
            raise ValueError(f"{kind.__name__} has a domain already")
        self.known[kind] = domain

    def domain_of(self, annotation: Any) -> Domain:
        """Find the values for an annotation; raises `LookupError`, naming what nothing is registered for."""
        if annotation not in self.known:
            self.known[annotation] = self._composed(annotation)
        return self.known[annotation]

    def cases(self, law: Callable[..., bool]) -> Domain:
        """All cases of a law: its arguments by name, their sizes added up."""
        hints = {name: kind for name, kind in get_type_hints(law).items() if name != "return"}
        return built(lambda *given: dict(zip(hints, given, strict=True)), *map(self.domain_of, hints.values()))

    def _composed(self, annotation: Any) -> Domain:
        origin, parts = get_origin(annotation), get_args(annotation)
        if origin is list:
            return lists(self.domain_of(parts[0]))
        if origin is tuple and parts[1:] == (...,):
            return built(tuple, lists(self.domain_of(parts[0])))
        if origin is tuple:
            return tuples(*map(self.domain_of, parts))
        if origin in (Union, UnionType):
            return union(*map(self.domain_of, parts))
        if origin is Literal:
            return flat(parts)
        if self.beside is not None:
            return self.beside.domain_of(annotation)
        if isinstance(annotation, type) and issubclass(annotation, Enum):
            return flat(annotation)
        name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        raise LookupError(f"nothing enumerates {name}: register it in a module of seamlaw_spec.layers.enumerations")
