"""A decided call, as one JSON object: the schema `seamlaw/1`, which docs/command-line.md describes.

A field may be added under the same number; one that is taken away, or means something else, makes the next.
"""

from typing import Any

from seamlaw import Ask, Entry, Outcome, Scope, StandingAsk, ToolCall, ToolResult, Verdict
from seamlaw_host.replay import Explanation, Judged, Step, Tally, compared, differences, json_text
from seamlaw_host.sessions import Malformed, Was

__all__ = ["SCHEMA", "call_record", "explanation_record", "json_line", "malformed_record", "summary_record"]

SCHEMA = "seamlaw/1"
Record = dict[str, Any]


def json_line(kind: str, record: Record) -> str:
    """Write one object on one line, in ASCII, integers exactly."""
    return json_text({"schema": SCHEMA, "type": kind, **record}, ascii_only=True)


def call_record(judged: Judged) -> Record:
    """A call: what was proposed, what was decided, what would run."""
    recorded, outcome = judged.recorded, judged.call
    return {
        "place": recorded.place,
        **_call(recorded.call),
        "scope": _scope(recorded.scope),
        **_outcome(outcome),
        "effective": {"tool": outcome.value.name, "arguments": outcome.value.arguments},
        "changed": _changed(recorded.call, outcome.value),
        "governed": judged.governed,
        "result": None if judged.result is None else _result(judged, judged.result),
        "microseconds": judged.nanoseconds / 1000,
        **({} if judged.recorded.was is None else _was(judged, judged.recorded.was)),
    }


def _was(judged: Judged, was: Was) -> Record:
    return {
        "recorded": {
            "verdict": was.verdict.value,
            "reason": was.reason or None,
            "decided_by": was.decided_by,
            "result_verdict": None if was.result_verdict is None else was.result_verdict.value,
        },
        "differs": [{"what": each.what, "recorded": each.before, "now": each.after} for each in differences(judged)],
        "unreliable": list(judged.unreliable),
    }


def _call(call: ToolCall) -> Record:
    return {"id": call.id, "tool": call.name, "arguments": call.arguments}


def _scope(scope: Scope) -> Record:
    names = ("session", "agent", "role", "trust", "chain", "domain")
    return {name: value for name in names if (value := getattr(scope, name))}


def _outcome(outcome: Outcome[Any]) -> Record:
    return {
        "verdict": outcome.verdict.value,
        "reason": outcome.reason or None,
        "decided_by": outcome.interceptor,
        "asks": [_ask(ask) for ask in outcome.asks],
        "log": [_entry(entry) for entry in outcome.log],
    }


def _ask(ask: StandingAsk) -> Record:
    return {
        "interceptor": ask.interceptor,
        "reason": ask.reason,
        "target": ask.target,
        "timeout_s": ask.timeout_s,
        "severity": ask.severity.value,
        "digest": ask.digest,
    }


def _entry(entry: Entry) -> Record:
    said = {
        "interceptor": entry.interceptor,
        "kind": entry.kind.value,
        "reason": entry.reason or None,
        "severity": entry.severity.value,
        "gate": entry.is_gate,
    }
    return said | ({"target": entry.answer.target} if isinstance(entry.answer, Ask) else {})


def _changed(before: ToolCall, after: ToolCall) -> list[str]:
    return [leaf.at for leaf in compared(before.arguments, after.arguments) if leaf.changed]


def _result(judged: Judged, outcome: Outcome[ToolResult]) -> Record:
    value = outcome.value
    shown = None if outcome.verdict is Verdict.BLOCK else {"output": value.output, "error": value.error}
    told = {"withheld": outcome.denial} if outcome.verdict is Verdict.BLOCK else {}
    return {
        "place": judged.recorded.result_place,
        **_outcome(outcome),
        "changed": judged.result_changed,
        "effective": shown,
        **told,
    }


def malformed_record(event: Malformed) -> Record:
    """Something that could not be read; with a tool, it was a call, which nobody decided."""
    return {"place": event.place, "problem": event.problem, "tool": event.tool}


def summary_record(shape: str, tally: Tally) -> Record:
    """The last line of a replay."""
    calls = tally.calls
    return {
        "shape": shape,
        "calls": calls,
        "verdicts": {verdict.value: tally.verdicts[verdict] for verdict in Verdict},
        "changed": tally.changed,
        "notes": tally.notes,
        "faults": tally.faults,
        "results": tally.results,
        "results_withheld": tally.results_withheld,
        "results_changed": tally.results_changed,
        "recorded": tally.recorded,
        "differing": tally.differing,
        "unreliable": tally.unreliable,
        "malformed": tally.malformed,
        "undecided": tally.undecided,
        "ungoverned": dict(tally.ungoverned),
        "ungoverned_others": tally.ungoverned_others,
        "microseconds_mean": tally.nanoseconds / calls / 1000 if calls else None,
        "microseconds_most": tally.slowest / 1000,
    }


def explanation_record(explained: Explanation) -> Record:
    """A decision with every step to it."""
    value = explained.outcome.value
    return {
        **_call(explained.call),
        "scope": _scope(explained.scope),
        **_outcome(explained.outcome),
        "effective": {"tool": value.name, "arguments": value.arguments},
        "steps": [_step(step) for step in explained.steps],
    }


def _step(step: Step) -> Record:
    return {
        "phase": step.phase,
        "interceptor": step.interceptor,
        "skipped": step.skipped or None,
        "conditions": [{"condition": told, "held": held} for told, held in step.conditions],
        "answers": [_entry(entry) for entry in step.answers],
        "before": {"tool": step.before.name, "arguments": step.before.arguments},
        "after": {"tool": step.after.name, "arguments": step.after.arguments},
    }
