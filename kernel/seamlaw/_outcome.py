"""What a seam decided: a verdict, the value to go on with, the asks that stand, and the log."""

from enum import Enum
from typing import Generic, TypeAlias, TypeVar

from attrs import frozen

from ._decisions import Allow, Ask, Block, Note, Replace
from ._precedence import Level, Severity
from ._seams import Seam
from .values._values import Scope

__all__ = ["Entry", "Fault", "Kind", "Outcome", "StandingAsk", "Verdict"]

V = TypeVar("V")


class Verdict(Enum):
    """What the host must do."""

    PROCEED = "proceed"
    ASK = "ask"
    BLOCK = "block"


VERDICTS: dict[Level, Verdict] = {
    Level.ALLOW: Verdict.PROCEED,
    Level.NOTE: Verdict.PROCEED,
    Level.ASK: Verdict.ASK,
    Level.BLOCK: Verdict.BLOCK,
}


@frozen
class Fault:
    """What an interceptor that raised, or answered with no decision, is turned into; `closed` makes it block."""

    reason: str
    closed: bool
    severity: Severity = Severity.HIGH


Answer: TypeAlias = Allow | Note | Replace | Ask | Block | Fault


class Kind(Enum):
    """The kinds of answer; an allow is never logged."""

    ALLOW = "allow"
    NOTE = "note"
    REPLACE = "replace"
    ASK = "ask"
    BLOCK = "block"
    FAULT = "fault"


KINDS: dict[type[Answer], tuple[Kind, Level]] = {  # how far each goes, unless it closes: see Entry.level
    Allow: (Kind.ALLOW, Level.ALLOW),
    Note: (Kind.NOTE, Level.NOTE),
    Replace: (Kind.REPLACE, Level.ALLOW),
    Ask: (Kind.ASK, Level.ASK),
    Block: (Kind.BLOCK, Level.BLOCK),
    Fault: (Kind.FAULT, Level.NOTE),
}


@frozen
class Entry:
    """One answer, as data: what `consult` gives, what `step` takes, what the log keeps."""

    seam: str
    interceptor: str
    answer: Answer
    is_gate: bool = False

    @property
    def kind(self) -> Kind:
        """The kind of the answer."""
        return KINDS[type(self.answer)][0]

    @property
    def reason(self) -> str:
        """The words of the answer; a replacement has none."""
        return getattr(self.answer, "reason", "")

    @property
    def severity(self) -> Severity:
        """How grave the answer says it is."""
        return getattr(self.answer, "severity", Severity.LOW)

    @property
    def level(self) -> Level:
        """How far the answer goes: a closed fault blocks, and so does whatever a gate may not answer."""
        match self.answer:
            case Fault(closed=closed) if closed or self.is_gate:
                return Level.BLOCK
            case Replace() if self.is_gate:
                return Level.BLOCK
            case answer:
                return KINDS[type(answer)][1]


@frozen
class StandingAsk:
    """An ask that must be granted: by whom (`target`), within `timeout_s` seconds, for which value and caller."""

    interceptor: str
    reason: str
    target: str | None
    timeout_s: float | None
    severity: Severity
    digest: str
    seam: str = ""
    scope: Scope = Scope()


@frozen
class Outcome(Generic[V]):
    """What was decided; `value` is the host's own object where nothing replaced it."""

    seam: Seam[V]
    verdict: Verdict
    value: V
    asks: tuple[StandingAsk, ...] = ()
    reason: str = ""
    interceptor: str | None = None
    log: tuple[Entry, ...] = ()

    def __bool__(self) -> bool:
        raise TypeError("an outcome is neither true nor false: ask .proceeds, or whether it is None")

    @property
    def proceeds(self) -> bool:
        """Whether the value may go on now; one that is asked about may not."""
        return self.verdict is Verdict.PROCEED

    @property
    def denial(self) -> str:
        """The text that stands where a blocked value would have stood; empty if it is not blocked."""
        return self.seam.surface(self.reason) if self.verdict is Verdict.BLOCK else ""
