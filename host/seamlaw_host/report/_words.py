"""How a report says numbers, moments and values."""

import json
from datetime import UTC, datetime

from seamlaw_host.cli._screen import fitted, printable
from seamlaw_host.ledger import Record

__all__ = ["about", "moment", "plural", "shown", "why"]

PARTS = {"proposed": "what was proposed", "effective": "what went on", "texts": "words and names"}


def moment(seconds: float | None, *, short: bool = False) -> str:
    """Write a moment in UTC; what no calendar has, as seconds."""
    if seconds is None:
        return "never"
    try:
        made = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return f"{seconds:.3f} s"
    return made.strftime("%H:%M:%S") if short else made.strftime("%Y-%m-%d %H:%M:%S UTC")


def plural(number: int, thing: str) -> str:
    """Write a number of things."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def shown(value: object, width: int = 200) -> str:
    """Write a JSON value on one line, cut to a width, so that every character of it is visible."""
    return fitted(json.dumps(value, ensure_ascii=False), width)


def why(record: Record) -> str:
    """Say who decided and why."""
    by = f" by {printable(record.decided_by)}" if record.decided_by else ""
    return f"{by}: {printable(record.reason)}" if record.reason else by


def about(record: Record) -> str:
    """Say what of a record is not as it was seen."""
    kept = record.kept
    parts = [told for name, told in PARTS.items() if (getattr(kept, name)) != "whole"]
    return f"{', '.join(parts)}: {kept.proposed if kept.proposed != 'whole' else kept.texts}" if parts else ""
