"""What is counted is what happened, in whatever order and from however many threads it came."""

import os
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Block, Interceptors, Scope, ToolCall, ToolResult, block, decide, gate, merge, observe
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.policies._hash import hash_of
from seamlaw_packs.errors import InvalidPack, MissingExtra
from seamlaw_packs.metrics import OTHER, Counts, Metrics

SAMPLE = re.compile(r'([a-z_]+)\{((?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)+)\} (\S+)')
LABEL = re.compile(r'([a-z]+)="((?:[^"\\]|\\.)*)"')


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def refuse(call: ToolCall) -> Block | None:
    """Block a call that has arguments."""
    return block("no") if call.arguments else None


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Read the text format, strictly: comments of two kinds, samples, and a line feed at the end."""
    assert text.endswith("\n")
    found = dict[tuple[str, tuple[tuple[str, str], ...]], float]()
    for line in text[:-1].split("\n"):
        if not line.startswith(("# HELP ", "# TYPE ")):
            read = SAMPLE.fullmatch(line)
            assert read, line
            labels = [
                (name, re.sub(r"\\(.)", lambda one: "\n" if one[1] == "n" else one[1], value))
                for name, value in LABEL.findall(read[2])
            ]
            key = read[1], tuple(labels)
            assert key not in found
            found[key] = float(read[3])
    return found


STEPS = st.lists(
    st.tuples(st.sampled_from(["bash", "read", 'odd "\\\n']), st.sampled_from(["ok", "failed", "denied"])), max_size=12
)


@given(STEPS)
def test_each_call_is_counted_once_for_what_came_of_it(steps: list[tuple[str, str]]) -> None:
    """In the counts, and in the text, whatever a tool is called."""
    metrics = Metrics()
    no = Interceptors(tool_call=[gate(refuse, name="no")])
    bundle = merge(metrics.interceptors(), no)
    for number, (tool, end) in enumerate(steps):
        call = ToolCall(str(number), tool, {"x": 1} if end == "denied" else {})
        outcome = decide(bundle, TOOL_CALL, call)
        metrics.decided(outcome)
        if outcome.proceeds:
            observe(bundle, TOOL_CALL, call, ToolResult(error="no" if end == "failed" else None))
    read = samples(metrics.text())
    for tool in {tool for tool, _ in steps}:
        ends = {end: steps.count((tool, end)) for end in ("ok", "failed", "denied")}
        counts = metrics.counts()[tool]
        assert (counts.ok, counts.failed, counts.denied) == tuple(ends.values())
        assert counts.judged == sum(ends.values())
        assert read["seamlaw_tool_calls_judged_total", (("tool", tool),)] == counts.judged
        for end, number in ends.items():
            assert read["seamlaw_tool_calls_total", (("tool", tool), ("outcome", end))] == number
        assert read["seamlaw_tool_call_seconds_count", (("tool", tool),)] == counts.timed == counts.ok + counts.failed
    assert set(metrics.counts()) == {tool for tool, _ in steps}


@given(st.lists(st.floats(0, 3), max_size=10))
def test_the_histogram_is_cumulative_and_adds_up(took: list[float]) -> None:
    """Each bucket counts the calls up to its bound; the last has all; the sum is that of all."""
    clock = Clock()
    metrics = Metrics([0.5, 1, 2], clock=clock)
    bundle = metrics.interceptors()
    for number, seconds in enumerate(took):
        call = ToolCall(str(number), "t", {})
        clock.now = 0.0
        decide(bundle, TOOL_CALL, call)
        clock.now = seconds
        observe(bundle, TOOL_CALL, call, ToolResult())
    read = samples(metrics.text())
    for bound in (0.5, 1.0, 2.0) if took else ():
        within = sum(seconds <= bound for seconds in took)
        assert read["seamlaw_tool_call_seconds_bucket", (("tool", "t"), ("le", repr(bound)))] == within
    if took:
        assert read["seamlaw_tool_call_seconds_bucket", (("tool", "t"), ("le", "+Inf"))] == len(took)
        assert read["seamlaw_tool_call_seconds_sum", (("tool", "t"),)] == pytest.approx(sum(took))


def test_calls_of_one_id_in_two_sessions_have_their_own_times() -> None:
    """An id is of a provider's, and need not be the only one."""
    clock = Clock()
    metrics = Metrics(clock=clock)
    bundle, call = metrics.interceptors(), ToolCall("1", "t", {})
    scopes = [Scope(session="a"), Scope(session="b")]
    for scope in scopes:
        decide(bundle, TOOL_CALL, call, scope=scope)
        clock.now += 1
    for scope in scopes:
        observe(bundle, TOOL_CALL, call, ToolResult(), scope=scope)
    assert metrics.counts()["t"].seconds == 3.0


