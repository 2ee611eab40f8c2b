"""What is said of a call, made from its records, which are redacted; names as the GenAI conventions have them.

Where these have none, a name begins with `seamlaw.`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, cast

import msgspec

from seamlaw import Verdict
from seamlaw_host.ledger import Happening, Record

__all__ = ["Attributes", "attributes_of", "error_type", "events_of"]

Attributes: TypeAlias = Mapping[str, str | bool | int | float]
RAISED = re.compile(r"raised ([A-Za-z_][A-Za-z0-9_]{0,99})")
LONGEST = 8_192  # characters of arguments and results


def attributes_of(decided: Record, finished: Record | None, *, content: bool) -> Attributes:
    """Give the attributes of a span."""
    said: dict[str, Any] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": decided.tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": decided.call_id,
        "gen_ai.agent.name": decided.agent,
        "gen_ai.conversation.id": decided.session,
        "seamlaw.attempt": decided.attempt,
        "seamlaw.mode": decided.mode,
        "seamlaw.verdict": decided.verdict,
        "seamlaw.reason": decided.reason or None,
        "seamlaw.decided_by": decided.decided_by,
        "seamlaw.governed": decided.governed,
        "seamlaw.changed": decided.changed,
        "seamlaw.policy_hash": decided.policy_hash or None,
        "seamlaw.executed": finished is not None and finished.executed,
        "seamlaw.error": (finished or decided).error or None,
    }
    if finished is not None:
        said |= {
            "seamlaw.result.verdict": finished.verdict,
            "seamlaw.result.reason": finished.reason or None,
            "seamlaw.result.changed": finished.changed,
            "seamlaw.undo": finished.undo or None,
        }
    if content:
        said["gen_ai.tool.call.arguments"] = _text(_of(decided.effective or decided.proposed, "arguments"))
        if finished is not None and finished.verdict == "proceed":
            said["gen_ai.tool.call.result"] = _text(_of(finished.effective or finished.proposed, "output"))
    return {name: value for name, value in said.items() if value is not None}


def error_type(first: Happening, last: Happening) -> str | None:
    """Say in one word how a call failed: `blocked`, the class of an exception, or `_OTHER`; `None` where it did not."""
    if last.error:
        raised = RAISED.search(last.error)
        return raised[1] if raised else "_OTHER"
    outcomes = [one.outcome for one in (first, last) if one.mode == "enforce"]
    return "blocked" if any(one is not None and one.verdict is Verdict.BLOCK for one in outcomes) else None


def events_of(record: Record) -> Iterator[tuple[str, Attributes]]:
    """Give an event for each finding and for each ask, with what came of it."""
    for finding in record.findings:
        said = {"interceptor": finding.interceptor, "kind": finding.kind, "reason": finding.reason}
        yield "seamlaw.finding", _named({"seam": record.seam, "severity": finding.severity, **said})
    for ask in record.asks:
        answer = "unanswered" if ask.granted is None else "granted" if ask.granted else "refused"
        asked = {"seam": record.seam, "interceptor": ask.interceptor, "reason": ask.reason, "target": ask.target}
        yield "seamlaw.ask", _named({**asked, "answer": answer, "by": ask.by})


def _named(said: Mapping[str, str | None]) -> Attributes:
    return {f"seamlaw.{name}": value for name, value in said.items() if value}


def _of(value: Any, field: str) -> Any:
    return cast(dict[str, Any], value).get(field) if isinstance(value, dict) else value


def _text(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else f"[withheld: {len(text)} characters]"
