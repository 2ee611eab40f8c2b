"""A secret in every field of everything, looked for in every sink.

What approvers are shown, on a screen, over a webhook and in Slack, is looked at in `approvals/test_secrets.py`.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from seamlaw import (
    CONTEXT,
    Interceptors,
    MemoryItem,
    Message,
    ProviderRequest,
    ToolCall,
    ToolResult,
    ask,
    block,
    gate,
    note,
    replace,
)
from seamlaw_host.approvals import Approvals, ApprovalStore, StoreHandler
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.engine import Engine, ReversibleAction, session
from seamlaw_host.errors import Blocked
from seamlaw_host.ledger import NO_REDACTION, Happening, JsonlSink, Ledger, Redactor, Sink, SqlSink
from seamlaw_host.ledger._redaction import default_redactor
from seamlaw_host.telemetry import Telemetry

TOKEN = "ghp_" + "Zk3v9QmX2bT7rL5nW8yH4cJ6dF1sG0aPuEtB"  # known by its shape
WORD = "Canary7swordfish"  # known by the name that stands before it
SAID = f"with {TOKEN} and password={WORD} here"
CANARIES = (TOKEN, WORD, TOKEN[8:24])
DATA: dict[str, Any] = {TOKEN: 1, "password": WORD, "text": SAID, "deep": [{"list": [SAID, {"api_key": WORD}]}]}
REPORTS = ("text", "json", "csv", "html", "dot", "mermaid", "narrative")


class Failing(Exception):
    """What says a secret, and has one in its name's place in the trace."""


@gate(name=f"policy {SAID}")
def policy(call: ToolCall) -> Any:
    """Answer in each way, as the arguments say, and say the secret."""
    answers: dict[object, Callable[[], object]] = {
        "note": lambda: note(SAID),
        "block": lambda: block(SAID),
        "ask": lambda: ask(SAID, target=f"store://{SAID}"),
        "crash": lambda: _fail(SAID),
    }
    return answers.get(call.arguments.get("do"), lambda: None)()


def rewriter(call: ToolCall) -> Any:
    """Put the secret into the call."""
    return (
        replace(ToolCall(call.id, call.name, {**call.arguments, **DATA}))
        if call.arguments.get("do") == "rewrite"
        else None
    )


def judged(result: ToolResult, call: ToolCall) -> Any:
    """Withhold a result, and say why."""
    return block(SAID) if call.arguments.get("do") == "withhold" else None


def handled(call: ToolCall) -> ToolResult | None:
    """Answer in the tool's place, with metadata."""
    return ToolResult(DATA, SAID, DATA) if call.arguments.get("do") == "handle" else None


def _fail(said: str) -> Any:
    raise Failing(said)


def tool(do: str = "", **given: object) -> object:
    """Give the secret back, or raise it."""
    return _fail(SAID) if do == "fail" else DATA


POLICY = Interceptors(
    tool_call=[rewriter, policy],
    tool_result=[judged],
    context=[lambda messages: note(SAID)],
    provider_request=[lambda request: block(SAID)],
    memory=[lambda items: block(SAID)],
    handlers=[handled],
)
ACTION = ReversibleAction(tool, snapshot=lambda call: SAID, undo=lambda call: _fail(SAID), reversibility="medium")


@frozen
class Everything:
    """A folder with all that was written, and the spans."""

    folder: Path
    spans: InMemorySpanExporter
    memory: str

    def files(self) -> str:
        """Give all that is in the files, as text."""
        return "".join(path.read_bytes().decode("latin-1") for path in sorted(self.folder.iterdir()))


def _lived(folder: Path, redactor: Redactor | None) -> Everything:
    """Do everything once, with the secret in all of it."""
    spans, tracers = InMemorySpanExporter(), TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    store = StoreHandler(ApprovalStore(f"sqlite:///{folder}/approvals.db"))
    approvals = Approvals({"store": store}) if redactor is None else Approvals({"store": store}, redactor=redactor)
    telemetry = Telemetry(tracer_provider=tracers, content=True, redactor=redactor)
    sinks: list[Sink] = [JsonlSink(folder / "audit.jsonl"), SqlSink(f"sqlite:///{folder}/audit.db")]
    with Ledger(sinks, redactor=redactor) as ledger:
        engine = Engine(POLICY, ledger=ledger, telemetry=telemetry, approvals=approvals)
        with session(f"session {SAID}", agent=f"agent {SAID}", role=SAID, trust=SAID, domain=SAID):
            for do in ("", "note", "block", "ask", "crash", "fail", "rewrite", "withhold", "handle"):
                with suppress(Blocked, Failing, Exception):
                    engine.call(
                        f"tool {SAID}", ACTION, {"do": do, **DATA, "object": Failing(SAID), "raw": TOKEN.encode()}
                    )
                engine.respond(
                    ToolCall(f"id {SAID}", f"tool {SAID}", {"do": do, **DATA}), lambda call: tool(**call.arguments)
                )
            with suppress(Blocked):
                engine.at(CONTEXT, (Message("user", SAID),))
            with suppress(Blocked):
                engine.before_provider_call(
                    ProviderRequest(
                        SAID, messages=[Message("user", [{"type": "text", **DATA}])], headers={"authorization": SAID}
                    )
                )
            engine.after_recall([MemoryItem(DATA, SAID)])
        ledger.append(_by_hand(engine))
        ledger.flush()
        memory = repr(ledger.records())
    return Everything(folder, spans, memory)


