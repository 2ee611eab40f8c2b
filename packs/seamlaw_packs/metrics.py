"""Counts tool calls, and writes the counts as Prometheus reads them.

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
from threading import Lock
from time import monotonic
from typing import Any, ClassVar, Protocol

from attrs import Factory, define, evolve, field, frozen

from seamlaw import Interceptors, Outcome, Scope, ToolCall, ToolResult, Verdict, gate

from ._settings import whole_number
from .errors import InvalidPack

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
    listed = tuple(given)
    if not listed or not all(type(one) in (int, float) and 0 < one < float("inf") for one in listed):
        raise InvalidPack("buckets", "must be numbers of seconds above zero")
    if sorted(set(listed)) != list(listed):
        raise InvalidPack("buckets", "must rise")
    return tuple(map(float, listed))


def _tools_counted(given: int) -> int:
    return whole_number("tools_counted", given, 1)


@frozen
class Metrics:
    """Counts the calls of each tool; `text` writes the counts, `counts` gives them.

    `buckets`: the seconds by which calls are told apart. `tools_counted`: how many names at most. `clock` gives
    seconds that only rise. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "metrics"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Counts tool calls."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    buckets: tuple[float, ...] = field(default=BUCKETS, converter=_buckets)
    tools_counted: int = field(default=200, converter=_tools_counted, kw_only=True)
    clock: Callable[[], float] = field(default=monotonic, kw_only=True)
    _counted: dict[str, Counts] = field(init=False, eq=False, repr=False, default=Factory(dict[str, Counts]))
    _begun: "OrderedDict[object, float]" = field(
        init=False, eq=False, repr=False, default=Factory(OrderedDict[object, float])
    )
    _denied: "OrderedDict[str, None]" = field(init=False, eq=False, repr=False, default=Factory(OrderedDict[str, None]))
    _lock: Any = field(init=False, eq=False, repr=False, factory=Lock)

    def interceptors(self) -> Interceptors:
        """Give the gate, which never says anything, and is the observer, too."""
        return Interceptors(tool_call=[gate(self.judged, name=self.name, observe=self.ended)])

    def judged(self, call: ToolCall, scope: Scope) -> None:
        """Count a call that is judged; its time begins."""
        now = self.clock()
        with self._lock:
            self._of(call.name).judged += 1
            _keep(self._begun, (scope.session, scope.agent, call.id, call.name), now)

    def ended(self, call: ToolCall, result: ToolResult, scope: Scope) -> None:
        """Count what came of a call."""
        now = self.clock()
        with self._lock:
            counts = self._of(call.name)
            if result.error is None:
                counts.ok += 1
            else:
                counts.failed += 1
            begun = self._begun.pop((scope.session, scope.agent, call.id, call.name), None)
            if begun is not None:
                counts.timed += 1
                counts.seconds += max(now - begun, 0.0)
                counts.buckets[bisect_left(self.buckets, now - begun)] += 1

    def decided(self, outcome: Outcome[ToolCall]) -> None:
        """Count a call as denied, if it is: for a host to tell every outcome of the seam `tool_call`."""
        if outcome.seam.name == "tool_call" and outcome.verdict is Verdict.BLOCK:
            with self._lock:
                self._of(outcome.value.name).denied += 1

    def told(self, event: Told) -> None:
        """Count a call as denied, if it is, once for all that was found: a subscriber of an engine's events."""
        if event.seam == "tool_call" and event.verdict is Verdict.BLOCK and event.tool is not None:
            with self._lock:
                if event.attempt not in self._denied:
                    _keep(self._denied, event.attempt, None)
                    self._of(event.tool).denied += 1

    def counts(self) -> Mapping[str, Counts]:
        """Give a copy of the counts, by tool."""
        with self._lock:
            return {tool: evolve(one, buckets=list(one.buckets)) for tool, one in self._counted.items()}

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

    def _of(self, tool: str) -> Counts:
        """Give the counts of a tool; the lock is held."""
        name = tool if tool in self._counted or len(self._counted) < self.tools_counted else OTHER
        if name not in self._counted:
            self._counted[name] = Counts(buckets=[0] * (len(self.buckets) + 1))
        return self._counted[name]


def _keep(kept: "OrderedDict[Any, Any]", key: object, value: object) -> None:
    kept[key] = value
    while len(kept) > RUNNING:
        kept.popitem(last=False)


def _labels(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