def test_an_engine_tells_what_it_denied_once_a_call() -> None:
    """Whatever the number of findings; what it ran is counted, too."""
    metrics = Metrics()
    no = Interceptors(
        tool_call=[gate(lambda call: block("no") if call.arguments else None, name=name) for name in "ab"]
    )
    engine = Engine(merge(metrics.interceptors(), no))
    engine.subscribe(metrics.told)
    assert engine.call("t", lambda: 1) == 1
    for _ in range(2):
        with pytest.raises(Blocked):
            engine.call("t", lambda: 2, {"x": 2})
    counts = metrics.counts()["t"]
    assert (counts.judged, counts.ok, counts.failed, counts.denied) == (3, 1, 0, 2)


def points(reader: InMemoryMetricReader) -> dict[tuple[str, str, str], float]:
    """Give what was told to OpenTelemetry: by instrument, tool and outcome; of the histogram, how often."""
    data = reader.get_metrics_data()
    found = dict[tuple[str, str, str], float]()
    for metric in data.resource_metrics[0].scope_metrics[0].metrics if data else ():
        for point in metric.data.data_points:
            told = dict(point.attributes or {})
            key = metric.name, str(told.pop("gen_ai.tool.name")), str(told.pop("seamlaw.outcome", ""))
            found[key] = point.count if isinstance(point, HistogramDataPoint) else cast(Any, point).value
            assert told == {}
    return found


@given(STEPS)
@settings(max_examples=30)
def test_opentelemetry_is_told_the_same_as_prometheus(steps: list[tuple[str, str]]) -> None:
    """Each count of the one is that of the other, whatever was called and what came of it."""
    reader: InMemoryMetricReader = cast(Any, InMemoryMetricReader)()
    metrics = Metrics(otel=True, tools_counted=2, meter_provider=MeterProvider([reader]))
    bundle = merge(metrics.interceptors(), Interceptors(tool_call=[gate(refuse, name="no")]))
    for number, (tool, end) in enumerate(steps):
        call = ToolCall(str(number), tool, {"x": 1} if end == "denied" else {})
        outcome = decide(bundle, TOOL_CALL, call)
        metrics.decided(outcome)
        if outcome.proceeds:
            observe(bundle, TOOL_CALL, call, ToolResult(error="no" if end == "failed" else None))
    expected = dict[tuple[str, str, str], float]()
    for tool, counts in metrics.counts().items():
        expected["seamlaw.tool_calls.judged", tool, ""] = counts.judged
        for end, number in (("ok", counts.ok), ("failed", counts.failed), ("denied", counts.denied)):
            expected["seamlaw.tool_calls", tool, end] = number
            if end != "denied":
                expected["seamlaw.tool_call.duration", tool, end] = number
    assert points(reader) == {key: number for key, number in expected.items() if number}


def test_an_opentelemetry_that_fails_stands_in_nobodys_way() -> None:
    """The gate decides nothing, so it blocks nothing either; what Prometheus reads is complete."""

    class Failing:
        def __getattr__(self, name: str) -> Any:
            return Failing

        def __init__(self, *given: object, **options: object) -> None:
            """Take whatever a provider, a meter and an instrument are made with."""

        def add(self, *given: object) -> None:
            raise RuntimeError

        record = add

    metrics = Metrics(otel=True, meter_provider=cast(Any, Failing()))
    bundle, call = metrics.interceptors(), ToolCall("1", "t", {})
    assert decide(bundle, TOOL_CALL, call).proceeds
    assert observe(bundle, TOOL_CALL, call, ToolResult()) == ()
    assert (metrics.counts()["t"].judged, metrics.counts()["t"].ok) == (1, 1)


