"""Our own shape: one call a line, with its result beside it.

`{"tool": "bash", "arguments": {"command": "ls"}, "result": {"output": "README.md"}}`, and as many of `id`, `session`,
`agent`, `role`, `trust`, `chain` and `domain` as are known. A key that is not known is refused, for a misspelt `agent`
would be a call of nobody.
"""

from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from ._events import Malformed
from ._steps import Result, Steps, answered, malformed, proposed
from ._strict_json import is_object, kind, shown
from ._unread import refused

__all__ = ["is_own_record", "read_own_record"]

SCOPE = ("session", "agent", "role", "trust", "chain", "domain")
KEYS = ("tool", "arguments", "id", *SCOPE, "result")
RESULT_KEYS = ("output", "error", "metadata")


def is_own_record(record: dict[str, Any]) -> bool:
    """Tell our own record: it names the tool and has its arguments."""
    return "tool" in record and "arguments" in record


def read_own_record(place: str, record: dict[str, Any]) -> Steps:
    """Read one call and, if it is there, its result."""
    problem = _missing(record) or _unknown(record, KEYS)
    if problem and "tool" not in record:
        yield from refused(place, problem, record)
        return
    if problem:
        yield malformed(place, problem, record["tool"])
        return
    yield proposed(
        place,
        id=record.get("id"),
        name=record["tool"],
        arguments=record["arguments"],
        scope={key: record[key] for key in SCOPE if key in record},
        key=(place,),
    )
    yield _result(place, record.get("result"))


def _result(place: str, result: object) -> Result:
    if result is None:
        return Result(place, (place,), None)
    problem = _unknown(result, RESULT_KEYS) if is_object(result) else f"must be an object, not {kind(result)}"
    if problem or not is_object(result):
        return Result(place, (place,), None, trouble=Malformed(place, f"/result: {problem}"))
    return answered(place, (place,), **result)


def _missing(record: dict[str, Any]) -> str | None:
    missing = [key for key in KEYS[:2] if key not in record]
    return f"the key {missing[0]} is missing" if missing else None


def _unknown(record: dict[str, Any], known: Collection[str]) -> str | None:
    unknown = next((key for key in record if key not in known), None)
    if unknown is None:
        return None
    near = get_close_matches(unknown, known, n=1) if shown(unknown) == unknown else []
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return f"the key {shown(unknown)} is not known; {hint}"
