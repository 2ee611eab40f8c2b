"""An extension is a pack: it has a configuration, a manifest, and interceptors that merge as any."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.host.extensions.made import LONG, PATIENT, call, declared, manifest, scripted, written
from tests.packs.verified import broken

from seamlaw import (
    CONTEXT,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    Kind,
    Message,
    Scope,
    ToolCall,
    ToolResult,
    Verdict,
    block,
    decide,
    gate,
    merge,
    observe,
)
from seamlaw_host.extensions import DEADLINES_S, Extension, ExtensionFailed
from seamlaw_host.policies._hash import hash_of
from seamlaw_packs.errors import InvalidPack


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"command": []}, "command"),
        ({"command": "node x.js"}, "command"),
        ({"command": [""]}, "command"),
        ({"command": ["x", 1]}, "command[1]"),
        ({"command": ["x", "a\0b"]}, "command[1]"),
        ({"name": ""}, "name"),
        ({"cwd": ""}, "cwd"),
        ({"env": ["A"]}, "env"),
        ({"env": {"A=B": "x"}}, "a key of env"),
        ({"env": {"A": 1}}, "env['A']"),
        ({"pass_env": "PATH"}, "pass_env"),
        ({"pass_env": ["A=B"]}, "pass_env[0]"),
        ({"deadlines_s": 5}, "deadlines_s"),
        ({"deadlines_s": {"tool_cal": 5}}, "deadlines_s['tool_cal']"),
        ({"deadlines_s": {"tool_call": 0}}, "deadlines_s['tool_call']"),
        ({"deadlines_s": {"tool_call": float("nan")}}, "deadlines_s['tool_call']"),
        ({"deadlines_s": {"tool_call": True}}, "deadlines_s['tool_call']"),
        ({"deadlines_s": {"tool_call": 10**9}}, "deadlines_s['tool_call']"),
        ({"start_s": -1}, "start_s"),
        ({"pause_s": "5"}, "pause_s"),
        ({"failures": 0}, "failures"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made; nothing is started."""
    with pytest.raises(InvalidPack) as raised:
        Extension(**_with_command(options))
    assert raised.value.place == place


def _with_command(options: dict[str, Any]) -> dict[str, Any]:
    return {"command": ["x"], **options}


def test_a_misspelt_seam_is_told_what_it_may_have_meant() -> None:
    """And the deadlines that are not given are as they are."""
    with pytest.raises(InvalidPack, match=r"did you mean tool_call\?"):
        Extension(["x"], deadlines_s={"tool_cal": 1})
    assert Extension(["x"], deadlines_s={"memory": 9}).deadlines_s == {**DEADLINES_S, "memory": 9.0}


def test_what_is_secret_in_its_configuration_is_not_shown() -> None:
    """What is set in the environment may be a token."""
    assert "hunter2" not in repr(Extension(["x"], env={"TOKEN": "hunter2"}))


