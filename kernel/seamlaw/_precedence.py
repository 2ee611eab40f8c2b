"""Which of several findings decides: Block > Ask > Note > Allow, then severity, then arrival.

`JOIN` is the whole theory of levels (a semilattice with Allow at the bottom and Block on top); severity orders
within a level, and arrival breaks a full tie for the reason only, so the verdict never depends on order.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Protocol, TypeVar

from attrs import frozen

__all__ = ["Finding", "Level", "Severity", "join", "pick"]


class Level(Enum):
    """How far something said at a seam goes."""

    ALLOW = "allow"
    NOTE = "note"
    ASK = "ask"
    BLOCK = "block"


class Severity(Enum):
    """How grave a finding is; orders findings within a level."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


_A, _N, _K, _B = Level
JOIN: dict[Level, dict[Level, Level]] = {
    # joined with     allow   note    ask     block
    _A: {_A: _A, _N: _N, _K: _K, _B: _B},
    _N: {_A: _N, _N: _N, _K: _K, _B: _B},
    _K: {_A: _K, _N: _K, _K: _K, _B: _B},
    _B: {_A: _B, _N: _B, _K: _B, _B: _B},
}
GRAVER: dict[Severity, tuple[Severity, ...]] = {  # what each severity outranks
    Severity.LOW: (),
    Severity.MEDIUM: (Severity.LOW,),
    Severity.HIGH: (Severity.LOW, Severity.MEDIUM),
}


class Ranked(Protocol):
    """Anything with a level and a severity: a finding, an entry of the log."""

    @property
    def level(self) -> Level: ...
    @property
    def severity(self) -> Severity: ...


R = TypeVar("R", bound=Ranked)


@frozen
class Finding:
    """One thing found wrong, as a value: how far it goes, how grave it is, why, and who says so."""

    level: Level
    reason: str
    source: str
    severity: Severity = Severity.MEDIUM
    target: str | None = None
    timeout_s: float | None = None


def join(a: Level, b: Level) -> Level:
    """The stricter of two levels."""
    return JOIN[a][b]


def pick(findings: Iterable[R]) -> R | None:
    """The finding that decides, the first of the gravest of the strictest; `None` if there is none."""
    worst: R | None = None
    for finding in findings:
        if worst is None or _outranks(finding, worst):
            worst = finding
    return worst


def _outranks(a: Ranked, b: Ranked) -> bool:
    if a.level is b.level:
        return b.severity in GRAVER[a.severity]
    return join(a.level, b.level) is a.level
