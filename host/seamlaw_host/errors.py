"""What the host raises: for a caller's mistakes, and for what may not go on; decisions and faults are values."""

from collections.abc import Iterable
from typing import Any

from seamlaw import Outcome, SeamlawError

__all__ = ["Blocked", "HostError", "MissingExtra", "ToolFailed", "UnknownShape"]


class HostError(SeamlawError):
    """The base of every exception that the host raises."""


class Blocked(HostError, PermissionError):
    """What was decided against: `outcome` says by whom and why; `executed` whether the tool had run by then.

    It can be pickled; an outcome that holds a Python object which cannot, there and back, is left behind then.
    """

    def __init__(self, denial: str, outcome: Outcome[Any] | None = None, *, executed: bool = False) -> None:
        super().__init__(denial)
        self.denial = denial
        self.outcome = outcome
        self.executed = executed

    @property
    def reason(self) -> str:
        """The reason, without the words around it that the model is shown."""
        return self.outcome.reason if self.outcome is not None else self.denial

    def __str__(self) -> str:
        return self.denial

    def __reduce__(self) -> tuple[Any, ...]:
        import pickle  # whoever is here has it already; a hook, which starts for each call, need not wait for it

        try:
            pickle.loads(pickle.dumps(self.outcome))  # an exception's own __init__ often fits no loading  # noqa: S301
        except Exception:  # whatever a value of the caller's raises
            return _blocked, (self.denial, None, self.executed)
        return _blocked, (self.denial, self.outcome, self.executed)


def _blocked(denial: str, outcome: Outcome[Any] | None, executed: bool) -> Blocked:
    return Blocked(denial, outcome, executed=executed)


class ToolFailed(HostError, RuntimeError):
    """A tool raised, and an interceptor put other words in the place of what it said."""


class MissingExtra(HostError, ImportError):
    """An optional dependency that is not installed; the text names the extra that brings it."""


class UnknownShape(HostError, ValueError):
    """A recording in none of the known shapes; `known` pairs the name of each with what it is recognised by."""

    def __init__(self, found: str, known: Iterable[tuple[str, str]]) -> None:
        super().__init__(found)
        self.found = found
        self.known = tuple(known)

    def __str__(self) -> str:
        shapes = "".join(f"\n  {name}: {recognised_by}" for name, recognised_by in self.known)
        return f"{self.found}. These shapes can be read:{shapes}"
