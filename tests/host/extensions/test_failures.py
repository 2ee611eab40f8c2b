"""Whatever an extension does instead of answering: a doubt blocks, and the reason names the extension."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.host.extensions.made import SHORT, call, declared, eventually, scripted, value_for, written

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    Kind,
    Seam,
    ToolResult,
    Verdict,
    decide,
    gate,
    rewriter,
)
from seamlaw_host.extensions import Extension, ExtensionFailed

ALLOW = '{"id": ID, "decision": "allow"}\n'
DEEP = '{"id": ID, "decision": "replace", "value": ' + "[" * 200_000 + "]" * 200_000 + "}\n"
GARBAGE: dict[str, list[Any]] = {  # what is done, and what the reason says
    "dies": ["ended", ("kill",)],
    "dies in the middle of a line": ["ended in the middle of a line", ("raw", ALLOW[:-1]), ("kill",)],
    "exits, as if all were well": ["ended", ("exit",)],
    "exits with half of an answer": ["ended in the middle of a line", ("raw", '{"id": ID, "dec'), ("exit",)],
    "closes its output": ["ended", ("close",), ("stall",)],
    "is not JSON": ["said what is not JSON", ("raw", "yes\n")],
    "an empty line": ["said what is not JSON", ("raw", "\n" + ALLOW)],
    "is noise before the answer": ["said what is not JSON", ("raw", "debug: here\n" + ALLOW)],
    "two objects on a line": ["said what is not JSON", ("raw", ALLOW[:-1] * 2 + "\n")],
    "is NaN": ["said what is not JSON", ("raw", '{"id": NaN, "decision": "allow"}\n')],
    "NaN inside": ["said what is not JSON", ("raw", '{"id": ID, "decision": "replace", "value": [NaN]}\n')],
    "is nested too deep": ["said what is not JSON", ("raw", DEEP)],
    "a key twice": ["said what is not JSON", ("raw", '{"id": ID, "decision": "block", "decision": "allow"}\n')],
    "is no UTF-8": ["said what is not UTF-8", ("raw", '{"id": ID, "decision": "allow", "x": "\xff"}\n')],
    "is no object": ["said what is no object", ("raw", '[ID, "allow"]\n')],
    "is a line that never ends": ["said a line of more than 16777216 bytes", ("raw", "x" * 65536, 257), ("stall",)],
    "is a line too long": ["said a line of more than 16777216 bytes", ("raw", " " * 65536, 256), ("raw", ALLOW)],
    "an id never given": ["answered what it was not asked", ("raw", '{"id": 1000000, "decision": "allow"}\n')],
    "an id as text": ["said what is not an answer (id)", ("raw", '{"id": "ID", "decision": "allow"}\n')],
    "an id that is true": ["said what is not an answer (id)", ("raw", '{"id": true, "decision": "allow"}\n')],
    "an id of a float": ["said what is not an answer (id)", ("raw", '{"id": ID.5, "decision": "allow"}\n')],
    "no id": ["said what is not an answer", ("raw", '{"decision": "allow"}\n')],
    "no decision": ["said what is not an answer", ("raw", '{"id": ID}\n')],
    "a decision there is not": ["said what is not an answer", ("raw", '{"id": ID, "decision": "deny"}\n')],
    "a decision that is true": ["said what is not an answer", ("raw", '{"id": ID, "decision": true}\n')],
    "a field too many": ["said what is not an answer", ("raw", '{"id": ID, "decision": "allow", "but": 1}\n')],
    "a block without a reason": ["said what is not an answer", ("raw", '{"id": ID, "decision": "block"}\n')],
    "a reason of a number": [
        "said what is not an answer (reason)",
        ("raw", '{"id": ID, "decision": "note", "reason": 1}\n'),
    ],
    "a severity there is not": [
        "said what is not an answer",
        ("raw", '{"id": ID, "decision": "note", "reason": "x", "severity": "grave"}\n'),
    ],
    "an endless time-out": [
        "said what is not an answer (timeout_s)",
        ("raw", '{"id": ID, "decision": "ask", "reason": "x", "timeout_s": 1e999}\n'),
    ],
    "a manifest again": ["said what is not an answer", ("raw", '{"type": "manifest", "protocol": 1}\n')],
    "what is no value": ["replaced it with what does not fit", ("replace", {"name": "bash"})],
    "a value of text": ["replaced it with what does not fit", ("replace", "rm -rf /")],
    "an infinity in a value": [
        "replaced it with what does not fit",
        ("raw", '{"id": ID, "decision": "replace", "value": 1e999}\n'),
    ],
    "says that it failed": ["failed, as it says itself", ("error",)],
}
WAYS: dict[str, tuple[Seam[Any], dict[str, Any]]] = {
    "a gate at tool_call": (TOOL_CALL, {"mode": "gate"}),
    "a gate at context": (CONTEXT, {"mode": "gate"}),
    "a gate at tool_result": (TOOL_RESULT, {"mode": "gate"}),
    "a rewriter at tool_call": (TOOL_CALL, {"mode": "rewriter"}),
    "a rewriter at tool_call that cannot deny": (TOOL_CALL, {"mode": "rewriter", "denies": False}),
    "a rewriter at context": (CONTEXT, {"mode": "rewriter"}),
    "a rewriter at context that cannot deny": (CONTEXT, {"mode": "rewriter", "denies": False}),
    "a rewriter at tool_result that cannot deny": (TOOL_RESULT, {"mode": "rewriter", "denies": False}),
}


def by_the_kernel(seam: Seam[Any], options: dict[str, Any], offered: tuple[Any, ...]) -> Verdict:
    """What the kernel decides where such an interceptor raises."""

    def raises(*_: object) -> None:
        raise ValueError

    made = gate(raises) if options["mode"] == "gate" else rewriter(raises, on_fault="close")
    if options.get("denies") is False:
        made = rewriter(raises)
    at: dict[str, Any] = {seam.name: [made]}
    return decide(Interceptors(**at), seam, *offered).verdict


@pytest.mark.parametrize("done", GARBAGE)
def test_garbage_and_crashes_at_a_gate_block_and_name_the_extension(tmp_path: Path, done: str) -> None:
    """With what it did, and nothing of what it said; the next call is answered by a new process, or the same."""
    problem, *steps = GARBAGE[done]
    with scripted(written(tmp_path)) as extension:
        bundle = extension.interceptors()
        outcome = decide(bundle, TOOL_CALL, call(*steps))
        assert outcome.verdict is Verdict.BLOCK
        if problem == "replaced it with what does not fit":
            assert "replac" in outcome.reason  # a gate may not replace at all
        else:
            assert outcome.reason.startswith(f"extension scripted {problem}")
            assert outcome.reason.endswith("(judge)")
        assert outcome.interceptor == "scripted/judge"
        assert decide(bundle, TOOL_CALL, call(("allow",))).proceeds


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("done", ["dies", "is not JSON", "no decision", "what is no value", "says that it failed"])
def test_what_a_failure_does_is_what_a_fault_does_in_the_kernel(tmp_path: Path, way: str, done: str) -> None:
    """At each seam and in each mode: blocked, or skipped with a note and a line in the log."""
    seam, options = WAYS[way]
    _, *steps = GARBAGE[done]
    with scripted(written(tmp_path, declared("one", seam.name, **options))) as extension:
        bundle = extension.interceptors()
        offered = value_for(seam, *steps)
        outcome = decide(bundle, seam, *offered)
        assert outcome.verdict is by_the_kernel(seam, options, offered)
        (entry,) = outcome.log
        assert entry.interceptor == "scripted/one"
        if outcome.verdict is Verdict.PROCEED:
            assert outcome.value is offered[0]
            assert (entry.kind, entry.reason[:19], entry.reason[-9:]) == (Kind.NOTE, "extension scripted ", ": skipped")


@pytest.mark.parametrize("way", WAYS)
def test_no_answer_in_time_is_a_failure_as_well(tmp_path: Path, way: str) -> None:
    """The reason says how long it was waited."""
    seam, options = WAYS[way]
    path = written(tmp_path, declared("one", seam.name, **options))
    with scripted(path, deadlines_s={seam.name: SHORT}) as extension:
        bundle = extension.interceptors()
        offered = value_for(seam, ("keep",))
        outcome = decide(bundle, seam, *offered)
        assert outcome.verdict is by_the_kernel(seam, options, offered)
        assert "extension scripted gave no answer within 0.2 s (one)" in outcome.log[0].reason


def test_a_skip_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """With the name of the extension and of the interceptor."""
    with scripted(written(tmp_path, declared("one", "context", mode="rewriter", denies=False))) as extension:
        decide(extension.interceptors(), CONTEXT, *value_for(CONTEXT, ("kill",)))
    assert "extension scripted ended (one): skipped" in caplog.messages


def test_a_rewriter_that_cannot_deny_and_blocks_all_the_same_is_believed(tmp_path: Path) -> None:
    """To block is never a doubt."""
    with scripted(written(tmp_path, declared("one", "context", mode="rewriter", denies=False))) as extension:
        assert decide(extension.interceptors(), CONTEXT, *value_for(CONTEXT, ("block",))).reason == "it says so"


def test_an_answer_that_comes_twice_ends_the_process(tmp_path: Path) -> None:
    """The first was in time, and counts; nothing that the process says afterwards does."""
    with scripted(written(tmp_path)) as extension:
        bundle = extension.interceptors()
        before = decide(bundle, TOOL_CALL, call(("pid",))).log[0].reason
        assert decide(bundle, TOOL_CALL, call(("allow",), ("block",))).proceeds
        eventually(lambda: decide(bundle, TOOL_CALL, call(("pid",))).log[0].reason != before, "it goes on")


def test_a_late_answer_is_nobodys(tmp_path: Path) -> None:
    """An allow that comes after its deadline does not answer the call that is asked about then."""
    path = written(tmp_path, declared("judge"), declared("other", "context"))
    with scripted(path, deadlines_s={"tool_call": SHORT}) as extension:
        bundle = extension.interceptors()
        assert not decide(bundle, TOOL_CALL, call(("keep",))).proceeds
        outcome = decide(bundle, CONTEXT, *value_for(CONTEXT, ("kept",), ("block", "its own")))
        assert outcome.reason == "its own"


def test_a_late_answer_that_comes_twice_is_garbage(tmp_path: Path) -> None:
    """It is dropped once."""
    path = written(tmp_path, declared("judge"), declared("other", "context"))
    with scripted(path, deadlines_s={"tool_call": SHORT}) as extension:
        bundle = extension.interceptors()
        assert not decide(bundle, TOOL_CALL, call(("keep",), ("keep",))).proceeds
        outcome = decide(bundle, CONTEXT, *value_for(CONTEXT, ("kept",), ("allow",)))
        assert outcome.reason == "extension scripted answered what it was not asked, or answered twice (other)"


def test_what_is_said_though_nothing_was_asked_is_garbage(tmp_path: Path) -> None:
    """Whatever id it guesses, right after the manifest: it cannot be loaded, or what is asked first is not allowed."""
    answers = "".join(f'{{"id": {number}, "decision": "allow"}}\n' for number in range(1, 9))
    with scripted(written(tmp_path, after=[["raw", answers]])) as extension:
        bundle = None
        with suppress(ExtensionFailed):
            bundle = extension.interceptors()
        assert bundle is None or not decide(bundle, TOOL_CALL, call(("block",))).proceeds


def test_an_extension_that_stops_reading_holds_up_nobody(tmp_path: Path) -> None:
    """More is written than a pipe holds; the deadline ends it, and after enough of it the process is replaced."""
    with scripted(written(tmp_path), deadlines_s={"tool_call": 1.0}, failures=2, pause_s=SHORT) as extension:
        bundle = extension.interceptors()
        assert not decide(bundle, TOOL_CALL, call(("stall",))).proceeds
        assert not decide(bundle, TOOL_CALL, call(("allow",), padding="x" * 2**20)).proceeds
        assert not decide(bundle, TOOL_CALL, call(("allow",))).proceeds  # it is open now
        eventually(lambda: decide(bundle, TOOL_CALL, call(("allow",))).proceeds, "it comes back")


def test_what_cannot_be_shown_as_it_is_is_not_asked_about(tmp_path: Path) -> None:
    """A Python object, a lone surrogate, more than a line holds; at a gate that blocks, and it is nobody's failure."""
    with scripted(written(tmp_path, declared("one", "tool_result")), failures=1) as extension:
        bundle = extension.interceptors()
        for output, problem in ((object(), "JSON"), (["\ud800"], "surrogate"), ("x" * 17 * 2**20, "larger")):
            outcome = decide(bundle, TOOL_RESULT, ToolResult(output), call())
            assert outcome.verdict is Verdict.BLOCK
            assert outcome.reason.startswith("extension scripted was not asked: ")
            assert problem in outcome.reason
        assert decide(bundle, TOOL_RESULT, *value_for(TOOL_RESULT, ("allow",))).proceeds


