"""Each law of the kit finds the policy that breaks it, and what it prints is a test that fails."""

import random
import re
import time
from collections.abc import Callable
from typing import Any, cast

import pytest

from seamlaw import (
    TOOL_RESULT,
    Ask,
    Block,
    Interceptor,
    Interceptors,
    MemoryItem,
    ProviderRequest,
    Replace,
    ToolCall,
    ToolResult,
    ask,
    block,
    gate,
    note,
    replace,
    rewriter,
)
from seamlaw_spec.kit import LAWS, Checked, Report, as_test, check

SECRET = "sk-live-0123456789"


def raises(call: ToolCall) -> Block | None:
    """It takes for granted that there is a command, and that it is text."""
    return block("removes") if "rm" in call.arguments["command"] else None


def changes(call: ToolCall) -> None:
    """It sets an argument in place."""
    if call.name == "bash":
        call.arguments["timeout"] = 60


def answers_true(call: ToolCall) -> Any:
    """It says yes, as if that were a decision."""
    return True if call.name == "bash" else None


def new_id(call: ToolCall) -> Replace | None:
    """It replaces the call by one of another id."""
    return replace(ToolCall(call.id + "'", "bash", call.arguments)) if call.name == "sh" else None


def doubles(result: ToolResult) -> Replace | None:
    """It marks what it has marked already."""
    text = result.output
    return replace(ToolResult(text.replace("key", "[a key]"))) if isinstance(text, str) and "key" in text else None


def compares_with_a_tuple(call: ToolCall) -> Block | None:
    """JSON has no tuples."""
    return block("removes") if call.arguments.get("argv") == ("rm", "-rf") else None


def reads_the_first_key(call: ToolCall) -> Block | None:
    """It takes the order of keys to mean something."""
    return block("a force first") if next(iter(call.arguments), "") == "force" and len(call.arguments) > 1 else None


def swallows(call: ToolCall) -> Block | None:
    """It lets through what it fails to read."""
    try:
        return block("removes") if "rm" in call.arguments["command"] else None
    except Exception:
        return None


def swallows_in_what_it_calls(call: ToolCall) -> Block | None:
    """It lets through when what it calls fails."""
    try:
        return block("removes") if re.search("rm", str(call.arguments.get("command"))) else None
    except Exception:
        return None


def by_chance(call: ToolCall) -> Block | None:
    """It throws a coin."""
    return block("bad luck") if random.random() < 0.5 else None


def quotes(call: ToolCall) -> Block | None:
    """Its reason quotes the command, with whatever stands there."""
    command = str(call.arguments.get("command"))
    return block(f"no: {command}") if "rm" in command else None


def overlooks(result: ToolResult) -> Replace | None:
    """It looks at an output that is text, and at nothing else."""
    if isinstance(result.output, str) and SECRET in result.output:
        return replace(ToolResult(result.output.replace(SECRET, "***"), result.error, result.metadata))
    return None


def takes_forever(call: ToolCall) -> Block | None:
    """Its pattern takes twice as long for each character more."""
    return block("long") if re.match(r"(a+)+$", str(call.arguments.get("q"))) else None


def sleeps(call: ToolCall) -> Block | None:
    """It waits."""
    time.sleep(0.02 if call.arguments.get("q") else 0)
    return None


def says_nothing(call: ToolCall) -> Block | None:
    """It blocks, and says not why."""
    return block("") if call.name == "bash" else None


def stops_at_a_line_feed(call: ToolCall) -> Block | None:
    """Its `.` does not match a line feed."""
    return block("dangerous") if re.match(r"dangerous_.", call.name) else None


def in_small_letters(call: ToolCall) -> Block | None:
    """It knows one spelling."""
    return block("drops") if "drop table" in str(call.arguments.get("sql")) else None


def only_text(call: ToolCall) -> Block | None:
    """It judges text alone, and one way to write a path."""
    path = call.arguments.get("path")
    return block("keys") if isinstance(path, str) and path.startswith("/etc") else None


def wants_a_reason(call: ToolCall) -> Ask | None:
    """It tells absence from null."""
    return ask("says not why") if "why" not in call.arguments else None


BROKEN_BY: list[tuple[str, Interceptor | Callable[..., object]]] = [
    ("never_raises", gate(raises)),
    ("changes_nothing_it_is_shown", rewriter(changes)),
    ("answers_a_decision", gate(answers_true)),
    ("keeps_the_id", rewriter(new_id)),
    ("rewrites_idempotently", rewriter(doubles)),
    ("decides_alike_on_equal_values", gate(compares_with_a_tuple)),
    ("decides_alike_on_equal_values", gate(reads_the_first_key)),
    ("stays_closed_under_injected_faults", gate(swallows)),
    ("stays_closed_under_injected_faults", gate(swallows_in_what_it_calls)),
    ("is_deterministic", by_chance),
    ("leaks_no_configured_secret", gate(quotes)),
    ("leaks_no_configured_secret", rewriter(overlooks)),
    ("stays_within_its_time", gate(takes_forever)),
    ("stays_within_its_time", gate(sleeps)),
    ("says_why", gate(says_nothing)),
    ("sees_through_line_feeds", gate(stops_at_a_line_feed)),
    ("sees_through_case", gate(in_small_letters)),
    ("sees_through_spaces", gate(in_small_letters)),
    ("sees_through_lookalikes", gate(in_small_letters)),
    ("sees_through_paths", gate(only_text)),
    ("stops_what_it_cannot_read", gate(only_text)),
    ("takes_null_for_nothing", gate(wants_a_reason)),
]


