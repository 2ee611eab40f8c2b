"""What a hook says to its agent: nothing that the policy does not allow gets past it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import TOOL_CALL as TOOL_CALL_SEAM
from seamlaw import (
    Interceptors,
    Message,
    ToolCall,
    ToolResult,
    Verdict,
    ask,
    block,
    decide,
    gate,
    interceptor,
    note,
    replace,
    thaw,
)
from seamlaw_host.hooks import AGENT_STOP, AGENTS, CLAUDE_CODE, CODEX, COMPACTION, HookAgent, UnreadableEvent, answer
from seamlaw_host.hooks._answer import DECIDED, SILENT
from seamlaw_host.hooks._event import HookEvent
from seamlaw_host.hooks._install import unenforced
from seamlaw_host.hooks._shape import NoShape, same_shape, withheld
from seamlaw_host.policies import load_policy

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = sorted((ROOT / "tests/samples").glob("claude_code*.hooks.jsonl"))
POLICY = ROOT / "examples/policies/coding_agent.toml"
BOTH = pytest.mark.parametrize("agent", AGENTS.values(), ids=list(AGENTS))
BASH = {"stdout": "the key is k-1", "stderr": "", "interrupted": False, "isImage": False}


def event(name: str, **fields: Any) -> HookEvent:
    """An event about a call of a shell."""
    about = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t-1"}
    return HookEvent({"session_id": "s-1", "hook_event_name": name, **about, **fields})


def said(bundle: Interceptors, agent: HookAgent, given: HookEvent, **options: Any) -> Any:
    """What goes to the agent, as it would read it."""
    found = answer(bundle, agent, given, **options).said
    return None if found is None else json.loads(json.dumps(found))


def before(bundle: Interceptors, agent: HookAgent = CLAUDE_CODE, options: Any = None, **fields: Any) -> Any:
    """What is said of a call before it runs."""
    found = said(bundle, agent, event("PreToolUse", **fields), **(options or {}))
    return found and found["hookSpecificOutput"]


def always(told: Any) -> Callable[[Any], Any]:
    """What answers so, whatever it is shown."""

    def interceptor(value: Any) -> Any:
        return told

    return interceptor


def at_call(*answers: Any) -> Interceptors:
    """A policy that answers so to every call."""
    return Interceptors(tool_call=[gate(always(told), name="g") for told in answers])


def rewriting(tool: str = "Bash", **arguments: Any) -> Interceptors:
    """A policy that puts this call in the place of any other."""
    return Interceptors(tool_call=[always(replace(ToolCall("t-1", tool, arguments)))])


# Before a tool runs


@BOTH
def test_what_nobody_minds_is_left_to_the_agent(agent: HookAgent) -> None:
    """Nothing is said, so that the user's own permissions count: an "allow" would skip them."""
    assert before(at_call(None), agent) is None
    assert before(at_call(note("seen")), agent) is None
    assert before(Interceptors(), agent) is None


@BOTH
def test_a_block_denies_with_the_reason(agent: HookAgent) -> None:
    """In the words of the hook, whatever else is said."""
    denied = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "Blocked by interceptor: not here",
    }
    assert before(at_call(ask("may it?"), block("not here")), agent) == denied


@BOTH
def test_a_crash_denies(agent: HookAgent) -> None:
    """And names the place, not what was raised."""

    def crash(call: ToolCall) -> None:
        raise KeyError("s3cret")

    found = before(Interceptors(tool_call=[crash]), agent)
    assert found["permissionDecision"] == "deny"
    assert "crash raised KeyError" in found["permissionDecisionReason"]
    assert "s3cret" not in json.dumps(found)


def test_an_ask_is_put_to_the_user_with_every_reason_and_name() -> None:
    """Claude Code asks whoever sits in front of it."""
    found = before(at_call(ask("is it safe?"), ask("is it paid?", target="the owner")))
    assert found["permissionDecision"] == "ask"
    assert found["permissionDecisionReason"] == "is it safe?; is it paid? (for the owner)"


@pytest.mark.parametrize(
    ("target", "decision"), [("cli://", "ask"), ("lead", "ask"), ("slack://c", "deny"), ("Web://x", "deny")]
)
def test_an_ask_to_somebody_elsewhere_is_denied(target: str, decision: str) -> None:
    """Whoever sits in front of the agent must not answer for whom the policy names by a URI."""
    assert before(at_call(ask("a"), ask("b", target=target)))["permissionDecision"] == decision


