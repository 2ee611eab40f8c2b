"""What the laws of filters range over: globs, and names that nearly match them."""

from attrs import frozen

__all__ = ["Flood", "Listener", "Name"]


@frozen
class Name:
    """The name of a tool or of an agent; it comes from a model, so it may be any text."""

    text: str


@frozen
class Listener:
    """An interceptor that only looks, or renames: its globs of tools and agents."""

    tools: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    renames: Name | None = None
    is_gate: bool = False


@frozen
class Flood:
    """Many interceptors that look, or rename, and the calls that come: a tool, and an agent that may not be known."""

    listeners: tuple[Listener, ...]
    calls: tuple[tuple[str, str | None], ...]
