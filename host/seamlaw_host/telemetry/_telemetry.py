"""Spans and metrics: an engine's happenings, told to OpenTelemetry on their way to its ledger.

A span begins with the attempt, so that what asks and tools do is within it. Whether it is sampled is decided then,
once, for the span and for the records of the call alike. What was not sampled and fails is told all the same, when it
has failed.
"""

import logging
import random
import time
from collections.abc import Callable
from contextvars import Token
from typing import Protocol

from attrs import define, field
from opentelemetry import context, metrics, trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from seamlaw import TOOL_CALL, TOOL_RESULT, Kind, ToolResult, Verdict
from seamlaw_host.errors import HostError
from seamlaw_host.ledger import Happening, Redactor
from seamlaw_host.ledger._making import RecordMaker
from seamlaw_host.ledger._redaction import default_redactor

from ._attributes import attributes_of, error_type, events_of

__all__ = ["Recorder", "Telemetry", "Telling"]

_LOG = logging.getLogger("seamlaw.telemetry")
TRACE = 2**64  # the part of a trace id that samplers of OpenTelemetry look at
NAMES, OTHER = 1_000, "_OTHER"  # names of tools come from models, and a metric must not grow with them
# What the GenAI conventions advise for durations, in seconds.
BOUNDARIES = [0.01 * 2**power for power in range(14)]


class Recorder(Protocol):
    """What is needed of a ledger."""

    def append(self, happening: Happening, /) -> None:
        """Take a happening."""
        ...