def test_codex_cannot_ask_and_so_it_denies() -> None:
    """To Codex "ask" is a failure of the hook, after which the tool runs."""
    found = before(at_call(ask("may it?")), CODEX)
    assert found["permissionDecision"] == "deny"
    assert found["permissionDecisionReason"].endswith("cannot do: may it?")


@pytest.mark.parametrize(
    ("agent", "options", "mode", "decision"),
    [
        (CLAUDE_CODE, {}, "default", "ask"),
        (CLAUDE_CODE, {}, "acceptEdits", "ask"),
        (CLAUDE_CODE, {}, "dontAsk", "ask"),
        (CLAUDE_CODE, {}, "bypassPermissions", "allow"),
        (CLAUDE_CODE, {"rewritten": "allow"}, "default", "allow"),
        (CLAUDE_CODE, {"rewritten": "check"}, "default", None),
        (CODEX, {}, "default", "allow"),
    ],
)
def test_a_call_that_was_changed_runs_as_it_was_decided(
    agent: HookAgent, options: Any, mode: str, decision: Any
) -> None:
    """And skips the permissions of the user only where somebody said so, or nothing is left of them."""
    found = before(rewriting(command="ls -a"), agent, options, permission_mode=mode)
    assert (found.get("permissionDecision"), found["updatedInput"]) == (decision, {"command": "ls -a"})


def test_an_ask_shows_the_call_that_would_run() -> None:
    """What the user grants is what the policy made of the call."""
    bundle = Interceptors(tool_call=[*rewriting(command="ls -a").tool_call, *at_call(ask("may it?")).tool_call])
    assert before(bundle)["updatedInput"] == {"command": "ls -a"}


@pytest.mark.parametrize(("was", "is_now"), [({"n": 1}, {"n": True}), ({"n": 0}, {"n": False}), ({}, {"n": None})])
def test_equal_to_python_is_not_the_same(was: dict[str, Any], is_now: dict[str, Any]) -> None:
    """`1 == True`, but a tool may tell them apart."""
    assert before(rewriting(**is_now), tool_input=was)["updatedInput"] == is_now


def test_a_replacement_by_the_same_is_no_change() -> None:
    """Nobody is asked about it."""
    assert before(rewriting(command="ls")) is None


@BOTH
def test_what_a_hook_cannot_do_is_denied(agent: HookAgent) -> None:
    """Another tool, and an answer in the place of a tool."""
    renames = rewriting("Read", command="ls")
    handles = Interceptors(handlers=[interceptor(always(ToolResult("done")), tools="Bash")])
    assert before(renames, agent)["permissionDecision"] == "deny"
    assert before(handles, agent)["permissionDecision"] == "deny"
    assert before(handles, agent, tool_name="Read") is None


@given(
    answers=st.lists(st.sampled_from([None, note("n"), ask("a"), ask("t", target="web://x"), block("b")]), max_size=4),
    changes=st.booleans(),
    agent=st.sampled_from(list(AGENTS.values())),
    rewritten=st.sampled_from(["ask", "allow", "check"]),
    mode=st.sampled_from(["default", "bypassPermissions"]),
)
def test_only_what_the_kernel_lets_proceed_may_run_unasked(
    answers: list[Any], changes: bool, agent: HookAgent, rewritten: Any, mode: str
) -> None:
    """Whatever is answered and however it is set up; and what runs is the decided value."""
    rewriter = rewriting(command="safe").tool_call if changes else ()
    bundle = Interceptors(tool_call=[*rewriter, *at_call(*answers).tool_call])
    outcome = decide(bundle, TOOL_CALL_SEAM, ToolCall("t-1", "Bash", {"command": "ls"}))
    found: dict[str, Any] = before(bundle, agent, {"rewritten": rewritten}, permission_mode=mode) or {}
    decision = found.get("permissionDecision")
    if outcome.verdict is Verdict.BLOCK:
        assert decision == "deny"
    elif outcome.verdict is Verdict.ASK:
        assert decision in (("ask", "deny") if agent.asks else ("deny",))
    else:
        assert decision != "deny"
    if decision != "deny":
        assert found.get("updatedInput", {"command": "ls"}) == thaw(outcome.value.arguments)