BROKEN: dict[str, list[dict[str, Any]]] = {
    "9 interceptors at tool_call, more than 8": [declared(f"i{n}") for n in range(9)],
    "an interceptor with a name that another has, too (interceptors[0])": [declared("x"), declared("x", "context")],
    "an interceptor with nothing to observe: at context nothing is executed (interceptors[1])": [
        declared("x"),
        declared("y", "context", "observer"),
    ],
    "an interceptor with denies = false, which is for rewriters (interceptors[0])": [declared("x", denies=False)],
    "an interceptor with a glob that is none, or with tools where no tool is known (interceptors[0])": [
        declared("x", tools=["[a"])
    ],
    "an interceptor with a glob that is none, or with tools where no tool is known (interceptors[1])": [
        declared("x"),
        declared("y", "memory", tools=["bash"]),
    ],
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_manifest_that_cannot_stand_is_refused(tmp_path: Path, problem: str) -> None:
    """With the place in it."""
    with scripted(written(tmp_path, *BROKEN[problem])) as extension, pytest.raises(ExtensionFailed) as raised:
        extension.interceptors()
    assert raised.value.problem == f"has {problem}"


@pytest.mark.parametrize("rule", [{}, {"refuse": "x", "tool": "y"}, {"refuse": "x", "when": []}, {"allow": "x"}])
def test_a_rule_that_cannot_be_read_is_refused(tmp_path: Path, rule: dict[str, Any]) -> None:
    """Never is it left out."""
    script = written(tmp_path, rules=[{"refuse": "x"}, rule])
    with scripted(script) as extension, pytest.raises(ExtensionFailed, match=r"has a rule that .* \(rules\[1\]"):
        extension.interceptors()


@pytest.mark.parametrize("line", ["no", "[]", "{}", '{"type": "manifest"}', '{"id": 1, "decision": "allow"}', ""])
def test_what_is_no_manifest_is_refused(tmp_path: Path, line: str) -> None:
    """So is an extension that says nothing and ends."""
    steps = [["raw", f"{line}\n"]] if line else [["exit"]]
    with scripted(written(tmp_path, before=steps)) as extension, pytest.raises(ExtensionFailed) as raised:
        extension.interceptors()
    assert raised.value.problem.startswith("said what is no" if line else "ended")


def test_eight_at_each_seam_are_taken(tmp_path: Path) -> None:
    """In their order, by the name of the extension and their own."""
    listed = [declared(f"{seam}-{n}", seam) for seam in ("tool_call", "context") for n in range(8)]
    with scripted(written(tmp_path, *listed)) as extension:
        bundle = extension.interceptors()
        assert [one.name for one in extension.interceptors().ordered(CONTEXT)] == [
            f"scripted/context-{n}" for n in range(8)
        ]
        assert decide(bundle, TOOL_CALL, call()).proceeds


def test_rules_are_applied_without_calling_anybody(tmp_path: Path) -> None:
    """Its program has ended by then; the rules hold, and are named after it."""
    script = written(tmp_path)
    rules = [{"refuse": "no", "tools": "rm", "name": "mine"}, {"default": {"tool": "ls", "at": "/all", "value": True}}]
    script.write_text(json.dumps({"manifest": {**manifest(rules=rules), "interceptors": []}}), "utf-8")
    with scripted(script) as extension:
        bundle = extension.interceptors()
        for process in list(extension._channel._kept):
            assert process.done.wait(60)
        outcome = decide(bundle, TOOL_CALL, ToolCall("1", "rm", {}))
        assert (outcome.reason, outcome.interceptor) == ("no", "scripted/mine")
        filled = decide(bundle, TOOL_CALL, ToolCall("1", "ls", {}))
        assert (filled.value.arguments, filled.log[0].interceptor) == ({"all": True}, "scripted/rules[1]")
        assert extension._channel._kept == []


def test_a_rule_refuses_also_where_the_extension_does_not_answer(tmp_path: Path) -> None:
    """Both say so."""
    with scripted(written(tmp_path, rules=[{"refuse": "no", "tools": "bash"}])) as extension:
        outcome = decide(extension.interceptors(), TOOL_CALL, call(("kill",)))
        assert [entry.reason for entry in outcome.log] == ["no", "extension scripted ended (judge)"]


def test_it_merges_as_any_bundle(tmp_path: Path) -> None:
    """Its gate is shown what a rewriter of another bundle left, only for its tools and agents."""
    script = written(tmp_path, declared("judge", tools=["ba*"], agents=["intern"]))
    with scripted(script) as extension:
        mine = Interceptors(
            tool_call=[gate(lambda call: block("not zsh") if call.name == "zsh" else None, name="mine")]
        )
        bundle = merge(extension.interceptors(), mine)
        steps = [("block", "asked")]
        assert decide(bundle, TOOL_CALL, call(*steps), scope=Scope(agent="intern")).reason == "asked"
        assert decide(bundle, TOOL_CALL, call(*steps), scope=Scope(agent="lead")).proceeds
        zsh = ToolCall("1", "zsh", call(*steps).arguments)
        assert decide(bundle, TOOL_CALL, zsh, scope=Scope(agent="intern")).reason == "not zsh"


def test_the_hash_of_a_policy_is_that_of_its_manifest_and_of_its_configuration(tmp_path: Path) -> None:
    """Equal for two processes, also after a restart and whatever they were asked; another for another of either."""

    def hashed(interceptor: dict[str, Any], **options: Any) -> str:
        with scripted(written(tmp_path, interceptor), **options) as extension:
            bundle = extension.interceptors()
            before = hash_of(bundle)
            decide(bundle, TOOL_CALL, call(("kill",)))
            assert hash_of(bundle) == before
        assert not before.startswith("names:")
        return before

    judge = declared("judge")
    first = hashed(judge)
    assert hashed(judge) == first
    others = [hashed(declared("judge", tools=["bash"])), hashed(judge, deadlines_s={"tool_call": 9.0})]
    assert len({first, *others, hashed(judge, cwd=str(tmp_path))}) == 4


def test_every_decision_can_be_made(tmp_path: Path) -> None:
    """With what belongs to it; a replacement keeps the id of the call, and is decided as any."""
    script = written(tmp_path, declared("shape", mode="rewriter"), declared("judge"))
    plain: dict[str, Any] = {"id": "forged", "name": "bash", "arguments": {"do": [["note", "seen"]]}}
    with scripted(script) as extension:
        bundle = extension.interceptors()
        outcome = decide(bundle, TOOL_CALL, call(("replace", plain)))
        assert (outcome.value.id, outcome.value.arguments) == ("call-1", plain["arguments"])
        assert [entry.kind for entry in outcome.log] == [Kind.REPLACE, Kind.NOTE]
        asked = decide(bundle, TOOL_CALL, call(("ask", "why?")))
        assert asked.verdict is Verdict.ASK
        assert [(ask.reason, ask.target) for ask in asked.asks] == [("why?", "lead")] * 2


def test_a_gate_of_an_extension_cannot_rewrite(tmp_path: Path) -> None:
    """As no gate can."""
    with scripted(written(tmp_path)) as extension:
        plain: dict[str, Any] = {"id": "1", "name": "rm", "arguments": {}}
        outcome = decide(extension.interceptors(), TOOL_CALL, call(("replace", plain)))
        assert outcome.reason == "interceptor error: scripted/judge answered a replacement, but a gate cannot rewrite"


def test_an_observer_is_told_and_never_heard(tmp_path: Path) -> None:
    """What it cannot be told is an entry; a dead process does not hold anybody up."""
    script = written(tmp_path, declared("watch", mode="observer"), declared("results", "tool_result", mode="observer"))
    with scripted(script) as extension:
        bundle = extension.interceptors()
        assert observe(bundle, TOOL_CALL, call(), ToolResult("x")) == ()
        assert observe(bundle, TOOL_RESULT, ToolResult("x"), ToolResult("y"), call()) == ()
        (entry,) = observe(bundle, TOOL_CALL, call(), ToolResult(object()))
        assert entry.interceptor == "scripted/watch"
        assert decide(bundle, TOOL_CALL, call(("block",))).proceeds
    assert [entry.interceptor for entry in observe(bundle, TOOL_CALL, call(), ToolResult("x"))] == ["scripted/watch"]


def test_what_it_intercepts_can_be_shown_before_anything_is_registered(tmp_path: Path) -> None:
    """By seam and tool, as its manifest says."""
    script = written(
        tmp_path, declared("a", tools=["bash", "zsh"]), declared("b", "context"), declared("c", "tool_result")
    )
    with scripted(script, name="scripted") as extension:
        assert extension.intercept == ("context", "tool_call:bash", "tool_call:zsh", "tool_result")
        assert (extension.version, extension.description) == ("1", "Interceptors in another process.")


def test_a_rewriter_at_an_open_seam_sees_what_the_one_before_left(tmp_path: Path) -> None:
    """Messages go there and back."""
    script = written(tmp_path, declared("one", "context", mode="rewriter"), declared("two", "context", mode="rewriter"))
    plain: dict[str, Any] = {
        "role": "user",
        "content": '[["note", "second"]]',
        "tool_calls": [],
        "call_id": None,
        "extra": {},
    }
    with scripted(script) as extension:
        first = Message("user", json.dumps([["replace", [plain]]]))
        outcome = decide(extension.interceptors(), CONTEXT, (first,))
        assert outcome.value == (Message("user", '[["note", "second"]]'),)
        assert [entry.reason for entry in outcome.log] == ["", "second"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green on the example, but for faults that it injects into the release of a lock.

    One that it raises there leaves the lock locked, as nothing else does.
    """
    command = [sys.executable, str(Path(__file__).resolve().parents[3] / "examples/extensions/git_guard.py")]
    with Extension(command, deadlines_s=PATIENT, start_s=LONG) as extension:
        # What its constants are is not to be seen from here.
        results = st.sampled_from(["ghp_a1", "x", "", "ghp_", 'a "ghp_b2"']).map(ToolResult)
        options = {"strategies": {"tool_result": results}, "skip": ["stays_closed_under_injected_faults"]}
        found = broken(extension, examples=10, budget_s=LONG, **options)
    assert found == []
