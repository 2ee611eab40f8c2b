"""Every governed call is told to OpenTelemetry as the GenAI conventions say, redacted, and no call fails by it."""

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.trace import StatusCode
from tests.host.engine.scripted import Kept

from seamlaw import CONTEXT, Interceptors, Message, ToolCall, ask, block, gate, note, replace
from seamlaw_host.approvals import Approvals
from seamlaw_host.engine import Engine, session
from seamlaw_host.errors import Blocked, HostError
from seamlaw_host.telemetry import Telemetry

TOKEN = "ghp_" + "a1B2" * 9
CONVENTIONS = "opentelemetry.semconv._incubating.attributes"


@frozen
class Told:
    """Where all that is told goes, and the telemetry that tells it."""

    spans: InMemorySpanExporter
    reader: InMemoryMetricReader
    tracers: TracerProvider
    meters: MeterProvider

    def telemetry(self, **options: Any) -> Telemetry:
        """Make one that tells it here."""
        return Telemetry(tracer_provider=self.tracers, meter_provider=self.meters, **options)

    def all(self) -> list[ReadableSpan]:
        """Give the spans that have ended."""
        return list(self.spans.get_finished_spans())

    def ids(self) -> dict[str, tuple[int, int, int | None]]:
        """Give trace, id and parent of each span, by its name."""
        found: dict[str, tuple[int, int, int | None]] = {}
        for span in self.all():
            mine: Any = span.context
            found[span.name] = mine.trace_id, mine.span_id, span.parent.span_id if span.parent else None
        return found

    def one(self) -> dict[str, Any]:
        """Give the attributes of the only span."""
        (span,) = self.all()
        return dict(span.attributes or {})

    def points(self, name: str) -> list[tuple[dict[str, Any], Any]]:
        """Give the data points of a metric."""
        data: Any = self.reader.get_metrics_data()
        return [
            (dict(point.attributes), getattr(point, "value", getattr(point, "count", None)))
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        ]


Reader: Any = InMemoryMetricReader  # its constructor has no types


def made() -> Told:
    """Make new ones."""
    spans, tracers = InMemorySpanExporter(), TracerProvider()
    reader: InMemoryMetricReader = Reader()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    return Told(spans, reader, tracers, MeterProvider([reader]))


@pytest.fixture
def told() -> Iterator[Told]:
    """Where all is told, and that nothing is left current."""
    before = trace.get_current_span()
    yield made()
    assert trace.get_current_span() is before


def answers(call: Any) -> Any:
    """Answer what the argument says."""
    said = call.arguments.get("say")
    if said == "change":
        return replace(ToolCall(call.id, call.name, {"say": "changed"}))
    given: dict[object, Callable[[], Any]] = {
        "block": lambda: block("no"),
        "note": lambda: note("hm"),
        "ask": lambda: ask("may it?", target="test://x"),
        "crash": lambda: 1 / 0,
    }
    return given[said]() if said in given else None


class Grants:
    """An approver who always does."""

    def ask(self, request: object) -> bool:
        """Grant."""
        return True


POLICY = Interceptors(tool_call=[answers])


def tool(say: str = "", **more: object) -> str:
    """Do nothing, or fail."""
    if say == "fail":
        raise ValueError(f"password={TOKEN}")
    return f"did {say} {TOKEN}"


def run(engine: Engine, say: str) -> None:
    """Make a call, however it ends."""
    with suppress(Blocked, ValueError):
        engine.call("bash", tool, {"say": say})


def test_a_call_is_a_span_as_the_conventions_say(told: Told) -> None:
    """Name, kind, status and attributes of `execute_tool`, and who was calling."""
    with session("s-1", agent="coder"):
        Engine(POLICY, telemetry=told.telemetry()).call("bash", tool, {"say": "hello"})
    (span,) = told.all()
    assert (span.name, span.kind, span.status.status_code) == (
        "execute_tool bash",
        trace.SpanKind.INTERNAL,
        StatusCode.UNSET,
    )
    said = told.one()
    assert said["gen_ai.operation.name"] == "execute_tool"
    assert said["gen_ai.tool.name"] == "bash"
    assert said["gen_ai.tool.type"] == "function"
    assert (said["gen_ai.agent.name"], said["gen_ai.conversation.id"]) == ("coder", "s-1")
    assert (said["seamlaw.verdict"], said["seamlaw.executed"], said["seamlaw.governed"]) == ("proceed", True, True)
    assert said["gen_ai.tool.call.id"].count("-") == 1
    assert "error.type" not in said
    assert not any("arguments" in name or name.endswith("call.result") for name in said)


