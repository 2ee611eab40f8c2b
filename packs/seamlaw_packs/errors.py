"""What is raised when a pack cannot be made: of what it is given, or without what it needs."""

from seamlaw import SeamlawError

__all__ = ["InvalidPack", "MissingExtra"]


class InvalidPack(SeamlawError, ValueError):
    """A pack that cannot be made; `place` says of what part of its configuration, such as `roots[0]`."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class MissingExtra(SeamlawError, ImportError):
    """A library that a pack needs is not installed; the text names the extra that brings it."""
