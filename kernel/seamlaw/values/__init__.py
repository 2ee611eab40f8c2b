"""What passes a seam: JSON frozen all the way down, its identity, and the values made of it."""

from ._digest import canonical, digest
from ._frozen import FrozenDict, FrozenList, freeze, thaw
from ._globs import Globs
from ._values import MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult

__all__ = [
    "FrozenDict",
    "FrozenList",
    "Globs",
    "MemoryItem",
    "Message",
    "ProviderRequest",
    "Scope",
    "ToolCall",
    "ToolResult",
    "canonical",
    "digest",
    "freeze",
    "thaw",
]