def test_every_name_is_one_of_the_conventions_or_our_own(told: Told) -> None:
    """Checked against the package of the conventions."""
    conventions = [*vars(import_module(f"{CONVENTIONS}.gen_ai_attributes")).items(), ("", ERROR_TYPE)]
    known = {value for name, value in conventions if name.isupper() or not name}
    engine = Engine(POLICY, telemetry=told.telemetry(content=True), approvals=Approvals({"test": Grants()}))
    for say in ("", "block", "note", "ask", "crash", "fail", "change"):
        run(engine, say)
    for span in told.all():
        assert {name for name in span.attributes or {} if not name.startswith("seamlaw.")} <= known
        assert all(name.startswith("seamlaw.") for event in span.events for name in event.attributes or {})


@pytest.mark.parametrize(
    ("say", "kind", "description"),
    [
        ("block", "blocked", "no"),
        ("crash", "blocked", ...),
        ("fail", "ValueError", "ValueError"),
        ("ask", "blocked", ...),
    ],
)
def test_what_fails_is_an_error_with_its_kind(told: Told, say: str, kind: str, description: Any) -> None:
    """A block, a broken policy, an ask that nobody grants, and a tool that raises."""
    run(Engine(POLICY, telemetry=told.telemetry()), say)
    (span,) = told.all()
    assert (span.attributes or {})["error.type"] == kind
    assert span.status.status_code is StatusCode.ERROR
    assert description is ... or span.status.description == description


def test_findings_and_asks_are_events(told: Told) -> None:
    """With who said what, and who answered."""
    run(Engine(POLICY, telemetry=told.telemetry(), approvals=Approvals({"test": Grants()})), "ask")
    (span,) = told.all()
    (finding, asked) = span.events
    assert (finding.name, dict(finding.attributes or {})["seamlaw.reason"]) == ("seamlaw.finding", "may it?")
    assert (asked.name, dict(asked.attributes or {})["seamlaw.answer"]) == ("seamlaw.ask", "granted")


def test_what_the_tool_and_the_policy_do_is_within_the_span(told: Told) -> None:
    """Spans that begin there have it as their parent; also calls of one tool by another."""
    tracer = told.tracers.get_tracer("test")
    engine = Engine(POLICY, telemetry=told.telemetry())

    def inner() -> str:
        with tracer.start_as_current_span("work"):
            return engine.call("bash", tool, {})

    with tracer.start_as_current_span("agent"):
        engine.call("outer", inner)
    spans = told.ids()
    for within, around in (
        ("execute_tool bash", "work"),
        ("work", "execute_tool outer"),
        ("execute_tool outer", "agent"),
    ):
        assert spans[within][2] == spans[around][1]


def test_async_calls_at_once_have_each_their_own_span(told: Told) -> None:
    """A span is current in its own task alone; one that is cancelled ends as well."""
    engine = Engine(POLICY, telemetry=told.telemetry())

    async def slow(number: int) -> int:
        await asyncio.sleep(0.001 * (5 - number))
        return trace.get_current_span().get_span_context().span_id

    async def forever() -> None:
        await asyncio.sleep(60)

    async def all_of_them() -> list[int]:
        task = asyncio.create_task(engine.acall("forever", forever))
        ids = await asyncio.gather(*(engine.acall(f"t{n}", slow, {"number": n}) for n in range(5)))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return list(ids)

    ids = asyncio.run(all_of_them())
    assert [told.ids()[f"execute_tool t{n}"][1] for n in range(5)] == ids
    (stopped,) = [span.attributes or {} for span in told.all() if span.name == "execute_tool forever"]
    assert stopped["error.type"] == "CancelledError"


SAYS = st.sampled_from(["", "note", "change", "block", "crash", "fail", "ask"])


@settings(max_examples=60)
@given(says=st.lists(st.tuples(SAYS, st.floats(0, 0.999)), max_size=8), ratio=st.floats(0, 1))
def test_span_and_records_are_sampled_alike(says: list[tuple[str, float]], ratio: float) -> None:
    """The law: a call has a span iff it has its records, all of them; one that goes wrong always has them."""
    chances, told, ledger, whole = iter(chance for _, chance in says), made(), Kept(), Kept()
    engine = Engine(POLICY, telemetry=told.telemetry(sample=ratio, chance=lambda: next(chances)), ledger=ledger)
    everything = Engine(POLICY, ledger=whole)
    expected: list[int] = []
    for say, chance in says:
        before = len(whole.happenings)
        run(engine, say)
        run(everything, say)
        wrong = say in ("block", "crash", "fail", "ask")
        if ratio >= 1 or chance < ratio or wrong:
            expected.append(len(whole.happenings) - before)
    spans = [str((span.attributes or {})["seamlaw.attempt"]) for span in told.all()]
    attempts = [one.attempt for one in ledger.happenings]
    assert list(dict.fromkeys(attempts)) == spans
    assert [attempts.count(attempt) for attempt in spans] == expected
    assert sum(count for _, count in told.points("seamlaw.decisions")) == len(whole.happenings) if says else True


