"""What people would use instead, each behind the same small interface; one module for each, imported if it is there."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from ._peer import COMMAND as COMMAND
from ._peer import TOOL as TOOL
from ._peer import Peer as Peer
from ._peer import arguments as arguments
from ._peer import text as text

__all__ = ["COMMAND", "LIGHT", "MODULES", "TOOL", "Peer", "arguments", "peers_of", "text"]

LIGHT = ("bare", "ours", "pluggy", "cedarpy", "chokepoint", "agent_hooks")
MODULES: Mapping[str, str] = {  # and the distribution that each needs
    "bare": "",
    "ours": "",
    "pluggy": "pluggy",
    "cedarpy": "cedarpy",
    "chokepoint": "chokepoint",
    "agent_hooks": "agent-hooks-sdk",
    "langchain": "langchain",
    "openai_agents": "openai-agents",
    "pydantic_ai": "pydantic-ai-slim",
    "starlette": "starlette",
    "cpex": "cpex",
}


def peers_of(module: str) -> Iterator[Peer]:
    """Import the peers of one module; raises `ImportError` where the library is not installed."""
    yield from import_module(f"{__name__}.of_{module}").PEERS
