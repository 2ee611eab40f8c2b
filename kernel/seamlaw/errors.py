"""Exceptions are for a caller's mistakes; decisions and faults are values."""

__all__ = ["InvalidInterceptor", "InvalidRule", "InvalidValue", "SeamlawError", "UnknownSeam"]


class SeamlawError(Exception):
    """The base of every exception that Seamlaw raises."""


class Telling(SeamlawError):
    """What the kernel raises about a value; its text names a place and types, and may be shown."""


class InvalidValue(Telling, ValueError):
    """A value that no seam can carry; `path` is the JSON pointer to it, and the value is never quoted."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path or 'the value'}: {self.problem}"


class InvalidInterceptor(SeamlawError, TypeError):
    """Something that cannot be registered as an interceptor, predicate, handler or observer."""


class InvalidRule(SeamlawError, ValueError):
    """A rule that cannot be read; `place` says where in the data it stands, such as `rules[2].when[0].at`."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class UnknownSeam(SeamlawError, LookupError):
    """A seam name that is not in the table."""