@pytest.mark.parametrize(
    ("number", "asked"),
    [(2**53, True), (-(2**53), True), (2**53 + 1, False), (2**53 + 2, True), (-(2**53) - 1, False), (10**30, False)],
)
def test_an_integer_that_it_would_read_as_another_is_not_shown(tmp_path: Path, number: int, asked: bool) -> None:
    """Unless the manifest says that integers are read exactly; a text of the same digits is no integer."""
    with scripted(written(tmp_path, exact_integers=False)) as extension:
        bundle = extension.interceptors()
        assert decide(bundle, TOOL_CALL, call(("allow",), n=[number])).proceeds is asked
        assert decide(bundle, TOOL_CALL, call(("allow",), n=str(number))).proceeds
    with scripted(written(tmp_path)) as extension:
        assert decide(extension.interceptors(), TOOL_CALL, call(("allow",), n=[number])).proceeds


def test_after_it_was_closed_its_gates_block(tmp_path: Path) -> None:
    """A bundle outlives the extension."""
    with scripted(written(tmp_path)) as extension:
        bundle = extension.interceptors()
    assert decide(bundle, TOOL_CALL, call()).reason == "extension scripted was closed (judge)"
    with pytest.raises(ExtensionFailed, match="extension scripted was closed"):
        extension.interceptors()
    extension.close()  # twice does nothing


def test_a_program_that_is_not_there_says_so(tmp_path: Path) -> None:
    """The error names the extension."""
    with pytest.raises(
        ExtensionFailed, match=r"extension no-such-program cannot be started: No such file or directory"
    ):
        Extension(["no-such-program"]).interceptors()
    slow = scripted(written(tmp_path, before=[["stall"]]))
    with pytest.raises(ExtensionFailed, match=r"extension scripted.py said no manifest within 0.2 s"):
        Extension(slow.command, start_s=SHORT).interceptors()
