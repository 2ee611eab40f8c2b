"""The laws of Seamlaw, and the checks that hold the kernel and your own policies to them.

Nothing is imported before it is asked for: pytest loads this package wherever Seamlaw is installed, for its plugin.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._law import Law, law
    from .kit import laws as laws
    from .laws import LAWS

__all__ = ["LAWS", "Law", "law"]

PLACES = {"LAWS": "laws", "Law": "_law", "law": "_law"}


def __getattr__(name: str) -> Any:
    if name == "laws":  # a package, and called it is the decorator of the kit
        return import_module(f"{__name__}.{name}")
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
