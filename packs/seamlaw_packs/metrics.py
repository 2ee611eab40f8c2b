"""Counts tool calls, writes the counts as Prometheus reads them, and tells them to OpenTelemetry.

For each tool: how many calls were judged, ended well, failed and were denied, and how long they took, from the gate to
the result (so with the time in which somebody was asked). It decides nothing.

Judged is every call that comes to the gates; one that another gate blocks is, too, and one that is blocked in a chain
is not. What was denied a pack is not told by the kernel: the host says it with `decided`, or, where it is the engine,
subscribes `told`; a call that nobody granted is not among them. Beyond `tools_counted` names a tool is counted as
`(other)`, since the model chooses names. Counts are of this process, and begin at zero.
"""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from sys import float_info
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from attrs import Factory, define, evolve, field, frozen

from seamlaw import Interceptors, Outcome, Scope, ToolCall, ToolResult, Verdict, gate

from ._fork import tell_when_forked
from ._hidden import Hidden
from ._instruments import Instruments
from ._settings import flag, whole_number
from .errors import InvalidPack

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider

__all__ = ["OTHER", "Counts", "Metrics"]

OTHER = "(other)"
RUNNING = 10_000  # calls whose beginning is remembered
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # seconds


@define
class Counts:
    """What is known of one tool: calls judged, ended, failed, denied; seconds, in all and by the bucket."""

    judged: int = 0
    ok: int = 0
    failed: int = 0
    denied: int = 0
    timed: int = 0
    seconds: float = 0.0
    buckets: list[int] = field(factory=list[int])


@define(eq=False)
class _Tally:
    """All that changes, under one lock."""

    counted: dict[str, Counts] = field(factory=dict[str, Counts])
    begun: "OrderedDict[object, float]" = field(factory=OrderedDict[object, float])
    denied: "OrderedDict[str, None]" = field(factory=OrderedDict[str, None])
    lock: Any = field(factory=Lock)

    def forked(self) -> None:
        """In a child process: begin at zero, with a lock that nobody holds."""
        self.counted, self.begun, self.denied, self.lock = {}, OrderedDict(), OrderedDict(), Lock()


def _tally() -> Hidden[_Tally]:
    tally = _Tally()
    tell_when_forked(tally)
    return Hidden(tally)


class Told(Protocol):
    """What the event of an engine has, of that which is needed here."""

    @property
    def seam(self) -> str: ...
    @property
    def verdict(self) -> Verdict: ...
    @property
    def tool(self) -> str | None: ...
    @property
    def attempt(self) -> str: ...


def _buckets(given: Iterable[float]) -> tuple[float, ...]:
    listed = tuple(given) if isinstance(given, Iterable) else ()  # type: ignore[redundant-expr]
    if not listed or not all(type(one) in (int, float) and 0 < one <= float_info.max for one in listed):
        raise InvalidPack("buckets", "must be numbers of seconds above zero")
    if sorted(set(listed)) != list(listed):
        raise InvalidPack("buckets", "must rise")
    return tuple(map(float, listed))


def _tools_counted(given: int) -> int:
    return whole_number("tools_counted", given, 1)


def _otel(given: bool) -> bool:
    return flag("otel", given)


def _instruments(it: "Metrics") -> Instruments | None:
    if it.meter_provider is not None and not it.otel:
        raise InvalidPack("meter_provider", "is used with otel alone")
    return Instruments(it.buckets, it.meter_provider) if it.otel else None


