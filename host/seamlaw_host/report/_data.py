"""A summary as JSON."""

from typing import Any

import attrs

from ._summary import Summary

__all__ = ["as_data"]


def as_data(summary: Summary) -> dict[str, Any]:
    """Give a summary as one JSON object, every list with the most frequent first."""
    return {
        "records": summary.records,
        "unread": summary.unread,
        "lost": summary.lost,
        "incomplete": summary.incomplete,
        "first": summary.first,
        "last": summary.last,
        "total": attrs.asdict(summary.total),
        "seams": dict(summary.seams.most_common()),
        "modes": dict(summary.modes.most_common()),
        "policies": dict(summary.policies.most_common()),
        "tools": [{"tool": name, **attrs.asdict(counts)} for name, counts in _sorted(summary.tools)],
        "agents": [{"agent": name, **attrs.asdict(counts)} for name, counts in _sorted(summary.agents)],
        "sessions": [
            {"session": name, "first": each.first, "last": each.last, **attrs.asdict(each.counts)}
            for name, each in summary.sessions.items()
        ],
        "reasons": [
            {"verdict": verdict, "decided_by": by, "reason": reason, "count": count}
            for (verdict, by, reason), count in summary.reasons.most_common()
        ],
        "findings": dict(summary.findings.most_common()),
        "asks": dict(summary.asks.most_common()),
        "undo": dict(summary.undone.most_common()),
        "ungoverned": summary.ungoverned,
        "delegations": [
            {"from": above, "to": below, "calls": count} for (above, below), count in summary.delegations.most_common()
        ],
        "uses": [
            {"agent": agent, "tool": tool, **attrs.asdict(counts)} for (agent, tool), counts in _sorted(summary.uses)
        ],
    }


def _sorted(found: dict[Any, Any]) -> list[tuple[Any, Any]]:
    return sorted(found.items(), key=lambda each: (-each[1].calls, each[0]))
