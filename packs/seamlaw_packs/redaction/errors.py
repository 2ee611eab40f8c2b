"""What is raised when a redactor is made of something that it cannot be made of."""

from seamlaw import SeamlawError

__all__ = ["InvalidRedactor"]


class InvalidRedactor(SeamlawError, ValueError):
    """A redactor that cannot be made; `place` says of what part, such as `patterns['acme-key']`."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"
