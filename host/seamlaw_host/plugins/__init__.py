"""Packs as plugins: found by name, configured from files, loaded, swapped and withdrawn while calls are decided."""

from ._bundled import BUNDLED as BUNDLED
from ._configured import configured as configured
from ._manager import LoadReport as LoadReport
from ._manager import PluginManager as PluginManager
from ._manager import ReloadReport as ReloadReport
from ._pack import GROUP as GROUP
from ._pack import Pack as Pack
from ._pack import find_pack as find_pack
from ._pack import pack_names as pack_names
from ._project import Project as Project
from ._project import read_project as read_project
from ._registry import Activation as Activation
from ._registry import SeamRegistry as SeamRegistry
from ._schema import schema_of as schema_of
from ._trust import TrustStore as TrustStore
from ._watch import Watcher as Watcher
from .errors import Misconfigured as Misconfigured
from .errors import PluginError as PluginError

__all__ = [
    "BUNDLED",
    "GROUP",
    "Activation",
    "LoadReport",
    "Misconfigured",
    "Pack",
    "PluginError",
    "PluginManager",
    "Project",
    "ReloadReport",
    "SeamRegistry",
    "TrustStore",
    "Watcher",
    "configured",
    "find_pack",
    "pack_names",
    "read_project",
    "schema_of",
]
