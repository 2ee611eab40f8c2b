"""What is raised when a pack is given a configuration that it cannot have."""

from seamlaw import SeamlawError

__all__ = ["InvalidPack"]


class InvalidPack(SeamlawError, ValueError):
    """A pack that cannot be made; `place` says of what part of its configuration, such as `roots[0]`."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"
