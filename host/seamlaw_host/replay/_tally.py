"""Count what a replay decided, in memory that does not grow with the session."""

from collections import Counter

from attrs import Factory, define

from seamlaw import Kind, Verdict
from seamlaw_host.sessions import Malformed

from ._differences import differences
from ._judge import Judged

__all__ = ["Tally"]

MOST_NAMES = 1_000  # tools' names come from a model


@define
class Tally:
    """The sums of a replay; `undecided` are the malformed ones that are known to be calls."""

    verdicts: Counter[Verdict] = Factory(Counter[Verdict])
    changed: int = 0
    notes: int = 0
    faults: int = 0
    results: int = 0
    results_withheld: int = 0
    results_changed: int = 0
    malformed: int = 0
    undecided: int = 0
    ungoverned: Counter[str] = Factory(Counter[str])
    ungoverned_others: int = 0  # calls of tools beyond the first thousand
    recorded: int = 0  # calls of which a ledger says what was decided
    differing: int = 0
    unreliable: int = 0
    nanoseconds: int = 0
    slowest: int = 0

    @property
    def calls(self) -> int:
        """How many calls were decided."""
        return self.verdicts.total()

    def add(self, judged: Judged) -> None:
        """Count one call."""
        self.verdicts[judged.call.verdict] += 1
        self.changed += judged.changed and judged.call.verdict is not Verdict.BLOCK
        log = (*judged.call.log, *(judged.result.log if judged.result is not None else ()))
        self.notes += sum(entry.kind is Kind.NOTE for entry in log)
        self.faults += sum(entry.kind is Kind.FAULT for entry in log)
        self.results += judged.recorded.result is not None
        self.results_withheld += judged.result is not None and judged.result.verdict is Verdict.BLOCK
        self.results_changed += judged.result_changed
        self.recorded += judged.recorded.was is not None
        self.differing += bool(differences(judged))
        self.unreliable += bool(judged.unreliable)
        self.nanoseconds += judged.nanoseconds
        self.slowest = max(self.slowest, judged.nanoseconds)
        if not judged.governed:
            self._add_ungoverned(judged.recorded.call.name)

    def add_malformed(self, event: Malformed) -> None:
        """Count what could not be read."""
        self.malformed += 1
        self.undecided += event.tool is not None

    def denied(self, *, asks: bool = False) -> int:
        """How many calls were not let through: blocked, unreadable, and those asked about, if `asks` says so."""
        return self.verdicts[Verdict.BLOCK] + self.undecided + (self.verdicts[Verdict.ASK] if asks else 0)

    def _add_ungoverned(self, tool: str) -> None:
        if tool in self.ungoverned or len(self.ungoverned) < MOST_NAMES:
            self.ungoverned[tool] += 1
        else:
            self.ungoverned_others += 1
