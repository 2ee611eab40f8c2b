"""What the host raises for a caller's mistakes; decisions and faults are values."""

from collections.abc import Iterable

from seamlaw import SeamlawError

__all__ = ["HostError", "UnknownShape"]


class HostError(SeamlawError):
    """The base of every exception that the host raises."""


class UnknownShape(HostError, ValueError):
    """A recording in none of the known shapes; `known` pairs the name of each with what it is recognised by."""

    def __init__(self, found: str, known: Iterable[tuple[str, str]]) -> None:
        super().__init__(found)
        self.found = found
        self.known = tuple(known)

    def __str__(self) -> str:
        shapes = "".join(f"\n  {name}: {recognised_by}" for name, recognised_by in self.known)
        return f"{self.found}. These shapes can be read:{shapes}"
