"""What is raised for a policy that cannot be used."""

from seamlaw_host.errors import HostError

__all__ = ["PolicyError"]


class PolicyError(HostError, ValueError):
    """A policy that cannot be used: which, the line where the format gives one, the place in its data, and why."""

    def __init__(self, source: str, problem: str, *, line: int | None = None, place: str = "") -> None:
        super().__init__(source, problem, line, place)
        self.source = source
        self.problem = problem
        self.line = line
        self.place = place

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{where}: {self.place}: {self.problem}" if self.place else f"{where}: {self.problem}"