class Telemetry:
    """Tells OpenTelemetry of every governed call of the engines that it is given to; a failure of it fails no call.

    `sample`: of how many calls, from 0 to 1, there are spans and records; calls of one trace are sampled alike, and
    what is blocked or fails is always told. `content`: whether arguments and results are told, redacted. `redactor`:
    that of the packs unless given. The providers are the global ones unless given. Raises `HostError` for another
    `sample`.
    """

    def __init__(
        self,
        *,
        sample: float = 1.0,
        content: bool = False,
        redactor: Redactor | None = None,
        tracer_provider: trace.TracerProvider | None = None,
        meter_provider: metrics.MeterProvider | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        if not 0 <= sample <= 1:
            raise HostError("sample is a number from 0 to 1")
        redactor = redactor if redactor is not None else default_redactor()
        self.content = content
        self._sample, self._chance = sample, chance
        self._redactor = redactor
        self.records = RecordMaker(redactor, "redacted" if content else "digests")
        self.tracer = trace.get_tracer("seamlaw", tracer_provider=tracer_provider)
        meter = metrics.get_meter("seamlaw", meter_provider=meter_provider)
        self.durations = meter.create_histogram(
            "gen_ai.execute_tool.duration",
            "s",
            "How long a governed call took, decisions and asks included",
            explicit_bucket_boundaries_advisory=BOUNDARIES,
        )
        self.decisions = meter.create_counter("seamlaw.decisions", "{decision}", "Decisions, by seam and verdict")
        self.findings = meter.create_counter("seamlaw.findings", "{finding}", "Answers that were no allow, by kind")
        self.asks = meter.create_counter("seamlaw.asks", "{ask}", "Asks, by what came of them")
        self._names: dict[str, str] = {}
        self._failed = False

    def over(self, ledger: Recorder | None, /) -> "Telling":
        """Stand before a ledger, or before none; an engine does this."""
        return Telling(self, ledger)

    def sampled(self) -> bool:
        """Decide whether a call that begins here is told, if it goes well."""
        if self._sample >= 1:
            return True
        parent = trace.get_current_span().get_span_context()
        if parent.is_valid:
            return parent.trace_id % TRACE < self._sample * TRACE
        return self._chance() < self._sample

    def tool_name(self, name: str) -> str:
        """Give a tool's name for metrics, redacted; of the first thousand names."""
        known = self._names.get(name)
        if known is None:
            if len(self._names) >= NAMES:
                return OTHER
            known = self._names[name] = self._redactor.text(name)
        return known

    def failed(self, error: Exception) -> None:
        """Log the first failure of OpenTelemetry, or of the redactor, by its kind alone."""
        if not self._failed:
            self._failed = True
            _LOG.warning("telling OpenTelemetry raised %s; the next of these are not logged", type(error).__name__)


@define
class _Call:
    """A call that has begun: its span, if it is sampled, and what has become of it."""

    sampled: bool
    began_ns: int
    span: Span | None = None
    token: Token[Context] | None = None
    decided: Happening | None = None
    held: list[Happening] = field(factory=list[Happening])


class Telling:
    """The ledger of one engine, with OpenTelemetry told of all that goes to it."""

    def __init__(self, telemetry: Telemetry, ledger: Recorder | None) -> None:
        self._telemetry = telemetry
        self._ledger = ledger
        self._calls: dict[str, _Call] = {}

    def begun(self, attempt: str, tool: str, /) -> None:
        """Begin a span, in which all is that happens until the call has ended."""
        try:
            call = _Call(self._telemetry.sampled(), time.time_ns())
            self._calls[attempt] = call
            if call.sampled:
                call.span = self._span(tool)
                call.token = context.attach(trace.set_span_in_context(call.span))
        except Exception as error:
            self._telemetry.failed(error)

    def append(self, happening: Happening, /) -> None:
        """Tell of a happening, and hand on to the ledger what is sampled or has failed."""
        kept = self._kept(happening)
        if self._ledger is not None:
            for one in kept:
                self._ledger.append(one)

    def _kept(self, happening: Happening) -> list[Happening]:
        """Say which happenings go on now: none yet of a call that is not sampled, all of one that failed."""
        call = self._calls.get(happening.attempt)
        if call is None and happening.seam is TOOL_CALL:  # it failed before it was attempted
            call = self._calls[happening.attempt] = _Call(self._telemetry.sampled(), time.time_ns())
        bad = _is_bad(happening)
        self._count(happening)
        if call is None:
            return [happening] if bad or self._telemetry.sampled() else []
        call.held.append(happening)
        if happening.seam is TOOL_CALL and not _is_last(happening):
            call.decided = happening
            bad = False
        else:
            del self._calls[happening.attempt]
            bad = bad or (call.decided is not None and _is_bad(call.decided))
            self._end(call, happening, told=call.sampled or bad)
        if not (call.sampled or bad):
            return []
        kept, call.held = call.held, []
        return kept

    def _end(self, call: _Call, last: Happening, *, told: bool) -> None:
        """End the span, or make one of a call that was not sampled and failed."""
        telemetry = self._telemetry
        try:
            first = call.decided or last
            error = error_type(first, last)
            tool = telemetry.tool_name(first.proposed.name)
            took = last.duration_s if last.duration_s is not None else (time.time_ns() - call.began_ns) / 1e9
            measured = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
            telemetry.durations.record(took, {**measured, **({"error.type": error} if error else {})})
            if told:
                call.span = call.span or self._span(first.proposed.name, call.began_ns)
                if call.span.is_recording():
                    self._describe(call.span, first, last, error)
        except Exception as error:
            telemetry.failed(error)
        finally:
            self._left(call)

    def _describe(self, span: Span, first: Happening, last: Happening, error: str | None) -> None:
        """Say of a call what its records would say, which are made for it, redacted."""
        telemetry = self._telemetry
        decided = telemetry.records.record(first, "")
        finished = telemetry.records.record(last, "") if last is not first else None
        said = attributes_of(decided, finished, content=telemetry.content)
        span.set_attributes({**said, **({"error.type": error} if error else {})})
        for record in (decided, finished) if finished is not None else (decided,):
            for name, attributes in events_of(record):
                span.add_event(name, attributes)
        if error is not None:
            span.set_status(Status(StatusCode.ERROR, (finished or decided).reason or error))

    def _left(self, call: _Call) -> None:
        try:
            if call.token is not None:
                context.detach(call.token)
            if call.span is not None:
                call.span.end()
        except Exception as error:
            self._telemetry.failed(error)

    def _span(self, tool: str, began_ns: int | None = None) -> Span:
        name = f"execute_tool {self._telemetry.tool_name(tool)}"
        return self._telemetry.tracer.start_span(name, kind=SpanKind.INTERNAL, start_time=began_ns)

    def _count(self, happening: Happening) -> None:
        telemetry, outcome = self._telemetry, happening.outcome
        try:
            seam = {"seamlaw.seam": happening.seam.name}
            verdict = outcome.verdict.value if outcome is not None else Verdict.PROCEED.value
            telemetry.decisions.add(1, {**seam, "seamlaw.verdict": verdict, "seamlaw.mode": happening.mode})
            for entry in outcome.log if outcome is not None else ():
                telemetry.findings.add(1, {**seam, "seamlaw.kind": entry.kind.value})
            for answer in happening.answers:
                granted = "granted" if answer.granted is True else "refused"
                telemetry.asks.add(1, {**seam, "seamlaw.answer": granted})
        except Exception as error:
            telemetry.failed(error)


def _is_last(happening: Happening) -> bool:
    """Whether nothing follows on a decision: it was blocked, or was left by an exception."""
    blocked = happening.outcome is not None and happening.outcome.verdict is Verdict.BLOCK
    return bool(happening.error) or (blocked and happening.mode == "enforce")


def _is_bad(happening: Happening) -> bool:
    """Whether a happening is always told: a block, a fault, an error, and what was not granted or undone."""
    outcome = happening.outcome
    result = happening.proposed if happening.seam is TOOL_RESULT else None
    failed = isinstance(result, ToolResult) and result.error is not None
    if happening.error or happening.undo or failed:
        return True
    if outcome is None:
        return False
    return outcome.verdict is not Verdict.PROCEED or any(entry.kind is Kind.FAULT for entry in outcome.log)
