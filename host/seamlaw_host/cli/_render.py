"""A decided call, as lines for a person."""

from collections.abc import Iterable, Iterator

from seamlaw import Ask, Entry, Kind, Outcome, ToolCall, ToolResult, Verdict
from seamlaw_host.replay import Judged, Leaf, compared, differences

from ._screen import Screen, fitted

__all__ = ["COLOURS", "call_lines", "change_lines", "entry_line", "judged_lines", "log_lines"]

COLOURS = {Verdict.PROCEED: "green", Verdict.ASK: "yellow", Verdict.BLOCK: "red"}
ENTRY_COLOURS = {
    Kind.NOTE: "cyan",
    Kind.REPLACE: "magenta",
    Kind.ASK: "yellow",
    Kind.BLOCK: "red",
    Kind.FAULT: "red",
}
NAME_WIDTH, REASON_WIDTH = 60, 500
MOST_LEAVES = 12
LABEL = 8  # columns for the kind of an entry


def judged_lines(screen: Screen, judged: Judged) -> Iterator[str]:
    """Tell everything about one call."""
    recorded, outcome = judged.recorded, judged.call
    yield _head(screen, judged)
    yield from was_lines(screen, judged)
    yield from call_lines(screen, recorded.call, outcome.value)
    yield from log_lines(screen, outcome)
    if not judged.governed:
        yield "  " + screen.paint("no rule or interceptor is for this tool", dim=True)
    if judged.result is not None and recorded.result is not None:
        yield from _result_lines(screen, judged, judged.result, recorded.result)


def _head(screen: Screen, judged: Judged) -> str:
    recorded, verdict = judged.recorded, judged.call.verdict
    parts = [
        screen.paint(fitted(recorded.place, NAME_WIDTH), dim=True),
        screen.paint(fitted(recorded.call.name, NAME_WIDTH), bold=True),
        screen.paint(verdict.value.upper(), COLOURS[verdict], bold=True),
    ]
    if judged.changed and verdict is not Verdict.BLOCK:
        parts.append(screen.paint("changed", "magenta"))
    if recorded.scope.agent is not None:
        parts.append(screen.paint(f"agent {fitted(recorded.scope.agent, NAME_WIDTH)}", dim=True))
    return "  ".join(part for part in parts if part)


def was_lines(screen: Screen, judged: Judged) -> Iterator[str]:
    """Tell what is otherwise than a ledger says, and what makes that less than sure."""
    for each in differences(judged):
        before, after = fitted(each.before, NAME_WIDTH), fitted(each.after, NAME_WIDTH)
        yield "  " + screen.paint(f"{each.what}: was {before}, is {after}", "yellow", bold=True)
    for reason in judged.unreliable:
        yield "  " + screen.paint(f"not sure: {fitted(reason, REASON_WIDTH)}", dim=True)


def call_lines(screen: Screen, before: ToolCall, after: ToolCall) -> Iterator[str]:
    """Tell the effective arguments, and what was changed as a diff."""
    if before.name != after.name:
        yield from _diff(screen, "the tool", before.name, after.name, len("the tool"))
    yield from _leaf_lines(screen, compared(before.arguments, after.arguments))


def change_lines(screen: Screen, before: ToolCall, after: ToolCall) -> Iterator[str]:
    """Tell what was changed, and nothing else."""
    if before.name != after.name:
        yield from _diff(screen, "the tool", before.name, after.name, len("the tool"))
    yield from _leaf_lines(screen, [leaf for leaf in compared(before.arguments, after.arguments) if leaf.changed])


def _leaf_lines(screen: Screen, leaves: Iterable[Leaf]) -> Iterator[str]:
    listed = [leaf for leaf in leaves if leaf.at or leaf.changed]  # of no arguments at all nothing is said
    shown = listed if screen.full else listed[:MOST_LEAVES] + [leaf for leaf in listed[MOST_LEAVES:] if leaf.changed]
    shown = shown if screen.full else shown[: 4 * MOST_LEAVES]
    column = min(max((len(leaf.at) for leaf in shown), default=0), 24)
    for leaf in shown:
        yield from _diff(screen, leaf.at or "(all)", leaf.before, leaf.after, column)
    if len(shown) < len(listed):
        yield screen.paint(f"    … and {len(listed) - len(shown)} more", dim=True)


def _diff(screen: Screen, at: str, before: str | None, after: str | None, column: int) -> Iterator[str]:
    name = fitted(at, NAME_WIDTH).ljust(column)
    used = len(name) + 6
    if before is not None and before == after:
        yield f"    {name}  {screen.value(before, used)}"
        return
    around = _first_difference(before or "", after or "")
    for mark, text, colour in (("-", before, "red"), ("+", after, "green")):
        if text is not None:
            yield screen.paint(f"  {mark} {name}  {screen.value(text, used, around=around)}", colour)


def _first_difference(a: str, b: str) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def log_lines(screen: Screen, outcome: Outcome[ToolCall] | Outcome[ToolResult], prefix: str = "") -> Iterator[str]:
    """Tell who answered what; the one who decided in bold, marked by an arrow."""
    decided = next((e for e in outcome.log if _decided(outcome, e)), None)
    for entry in outcome.log:
        yield entry_line(screen, entry, decisive=entry is decided, prefix=prefix)


def _decided(outcome: Outcome[ToolCall] | Outcome[ToolResult], entry: Entry) -> bool:
    return (entry.interceptor, entry.reason) == (outcome.interceptor, outcome.reason) and entry.kind is not Kind.REPLACE


def entry_line(screen: Screen, entry: Entry, *, decisive: bool = False, prefix: str = "") -> str:
    """Tell one answer."""
    name = fitted(entry.interceptor, NAME_WIDTH)
    reason = entry.reason if screen.full else entry.reason[:REASON_WIDTH]
    said = f"by {name}" if entry.kind is Kind.REPLACE else f"{fitted(reason, max(len(reason), 1))} ({name})"
    if isinstance(entry.answer, Ask):
        said += _whom(entry.answer)
    kind = {Kind.REPLACE: "changed"}.get(entry.kind, entry.kind.value)
    label = screen.paint((prefix + kind).ljust(LABEL), ENTRY_COLOURS[entry.kind], bold=decisive)
    return f"  {'→' if decisive else ' '} {label} {said}"


def _whom(ask: Ask) -> str:
    target = f"; of {fitted(ask.target, NAME_WIDTH)}" if ask.target else ""
    return target + (f", within {ask.timeout_s:g} s" if ask.timeout_s else "")


def _result_lines(screen: Screen, judged: Judged, outcome: Outcome[ToolResult], recorded: ToolResult) -> Iterator[str]:
    if outcome.verdict is not Verdict.PROCEED:
        said = "withheld" if outcome.verdict is Verdict.BLOCK else "shown only if a person agrees"
        yield "    " + screen.paint(f"result {said}", COLOURS[outcome.verdict], bold=True)
    elif judged.result_changed:
        yield "    " + screen.paint("result changed", "magenta")
    if judged.result_changed:
        before, after = _shown(recorded), _shown(outcome.value)
        yield from _leaf_lines(screen, [leaf for leaf in compared(before, after) if leaf.changed])
    yield from log_lines(screen, outcome)


def _shown(result: ToolResult) -> dict[str, object]:
    return {"output": result.output, "error": result.error, "metadata": result.metadata}
