"""The packs of a policy file: `[packs.NAME]`, where NAME is a pack's own name, or a label with `use = "its name"`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from attrs import frozen

from seamlaw import Interceptors
from seamlaw_host.plugins._manager import PluginManager
from seamlaw_host.plugins._pack import find_pack
from seamlaw_host.plugins._schema import USE, schema_of
from seamlaw_host.plugins.errors import Misconfigured, PluginError

from ._document import Document, inside
from .errors import PolicyError

__all__ = ["Packs", "packs_in"]

LABEL = re.compile(r"[A-Za-z0-9_-]+")
LABEL_OF_ITS_OWN = "label"


@frozen
class Packs:
    """The packs of a file, in its order; each call of `made` makes them anew, with nothing in their memory."""

    name: str
    document: Document
    tables: tuple[tuple[str, str, Mapping[str, object]], ...]

    def made(self) -> Interceptors | None:
        """Load all, and give what they answer with; raises `PolicyError`, also for what a pack does not declare."""
        manager = PluginManager()
        for label, named, table in self.tables:
            place = inside("packs", label)
            try:
                report = manager.load(self._at(named), table, label=label)
            except Misconfigured as error:
                at = inside(place, error.place) if error.place else place
                raise PolicyError(self.name, error.problem, line=self.document.line(at), place=at) from error
            except PluginError as error:
                raise PolicyError(self.name, str(error), line=self.document.line(place), place=place) from error
            if report.problems:  # a policy never lacks something of what is written
                problems = "; ".join(report.problems)
                raise PolicyError(self.name, problems, line=self.document.line(place), place=place)
        return manager.bundle

    def _at(self, named: str) -> str | Path:
        """A folder, from that of the file, if it is one; else the name of a pack."""
        return Path(self.name).parent / Path(named).expanduser() if _is_folder(named) else named


def _is_folder(named: str) -> bool:
    return named.startswith(("./", "../", "/", "~/"))


def packs_in(name: str, document: Document) -> Packs:
    """Find the packs that a file names; raises `PolicyError`."""
    given = document.data["packs"]
    if not isinstance(given, dict):
        raise PolicyError(name, "must be a table of packs; in TOML each begins with [packs.NAME]", place="packs")
    found = list[tuple[str, str, Mapping[str, object]]]()
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


def _found(label: object, given: object) -> tuple[str, str, Mapping[str, object]]:
    if not isinstance(label, str) or not LABEL.fullmatch(label):
        raise Misconfigured("", "a pack is called by letters, digits, _ and -")
    if not isinstance(given, dict):
        raise Misconfigured("", "must be a table of what the pack is configured by; it may be empty")
    table = dict(cast("dict[str, object]", given))
    named = table.pop(USE, label)
    if type(named) is not str:
        raise Misconfigured(USE, "must be text: the name of a pack, or a folder such as ./packs/mine")
    if not _is_folder(named):  # a name that is not known is told with its place
        properties = schema_of(find_pack(named))["properties"]
        if properties.get(LABEL_OF_ITS_OWN, {}).get("type") == "string":  # by which it counts: two tables, two limits
            table.setdefault(LABEL_OF_ITS_OWN, label)
    return label, named, table