@frozen
class Metrics:
    """Counts the calls of each tool; `text` writes the counts, `counts` gives them.

    `buckets`: the seconds by which calls are told apart. `tools_counted`: how many names at most. `otel`: tell each
    count to OpenTelemetry, too, to the global provider unless `meter_provider` is one. `clock` gives seconds that only
    rise. Raises `InvalidPack`, and `MissingExtra` where the extra `otel` is not installed.
    """

    name: ClassVar[str] = "metrics"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Counts tool calls."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    buckets: tuple[float, ...] = field(default=BUCKETS, converter=_buckets)
    tools_counted: int = field(default=200, converter=_tools_counted, kw_only=True)
    otel: bool = field(default=False, converter=_otel, kw_only=True)
    meter_provider: "MeterProvider | None" = field(default=None, kw_only=True)
    clock: Callable[[], float] = field(default=monotonic, kw_only=True)
    _hidden: Hidden[_Tally] = field(init=False, eq=False, repr=False, factory=_tally)
    _instruments: Instruments | None = field(
        init=False, eq=False, repr=False, default=Factory(_instruments, takes_self=True)
    )

    def interceptors(self) -> Interceptors:
        """Give the gate, which never says anything, and is the observer, too."""
        return Interceptors(tool_call=[gate(self.judged, name=self.name, observe=self.ended)])

    def judged(self, call: ToolCall, scope: Scope) -> None:
        """Count a call that is judged; its time begins."""
        now, tally = self.clock(), self._hidden.value
        with tally.lock:
            tool = self._named(call.name)
            tally.counted[tool].judged += 1
            _keep(tally.begun, (scope.session, scope.agent, call.id, call.name), now)
        if self._instruments is not None:
            self._instruments.judged(tool)

    def ended(self, call: ToolCall, result: ToolResult, scope: Scope) -> None:
        """Count what came of a call."""
        now, ok, tally = self.clock(), result.error is None, self._hidden.value
        with tally.lock:
            tool = self._named(call.name)
            counts = tally.counted[tool]
            counts.ok += ok
            counts.failed += not ok
            begun = tally.begun.pop((scope.session, scope.agent, call.id, call.name), None)
            seconds = None if begun is None else max(now - begun, 0.0)
            if seconds is not None:
                counts.timed += 1
                counts.seconds += seconds
                counts.buckets[bisect_left(self.buckets, seconds)] += 1
        if self._instruments is not None:
            self._instruments.came(tool, "ok" if ok else "failed", seconds)

    def decided(self, outcome: Outcome[ToolCall]) -> None:
        """Count a call as denied, if it is: for a host to tell every outcome of the seam `tool_call`."""
        if outcome.seam.name == "tool_call" and outcome.verdict is Verdict.BLOCK:
            self._denied_one(outcome.value.name)

    def told(self, event: Told) -> None:
        """Count a call as denied, if it is, once for all that was found: a subscriber of an engine's events."""
        if event.seam == "tool_call" and event.verdict is Verdict.BLOCK and event.tool is not None:
            tally = self._hidden.value
            with tally.lock:
                known = event.attempt in tally.denied
                _keep(tally.denied, event.attempt, None)
            if not known:
                self._denied_one(event.tool)

    def counts(self) -> Mapping[str, Counts]:
        """Give a copy of the counts, by tool."""
        tally = self._hidden.value
        with tally.lock:
            return {tool: evolve(one, buckets=list(one.buckets)) for tool, one in tally.counted.items()}

    def text(self) -> str:
        """Write the counts in the text format of Prometheus (version 0.0.4)."""
        counted = sorted(self.counts().items())
        lines = [
            "# HELP seamlaw_tool_calls_judged_total Tool calls that came to the gates.",
            "# TYPE seamlaw_tool_calls_judged_total counter",
            *(f"seamlaw_tool_calls_judged_total{_labels(tool=tool)} {one.judged}" for tool, one in counted),
            "# HELP seamlaw_tool_calls_total Tool calls, by what came of them.",
            "# TYPE seamlaw_tool_calls_total counter",
        ]
        for tool, one in counted:
            ends = {"ok": one.ok, "failed": one.failed, "denied": one.denied}
            lines += [f"seamlaw_tool_calls_total{_labels(tool=tool, outcome=end)} {n}" for end, n in ends.items()]
        lines += [
            "# HELP seamlaw_tool_call_seconds Time from the gates to the result.",
            "# TYPE seamlaw_tool_call_seconds histogram",
        ]
        for tool, one in counted:
            below = 0
            for bound, within in zip((*map(repr, self.buckets), "+Inf"), one.buckets, strict=True):
                below += within
                lines.append(f"seamlaw_tool_call_seconds_bucket{_labels(tool=tool, le=bound)} {below}")
            lines.append(f"seamlaw_tool_call_seconds_sum{_labels(tool=tool)} {one.seconds!r}")
            lines.append(f"seamlaw_tool_call_seconds_count{_labels(tool=tool)} {one.timed}")
        return "\n".join(lines) + "\n"

    def _denied_one(self, tool: str) -> None:
        tally = self._hidden.value
        with tally.lock:
            tool = self._named(tool)
            tally.counted[tool].denied += 1
        if self._instruments is not None:
            self._instruments.came(tool, "denied")

    def _named(self, tool: str) -> str:
        """Give the name by which a tool is counted; the lock is held."""
        counted = self._hidden.value.counted
        name = tool if tool in counted or len(counted) < self.tools_counted else OTHER
        if name not in counted:
            counted[name] = Counts(buckets=[0] * (len(self.buckets) + 1))
        return name


def _keep(kept: "OrderedDict[Any, Any]", key: object, value: object) -> None:
    kept[key] = value
    while len(kept) > RUNNING:
        kept.popitem(last=False)


def _labels(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