@given(
    answers=st.lists(
        st.sampled_from([None, note("n"), ask(""), ask("a", target="x"), block(""), block(" ")]), max_size=3
    ),
    name=st.sampled_from([*DECIDED]),
    changes=st.booleans(),
)
def test_codex_is_told_nothing_that_it_fails_on(answers: list[Any], name: str, changes: bool) -> None:
    """It goes on after what it does not know: `codex-rs/hooks/src/engine/output_parser.rs` and `schema.rs`."""

    def say(*given: Any) -> Any:
        return next((told for told in answers if told is not None), None)

    change = [always(replace(ToolResult("other")))] if changes else []
    bundle = Interceptors(
        tool_call=[*(rewriting(command="safe").tool_call if changes else ()), *at_call(*answers).tool_call],
        tool_result=[*change, gate(always(say()), name="g")],
        context=[gate(always(say()), name="g")],
        seams={AGENT_STOP: [gate(always(say()), name="g")], COMPACTION: [gate(always(say()), name="g")]},
    )
    found = said(bundle, CODEX, event(name, tool_response=BASH, prompt="go", error="it failed"))
    if found is not None:
        assert codex_takes(name, found), found


def codex_takes(name: str, found: dict[str, Any]) -> bool:
    """Whether Codex 0.171 reads this output, and acts on it."""
    specific = found.get("hookSpecificOutput", {})
    reason = specific.get("permissionDecisionReason", found.get("reason"))
    if "decision" in found and not (found["decision"] == "block" and isinstance(reason, str) and reason.strip()):
        return False
    if not found.keys() <= {"decision", "reason", "hookSpecificOutput", "continue", "stopReason", "systemMessage"}:
        return False
    if name == "PreToolUse":
        fields = {"hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput"}
        decision = specific.get("permissionDecision")
        if not specific.keys() <= fields or found.keys() - {"hookSpecificOutput"}:
            return False
        told: object = reason.strip() if decision == "deny" else decision == "allow" and "updatedInput" in specific
        return bool(told)
    if name == "PermissionRequest":
        return {*specific} == {"hookEventName", "decision"} and {*specific["decision"]} == {"behavior", "message"}
    return not specific


@BOTH
def test_when_permission_is_asked_a_hook_only_denies(agent: HookAgent) -> None:
    """An ask is being put to the user already; what the policy would change is too late there."""

    def at(bundle: Interceptors) -> Any:
        found = said(bundle, agent, event("PermissionRequest"))
        return found and found["hookSpecificOutput"]["decision"]

    assert at(at_call(None)) is None
    assert at(at_call(ask("may it?"))) is None
    assert at(at_call(block("no"))) == {"behavior": "deny", "message": "Blocked by interceptor: no"}
    assert at(at_call(ask("may it?", target="slack://c")))["behavior"] == "deny"
    assert at(rewriting(command="other"))["behavior"] == "deny"
    renames = rewriting("Read", command="ls").tool_call
    assert at(Interceptors(tool_call=[*renames, *at_call(ask("a")).tool_call]))["behavior"] == "deny"


def test_who_is_calling_is_taken_from_the_event_unless_it_is_said() -> None:
    """A sub-agent's type is its name; rules for agents and roles see it."""
    seen: list[tuple[Any, ...]] = []

    def watch(call: ToolCall, scope: Any) -> None:
        seen.append((call.id, scope.session, scope.agent, scope.role, scope.domain))

    bundle = Interceptors(tool_call=[watch])
    before(bundle, agent_type="reviewer", agent_id="a1", mcp_server={"name": "files"})
    before(bundle, options={"name": "me", "role": "lead"}, agent_type="reviewer")
    assert seen == [("t-1", "s-1", "reviewer", None, "files"), ("t-1", "s-1", "me", "lead", None)]


# After it ran


def redact(result: ToolResult, call: ToolCall) -> Any:
    """Take a key out of what a shell says."""
    output: Any = thaw(result.output)
    return replace(ToolResult({**output, "stdout": output["stdout"].replace("k-1", "[key]")}))


def after(bundle: Interceptors, agent: HookAgent = CLAUDE_CODE, response: Any = BASH, **fields: Any) -> Any:
    """What is said of a result."""
    return said(bundle, agent, event("PostToolUse", tool_response=response, **fields))


