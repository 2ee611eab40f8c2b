"""Packs as plugins: found by name, configured from files."""

from ._configured import configured as configured
from ._pack import GROUP as GROUP
from ._pack import Pack as Pack
from ._pack import find_pack as find_pack
from ._pack import pack_names as pack_names
from ._schema import schema_of as schema_of
from .errors import Misconfigured as Misconfigured
from .errors import PluginError as PluginError

__all__ = ["GROUP", "Misconfigured", "Pack", "PluginError", "configured", "find_pack", "pack_names", "schema_of"]
