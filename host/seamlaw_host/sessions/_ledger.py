"""A ledger of decisions: calls and results as they were recorded, with what was decided of them then."""

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from seamlaw import Verdict

from ._events import Recorded, Was
from ._steps import Call, Result, Steps, answered, malformed, proposed
from ._strict_json import is_object

if TYPE_CHECKING:
    from seamlaw_host.ledger import Record

__all__ = ["LEDGER", "LedgerReader", "is_ledger_line", "ledger_steps"]

LEDGER = "seamlaw ledger"
TYPES = ("genesis", "continued", "record", "checkpoint", "recovered")
SESSIONS = 10_000  # whose calls are counted; their names may come from a model
NOT_KEPT = {
    "redacted": "{} is redacted",
    "opaque": "Python objects in {} are not recorded",
    "digest": "only the digest of {} is recorded",
    "withheld": "{} is withheld, for the redactor failed",
}


def is_ledger_line(record: dict[str, Any]) -> bool:
    """Tell a line of a ledger's file: it says what it is, which it is, and on which it follows."""
    return record.get("type") in TYPES and "seq" in record and "prev" in record


def ledger_steps(source: Path | str) -> Steps:
    """Read a ledger wherever it is: a file with those rotated away from it, or a database."""
    from seamlaw_host.ledger import Unread, read_ledger

    reader = LedgerReader()
    for found in read_ledger(source):
        if isinstance(found, Unread):
            yield malformed(found.place, found.problem)
        else:
            yield from reader.record(*found)


class LedgerReader:
    """Reads the records of a ledger, and counts the calls of each session, as the engine did."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str | None, int] = OrderedDict()

    def __call__(self, place: str, line: dict[str, Any]) -> Steps:
        """Read one line."""
        import msgspec

        from seamlaw_host.ledger import Record

        if line.get("type") != "record":
            if not is_ledger_line(line):
                yield malformed(place, "this is no line of a ledger")
            return
        try:
            record = msgspec.convert(line.get("record"), Record)
        except (ValueError, TypeError):
            yield malformed(place, "what stands here is no record of this version")
            return
        yield from self.record(place, record)

    def record(self, place: str, record: "Record") -> Steps:
        """Read one record; seams other than those of tools are not decided again."""
        if record.seam == "tool_call":
            yield self._call(place, record)
        elif record.seam == "tool_result" and record.proposed is not None:
            yield self._result(place, record)

    def _call(self, place: str, record: "Record") -> Call:
        step = self._count(record.session)
        lacking = _lacking(record, "its call")
        if record.kept.proposed in ("digest", "withheld") or not is_object(record.proposed):
            return malformed(place, f"{lacking[0] if lacking else 'its call is not recorded'}", record.tool)
        made = proposed(
            place,
            id=record.proposed.get("id"),
            name=record.proposed.get("name"),
            arguments=record.proposed.get("arguments"),
            scope=_scope(record),
            key=None if record.verdict == "block" and record.mode == "enforce" else ("ledger", record.attempt),
        )
        if not isinstance(made.event, Recorded):
            return made
        state = record.state if is_object(record.state) else {}
        was = Was(
            _decided(record),
            record.reason,
            record.decided_by,
            _effective(place, record),
            record.changed,
            state={"step": step, **state},
            unreliable=lacking,
        )
        return evolve(made, event=evolve(made.event, was=was))

    def _result(self, place: str, record: "Record") -> Result:
        lacking = _lacking(record, "its result")
        value = record.proposed if is_object(record.proposed) else {}
        fields = {name: value.get(name) for name in ("output", "error", "metadata")}
        made = answered(place, ("ledger", record.attempt), **fields)
        if record.kept.proposed in ("digest", "withheld"):
            made = evolve(made, result=None, orphan=None)
        return evolve(made, verdict=_decided(record), unreliable=lacking)

    def _count(self, session: str | None) -> int:
        self._calls[session] = self._calls.pop(session, 0) + 1
        if len(self._calls) > SESSIONS:
            self._calls.popitem(last=False)
        return self._calls[session]


def _scope(record: "Record") -> dict[str, Any]:
    names = ("session", "agent", "role", "trust", "chain", "domain")
    return {name: value for name in names if (value := getattr(record, name))}


def _decided(record: "Record") -> Verdict:
    """Tell what the policy said, which an answered ask turns into another verdict."""
    levels = {finding.level for finding in record.findings}
    if "ask" in levels and "block" not in levels:
        return Verdict.ASK
    return Verdict(record.verdict)


def _lacking(record: "Record", thing: str) -> tuple[str, ...]:
    """Say what of a record is not as it was seen, or not a policy's doing."""
    kept = record.kept
    found = [NOT_KEPT[kept.proposed].format(thing)] if kept.proposed != "whole" else []
    found += [NOT_KEPT[kept.texts].format("a name, or a reason,")] if kept.texts != "whole" else []
    if record.verdict == "block" and record.decided_by == "engine":
        found.append("the engine decided it, not a policy")
    return tuple(found)


def _effective(place: str, record: "Record") -> Any:
    """Give the call that went on instead, where it is kept whole."""
    if not record.changed or record.kept.effective != "whole" or not is_object(record.effective):
        return None
    value = record.effective
    event = proposed(place, id=value.get("id"), name=value.get("name"), arguments=value.get("arguments")).event
    return event.call if isinstance(event, Recorded) else None