def test_without_its_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where OpenTelemetry is asked for is it needed."""
    monkeypatch.setitem(sys.modules, "opentelemetry.metrics", None)
    assert Metrics().counts() == {}
    with pytest.raises(MissingExtra, match=r"seamlaw\[otel\]"):
        Metrics(otel=True)


def test_a_model_that_invents_names_fills_no_memory() -> None:
    """Beyond so many they are counted together."""
    metrics = Metrics(tools_counted=3)
    bundle = metrics.interceptors()
    for number in range(10):
        decide(bundle, TOOL_CALL, ToolCall("1", f"tool{number}", {}))
    assert {tool: counts.judged for tool, counts in metrics.counts().items()} == {
        "tool0": 1,
        "tool1": 1,
        "tool2": 1,
        OTHER: 7,
    }


def test_many_threads_count_together() -> None:
    """Nothing is lost."""
    metrics = Metrics()
    bundle = metrics.interceptors()

    def run(number: int) -> None:
        call = ToolCall(str(number), "t", {})
        decide(bundle, TOOL_CALL, call)
        observe(bundle, TOOL_CALL, call, ToolResult())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(run, range(1000)))
    counts = metrics.counts()["t"]
    assert (counts.judged, counts.ok, counts.timed, sum(counts.buckets)) == (1000, 1000, 1000, 1000)


def test_the_counts_that_are_given_are_a_copy() -> None:
    """Changing them changes nothing."""
    metrics = Metrics()
    decide(metrics.interceptors(), TOOL_CALL, ToolCall("1", "t", {}))
    metrics.counts()["t"].judged = 7
    metrics.counts()["t"].buckets[0] = 7
    assert metrics.counts()["t"] == Counts(judged=1, buckets=[0] * 14)


def test_what_is_denied_is_not_known_unless_it_is_told() -> None:
    """A limit: a gate does not hear what the others said."""
    metrics = Metrics()
    no = Interceptors(tool_call=[gate(lambda call: block("no"), name="no")])
    decide(merge(metrics.interceptors(), no), TOOL_CALL, ToolCall("1", "t", {}))
    assert (metrics.counts()["t"].judged, metrics.counts()["t"].denied) == (1, 0)


def test_a_forked_process_begins_at_zero_and_waits_for_nobody() -> None:
    """Whatever another thread was doing when it was forked."""
    metrics = Metrics()
    decide(metrics.interceptors(), TOOL_CALL, ToolCall("1", "t", {}))
    with metrics._hidden.value.lock:
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # it would wait for good
            decide(metrics.interceptors(), TOOL_CALL, ToolCall("2", "t", {}))
            os._exit(metrics.counts()["t"].judged)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_what_was_counted_is_no_part_of_the_policy() -> None:
    """Its hash stays the same."""
    metrics = Metrics()
    before = hash_of(metrics.interceptors())
    decide(metrics.interceptors(), TOOL_CALL, ToolCall("1", "t", {}))
    assert hash_of(metrics.interceptors()) == before != hash_of(Metrics([1]).interceptors())


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"buckets": []}, "buckets"),
        ({"buckets": [1, 1]}, "buckets"),
        ({"buckets": [2, 1]}, "buckets"),
        ({"buckets": [0]}, "buckets"),
        ({"buckets": [float("nan")]}, "buckets"),
        ({"buckets": [float("inf")]}, "buckets"),
        ({"buckets": [10**400]}, "buckets"),
        ({"buckets": 5}, "buckets"),
        ({"tools_counted": 0}, "tools_counted"),
        ({"otel": "yes"}, "otel"),
        ({"meter_provider": object()}, "meter_provider"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        Metrics(**options)
    assert raised.value.place == place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green; the gate never says anything, as it should."""
    assert broken(Metrics) == ["tool_call: metrics never said anything"]
    assert broken(lambda: Metrics(otel=True), examples=10) == ["tool_call: metrics never said anything"]