def test_a_result_is_rewritten_in_its_own_shape() -> None:
    """Claude Code takes no other."""
    found = after(Interceptors(tool_result=[redact]))["hookSpecificOutput"]
    assert found == {"hookEventName": "PostToolUse", "updatedToolOutput": {**BASH, "stdout": "the key is [key]"}}


def test_a_result_of_mcp_is_rewritten_for_older_versions_too() -> None:
    """These know another field."""
    found = after(Interceptors(tool_result=[redact]), tool_name="mcp__a__b")["hookSpecificOutput"]
    assert found["updatedMCPToolOutput"] == found["updatedToolOutput"]


@pytest.mark.parametrize(
    "other",
    [ToolResult("text"), ToolResult({"stdout": "x"}), ToolResult(None, "an error"), ToolResult([BASH])],
)
def test_a_replacement_of_another_shape_withholds(other: ToolResult) -> None:
    """It would be dropped, and the original shown."""
    found = after(Interceptors(tool_result=[always(replace(other))]))
    assert found["decision"] == "block"
    assert "k-1" not in json.dumps(found)
    assert same_shape(BASH, found["hookSpecificOutput"]["updatedToolOutput"])


@pytest.mark.parametrize("told", [block("holds a key"), ask("may it be seen?")])
@BOTH
def test_a_withheld_result_leaves_nothing_of_it(agent: HookAgent, told: Any) -> None:
    """A placeholder in its shape for Claude Code, a block's reason in its place for Codex."""
    found = after(Interceptors(tool_result=[always(told)]), agent)
    assert found["decision"] == "block"
    assert found["reason"].startswith("[tool result withheld by interceptor: ")
    assert "k-1" not in json.dumps(found)
    assert ("hookSpecificOutput" in found) is agent.rewrites_results


def test_what_cannot_be_withheld_in_its_shape_stops_the_agent() -> None:
    """An image, say: nobody knows what its reader would make of a placeholder."""
    image = {"type": "image", "file": {"base64": "aGk=", "type": "image/png"}}
    found = after(Interceptors(tool_result=[always(block("no"))]), response=image)
    assert found == {"continue": False, "stopReason": "[tool result withheld by interceptor: no]"}


def test_codex_is_given_what_is_left_as_the_reason_of_a_block() -> None:
    """There it stands in the place of the result."""
    found = after(Interceptors(tool_result=[redact]), CODEX)
    assert found["decision"] == "block"
    assert json.loads(found["reason"])["stdout"] == "the key is [key]"


def test_what_a_failed_tool_said_is_withheld_by_stopping() -> None:
    """No hook can change it; a replacement is told to the user, loudly."""
    failed = event("PostToolUseFailure", error="k-1 is wrong")
    blocked = said(Interceptors(tool_result=[always(block("a key"))]), CLAUDE_CODE, failed)
    changed = said(Interceptors(tool_result=[always(replace(ToolResult(None, "x")))]), CLAUDE_CODE, failed)
    assert blocked == {"continue": False, "stopReason": "[tool result withheld by interceptor: a key]"}
    assert "no hook can" in changed["systemMessage"]
    assert said(Interceptors(), CLAUDE_CODE, failed) is None


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "stdout"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON)
def test_withheld_has_the_shape_and_no_text_or_number_of_it(value: Any) -> None:
    """Only how it is built is left, and what is true or null."""
    made = withheld(value, "…")
    assert same_shape(value, made)
    assert set(leaves(made)) <= {"…", "0", "True", "False", "None"}


def leaves(value: Any) -> list[str]:
    """Every scalar."""
    parts: Any = value.values() if hasattr(value, "values") else value if hasattr(value, "append") else None
    return [str(value)] if parts is None else [leaf for part in parts for leaf in leaves(part)]


@given(JSON, JSON)
def test_the_same_shape_is_an_equivalence(one: Any, other: Any) -> None:
    """Of itself, and both ways round."""
    assert same_shape(one, one)
    assert same_shape(one, other) == same_shape(other, one)


@pytest.mark.parametrize(("key", "value"), [("type", "text"), ("mode", "count"), ("status", "completed")])
def test_what_tells_the_shape_is_kept_and_anything_else_there_is_refused(key: str, value: str) -> None:
    """So nothing can hide under such a key."""
    assert withheld({key: value}, "…") == {key: value}
    with pytest.raises(NoShape):
        withheld({key: "k-1"}, "…")


# About no tool


