"""The story of one session, told record by record, as Markdown."""

from collections.abc import Iterable, Iterator
from typing import Any

from seamlaw_host.cli._screen import printable
from seamlaw_host.ledger import Asked, Record

from ._words import about, moment, plural, shown, why

__all__ = ["narrated"]

DECIDED = {"proceed": "It was let through", "ask": "It was to be asked about", "block": "It was **blocked**"}
ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+!|~&"})


def narrated(session: str | None, records: Iterable[Record]) -> Iterator[str]:
    """Tell what happened, in the order of the ledger; what a model wrote is quoted, and can be no markup."""
    yield f"# {'All sessions' if session is None else 'Session ' + _marked(session)}"
    yield ""
    told = 0
    for record in records:
        told += 1
        yield from _record(record)
    yield plural(told, "record") + "." if told else "Nothing is recorded of it."


def _record(record: Record) -> Iterator[str]:
    yield f"**{moment(record.time, short=True)}** {_what(record)}"
    for finding in record.findings:
        reason = f": {_marked(finding.reason)}" if finding.reason else ""
        yield f"- {_marked(finding.interceptor)} answered {finding.kind}{reason}"
    for ask in record.asks:
        yield f"- {_asked(ask)}"
    if record.changed:
        yield f"- What went on was {_code(shown(_told(record.effective)))}"
    if record.error:
        yield f"- It went wrong: {_marked(record.error)}"
    if record.undo:
        yield f"- Undo: {_marked(record.undo)}"
    if about(record):
        yield f"- Not kept as it was seen: {about(record)}"
    yield ""


def _what(record: Record) -> str:
    who = _marked(record.agent) if record.agent else "Somebody"
    chain = f" (for {' > '.join(map(_marked, record.chain[:-1]))})" if len(record.chain) > 1 else ""
    tool = _marked(record.tool or "?")
    mode = "" if record.mode == "enforce" else f" (only {record.mode.replace('_', ' ')}: nothing was enforced)"
    match record.seam:
        case "tool_call":
            governed = "" if record.governed else " Nobody was asked: it is ungoverned."
            decided = f"{DECIDED[record.verdict]}{_marked(why(record))}.{governed}"
            return f"{who}{chain} called **{tool}** with {_code(shown(_told(record.proposed)))}. {decided}{mode}"
        case "tool_result":
            ran = "ran" if record.executed else "did not run"
            took = f" in {record.duration_s:.3f} s" if record.duration_s is not None else ""
            gave = f"{tool} {ran}{took} and gave {_code(shown(_told(record.proposed)))}."
            withheld = f" The result was **withheld**{_marked(why(record))}.{mode}"
            return gave + (withheld if record.verdict == "block" else "")
        case "ledger":
            return f"Here the ledger has a gap: {_marked(record.error)}."
        case seam:
            return f"At {_marked(seam)}, for {who}{chain}: {record.verdict}{_marked(why(record))}.{mode}"


def _told(value: Any) -> Any:
    """Leave out what says nothing: the name and id of a call, what is empty in a result."""
    match value:
        case {"name": _, "arguments": arguments}:
            return arguments
        case {"output": output, "error": None}:
            return output
        case {"output": _, "error": error}:
            return {"error": error}
        case _:
            return value


def _asked(ask: Asked) -> str:
    whom = f" of {_marked(ask.target)}" if ask.target else ""
    words = f": {_marked(ask.answer)}" if ask.answer else ""
    by = f" by {_marked(ask.by)}" if ask.by else ""
    came = "nobody answered" if ask.granted is None else f"{'granted' if ask.granted else 'refused'}{by}{words}"
    return f"{_marked(ask.interceptor)} asked{whom}: {_marked(ask.reason)}; {came}"


def _marked(text: str) -> str:
    """Write a text so that Markdown has nothing to take for its own."""
    return printable(text).translate(ESCAPED)


def _code(text: str) -> str:
    """Write as code, between more backticks than there are in it."""
    run = longest = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest or not text else f"`{text}`"
