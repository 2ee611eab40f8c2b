"""Sum up a ledger in one pass, in memory that does not grow with it: names come from models, and are bounded."""

from collections import Counter
from collections.abc import Hashable
from typing import TypeVar

from attrs import define, field

from seamlaw_host.ledger import Record

__all__ = ["MOST", "OTHERS", "Counts", "Session", "Summary"]

K = TypeVar("K", bound=Hashable)
MOST = 2_000  # different names of a kind
OTHERS = "(others)"
NO_TOOL, NO_AGENT, NO_SESSION = "(no tool)", "(no agent)", "(no session)"


@define
class Counts:
    """What became of calls, of one tool, one agent, or all."""

    calls: int = 0
    proceed: int = 0
    ask: int = 0  # asks that nobody was contacted about; an answered one proceeded or was blocked
    block: int = 0
    ungoverned: int = 0
    changed: int = 0
    executed: int = 0
    withheld: int = 0  # results
    failed: int = 0  # with an error
    seconds: float = 0.0

    def add(self, record: Record) -> None:
        """Count one record."""
        if record.seam == "tool_call":
            self.calls += 1
            setattr(self, record.verdict, getattr(self, record.verdict) + 1)
            self.ungoverned += not record.governed
            self.changed += record.changed
        elif record.seam == "tool_result":
            self.executed += record.executed
            self.withheld += record.verdict == "block"
            self.seconds += record.duration_s or 0.0
        self.failed += bool(record.error)


@define
class Session:
    """One session: its calls, when it began and when it was last heard of."""

    counts: Counts = field(factory=Counts)
    first: float = 0.0
    last: float = 0.0


@define
class Summary:
    """The sums of a ledger."""

    records: int = 0
    unread: int = 0
    lost: int = 0  # gaps, of records that could not be kept
    first: float | None = None
    last: float | None = None
    total: Counts = field(factory=Counts)
    seams: Counter[str] = field(factory=Counter[str])
    modes: Counter[str] = field(factory=Counter[str])
    policies: Counter[str] = field(factory=Counter[str])
    tools: dict[str, Counts] = field(factory=dict[str, Counts])
    agents: dict[str, Counts] = field(factory=dict[str, Counts])
    sessions: dict[str, Session] = field(factory=dict[str, Session])
    reasons: Counter[tuple[str, str, str]] = field(factory=Counter[tuple[str, str, str]])  # verdict, by whom, why
    findings: Counter[str] = field(factory=Counter[str])  # by kind
    asks: Counter[str] = field(factory=Counter[str])  # granted, refused, unanswered
    undone: Counter[str] = field(factory=Counter[str])
    delegations: Counter[tuple[str, str]] = field(factory=Counter[tuple[str, str]])
    uses: dict[tuple[str, str], Counts] = field(factory=dict[tuple[str, str], Counts])  # which agent which tool
    incomplete: int = 0  # records of which something was redacted or is not kept

    def add(self, record: Record) -> None:
        """Count one record."""
        self.records += 1
        self.first = record.time if self.first is None else min(self.first, record.time)
        self.last = record.time if self.last is None else max(self.last, record.time)
        if record.seam == "ledger":
            self.lost += 1
            return
        tool, agent = record.tool or NO_TOOL, record.agent or NO_AGENT
        self.total.add(record)
        _of(self.tools, tool, Counts).add(record)
        _of(self.agents, agent, Counts).add(record)
        self._session(record)
        self._decision(record)
        _count(self.seams, record.seam)
        _count(self.modes, record.mode)
        _count(self.policies, record.policy_hash)
        self.incomplete += any(kept != "whole" for kept in (record.kept.proposed, record.kept.texts))
        if record.seam == "tool_call":
            self._graph(record, agent, tool)

    @property
    def ungoverned(self) -> dict[str, int]:
        """The tools with calls that nobody was asked about, the most used first."""
        found = {tool: counts.ungoverned for tool, counts in self.tools.items() if counts.ungoverned}
        return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))

    def _session(self, record: Record) -> None:
        session = _of(self.sessions, record.session or NO_SESSION, Session)
        session.first = min(session.first or record.time, record.time)
        session.last = max(session.last, record.time)
        session.counts.add(record)

    def _decision(self, record: Record) -> None:
        if record.verdict != "proceed" and record.reason:
            _count(self.reasons, (record.verdict, record.decided_by or "", record.reason), ("", "", OTHERS))
        for finding in record.findings:
            self.findings[finding.kind] += 1
        for ask in record.asks:
            self.asks["unanswered" if ask.granted is None else "granted" if ask.granted else "refused"] += 1
        if record.undo:
            self.undone["undone" if record.undo == "undone" else "failed"] += 1

    def _graph(self, record: Record, agent: str, tool: str) -> None:
        for above, below in zip(record.chain, record.chain[1:], strict=False):
            _count(self.delegations, (above, below), (OTHERS, OTHERS))
        _of(self.uses, (agent, tool), Counts, (OTHERS, OTHERS)).add(record)


V = TypeVar("V", Counts, Session)


def _of(found: dict[K, V], name: K, kind: type[V], others: K | None = None) -> V:
    if name not in found and len(found) >= MOST:
        name = others if others is not None else OTHERS  # type: ignore[assignment]
    made = found.get(name)
    if made is None:
        made = found[name] = kind()
    return made


def _count(found: Counter[K], name: K, others: K | None = None) -> None:
    if name not in found and len(found) >= MOST:
        name = others if others is not None else OTHERS  # type: ignore[assignment]
    found[name] += 1
