"""A pack in a folder of a project: its manifest `pack.toml` beside its modules, and whether the user trusts it.

The folder is read once. What is hashed, shown, trusted and executed is what was read: a file that is exchanged a moment
later is in none of these.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from attrs import frozen

from ._grants import Grants, grants_at
from ._pack import Manifest, suggestion
from ._sources import Sources, of_folder
from .errors import PluginError

__all__ = ["MANIFEST", "Project", "read_project"]

MANIFEST = "pack.toml"
TEXTS = ("name", "version", "description", "entry")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ENTRY = re.compile(r"(?P<module>[A-Za-z_]\w*(\.[A-Za-z_]\w*)*):(?P<attribute>[A-Za-z_]\w*(\.[A-Za-z_]\w*)*)", re.ASCII)


@frozen
class Project:
    """A pack as it was found in a folder."""

    folder: Path
    manifest: Manifest
    grants: Grants
    module: str
    attribute: str
    sources: Sources

    @property
    def digest(self) -> str:
        """The hash of all its files, by which it is trusted."""
        return self.sources.digest


def read_project(folder: str | Path) -> Project:
    """Read a pack from a folder, and execute nothing of it; raises `PluginError`."""
    place = Path(folder).expanduser()
    if not place.is_dir():
        raise PluginError(f"{place}: is no folder")
    place = place.resolve()
    files = of_folder(place, name="")
    where = place / MANIFEST
    given = _manifest(where, files.files.get(MANIFEST))
    entry = ENTRY.fullmatch(given["entry"])
    if entry is None:
        raise PluginError(f"{where}: entry: must be module:name")
    if not NAME.fullmatch(given["name"]):
        raise PluginError(f"{where}: name: must be letters, digits and _")
    grants = grants_at(f"{where}: intercept", given["intercept"])
    manifest = Manifest(given["name"], given["version"], given["description"], tuple(given["intercept"]))
    sources = Sources(f"seamlaw_pack_{manifest.name}", files.files, place, is_project=True)
    return Project(place, manifest, grants, entry["module"], entry["attribute"], sources)


def _manifest(where: Path, content: bytes | None) -> dict[str, Any]:
    if content is None:
        raise PluginError(f"{where.parent}: has no {MANIFEST}, so it is no pack")
    try:
        given = tomllib.loads(content.decode())
    except ValueError as error:
        raise PluginError(f"{where}: no TOML: {error}") from error
    except RecursionError:
        raise PluginError(f"{where}: no TOML: nested too deep") from None
    keys = (*TEXTS, "intercept")
    for key in given:
        if key not in keys:
            raise PluginError(f"{where}: {key}: unknown key; {suggestion(key, keys)}")
    for key in keys:
        if key not in given:
            raise PluginError(f"{where}: lacks {key}")
    for key in TEXTS:
        if not isinstance(given[key], str) or not given[key]:
            raise PluginError(f"{where}: {key}: must be text that is not empty")
    return given