@BOTH
def test_a_prompt_is_blocked_also_where_it_would_be_changed(agent: HookAgent) -> None:
    """No hook can change it."""

    def at(told: Any) -> Any:
        return said(Interceptors(context=[always(told)]), agent, event("UserPromptSubmit", prompt="go"))

    assert at(None) is None
    assert at(replace((Message("user", "go"),))) is None
    assert at(block("no")) == {"decision": "block", "reason": "Blocked by interceptor: no"}
    assert at(ask("may it?"))["decision"] == "block"
    assert at(replace((Message("user", "stay"),)))["decision"] == "block"
    assert at(replace(()))["decision"] == "block"


@BOTH
def test_an_agent_is_kept_going_once(agent: HookAgent) -> None:
    """One that goes on because of a hook may stop, or it never would."""
    bundle = Interceptors(seams={AGENT_STOP: [always(block("tests are red"))]})
    for name in ("Stop", "SubagentStop"):
        found = said(bundle, agent, event(name, stop_hook_active=False))
        assert found == {"decision": "block", "reason": "Blocked by interceptor: tests are red"}
        assert said(bundle, agent, event(name, stop_hook_active=True)) is None


@BOTH
def test_a_crash_keeps_nobody_going(agent: HookAgent) -> None:
    """The seam of the end of a turn is an open one."""

    def crash(value: Any) -> None:
        raise KeyError

    bundle = Interceptors(seams={AGENT_STOP: [crash], COMPACTION: [crash]})
    assert said(bundle, agent, event("Stop")) is None
    assert said(bundle, agent, event("PreCompact")) is None


def test_a_context_is_kept_from_being_compacted() -> None:
    """In the words of each agent."""
    bundle = Interceptors(seams={COMPACTION: [always(block("not now"))]})
    reason = "Blocked by interceptor: not now"
    assert said(bundle, CLAUDE_CODE, event("PreCompact")) == {"decision": "block", "reason": reason}
    assert said(bundle, CODEX, event("PreCompact")) == {"continue": False, "stopReason": reason}


@pytest.mark.parametrize("name", sorted(SILENT))
def test_where_nothing_can_be_decided_nothing_is_said(name: str) -> None:
    """Whatever the policy is."""
    assert answer(at_call(block("no")), CLAUDE_CODE, event(name)).said is None


def test_an_unknown_event_is_refused() -> None:
    """It may be one that could be blocked."""
    with pytest.raises(UnreadableEvent, match="not known"):
        answer(Interceptors(), CLAUDE_CODE, event("PreToolUseV2"))


# What was recorded


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_recorded_event_is_answered_as_the_kernel_decides(path: Path) -> None:
    """Events of the real agent, of an old and of a new version."""
    bundle = load_policy(POLICY)
    calls = 0
    for line in path.read_text("utf-8").splitlines():
        found = HookEvent(json.loads(line))
        given = said(bundle, CLAUDE_CODE, found)
        if found.name != "PreToolUse":
            continue
        calls += 1
        outcome = decide(bundle, TOOL_CALL_SEAM, found.call(), scope=found.scope(None, None))
        decision = given and given["hookSpecificOutput"].get("permissionDecision")
        wanted = {"proceed": None if outcome.value == found.call() else "ask", "ask": "ask", "block": "deny"}
        assert decision == wanted[outcome.verdict.value]
    assert calls > 3


def test_what_no_hook_enforces_is_told() -> None:
    """Each part of a policy that would lie idle, or work in another way."""
    whole = Interceptors(
        context=[always(None)],
        provider_request=[always(None)],
        tool_result=[always(None)],
        memory=[always(None)],
        handlers=[always(None)],
    )
    told = " ".join(unenforced(whole, CLAUDE_CODE))
    assert all(word in told for word in ("handlers", "context", "2.1.121", "provider_request, memory"))
    assert "reason of a block" in " ".join(unenforced(whole, CODEX))
    assert unenforced(at_call(block("no")), CLAUDE_CODE) == []


def test_a_hook_that_said_allow_for_every_call_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a refusal is lost."""

    def nothing(*given: object) -> None: ...

    from seamlaw_host.hooks import _calls

    monkeypatch.setattr(_calls, "_refused", nothing)
    with pytest.raises(AssertionError):
        test_only_what_the_kernel_lets_proceed_may_run_unasked()
    with pytest.raises((AssertionError, TypeError)):
        test_a_block_denies_with_the_reason(CODEX)
