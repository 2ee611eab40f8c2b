"""What is raised for a pack that cannot be found, configured or loaded."""

from seamlaw_host.errors import HostError

__all__ = ["Misconfigured", "PluginError"]


class PluginError(HostError, ValueError):
    """A pack that cannot be found, made or loaded; the text says which, and what to do."""


class Misconfigured(PluginError):
    """A configuration that a pack cannot have; `place` says of what part of it, such as `roots[0]`, or is empty."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}" if self.place else self.problem