def _by_hand(engine: Engine) -> Happening:
    """A happening with the secret in what the engine itself would fill in, too."""
    kept: list[Happening] = []

    class Kept:
        def append(self, happening: Happening, /) -> None:
            kept.append(happening)

    Engine(POLICY, ledger=Kept()).call("x", tool, {})
    said = {"step": 1, **DATA}
    return kept[-1]._replace(attempt=SAID, error=SAID, undo=SAID, policy_hash=SAID, state=said)


@pytest.fixture(scope="module", name="lived")
def _everything(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    return _lived(tmp_path_factory.mktemp("canary"), None)


@pytest.fixture(scope="module", name="leaking")
def _leaking(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    return _lived(tmp_path_factory.mktemp("leaking"), NO_REDACTION)


def _commands(folder: Path) -> list[list[str]]:
    policies = folder.parent / "nothing.toml"
    policies.write_text('[[rules]]\nnote = "seen"\n')
    file, database, against = str(folder / "audit.jsonl"), f"sqlite:///{folder}/audit.db", ["--policy", str(policies)]
    return [
        *(["report", ledger, "--format", form] for ledger in (file, database) for form in REPORTS),
        *(["ledger", "show", ledger, *json] for ledger in (file, database) for json in ([], ["--json"])),
        *(["replay", ledger, *against, *json] for ledger in (file, database) for json in ([], ["--json"])),
        *(["fixtures", ledger, *against] for ledger in (file, database)),
        ["ledger", "verify", file],
        *(["approvals", "list", "--store", f"sqlite:///{folder}/approvals.db", *json] for json in ([], ["--json"])),
    ]


def _written(folder: Path) -> list[tuple[str, str]]:
    """What every command writes."""
    return [(" ".join(line), CliRunner().invoke(seamlaw, line).output) for line in _commands(folder)]


def _leaks(text: str) -> list[str]:
    return [canary for canary in CANARIES if canary in text]


def test_no_record_has_it(lived: Everything) -> None:
    """Nor any file beside: ledger, database, journals, approvals."""
    assert not _leaks(lived.memory)
    assert not _leaks(lived.files())
    for kept in (lived.memory, lived.files()):
        assert "[redacted:github-token]" in kept
        assert "[redacted:password]" in kept


def test_no_span_has_it(lived: Everything) -> None:
    """Nor what is told beside it."""
    told = "".join(span.to_json() for span in lived.spans.get_finished_spans())
    assert "[redacted:password]" in told
    assert not _leaks(told)


def test_no_command_writes_it(lived: Everything) -> None:
    """Reports in every format, what is shown, replayed and made into tests, on files and databases."""
    for line, output in _written(lived.folder):
        assert not _leaks(output), line


def test_no_log_has_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """At any level, of anybody; sinks and redactors that fail and quote it included."""

    class Broken:
        def write(self, records: object, *, durable: bool) -> None:
            raise Failing(SAID)

        def close(self) -> None:
            raise Failing(SAID)

    class BrokenRedactor:
        def value(self, value: object, /) -> object:
            raise Failing(SAID)

        def text(self, text: str, /) -> str:
            raise Failing(SAID)

    with caplog.at_level(logging.DEBUG):
        _lived(tmp_path, None)
        with Ledger([Broken()], redactor=BrokenRedactor()) as ledger:
            engine = Engine(POLICY, ledger=ledger, telemetry=Telemetry(redactor=BrokenRedactor()))
            engine.subscribe(lambda event: _fail(SAID))
            with suppress(Blocked):
                engine.call(f"tool {SAID}", tool, {"do": "block", **DATA})
            assert not _leaks(repr(ledger.records()))
    assert len(caplog.records) >= 3
    assert not _leaks(caplog.text)


def test_this_looks_where_a_secret_would_be(leaking: Everything) -> None:
    """Planted: without redaction it is in memory, in files, in spans and in what nearly every command writes."""
    for kept in (leaking.memory, leaking.files(), "".join(one.to_json() for one in leaking.spans.get_finished_spans())):
        assert _leaks(kept) == list(CANARIES)
    silent = {line for line, output in _written(leaking.folder) if not _leaks(output)}
    cut = ("ledger verify ", "ledger show ", "approvals list ")  # a table cuts long texts; each is there as JSON, too
    assert not [line for line in silent if not line.startswith(cut) or "--json" in line]


def test_a_record_keeps_what_is_no_secret(lived: Everything) -> None:
    """Not all is taken out: it would be no record."""
    assert lived.memory.count("with [redacted:github-token] and password=[redacted:password] here") > 100
    assert default_redactor().text("a plain word") == "a plain word"