def verified(policy: object, *only: str, **more: Any) -> Report:
    """Check with these laws alone."""
    return check(policy, only=only, secrets=[SECRET] if "leaks_no_configured_secret" in only else [], **more)


def fails_as_printed(checked: Checked, policy: object) -> bool:
    """Run what is printed, as a test would be."""
    names: dict[str, Any] = {"policy": policy}
    exec(as_test(checked), names)
    try:
        names[f"test_{checked.law}"]()
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize(("law", "policy"), BROKEN_BY, ids=lambda it: getattr(it, "name", getattr(it, "__name__", it)))
def test_a_broken_law_is_found_with_a_counterexample_that_fails_as_a_test(law: str, policy: object) -> None:
    """Each policy that was made to break a law breaks it, and the printed test shows so again."""
    budget = {"budget_s": 0.01} if policy is BROKEN_BY[13][1] else {}
    report = verified(policy, law, **budget)
    (checked,) = [one for one in report.checks if not one.holds]
    assert (checked.law, bool(checked.remark), bool(checked.trace)) == (law, True, True)
    assert fails_as_printed(checked, policy) or law == "is_deterministic"


def test_every_law_is_broken_by_a_policy_here() -> None:
    """No law of the kit goes without a policy that shows what it finds."""
    assert {law for law, _ in BROKEN_BY} == set(LAWS)


def careful(call: ToolCall) -> Block | None:
    """Reads what is there, whatever its type, and stops in doubt."""
    command = call.arguments.get("command")
    if command is None:
        return None
    return block("removes") if not isinstance(command, str) or "rm" in command.lower() else None


@rewriter
def redacts(result: ToolResult) -> Replace | None:
    """Takes a secret out of all that a result can hold."""

    def clean(value: Any) -> Any:
        if isinstance(value, dict):
            return {clean(key): clean(item) for key, item in cast("dict[str, Any]", value).items()}
        if isinstance(value, list):
            return [clean(item) for item in cast("list[str]", value)]
        return value.replace(SECRET, "***") if isinstance(value, str) else value

    made = ToolResult(clean(result.output), clean(result.error), clean(result.metadata))
    return None if made == result else replace(made)


@pytest.mark.parametrize("policy", [gate(careful), redacts, gate(lambda call: note("seen"), name="notes")])
def test_a_sound_policy_keeps_every_law(policy: object) -> None:
    """A gate that reads with care and a redactor that walks everything keep all laws, secrets among them."""
    report = check(policy, secrets=[SECRET])
    assert [(one.law, one.remark) for one in report.broken("law")] == []


def test_two_rewriters_that_do_not_commute_are_reported_and_nothing_is_broken() -> None:
    """The pair comes with a value on which their order counts; it is a report, since an order may be meant."""

    def upper(call: ToolCall) -> Replace:
        return replace(ToolCall(call.id, call.name.upper(), call.arguments))

    def shorter(call: ToolCall) -> Replace | None:
        return replace(ToolCall(call.id, "sh", call.arguments)) if call.name == "bash" else None

    report = check(Interceptors(tool_call=[upper, shorter]), only=["commutes_or_is_reported"])
    (pair,) = report.broken("report")
    assert (pair.part.name, pair.other and pair.other.name, report.broken("law")) == ("upper", "shorter", ())
    assert pair.trace[0].value.name == "bash"


def test_a_redactor_that_fails_on_an_open_seam_is_found() -> None:
    """Where a rewriter's fault is skipped, the secret that it should have taken out goes on."""

    @rewriter
    def fails(result: ToolResult) -> Replace | None:
        return replace(ToolResult(result.output.replace(SECRET, "***"))) if result.output else None  # type: ignore[attr-defined]

    report = verified(fails, "leaks_no_configured_secret")
    assert [one.part.seam for one in report.broken("law")] == [TOOL_RESULT]


def test_a_gate_at_another_seam_that_reads_by_name_is_judged() -> None:
    """A request has no arguments: laws about these have nothing to try there."""

    def no_agent(request: ProviderRequest) -> Block | None:
        return block("no agent") if not request.kwargs.get("agent") else None

    policy = Interceptors(provider_request=[gate(no_agent)])
    report = check(policy, only=["takes_null_for_nothing", "stops_what_it_cannot_read"], examples=30)
    assert [(one.law, one.holds) for one in report.checks] == [
        ("stops_what_it_cannot_read", True),
        ("takes_null_for_nothing", True),
    ]


def test_memory_is_a_seam_like_any_other() -> None:
    """A rewriter that gives a list of items, or drops one by chance of its place, is judged where it stands."""

    def every_second(items: tuple[MemoryItem, ...]) -> Replace:
        return replace(items[::2])

    report = check(every_second, only=["rewrites_idempotently", "never_raises"])
    assert [one.law for one in report.broken("law")] == ["rewrites_idempotently"]