def test_a_trace_is_sampled_as_one(told: Told) -> None:
    """By its id, as samplers of OpenTelemetry do, and not by chance."""
    engine = Engine(POLICY, telemetry=told.telemetry(sample=0.5, chance=lambda: 1 / 0))
    tracer = told.tracers.get_tracer("test")
    counts: set[int] = set()
    for _ in range(40):
        told.spans.clear()
        with tracer.start_as_current_span("agent"):
            run(engine, "")
            run(engine, "note")
        counts.add(len(told.all()) - 1)
    assert counts == {0, 2}


@pytest.mark.parametrize("inner_ledger", [False, True])
@pytest.mark.parametrize("inner_tells", [False, True])
def test_an_engine_inside_another_is_told_and_recorded(told: Told, inner_ledger: bool, inner_tells: bool) -> None:
    """By its own ledger and telemetry, and by those around it where it has none."""
    around, own, other = Kept(), Kept(), made()
    outer = Engine(POLICY, telemetry=told.telemetry(), ledger=around)
    inner = Engine(telemetry=other.telemetry() if inner_tells else None, ledger=own if inner_ledger else None)
    outer.call("outer", lambda: inner.call("inner", tool))
    assert (other if inner_tells else told).all()[0].name == "execute_tool inner"
    assert told.all()[-1].name == "execute_tool outer"
    inside = own if inner_ledger else around
    assert [one.seam.name for one in inside.happenings if one.call is not None and one.call.name == "inner"] == [
        "tool_call",
        "tool_result",
    ]


def test_a_call_that_is_not_sampled_and_fails_is_told_with_its_times(told: Told) -> None:
    """The span is made afterwards, and begins where the call began; the record of the decision comes with it."""
    ledger = Kept()
    engine = Engine(POLICY, telemetry=told.telemetry(sample=0), ledger=ledger)

    def fails() -> None:
        asyncio.run(asyncio.sleep(0.02))
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        engine.call("bash", fails)
    (span,) = told.all()
    assert (span.end_time or 0) - (span.start_time or 0) >= 20_000_000
    assert [one.seam.name for one in ledger.happenings] == ["tool_call", "tool_result"]


def test_metrics_count_every_call_sampled_or_not(told: Told) -> None:
    """Durations by tool and kind of failure, decisions by verdict, findings by kind, asks by answer."""
    engine = Engine(POLICY, telemetry=told.telemetry(sample=0), approvals=Approvals({"test": Grants()}))
    for say in ("", "", "block", "fail", "ask", "note"):
        run(engine, say)
    durations = {said.get("error.type"): count for said, count in told.points("gen_ai.execute_tool.duration")}
    assert durations == {None: 4, "blocked": 1, "ValueError": 1}
    verdicts = [
        (said["seamlaw.verdict"], count)
        for said, count in told.points("seamlaw.decisions")
        if said["seamlaw.seam"] == "tool_call"
    ]
    assert dict(verdicts) == {"proceed": 5, "block": 1}
    assert {said["seamlaw.kind"]: n for said, n in told.points("seamlaw.findings")} == {"block": 1, "ask": 1, "note": 1}
    assert [(said["seamlaw.answer"], n) for said, n in told.points("seamlaw.asks")] == [("granted", 1)]


def test_a_flood_of_names_makes_no_flood_of_time_series(told: Told) -> None:
    """Names of tools come from models: of more than a thousand one name is made."""
    engine = Engine(POLICY, telemetry=told.telemetry(sample=0))
    for number in range(1_100):
        engine.call(f"tool-{number}", tool)
    names = {said["gen_ai.tool.name"] for said, _ in told.points("gen_ai.execute_tool.duration")}
    assert len(names) == 1_001
    assert "_OTHER" in names


def test_content_is_told_only_when_wanted_and_redacted(told: Told) -> None:
    """What was decided and what went back, without secrets; what is blocked does not go back."""
    engine = Engine(POLICY, telemetry=told.telemetry(content=True))
    engine.call("bash", tool, {"say": "x", "password": "hunter2"})
    said = told.one()
    assert json.loads(said["gen_ai.tool.call.arguments"]) == {"say": "x", "password": "[redacted:password]"}
    assert json.loads(said["gen_ai.tool.call.result"]) == "did x [redacted:github-token]"
    told.spans.clear()
    engine.call("bash", tool, {"say": "x" * 10_000})
    assert told.one()["gen_ai.tool.call.arguments"].startswith("[withheld: ")


