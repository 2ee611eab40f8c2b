"""The packs of a policy file: `[packs.NAME]`, where NAME is a pack's own name, or a label with `use = "its name"`."""

import re
from collections.abc import Mapping
from typing import Any, cast

from attrs import evolve, frozen

from seamlaw import SEAMS, Interceptor, Interceptors, merge
from seamlaw_host.plugins._configured import configured, interceptors_of
from seamlaw_host.plugins._pack import MakesPack, find_pack
from seamlaw_host.plugins._schema import USE
from seamlaw_host.plugins.errors import Misconfigured, PluginError

from ._document import Document, inside
from .errors import PolicyError

__all__ = ["Packs", "packs_in"]

LABEL = re.compile(r"[A-Za-z0-9_-]+")


@frozen
class Packs:
    """The packs of a file, in its order; each call of `made` makes them anew, with nothing in their memory."""

    name: str
    document: Document
    tables: tuple[tuple[str, MakesPack, Mapping[str, object]], ...]

    def made(self) -> Interceptors | None:
        """Make all, and merge what they answer with; raises `PolicyError`."""
        return merge(*(self._one(label, makes, table) for label, makes, table in self.tables))

    def _one(self, label: str, makes: MakesPack, table: Mapping[str, object]) -> Interceptors:
        place = inside("packs", label)
        try:
            pack = configured(makes, table)
            return _labelled(label, pack.name, interceptors_of(pack))
        except Misconfigured as error:
            at = place if not error.place else inside(place, error.place)
            raise PolicyError(self.name, error.problem, line=self.document.line(at), place=at) from error


def packs_in(name: str, document: Document) -> Packs:
    """Find the packs that a file names; raises `PolicyError`."""
    given = document.data["packs"]
    if not isinstance(given, dict):
        raise PolicyError(name, "must be a table of packs; in TOML each begins with [packs.NAME]", place="packs")
    found = list[tuple[str, MakesPack, Mapping[str, object]]]()
    for key, table in cast("dict[object, object]", given).items():
        place = inside("packs", str(key))
        try:
            found.append(_found(key, table))
        except Misconfigured as error:
            at = inside(place, error.place) if error.place else place
            raise PolicyError(name, error.problem, line=document.line(at), place=at) from error
        except PluginError as error:
            at = inside(place, USE) if inside(place, USE) in document.lines else place
            raise PolicyError(name, str(error), line=document.line(at), place=at) from error
    return Packs(name, document, tuple(found))


def _found(label: object, given: object) -> tuple[str, MakesPack, Mapping[str, object]]:
    if not isinstance(label, str) or not LABEL.fullmatch(label):
        raise Misconfigured("", "a pack is called by letters, digits, _ and -")
    if not isinstance(given, dict):
        raise Misconfigured("", "must be a table of what the pack is configured by; it may be empty")
    table = dict(cast("dict[str, object]", given))
    named = table.pop(USE, label)
    if type(named) is not str:
        raise Misconfigured(USE, "must be text: the name of a pack")
    return label, find_pack(named), table


def _labelled(label: str, name: str, bundle: Interceptors) -> Interceptors:
    """Let the label be told with each name, where it is another than the pack's."""
    if label == name:
        return bundle

    def told(given: tuple[Interceptor, ...]) -> tuple[Interceptor, ...]:
        return tuple(evolve(one, name=label if one.name == name else f"{label}: {one.name}") for one in given)

    at: dict[str, Any] = {seam: told(getattr(bundle, seam)) for seam in (*SEAMS, "handlers")}
    return evolve(bundle, **at, seams={seam: told(given) for seam, given in bundle.seams})
