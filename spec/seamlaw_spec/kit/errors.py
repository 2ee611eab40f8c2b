"""What is raised for a caller's mistakes; what a policy does wrong is data in a report."""

from collections.abc import Iterable

from seamlaw import SeamlawError

__all__ = ["Flawed", "KitError", "MissingExtra", "NotAPolicy", "UnknownLaw"]


class KitError(SeamlawError):
    """The base of what the kit raises."""


class NotAPolicy(KitError, TypeError):
    """Something that cannot be verified: which, and what it could be."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(source, problem)
        self.source = source
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.source}: {self.problem}"


class UnknownLaw(KitError, LookupError):
    """A name that no law of the kit has."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(name)
        self.name = name
        self.known = tuple(known)

    def __str__(self) -> str:
        return f"no law is called {self.name}; there are {', '.join(self.known)}"


class MissingExtra(KitError, ImportError):
    """A library that verifying needs is not installed."""

    def __init__(self, library: str) -> None:
        super().__init__(library)
        self.library = library

    def __str__(self) -> str:
        return f"this needs {self.library}: pip install 'seamlaw[verify]'"


class Flawed(AssertionError):
    """A law that a policy breaks, as a test tells it: the sentence, and the smallest counterexample found."""