def test_other_seams_are_counted_and_recorded(told: Told) -> None:
    """There is no span of them; what is blocked there is always recorded."""
    ledger = Kept()
    no = Interceptors(context=[lambda messages: block("no")])
    engine = Engine(no, telemetry=told.telemetry(sample=0), ledger=ledger)
    with pytest.raises(Blocked):
        engine.at(CONTEXT, (Message("user", "hi"),))
    Engine(telemetry=told.telemetry(sample=0), ledger=ledger).at(CONTEXT, (Message("user", "hi"),))
    assert [one.seam.name for one in ledger.happenings] == ["context"]
    assert sum(count for _, count in told.points("seamlaw.decisions")) == 2


class Broken:
    """A provider of which everything fails."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(TOKEN)


class BrokenTracer:
    """A tracer whose spans cannot be begun."""

    def start_span(self, *given: object, **named: object) -> Any:
        """Fail."""
        raise RuntimeError(TOKEN)


@pytest.mark.parametrize("part", ["tracer", "durations", "decisions", "records"])
@pytest.mark.parametrize("sample", [0.0, 1.0])
def test_no_call_fails_by_it(told: Told, part: str, sample: float, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever breaks: results, denials, exceptions and records are the same; it is logged once, by its kind."""
    ledger, whole = Kept(), Kept()
    telemetry = told.telemetry(sample=sample, chance=lambda: 0.5)
    setattr(telemetry, part, BrokenTracer() if part == "tracer" else Broken())
    engine, other = Engine(POLICY, telemetry=telemetry, ledger=ledger), Engine(POLICY, ledger=whole)
    with caplog.at_level(logging.WARNING):
        for one in (engine, other):
            assert one.call("bash", tool, {"say": "x"}) == f"did x {TOKEN}"
            run(one, "block")
            run(one, "fail")
    assert ledger.told()[-3:] == whole.told()[-3:]
    assert len(caplog.records) == 1
    assert TOKEN not in caplog.text


def test_a_ledger_that_raises_stops_the_call_as_without_telemetry(told: Told) -> None:
    """A call without a record is not run, told or not."""

    class Full:
        def append(self, happening: object) -> None:
            raise OSError("full")

    ran: list[int] = []
    with pytest.raises(OSError, match="full"):
        Engine(POLICY, telemetry=told.telemetry(), ledger=Full()).call("bash", lambda: ran.append(1))
    assert not ran
    assert told.one()["error.type"] == "OSError"


@pytest.mark.parametrize("mode", ["dry_run", "observe"])
def test_where_nothing_is_enforced_a_block_is_no_error(told: Told, mode: Any) -> None:
    """The verdict says what would have been."""
    Engine(POLICY, telemetry=told.telemetry(), mode=mode).call("bash", tool, {"say": "block"})
    said = told.one()
    assert (said["seamlaw.verdict"], said["seamlaw.executed"], said.get("error.type")) == ("block", True, None)


def leaking(**given: object) -> object:
    """Give a secret back."""
    return {TOKEN: [TOKEN]}


def test_no_secret_is_told(told: Told) -> None:
    """In names, ids, reasons, targets, arguments, results and exceptions; in spans and metrics."""

    @gate
    def leaks(call: Any) -> Any:
        return ask(f"because {TOKEN}", target=f"x://{TOKEN}") if call.arguments["ask"] else note(f"noted {TOKEN}")

    engine = Engine(Interceptors(tool_call=[leaks]), telemetry=told.telemetry(content=True))
    with session(f"s {TOKEN}", agent=f"agent {TOKEN}", role=TOKEN, trust=TOKEN, domain=TOKEN):
        for asks in (False, True):
            with suppress(Blocked):
                engine.call(f"tool {TOKEN}", leaking, {"ask": asks, "x": {TOKEN: TOKEN}})
    assert len(told.all()) == 2
    for text in [*(span.to_json() for span in told.all()), str(told.reader.get_metrics_data())]:
        assert TOKEN not in text
        assert "[redacted:github-token]" in text


@pytest.mark.parametrize("sample", [-0.1, 1.1, float("nan")])
def test_a_sample_that_is_no_share_is_refused(sample: float) -> None:
    """It says so at once."""
    with pytest.raises(HostError, match="from 0 to 1"):
        Telemetry(sample=sample)


def test_without_a_provider_nothing_is_told_and_all_is_recorded() -> None:
    """The API alone does nothing."""
    ledger = Kept()
    engine = Engine(POLICY, telemetry=Telemetry(), ledger=ledger)
    run(engine, "")
    run(engine, "block")
    assert len(ledger.happenings) == 3


def test_without_the_extra_the_error_names_it() -> None:
    """Importing says what to install; the engine needs none of it."""
    code = """if True:
        import sys
        sys.modules["opentelemetry"] = None
        import seamlaw_host.engine
        try:
            import seamlaw_host.telemetry
        except ImportError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'seamlaw[otel]'" in done.stdout
